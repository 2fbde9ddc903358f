/* Numbers as people write them: decimal commas, thousands, signs, units, durations, and what
 * decides between two readings. */
#include "base/number.h"
#include "data/amount.h"
#include "read/blocks.h"
#include "read/reader.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/notes.h"
#include "support/read_text.h"
#include "support/same_dataset.h"
#include "support/tmpfile.h"

#define NO_BREAK "\xc2\xa0"
#define NARROW "\xe2\x80\xaf"
#define EURO "\xe2\x82\xac"
#define MINUS "\xe2\x88\x92"

static sporf_dataset *read_plain(const char *text) {
    sporf_read_options options = plain_options();
    return read_with(text, &options);
}

static void assert_refused(const char *text, const sporf_read_options *options, const char *words) {
    sporf_dataset *data = NULL;
    assert_int_not_equal(try_read("data.csv", text, options, &data), SPORF_OK);
    assert_null(data);
    if (!strstr(sporf_last_error(), words))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
}

static void assert_note(const sporf_dataset *data, size_t note, const char *words) {
    assert_true(note < other_note_count(data));
    if (!strstr(other_note(data, note)->text, words))
        fail_msg("expected '%s' in '%s'", words, other_note(data, note)->text);
}

typedef struct {
    const char *cell;
    double value;
} amount;

static void assert_amounts(const amount *amounts, char decimal, spf_form_kind kind) {
    for (; amounts->cell; amounts++) {
        const char *end = amounts->cell + strlen(amounts->cell);
        double value = NAN;
        spf_form form;
        if (!spf_amount_read(amounts->cell, end, decimal, &value, &form))
            fail_msg("'%s' is no number", amounts->cell);
        if (form.kind != kind || value != amounts->value)
            fail_msg("'%s' is %.17g, of form %d", amounts->cell, value, form.kind);
    }
}

static void digits_are_grouped_in_threes(void **state) {
    (void)state;
    static const amount with_point[] = {{"1,234.56", 1234.56},
                                        {"1 234", 1234},
                                        {"12" NO_BREAK "345.5", 12345.5},
                                        {"1" NARROW "234" NARROW "567", 1234567},
                                        {"1'234'567.25", 1234567.25},
                                        {"1\xe2\x80\x99"
                                         "234",
                                         1234},
                                        {"1\xa0"
                                         "234",
                                         1234},
                                        {"(12.50)", -12.5},
                                        {"12.50-", -12.5},
                                        {MINUS "3", -3},
                                        {"+1,000", 1000},
                                        {"1e3", 1000},
                                        {NULL, 0}};
    static const amount with_comma[] = {{"12,5", 12.5},
                                        {"1.234", 1234},
                                        {"1.234.567,89", 1234567.89},
                                        {"1 234,5", 1234.5},
                                        {"(1.234,5)", -1234.5},
                                        {"1,5e3", 1500},
                                        {NULL, 0}};
    assert_amounts(with_point, '.', SPF_FORM_BARE);
    assert_amounts(with_comma, ',', SPF_FORM_BARE);
}

static void signs_and_units_stand_beside_the_number(void **state) {
    (void)state;
    static const amount amounts[] = {
        {"$6,490.02", 6490.02},   {"-$5", -5},       {"$-5", -5},           {"($5.25)", -5.25},
        {"24.8601%", 24.8601},    {"12 %", 12},      {EURO " 1,000", 1000}, {"3.5 " EURO, 3.5},
        {"CHF 1'200.50", 1200.5}, {"USD 7", 7},      {"7 kr", 7},           {"95.4 m2", 95.4},
        {"95.4 m\xc2\xb2", 95.4}, {"120 km/h", 120}, {"3 sq ft", 3},        {NULL, 0}};
    assert_amounts(amounts, '.', SPF_FORM_MARKED);
}

