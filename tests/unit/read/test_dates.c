/* Dates as features: what they become, in which order day and month are read, and that a model
 * finds them again in new tables. */
#include "read/blocks.h"
#include "read/date.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "support/notes.h"
#include "support/read_text.h"
#include "support/tmpfile.h"

static sporf_read_options options_for(sporf_dates dates) {
    sporf_read_options options = plain_options();
    options.dates = dates;
    return options;
}

static void assert_refused(const char *text, const sporf_read_options *options, const char *words) {
    sporf_dataset *data = NULL;
    assert_int_not_equal(try_read("data.csv", text, options, &data), SPORF_OK);
    assert_null(data);
    if (!strstr(sporf_last_error(), words))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
}

static void days_and_weekdays_are_those_of_the_calendar(void **state) {
    (void)state;
    for (long days = -200000; days < 200000; days += 37) {
        time_t seconds = (time_t)days * 86400;
        struct tm tm;
        gmtime_r(&seconds, &tm);
        spf_date date = {.year = tm.tm_year + 1900, .month = tm.tm_mon + 1, .day = tm.tm_mday};
        date.hour = NAN;
        assert_true(spf_date_value(&date, SPF_DATE_DAYS) == (float)days);
        assert_true(spf_date_value(&date, SPF_DATE_WEEKDAY) ==
                    (float)(tm.tm_wday == 0 ? 7 : tm.tm_wday));
    }
}

static void all_spellings_of_a_date_are_one_date(void **state) {
    (void)state;
    static const char *const texts[] = {
        "2024-01-31",       "2024/1/31",   "31.1.2024",  "31.01.24",         "1/31/2024",
        "31/01/24",         "31 Jan 2024", "31-Jan-24",  "31. January 2024", "Jan 31, 2024",
        "January 31, 2024", "JAN-31-2024", "31/Jan/2024"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        spf_date date;
        if (!spf_date_read(texts[i], strlen(texts[i]), SPF_DATE_UNCLEAR, &date))
            fail_msg("'%s' is no date", texts[i]);
        if (date.year != 2024 || date.month != 1 || date.day != 31 || !isnan(date.hour))
            fail_msg("'%s' is %d-%d-%d", texts[i], date.year, date.month, date.day);
    }
    spf_date date;
    const char *text = "2024-01-31T14:30:00.5+01:00";
    assert_true(spf_date_read(text, strlen(text), SPF_DATE_UNCLEAR, &date));
    assert_true(fabs(date.hour - (14.5 + .5 / 3600)) < 1e-9);
    static const struct {
        const char *text;
        double hour;
    } halves[] = {{"1/31/2024 1:00 PM", 13},
                  {"1/31/2024 12:30:00 am", .5},
                  {"2024-01-31 12:15PM", 12.25},
                  {"2024-01-31 08:00 +0100", 8}};
    for (size_t i = 0; i < 4; i++) {
        assert_true(spf_date_read(halves[i].text, strlen(halves[i].text), SPF_DATE_MDY, &date));
        assert_true(date.hour == halves[i].hour);
    }
    assert_false(spf_is_date("1/31/2024 13:00 PM", 18));
    assert_false(spf_is_date("1/31/2024 1:00 P", 16));
}

static void what_only_resembles_a_date_is_none(void **state) {
    (void)state;
    static const char *const texts[] = {"31 Jan",      "Jan 2024",   "30 Feb 2024", "2023-02-29",
                                        "32 Jan 2024", "1 Jab 2024", "Janus 1, 24", "may 5",
                                        "14:30",       "20240131",   "1 Jan 2024 x"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (spf_is_date(texts[i], strlen(texts[i]))) fail_msg("'%s' is a date", texts[i]);
}

static void a_column_of_dates_becomes_its_parts(void **state) {
    (void)state;
    sporf_read_options options = options_for(SPORF_DATES_AUTO);
    sporf_dataset *data = read_with("x;when;y\n1;29 Feb 2024;2\n2;;3\n3;1 Jan 1970;4\n", &options);
    static const char *const names[] = {"x",         "when.year", "when.month", "when.weekday",
                                        "when.days", "y"};
    static const float first[] = {1, 2024, 2, 4, 19782, 2}, last[] = {3, 1970, 1, 4, 0, 4};
    assert_int_equal(data->features, 6);
    for (size_t j = 0; j < 6; j++) {
        assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), j), names[j]);
        assert_true(data->columns[j][0] == first[j] && data->columns[j][2] == last[j]);
        assert_int_equal(isnan(data->columns[j][1]) != 0, j > 0 && j < 5);
    }
    sporf_dataset_free(data);
    data = read_with("x;when\n1;2024-01-31 06:00\n2;2024-01-31\n", &options);
    assert_int_equal(data->features, 6);
    assert_true(data->columns[4][0] == 19753.25f && data->columns[5][0] == 6);
    assert_true(data->columns[4][1] == 19753 && isnan(data->columns[5][1]));
    sporf_dataset_free(data);
}