static void durations_are_seconds(void **state) {
    (void)state;
    static const amount clocks[] = {{"0:12:33", 753}, {"12:33", 753},   {"100:00:01", 360001},
                                    {"-0:30", -30},   {"1:02.5", 62.5}, {NULL, 0}};
    static const amount half_days[] = {
        {"2:30 PM", 52200}, {"12:00 am", 0}, {"12:30:15 pm", 45015}, {"1:05AM", 3900}, {NULL, 0}};
    assert_amounts(clocks, '.', SPF_FORM_CLOCK);
    assert_amounts(half_days, '.', SPF_FORM_HALF_DAY);
}

static void what_only_resembles_an_amount_is_text(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "-",
                                        "()",
                                        "$",
                                        "kg",
                                        "1,23,456",
                                        "1 23",
                                        "012 345",
                                        "1:2",
                                        "12:60",
                                        "1:02:3",
                                        "A12",
                                        "C85",
                                        "0x1F",
                                        "1.2.3",
                                        "10 to 20",
                                        "10-20",
                                        "1/2",
                                        "2024-01-02",
                                        "1 Jan 2024",
                                        "01-Jan-24",
                                        "192.168.100.101",
                                        "(5",
                                        "5)",
                                        "--5",
                                        "5 kg (net)",
                                        "13:00 PM",
                                        "0:30 am",
                                        "12 a very long unit"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        spf_form form;
        spf_decimal_sign sign;
        if (spf_amount_weigh(texts[i], texts[i] + strlen(texts[i]), &form, &sign))
            fail_msg("'%s' is a number", texts[i]);
    }
}

static void a_cell_proves_a_decimal_mark_or_none(void **state) {
    (void)state;
    static const struct {
        const char *cell;
        spf_decimal_sign sign;
    } cases[] = {{"12", SPF_DECIMAL_SILENT},       {"1 234", SPF_DECIMAL_SILENT},
                 {"12.5", SPF_DECIMAL_POINT},      {"0.250", SPF_DECIMAL_POINT},
                 {"1234.567", SPF_DECIMAL_POINT},  {"1,234.56", SPF_DECIMAL_POINT},
                 {"1,234,567", SPF_DECIMAL_POINT}, {"$1,234.5", SPF_DECIMAL_POINT},
                 {"12,5", SPF_DECIMAL_COMMA},      {"0,250", SPF_DECIMAL_COMMA},
                 {"1.234,56", SPF_DECIMAL_COMMA},  {"1.234.567", SPF_DECIMAL_COMMA},
                 {"1,234", SPF_DECIMAL_EITHER},    {"1.234", SPF_DECIMAL_EITHER},
                 {"3:05", SPF_DECIMAL_SILENT},     {"-1.234", SPF_DECIMAL_EITHER},
                 {".500", SPF_DECIMAL_POINT},      {"1.234e5", SPF_DECIMAL_POINT},
                 {"012.345", SPF_DECIMAL_POINT},   {"1e5", SPF_DECIMAL_SILENT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spf_form form;
        spf_decimal_sign sign;
        const char *cell = cases[i].cell;
        assert_true(spf_amount_weigh(cell, cell + strlen(cell), &form, &sign));
        if (sign != cases[i].sign) fail_msg("'%s' says %d", cell, (int)sign);
        double value;
        if (spf_number_read(cell, cell + strlen(cell), &value))
            assert_int_equal(spf_plain_sign(cell, cell + strlen(cell)), sign);
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void the_whole_file_decides_what_is_decimal(void **state) {
    (void)state;
    sporf_dataset *data = read_plain("a;b\n1.234;1\n2.000;0,5\n3;1,234\n");
    assert_true(data->columns[0][0] == 1234 && data->columns[0][1] == 2000);
    assert_true(data->columns[1][1] == .5f && data->columns[1][2] == 1.234f);
    assert_note(data, 0, "numbers are read with decimal commas: '0,5' is 0.5");
    assert_int_equal(other_note_count(data), 1);
    sporf_dataset_free(data);
    data = read_plain("a;b\n1,234;1\n2,000;0.5\n3;1.234\n");
    assert_true(data->columns[0][0] == 1234 && data->columns[1][2] == 1.234f);
    assert_note(data, 0, "column 'a' is read as numbers: '1,234' is 1234");
    sporf_dataset_free(data);
}

static void points_alone_are_decimal(void **state) {
    (void)state;
    sporf_dataset *data = read_plain("a;b\n1.234;$5\n2.000;$6\n");
    assert_true(data->columns[0][0] == 1.234f);
    assert_true(data->columns[1][0] == 5);
    sporf_dataset_free(data);
}

static void numbers_with_two_meanings_are_asked_for(void **state) {
    (void)state;
    sporf_read_options options = plain_options();
    const char *text = "a;b\n1,234;1\n2,345;2\n";
    assert_refused(text, &options,
                   "line 2, column 1 ('a'): '1,234' may have a decimal comma or a comma between "
                   "thousands, and no other number of the file tells which; say which is the "
                   "decimal mark (decimal ',' or decimal '.')");
    options.decimal = SPORF_DECIMAL_COMMA;
    sporf_dataset *data = read_with(text, &options);
    assert_true(data->columns[0][0] == 1.234f);
    sporf_dataset_free(data);
    options.decimal = SPORF_DECIMAL_POINT;
    data = read_with(text, &options);
    assert_true(data->columns[0][0] == 1234);
    sporf_dataset_free(data);
}

static void proofs_of_both_decimal_marks_are_refused_with_both_cells(void **state) {
    (void)state;
    sporf_read_options options = plain_options();
    const char *text = "a;b\n1;1.5\n2,5;2\n";
    assert_refused(
        text, &options,
        "line 3, column 1 ('a'): '2,5' is a number with a decimal comma, but '1.5' (line "
        "2, column 2) is one with a decimal point");
    options.decimal = SPORF_DECIMAL_COMMA;
    assert_refused(text, &options,
                   "line 2, column 2 ('b'): '1.5' is not a number with a decimal comma; if the "
                   "point is decimal in this file, say so (decimal 'point')");
    options.decimal = SPORF_DECIMAL_POINT;
    assert_refused(text, &options, "line 3, column 1 ('a'): '2,5' is not a number with a decimal");
}

static void columns_of_text_prove_nothing(void **state) {
    (void)state;
    sporf_dataset *data = read_plain("a;b\n1.5;1,5\n2.5;x\n3.5;y\n4.5;z\n");
    assert_true(data->columns[0][0] == 1.5f);
    assert_int_equal(sporf_schema_levels(sporf_dataset_schema(data), 1), 4);
    sporf_dataset_free(data);
}

static void quoted_decimal_commas_may_be_separated_by_commas(void **state) {
    (void)state;
    sporf_dataset *data = read_plain("a,b,c\n\"12,5\",3,4\n\"1,5\",6,7\n");
    assert_int_equal(data->features, 3);
    assert_true(data->columns[0][0] == 12.5f && data->columns[1][0] == 3 &&
                data->columns[2][1] == 7);
    sporf_dataset_free(data);
}

static void a_first_row_of_decimal_commas_is_no_header(void **state) {
    (void)state;
    sporf_dataset *data = read_plain("1,5;2,5\n3,5;4,5\n");
    assert_int_equal(data->rows, 2);
    sporf_dataset_free(data);
}

static void amounts_are_never_identifiers(void **state) {
    (void)state;
    static const char *const forms[] = {"$%d,490.02", "%d.8601%%", "%d 100", "0:%02d:33",
                                        "(%d.50)",    "%d kg",     EURO "%d"};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        char text[2000];
        size_t used = (size_t)sprintf(text, "x;y\n");
        for (int i = 0; i < 40; i++) {
            used += (size_t)sprintf(text + used, "%d;", i * i);
            used += (size_t)sprintf(text + used, forms[k], 10 + i * 7 % 40);
            used += (size_t)sprintf(text + used, "\n");
        }
        sporf_dataset *data = read_plain(text);
        assert_int_equal(data->features, 2);
        assert_int_equal(sporf_schema_kind(sporf_dataset_schema(data), 1), SPORF_KIND_NUMBER);
        assert_int_equal(left_out_count(data), 0);
        assert_int_equal(other_note_count(data), 1);
        assert_note(data, 0, "column 'y' is read as numbers: '");
        sporf_dataset_free(data);
    }
}

static void different_units_are_text_and_said_so(void **state) {
    (void)state;
    sporf_dataset *data = read_plain("x;w\n1;12 kg\n2;3 lb\n3;5 kg\n4;7 lb\n");
    assert_int_equal(sporf_schema_levels(sporf_dataset_schema(data), 1), 4);
    assert_note(
        data, 0,
        "column 'w' is read as text: not all of its numbers have the same sign or unit ('12 "
        "kg', '3 lb'); write them alike");
    sporf_dataset_free(data);
    char text[2000];
    size_t used = (size_t)sprintf(text, "x;w\n");
    for (int i = 0; i < 40; i++)
        used += (size_t)sprintf(text + used, "%d;%d %s\n", i * i, i, i % 3 ? "kg" : "lb");
    data = read_plain(text);
    assert_int_equal(data->features, 1);
    assert_string_equal(left_out_note(data, 0)->text,
                        "not all of its numbers have the same sign or unit ('0 lb', '1 kg')");
    assert_int_equal(other_note_count(data), 0);
    sporf_dataset_free(data);
}

/* 300 rows of a column r; every step-th cell, from the first, is plain. */
static const char *percents(size_t step, char text[8000]) {
    size_t used = (size_t)sprintf(text, "r;n\n");
    for (size_t i = 0; i < 300; i++)
        used += (size_t)sprintf(text + used, i % step ? "%zu%%;%zu\n" : "0.%02zu;%zu\n",
                                1 + i * 37 % 99, i * 7 % 10);
    return text;
}

static void any_number_of_plain_cells_among_units_is_said_so(void **state) {
    (void)state;
    char text[8000];
    for (size_t step = 2; step <= 100; step = step * 3 / 2 + 1) {
        sporf_dataset *data = read_plain(percents(step, text));
        assert_int_equal(other_note_count(data), 1);
        assert_note(data, 0, "column 'r' is read as text: not all of its numbers have the same");
        assert_note(data, 0, "('38%', '0.01'); write them alike");
        sporf_dataset_free(data);
    }
}

static void few_units_among_plain_numbers_are_called_a_mix(void **state) {
    (void)state;
    sporf_read_options options = plain_options();
    assert_refused("x;r\n1;5\n2;6\n3;0%\n", &options,
                   "line 4, column 2 ('r'): '0%' is a number with a sign or unit, but most cells "
                   "of the column are plain numbers; write them all alike");
    assert_refused("x;r\n1;5\n2;6\n3;1:30\n", &options, "'1:30' is a time, but most cells");
}

static void one_word_among_units_is_named(void **state) {
    (void)state;
    static const char *const forms[] = {"%d kg", "$%d", "%d:30"};
    for (size_t k = 0; k < 3; k++) {
        char text[2000];
        size_t used = (size_t)sprintf(text, "x;w\n");
        for (int i = 0; i < 60; i++) {
            used += (size_t)sprintf(text + used, "%d;", i * i);
            used += (size_t)(i == 30 ? sprintf(text + used, "fehlt")
                                     : sprintf(text + used, forms[k], 1 + i % 5));
            used += (size_t)sprintf(text + used, "\n");
        }
        sporf_dataset *data = read_plain(text);
        assert_int_equal(other_note_count(data), 1);
        assert_note(data, 0, "column 'w' is read as text: 'fehlt' is not a number like '");
        assert_note(data, 0, "(missing 'fehlt')");
        sporf_dataset_free(data);
    }
}

static void names_that_begin_with_a_number_stay_names(void **state) {
    (void)state;
    sporf_dataset *data = read_plain("x;place\n1;1st\n2;2nd\n3;3rd\n4;1st\n");
    assert_int_equal(sporf_schema_levels(sporf_dataset_schema(data), 1), 3);
    assert_int_equal(other_note_count(data), 0);
    sporf_dataset_free(data);
}

static void weights_and_targets_are_read_as_features_are(void **state) {
    (void)state;
    sporf_read_options options = plain_options();
    options.weight = "w";
    options.targets = (const char *[]){"price"};
    options.targets_count = 1;
    sporf_dataset *data =
        read_with("x;w;price\n1;0,5;" EURO " 1.250,75\n2;1,5;" EURO " 80\n", &options);
    assert_true(sporf_dataset_weights(data)[0] == .5f);
    assert_true(sporf_dataset_target(data, 0)[0] == 1250.75f);
    assert_true(sporf_dataset_target(data, 0)[1] == 80);
    sporf_dataset_free(data);
    assert_refused(
        "x;w;price\n1;1;$5\n2;2;6\n", &options,
        "line 3, column 3 ('price'): '6' does not have the same sign or unit as the first");
    assert_refused("x;w;price\n1;1;12 kg\n2;2;6 lb\n", &options,
                   "'6 lb' does not have the same sign");
}

static void assert_same_values(const sporf_dataset *one, const sporf_dataset *other) {
    assert_int_equal(one->features, other->features);
    for (size_t j = 0; j < one->features; j++)
        assert_memory_equal(one->columns[j], other->columns[j], one->rows * sizeof(float));
}

static void a_schema_reads_amounts_as_training_did(void **state) {
    (void)state;
    sporf_dataset *data = read_plain("x;rev\n1,5;$1.250,5\n2,5;$80\n");
    sporf_read_options options = plain_options();
    options.schema = sporf_dataset_schema(data);
    sporf_dataset *same = read_with("rev;x\n$1.250,5;1,5\n$80;2,5\n", &options);
    assert_same_values(data, same);
    sporf_dataset_free(same);
    same = read_with("rev,x\n\"$1,250.5\",1.5\n$80,2.5\n", &options);
    assert_same_values(data, same);
    sporf_dataset_free(same);
    sporf_dataset_free(data);
    data = read_plain("x;rev\n1.5;$1,250.5\n2.5;$80\n");
    options.schema = sporf_dataset_schema(data);
    assert_refused("rev;x\n1,250;3\n", &options, "(decimal ',' or decimal '.')");
    sporf_dataset_free(data);
}

/* A new table, and its first number after training with decimal commas. */
typedef struct {
    const char *text;
    float value;
} new_table;

static const new_table new_tables[] = {
    {"x;n\n5.500;1\n", 5500},   {"x;n\n1,234;1\n", 1.234f},     {"x;n\n$1.234;1\n", 1234},
    {"x;n\n5.500;1.5\n", 5.5f}, {"x;n\n1,234;1,234.5\n", 1234}, {"x;n\n5.500;1,5\n", 5500},
    {"x;n\n550;1.5\n", 550},    {"x,n\n\"1,234\",1\n", 1.234f}, {"x;n\n550;1\n", 550}};

static void assert_first_value(const new_table *table, const sporf_read_options *options) {
    sporf_dataset *data = read_with(table->text, options), *block = NULL;
    sporf_reader *reader = NULL;
    tmp_file file = tmp_file_of("new.csv", table->text, strlen(table->text));
    assert_int_equal(spf_reader_open(file.path, options, 4, &reader), SPORF_OK);
    assert_int_equal(sporf_reader_next(reader, 1, &block), SPORF_OK);
    if (data->columns[0][0] != table->value || block->columns[0][0] != table->value)
        fail_msg("'%s' is %g, in blocks %g", table->text, (double)data->columns[0][0],
                 (double)block->columns[0][0]);
    sporf_reader_free(reader);
    tmp_file_remove(&file);
    sporf_dataset_free(block);
    sporf_dataset_free(data);
}

static void training_with_decimal_commas_decides_where_a_table_proves_nothing(void **state) {
    (void)state;
    sporf_dataset *data = read_plain("x;n\n1,5;1\n2,5;2\n");
    sporf_read_options options = plain_options();
    options.schema = sporf_dataset_schema(data);
    for (size_t i = 0; i < sizeof new_tables / sizeof *new_tables; i++)
        assert_first_value(&new_tables[i], &options);
    options.decimal = SPORF_DECIMAL_POINT;
    assert_first_value(&(new_table){"x;n\n5.500;1\n", 5.5f}, &options);
    assert_first_value(&(new_table){"x;n\n1,234;1\n", 1234}, &options);
    sporf_dataset_free(data);
}

/* Rows of whole numbers say nothing, and what a later block proves against an earlier is refused.
 */
static void blocks_keep_the_decimal_mark_that_the_first_needed(void **state) {
    (void)state;
    static const struct {
        const char *text;
        sporf_status last;
    } tables[] = {{"x;n\n55;1\n1.5;2\n", SPORF_OK},
                  {"x;n\n55;1\n1,5;2\n", SPORF_OK},
                  {"x;n\n5.500;1\n1,5;2\n", SPORF_OK},
                  {"x;n\n5.500;1\n1.5;2\n", SPORF_ERROR_DATA}};
    sporf_read_options options = plain_options();
    sporf_dataset *data = read_plain("x;n\n1,5;1\n2,5;2\n");
    options.schema = sporf_dataset_schema(data);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        sporf_dataset *first = NULL, *second = NULL;
        sporf_reader *reader = NULL;
        tmp_file file = tmp_file_of("new.csv", tables[i].text, strlen(tables[i].text));
        assert_int_equal(spf_reader_open(file.path, &options, 4, &reader), SPORF_OK);
        assert_int_equal(sporf_reader_next(reader, 1, &first), SPORF_OK);
        assert_int_equal(sporf_reader_next(reader, 1, &second), tables[i].last);
        if (second) assert_true(second->columns[0][0] == 1.5f);
        sporf_dataset_free(first);
        sporf_dataset_free(second);
        sporf_reader_free(reader);
        tmp_file_remove(&file);
    }
    sporf_dataset_free(data);
}

static sporf_forest *train_on(const char *text) {
    sporf_read_options options = plain_options();
    options.label = "y";
    sporf_dataset *data = read_with(text, &options);
    sporf_forest *forest = NULL, *again = NULL;
    sporf_params params;
    void *bytes = NULL;
    size_t size = 0;
    sporf_params_init(&params);
    params.trees = 1;
    assert_int_equal(sporf_forest_train(data, &params, NULL, &forest), SPORF_OK);
    assert_int_equal(sporf_forest_params(forest, &params), SPORF_OK);
    assert_int_equal(sporf_forest_save_bytes(forest, &bytes, &size), SPORF_OK);
    assert_int_equal(sporf_forest_load_bytes(bytes, size, &again), SPORF_OK);
    sporf_free(bytes);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    return again;
}

static void a_model_file_keeps_decimal_commas_and_nothing_otherwise(void **state) {
    (void)state;
    sporf_forest *with_comma = train_on("x;n;y\n1,5;1;a\n2,5;2;b\n3,5;2;b\n");
    sporf_forest *with_point = train_on("x;n;y\n1.5;1;a\n2.5;2;b\n3.5;2;b\n");
    sporf_read_options options = plain_options();
    options.schema = sporf_forest_schema(with_comma);
    assert_first_value(&new_tables[0], &options);
    options.schema = sporf_forest_schema(with_point);
    assert_first_value(&(new_table){"x;n\n5.500;1\n", 5.5f}, &options);
    assert_non_null(sporf_forest_setting(with_comma, "decimal"));
    assert_null(sporf_forest_setting(with_point, "decimal"));
    sporf_forest_free(with_comma);
    sporf_forest_free(with_point);
}

static void points_that_may_separate_thousands_are_noted(void **state) {
    (void)state;
    static const char *const doubtful[] = {"a;b\n990;1\n1.020;2\n", "a\tb\n990\t1\n1.020\t2\n"};
    static const char *const clear[] = {"a,b\n990,1\n1.020,2\n", "a;b\n990;1.5\n1.020;2\n",
                                        "a;b\n990;1\n0.020;2\n", "a;b\n990;1\n1020.000;2\n"};
    sporf_read_options options = plain_options();
    for (size_t i = 0; i < 2; i++) {
        sporf_dataset *data = read_plain(doubtful[i]);
        assert_true(data->columns[0][1] == 1.02f);
        assert_int_equal(other_note_count(data), 1);
        assert_note(data, 0,
                    "'1.020' is read as 1.02; if points separate thousands, say so (decimal ',')");
        sporf_dataset_free(data);
        options.decimal = SPORF_DECIMAL_POINT;
        data = read_with(doubtful[i], &options);
        assert_int_equal(other_note_count(data), 0);
        sporf_dataset_free(data);
    }
    for (size_t i = 0; i < 4; i++) {
        sporf_dataset *data = read_plain(clear[i]);
        assert_int_equal(other_note_count(data), 0);
        sporf_dataset_free(data);
    }
}

/* Whatever decides is found in all of the file, however it is cut. */
static void chunks_and_threads_do_not_decide(void **state) {
    (void)state;
    enum { ROWS = 4000 };
    static const char *const last[] = {"0,5;$7", "0.5;$7", "1,234;$7", "0,5;7", "1,5;x", "7;$1,5"};
    for (size_t k = 0; k < sizeof last / sizeof *last; k++) {
        char *text = malloc(ROWS * 16 + 64), words[SPF_ERROR_TEXT_MAX];
        size_t used = (size_t)sprintf(text, "a;b\n");
        for (size_t i = 0; i < ROWS; i++)
            used += (size_t)sprintf(text + used, "%s%zu;$%zu\n", i % 5 ? "" : "1,23", i % 10, i);
        used += (size_t)sprintf(text + used, "%s\n", last[k]);
        const spf_source source = {.name = "data.csv", .bytes = text, .size = used};
        sporf_read_options options = plain_options();
        sporf_dataset *whole = NULL;
        sporf_status status = spf_read_csv(&source, &options, &whole);
        snprintf(words, sizeof words, "%s", status == SPORF_OK ? "" : sporf_last_error());
        for (size_t chunk = 64; chunk < 1 << 17; chunk *= 7) {
            sporf_dataset *data = NULL;
            options.threads = 1 + (unsigned)(chunk % 5);
            assert_int_equal(spf_read_csv_in_chunks(&source, &options, chunk, &data), status);
            if (whole) assert_true(same_dataset(whole, data));
            if (whole) assert_int_equal(other_note_count(data), other_note_count(whole));
            if (!whole) assert_string_equal(sporf_last_error(), words);
            sporf_dataset_free(data);
        }
        sporf_dataset_free(whole);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_are_grouped_in_threes),
        cmocka_unit_test(signs_and_units_stand_beside_the_number),
        cmocka_unit_test(durations_are_seconds),
        cmocka_unit_test(what_only_resembles_an_amount_is_text),
        cmocka_unit_test(a_cell_proves_a_decimal_mark_or_none),
        cmocka_unit_test(the_whole_file_decides_what_is_decimal),
        cmocka_unit_test(points_alone_are_decimal),
        cmocka_unit_test(numbers_with_two_meanings_are_asked_for),
        cmocka_unit_test(proofs_of_both_decimal_marks_are_refused_with_both_cells),
        cmocka_unit_test(columns_of_text_prove_nothing),
        cmocka_unit_test(quoted_decimal_commas_may_be_separated_by_commas),
        cmocka_unit_test(a_first_row_of_decimal_commas_is_no_header),
        cmocka_unit_test(amounts_are_never_identifiers),
        cmocka_unit_test(different_units_are_text_and_said_so),
        cmocka_unit_test(any_number_of_plain_cells_among_units_is_said_so),
        cmocka_unit_test(few_units_among_plain_numbers_are_called_a_mix),
        cmocka_unit_test(one_word_among_units_is_named),
        cmocka_unit_test(names_that_begin_with_a_number_stay_names),
        cmocka_unit_test(weights_and_targets_are_read_as_features_are),
        cmocka_unit_test(a_schema_reads_amounts_as_training_did),
        cmocka_unit_test(training_with_decimal_commas_decides_where_a_table_proves_nothing),
        cmocka_unit_test(blocks_keep_the_decimal_mark_that_the_first_needed),
        cmocka_unit_test(a_model_file_keeps_decimal_commas_and_nothing_otherwise),
        cmocka_unit_test(points_that_may_separate_thousands_are_noted),
        cmocka_unit_test(chunks_and_threads_do_not_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