static void dates_are_left_out_unless_asked_for(void **state) {
    (void)state;
    sporf_read_options options = options_for(SPORF_DATES_NO);
    static const char *const dates[] = {"1 Jan 2024", "01-Jan-24", "Jan 1, 2024", "3/4/2024"};
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        char text[200];
        sprintf(text, "x;when\n1;%s\n2;%s\n3;%s\n", dates[i], dates[i], dates[i]);
        sporf_dataset *data = read_with(text, &options);
        assert_int_equal(data->features, 1);
        assert_int_equal(left_out_note(data, 0)->left_out, SPORF_LEFT_OUT_DATES);
        assert_int_equal(other_note_count(data), 0);
        sporf_dataset_free(data);
    }
}

static float month_of(const char *text, sporf_dates dates) {
    sporf_read_options options = options_for(dates);
    sporf_dataset *data = read_with(text, &options);
    float month = data->columns[2][0];
    sporf_dataset_free(data);
    return month;
}

static void what_stands_for_a_missing_date_is_missing(void **state) {
    (void)state;
    static const char *const words[] = {"-", ".", "None", "0000-00-00", "0000-00-00 00:00:00", ""};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        char text[2000];
        size_t used = (size_t)sprintf(text, "when;x\n");
        for (int i = 0; i < 40; i++) {
            used += (size_t)sprintf(text + used, i % 3 ? "2024-01-%02d" : words[k], 1 + i % 28);
            used += (size_t)sprintf(text + used, ";%d\n", i * i);
        }
        sporf_read_options options = options_for(SPORF_DATES_NO);
        sporf_dataset *data = read_with(text, &options);
        assert_int_equal(data->features, 1);
        assert_int_equal(left_out_note(data, 0)->left_out, SPORF_LEFT_OUT_DATES);
        sporf_dataset_free(data);
        options = options_for(SPORF_DATES_AUTO);
        data = read_with(text, &options);
        assert_int_equal(data->features, 5);
        for (size_t j = 0; j < 4; j++) assert_int_equal(sporf_dataset_missing(data, j), 14);
        sporf_dataset_free(data);
    }
}

static void words_that_are_missing_among_dates_make_no_column_of_dates(void **state) {
    (void)state;
    sporf_read_options options = options_for(SPORF_DATES_AUTO);
    sporf_dataset *data = read_with("w;x\n-;1\nNone;2\n-;3\n", &options);
    assert_int_equal(data->features, 2);
    sporf_dataset_free(data);
}

static void the_dates_of_a_column_tell_day_from_month(void **state) {
    (void)state;
    sporf_read_options options = options_for(SPORF_DATES_AUTO);
    assert_true(month_of("x;d\n1;3/4/2024\n2;13/4/2024\n", SPORF_DATES_AUTO) == 4);
    assert_true(month_of("x;d\n1;3/4/2024\n2;3/14/2024\n", SPORF_DATES_AUTO) == 3);
    assert_true(month_of("x;d\n1;3.4.2024\n2;4.4.2024\n", SPORF_DATES_AUTO) == 4);
    assert_true(month_of("x;d\n1;5/5/2024\n2;6/6/2024\n", SPORF_DATES_AUTO) == 5);
    assert_true(month_of("x;d\n1;3/4/2024\n2;5/6/2024\n", SPORF_DATES_DMY) == 4);
    assert_true(month_of("x;d\n1;3/4/2024\n2;5/6/2024\n", SPORF_DATES_MDY) == 3);
    assert_refused("x;d\n1;5/5/2024\n2;3/4/2024\n", &options,
                   "line 3, column 2 ('d'): '3/4/2024' may have the day or the month first, and no "
                   "other date of the column tells which; say it (dates 'dmy' or dates 'mdy')");
    assert_refused(
        "x;d\n1;13/4/2024\n2;3/14/2024\n", &options,
        "line 2, column 2 ('d'): '13/4/2024' has the day first, but '3/14/2024' (line 3)");
    options.dates = SPORF_DATES_DMY;
    assert_refused("x;d\n1;3/4/2024\n2;3/14/2024\n", &options,
                   "line 3, column 2 ('d'): '3/14/2024'");
}

static void a_name_that_a_part_would_have_is_refused(void **state) {
    (void)state;
    sporf_read_options options = options_for(SPORF_DATES_AUTO);
    assert_refused("d.year;d\n1;2024-01-31\n2;2024-02-01\n", &options, "the feature 'd.year'");
}

static void assert_same_columns(const sporf_dataset *one, const sporf_dataset *other,
                                size_t first) {
    assert_int_equal(one->features, other->features);
    for (size_t j = 0; j < one->features; j++)
        assert_memory_equal(one->columns[j] + first, other->columns[j],
                            other->rows * sizeof(float));
}

/* As a whole and in blocks of any size, without any option. */
static void a_model_finds_its_dates_in_new_tables(void **state) {
    (void)state;
    sporf_read_options options = options_for(SPORF_DATES_AUTO);
    const char *text = "x;when;y\n1;25/12/2023 08:00;2\n2;3/1/2024;3\n3;;4\n4;4/1/2024 12:30;5\n";
    sporf_dataset *data = read_with(text, &options);
    assert_int_equal(data->features, 7);
    sporf_read_options again = plain_options();
    again.schema = sporf_dataset_schema(data);
    sporf_dataset *whole = read_with(text, &again);
    assert_same_columns(data, whole, 0);
    sporf_dataset_free(whole);
    whole = read_with("z;y;x;when\na;2;1;25 Dec 2023 08:00\nb;3;2;2024-01-03\nc;4;3;\n", &again);
    assert_same_columns(data, whole, 0);
    sporf_dataset_free(whole);
    assert_refused("x;y\n1;2\n", &again, "the data have no column 'when.year'");
    assert_refused("x;y;when\n1;2;3/4/2024\n", &again, "dates 'dmy'");
    assert_refused("x;y;when\n1;2;soon\n", &again, "'soon' is not a date");
    tmp_file file = tmp_file_of("dates", text, strlen(text));
    for (size_t bytes = 1; bytes < 200; bytes *= 3) {
        sporf_reader *reader = NULL;
        size_t done = 0;
        assert_int_equal(spf_reader_open(file.path, &again, bytes, &reader), SPORF_OK);
        for (;;) {
            sporf_dataset *block = NULL;
            if (sporf_reader_next(reader, 2, &block) != SPORF_OK)
                fail_msg("%s", sporf_last_error());
            if (!block) break;
            assert_same_columns(data, block, done);
            done += block->rows;
            sporf_dataset_free(block);
        }
        assert_int_equal(done, 4);
        sporf_reader_free(reader);
    }
    tmp_file_remove(&file);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_and_weekdays_are_those_of_the_calendar),
        cmocka_unit_test(all_spellings_of_a_date_are_one_date),
        cmocka_unit_test(what_only_resembles_a_date_is_none),
        cmocka_unit_test(a_column_of_dates_becomes_its_parts),
        cmocka_unit_test(dates_are_left_out_unless_asked_for),
        cmocka_unit_test(what_stands_for_a_missing_date_is_missing),
        cmocka_unit_test(words_that_are_missing_among_dates_make_no_column_of_dates),
        cmocka_unit_test(the_dates_of_a_column_tell_day_from_month),
        cmocka_unit_test(a_name_that_a_part_would_have_is_refused),
        cmocka_unit_test(a_model_finds_its_dates_in_new_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
