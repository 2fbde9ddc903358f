/* Tables of mixed columns: what CSV files say about their columns, and what options say instead.
 * Labels: threads */
#include "read/date.h"
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

/* The levels of a column, separated by bars; "" for numbers. */
static const char *levels_of(const sporf_dataset *data, size_t column) {
    static char text[1024];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < spf_schema_levels(&data->schema, column); i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? "|" : "",
                                 spf_strings_at(&data->schema.levels[column], i));
    return text;
}

static void assert_column(const sporf_dataset *data, size_t column, const float *values) {
    for (size_t i = 0; i < data->rows; i++) {
        float value = data->columns[column][i];
        if (isnan(values[i]))
            assert_true(isnan(value));
        else
            assert_true(value == values[i]);
    }
}

static void columns_of_text_are_categories_with_sorted_levels(void **state) {
    (void)state;
    sporf_dataset *data = read_plain("x,colour\n1,red\n2,green\n,red\n4,\n5,blue\n");
    assert_int_equal(spf_schema_kind(&data->schema, 0), SPORF_KIND_NUMBER);
    assert_int_equal(spf_schema_kind(&data->schema, 1), SPORF_KIND_CATEGORY);
    assert_string_equal(levels_of(data, 1), "blue|green|red");
    assert_column(data, 0, (float[]){1, 2, NAN, 4, 5});
    assert_column(data, 1, (float[]){2, 1, 2, NAN, 0});
    assert_true(data->has_missing);
    sporf_dataset_free(data);
}

static void half_of_the_cells_make_a_category(void **state) {
    (void)state;
    sporf_dataset *data = read_plain("x,y\n1,a\n2,7\n3,\n4,7\n5,b\n");
    assert_string_equal(levels_of(data, 1), "7|a|b");
    sporf_dataset_free(data);
    sporf_read_options options = plain_options();
    assert_refused("x,y\n1,a\n2,7\n3,8\n", &options, "line 2, column 2 ('y'): 'a' is not a number");
}

static void quoted_words_that_say_missing_are_levels(void **state) {
    (void)state;
    sporf_dataset *data = read_plain("x,y\n1,\"NA\"\n2,NA\n3,a\n4,\"say \"\"a\"\"\"\n5,\"\"\n");
    assert_string_equal(levels_of(data, 1), "NA|a|say \"a\"");
    assert_column(data, 1, (float[]){0, NAN, 1, 2, NAN});
    sporf_dataset_free(data);
}

static void decimal_commas_are_no_categories(void **state) {
    (void)state;
    sporf_dataset *data = read_plain("a;b\n5,1;x\n2,5;y\n");
    assert_string_equal(levels_of(data, 0), "");
    assert_column(data, 0, (float[]){5.1f, 2.5f});
    sporf_dataset_free(data);
    data = read_plain("a;b\n-5,1;x\n2;y\n");
    assert_column(data, 0, (float[]){-5.1f, 2});
    sporf_dataset_free(data);
}

static void marks_between_thousands_are_read_unless_the_column_is_a_category(void **state) {
    (void)state;
    static const struct {
        const char *cell;
        float value;
    } cases[] = {{"1,234.56", 1234.56f}, {"-12,345.6", -12345.6f},
                 {"1,234,567", 1234567}, {"1'234", 1234},
                 {"1'234.56", 1234.56f}, {"1.234,56", 1234.56f},
                 {"+1.234,5", 1234.5f},  {"12.345.678,9", 12345679},
                 {"1.234.567", 1234567}, {"1.234.567.890", 1234567936}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        sporf_read_options options = plain_options();
        snprintf(text, sizeof text, "x;price\n1;NA\n2;%s\n3;7\n4;%s\n5;\n", cases[i].cell,
                 cases[i].cell);
        sporf_dataset *data = read_with(text, &options);
        assert_column(data, 1, (float[]){NAN, cases[i].value, 7, cases[i].value, NAN});
        sporf_dataset_free(data);
        options.categorical = (const char *[]){"price"};
        options.categorical_count = 1;
        data = read_with(text, &options);
        assert_int_equal(sporf_schema_levels(sporf_dataset_schema(data), 1), 2);
        sporf_dataset_free(data);
    }
}

static void what_only_resembles_marks_between_thousands_is_a_category(void **state) {
    (void)state;
    static const char *const cells[][2] = {{"1.2.3", "1.12.300"},
                                           {"192.168.100.101", "192.168.100.254"},
                                           {"1,2,3", "1,23,456"},
                                           {"012,345,678", "012.345.678"},
                                           {"1,234,5678", "1,234.567,8"},
                                           {"1234,567.8", "1,234.567.890"},
                                           {"1,234.", "1'23"},
                                           {"1,234 m", "1,234-5,678"}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        char text[200];
        snprintf(text, sizeof text, "x;y\n1;%s\n2;%s\n3;%s\n", cells[i][0], cells[i][1],
                 cells[i][0]);
        sporf_dataset *data = read_plain(text);
        assert_int_equal(sporf_schema_levels(sporf_dataset_schema(data), 1), 2);
        sporf_dataset_free(data);
    }
}

/* A table whose column y shows what it is only after many rows: `early` of cells of one kind, then
 * `late` of the other. */
static char *late_table(const char *early, size_t early_rows, const char *late, size_t late_rows) {
    char *text = malloc((early_rows + late_rows) * 32 + 64);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "x,y,class\n");
    for (size_t i = 0; i < early_rows + late_rows; i++)
        used += (size_t)sprintf(text + used, "%zu,%s%zu,%s\n", i, i < early_rows ? early : late,
                                i % 7, i % 2 ? "a" : "b");
    return text;
}

static void assert_same_for_all_chunks(const char *text, const sporf_dataset *whole) {
    const spf_source source = {.name = "data.csv", .bytes = text, .size = strlen(text)};
    char words[SPF_ERROR_TEXT_MAX];
    snprintf(words, sizeof words, "%s", sporf_last_error());
    sporf_read_options options = plain_options();
    options.label = "class";
    for (size_t chunk = 64; chunk < 1 << 20; chunk *= 7) {
        sporf_dataset *data = NULL;
        options.threads = 1 + (unsigned)(chunk % 5);
        sporf_status status = spf_read_csv_in_chunks(&source, &options, chunk, &data);
        assert_int_equal(status == SPORF_OK, whole != NULL);
        if (whole)
            assert_true(same_dataset(whole, data));
        else
            assert_string_equal(sporf_last_error(), words);
        sporf_dataset_free(data);
    }
}

static void kinds_are_settled_by_all_of_the_file(void **state) {
    (void)state;
    sporf_read_options options = plain_options();
    options.label = "class";
    char *text = late_table("", 3000, "t", 3000);
    sporf_dataset *data = read_with(text, &options);
    assert_string_equal(levels_of(data, 1), "0|1|2|3|4|5|6|t0|t1|t2|t3|t4|t5|t6");
    assert_same_for_all_chunks(text, data);
    sporf_dataset_free(data);
    free(text);
}

static void one_late_text_among_numbers_is_an_error(void **state) {
    (void)state;
    sporf_read_options options = plain_options();
    options.label = "class";
    char *text = late_table("", 3000, "t", 2999);
    assert_refused(text, &options, "line 3002, column 2 ('y'): 't4' is not a number");
    assert_same_for_all_chunks(text, NULL);
    free(text);
}

static void late_numbers_may_outweigh_early_texts(void **state) {
    (void)state;
    sporf_read_options options = plain_options();
    options.label = "class";
    char *text = late_table("t", 3000, "", 3001);
    assert_refused(text, &options, "line 2, column 2 ('y'): 't0' is not a number");
    assert_same_for_all_chunks(text, NULL);
    free(text);
}

static void marks_of_the_first_rows_do_not_decide_alone(void **state) {
    (void)state;
    sporf_read_options options = plain_options();
    options.label = "class";
    char *text = late_table("1'23", 3000, "t", 3000);
    sporf_dataset *data = read_with(text, &options);
    assert_int_equal(spf_schema_levels(&data->schema, 1), 14);
    assert_same_for_all_chunks(text, data);
    sporf_dataset_free(data);
    free(text);
    text = late_table("t", 3000, "1'23", 3001);
    assert_refused(text, &options, "line 2, column 2 ('y'): 't0' is not a number, but most cells");
    assert_same_for_all_chunks(text, NULL);
    free(text);
    text = late_table("", 3000, "1'23", 1);
    data = read_with(text, &options);
    assert_true(data->columns[1][3000] == 1234);
    assert_same_for_all_chunks(text, data);
    sporf_dataset_free(data);
    free(text);
}

static void levels_do_not_depend_on_the_order_of_rows(void **state) {
    (void)state;
    sporf_dataset *one = read_plain("x,y\n1,b\n2,a\n3,c\n"),
                  *other = read_plain("x,y\n3,c\n1,b\n2,a\n");
    assert_string_equal(levels_of(one, 1), "a|b|c");
    assert_true(same_schema(&one->schema, &other->schema));
    sporf_dataset_free(one);
    sporf_dataset_free(other);
}

static void thousands_of_levels_are_numbered(void **state) {
    (void)state;
    enum { ROWS = 60000, LEVELS = 20000 };
    char *text = malloc(ROWS * 24 + 16);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "x,y\n");
    for (size_t i = 0; i < ROWS; i++)
        used += (size_t)sprintf(text + used, "%zu,v%05zu\n", i % 10, i * 7919 % LEVELS);
    sporf_dataset *data = read_plain(text);
    assert_int_equal(spf_schema_levels(&data->schema, 1), LEVELS);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(data->columns[1][i] == (float)(i * 7919 % LEVELS));
    sporf_dataset_free(data);
    free(text);
}

/* ---- what options say ------------------------------------------------------------------------ */

static void numbers_can_be_read_as_categories(void **state) {
    (void)state;
    static const char *const names[] = {"zip", "1"};
    sporf_read_options options = plain_options();
    options.categorical = names;
    options.categorical_count = 2;
    sporf_dataset *data = read_with("x,zip,y\n10,2,1\n9,10,2\n9,,3\n", &options);
    assert_string_equal(levels_of(data, 0), "9|10");
    assert_column(data, 0, (float[]){1, 0, 0});
    assert_string_equal(levels_of(data, 1), "2|10");
    assert_column(data, 1, (float[]){0, 1, NAN});
    assert_string_equal(levels_of(data, 2), "");
    sporf_dataset_free(data);
    options.header = SPORF_HEADER_NO;
    options.categorical = names + 1;
    options.categorical_count = 1;
    data = read_with("07,1\n7,2\n", &options);
    assert_string_equal(levels_of(data, 0), "07|7");
    sporf_dataset_free(data);
}

static void a_star_names_all_columns_that_begin_so(void **state) {
    (void)state;
    static const char *const categories[] = {"cat_*"}, *const ignored[] = {"cat_b", "skip*"};
    sporf_read_options options = plain_options();
    options.label = "cat_c";
    options.categorical = categories;
    options.categorical_count = 1;
    options.ignored = ignored;
    options.ignored_count = 2;
    sporf_dataset *data = read_with("cat_a,x,cat_b,skip1,skip2,cat_c\n1,2,3,4,5,6\n", &options);
    assert_int_equal(data->features, 2);
    assert_string_equal(levels_of(data, 0), "1");
    assert_string_equal(levels_of(data, 1), "");
    sporf_dataset_free(data);
    assert_refused("x,cat_c\n1,2\n", &options, "no ignored column 'cat_b'");
}

static void columns_can_be_ignored(void **state) {
    (void)state;
    static const char *const names[] = {"b", "4"};
    sporf_read_options options = plain_options();
    options.ignored = names;
    options.ignored_count = 2;
    options.label = "e";
    sporf_dataset *data = read_with("a,b,c,d,e\n1,x,2,\"u\nv\",k\n3,4,5,,l\n", &options);
    assert_int_equal(data->features, 2);
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), 1), "c");
    assert_column(data, 1, (float[]){2, 5});
    assert_int_equal(left_out_count(data), 0);
    sporf_dataset_free(data);
}

static void orders_can_be_given(void **state) {
    (void)state;
    static const char *const orders[] = {"size=small < medium<large", "grade"};
    sporf_read_options options = plain_options();
    options.ordinal = orders;
    options.ordinal_count = 2;
    sporf_dataset *data =
        read_with("x,size,grade\n1,large,10\n2,small,2\n3,,7\n4,medium,\n", &options);
    assert_int_equal(spf_schema_kind(&data->schema, 1), SPORF_KIND_ORDINAL);
    assert_string_equal(levels_of(data, 1), "small|medium|large");
    assert_column(data, 1, (float[]){2, 0, NAN, 1});
    assert_int_equal(spf_schema_kind(&data->schema, 2), SPORF_KIND_ORDINAL);
    assert_string_equal(levels_of(data, 2), "2|7|10");
    assert_column(data, 2, (float[]){2, 0, 1, NAN});
    sporf_dataset_free(data);
    assert_refused("x,size,grade\n1,huge,10\n", &options,
                   "line 2, column 2 ('size'): 'huge' is not a level of its order (small, medium, "
                   "large)");
    assert_refused("x,size,grade\n1,small,A\n2,large,B\n", &options,
                   "list them in order: ordinal 'grade=low<medium<high'");
}

static void orders_that_make_no_sense_are_refused(void **state) {
    (void)state;
    static const char *const orders[][2] = {{"x=a<<b", "a level without a name"},
                                            {"x=", "a level without a name"},
                                            {"x=a<b<a", "has 'a' twice"}};
    sporf_read_options options = plain_options();
    options.ordinal_count = 1;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        options.ordinal = &orders[i][0];
        assert_refused("x,y\na,1\n", &options, orders[i][1]);
    }
}

static void names_that_are_not_there_are_corrected(void **state) {
    (void)state;
    static const char *const wrong[] = {"color"};
    sporf_read_options options = plain_options();
    options.categorical = wrong;
    options.categorical_count = 1;
    assert_refused("colour,y\na,1\n", &options,
                   "no categorical column 'color'; did you mean 'colour'?");
    assert_refused("zebra,y\na,1\n", &options,
                   "no categorical column 'color'; its columns are: zebra, y");
    assert_refused("1,2\n3,4\n", &options, "give a number from 1 to 2");
    assert_refused("color,color,y\na,b,1\n", &options, "2 columns are named 'color'");
    options.ignored = wrong;
    options.ignored_count = 1;
    assert_refused("color,y\na,1\n", &options, "is named as ignored and as categorical");
    options.ignored_count = 0;
    options.label = "color";
    assert_refused("color,y\na,1\n", &options, "is named as label and as categorical");
}

static void any_column_given_by_name_makes_a_header(void **state) {
    (void)state;
    static const char text[] = "2019,2020,y\n1,2,3\n4,5,6\n";
    static const char *const names[] = {"y"}, *const numbers[] = {"3"}, *const last[] = {"last"};
    sporf_read_options targets = plain_options(), weight = plain_options(),
                       ignored = plain_options(), categorical = plain_options();
    targets.targets = names;
    weight.weight = "y";
    ignored.ignored = names;
    categorical.categorical = names;
    targets.targets_count = ignored.ignored_count = categorical.categorical_count = 1;
    const sporf_read_options *all[] = {&targets, &weight, &ignored, &categorical};
    for (size_t i = 0; i < 4; i++) {
        sporf_dataset *data = read_with(text, all[i]);
        assert_int_equal(data->rows, 2);
        assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), 0), "2019");
        sporf_dataset_free(data);
    }
    targets.targets = numbers;
    sporf_dataset *data = read_with(text, &targets);
    assert_int_equal(data->rows, 2);
    assert_string_equal(sporf_schema_target_name(sporf_dataset_schema(data), 0), "y");
    sporf_dataset_free(data);
    targets.targets = last;
    data = read_with(text, &targets);
    assert_int_equal(data->rows, 2);
    sporf_dataset_free(data);
    /* a missing target is no name */
    assert_int_not_equal(try_read("data.csv", "1,2,\n1,2,3\n4,5,6\n", &targets, &data), SPORF_OK);
    assert_non_null(strstr(sporf_last_error(), "missing in 1 of 3 rows"));
}

static void names_of_a_schema_make_a_header_even_if_they_are_numbers(void **state) {
    (void)state;
    sporf_read_options options = plain_options();
    options.header = SPORF_HEADER_YES;
    sporf_dataset *years = read_with("2019,2020\n1,2\n", &options);
    sporf_dataset *places = read_with("1,2\n1,2\n", &options), *data = NULL;
    options.header = SPORF_HEADER_AUTO;
    options.schema = sporf_dataset_schema(years);
    data = read_with("2020,7,2019\n5,0,6\n", &options);
    assert_int_equal(data->rows, 1);
    assert_true(data->columns[0][0] == 6 && data->columns[1][0] == 5);
    sporf_dataset_free(data);
    data = read_with("2020,2021\n5,6\n", &options);
    assert_int_equal(data->rows, 2);
    sporf_dataset_free(data);
    options.schema = sporf_dataset_schema(places); /* as a table without names has them */
    data = read_with("2,1\n5,6\n", &options);
    assert_int_equal(data->rows, 2);
    sporf_dataset_free(data);
    sporf_dataset_free(places);
    sporf_dataset_free(years);
}

/* ---- columns of no use ----------------------------------------------------------------------- */

static char *rows_of(size_t rows, const char *header, const char *format) {
    char *text = malloc(rows * 96 + 128);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "%s\n", header);
    for (size_t i = 0; i < rows; i++)
        used += (size_t)sprintf(text + used, format, i, i % 28 + 1, i % 3);
    return text;
}

static void identifiers_dates_and_empty_columns_are_left_out(void **state) {
    (void)state;
    char *text = rows_of(20, "code,when,nothing,x", "k%zu,2024-02-%02zu,,%zu\n");
    sporf_dataset *data = read_plain(text);
    assert_int_equal(data->features, 1);
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), 0), "x");
    assert_int_equal(left_out_count(data), 3);
    assert_string_equal(left_out_note(data, 0)->column, "code");
    assert_non_null(strstr(left_out_note(data, 0)->text, "identifier"));
    assert_string_equal(left_out_note(data, 1)->column, "when");
    assert_string_equal(left_out_note(data, 1)->text, "dates (dates makes features of them)");
    assert_string_equal(left_out_note(data, 2)->column, "nothing");
    assert_false(data->has_missing);
    sporf_dataset_free(data);
    static const char *const taken[] = {"code", "when"};
    sporf_read_options options = plain_options();
    options.categorical = taken;
    options.categorical_count = 2;
    data = read_with(text, &options);
    assert_int_equal(data->features, 3);
    assert_int_equal(spf_schema_levels(&data->schema, 0), 20);
    sporf_dataset_free(data);
    free(text);
}

static void texts_that_hardly_ever_come_twice_are_noted(void **state) {
    (void)state;
    for (size_t texts = 18; texts <= 22; texts++) {
        char text[2000];
        size_t used = (size_t)sprintf(text, "name,x\n");
        for (size_t i = 0; i < 40; i++)
            used += (size_t)sprintf(text + used, "k%zu,%zu.5\n", i % texts, i * i);
        sporf_dataset *data = read_plain(text);
        assert_int_equal(data->features, 2);
        assert_int_equal(other_note_count(data), texts > 20);
        if (texts == 21)
            assert_string_equal(
                other_note(data, 0)->text,
                "column 'name' has 21 different texts in 40 rows: it carries little information; "
                "leave it out with ignore 'name'");
        sporf_dataset_free(data);
    }
}

static void few_rows_make_no_identifier(void **state) {
    (void)state;
    char *text = rows_of(19, "code,day,x", "k%zu,%zu,%zu\n");
    sporf_dataset *data = read_plain(text);
    assert_int_equal(data->features, 3);
    assert_int_equal(left_out_count(data), 0);
    sporf_dataset_free(data);
    free(text);
}

static void numbers_that_look_like_identifiers_are_noted(void **state) {
    (void)state;
    static const char *const headers[] = {"user_id,y,x", "ID,y,x", "PassengerId,y,x", "id,y,x"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        char *text = rows_of(20, headers[i], "7%zu,%zu.5,%zu.5\n");
        sporf_dataset *data = read_plain(text);
        assert_int_equal(data->features, 3);
        assert_int_equal(other_note_count(data), 1);
        assert_non_null(strstr(other_note(data, 0)->text, "ignore"));
        sporf_dataset_free(data);
        free(text);
    }
    char *text = rows_of(20, "paid,id,x", "8%zu,1%zu,%zu.5\n"); /* "paid" is no identifier */
    sporf_dataset *data = read_plain(text);
    assert_int_equal(other_note_count(data), 1);
    sporf_dataset_free(data);
    free(text);
}

static void a_column_that_counts_the_rows_and_is_called_so_is_left_out(void **state) {
    (void)state;
    static const char *const names[] = {"",    "id",    "ID", "row_id", "PassengerId", "Unnamed: 0",
                                        "row", "Index", "nr", "No.",    "\"#\""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t begin = 0; begin < 3; begin++) {
            static const char *const formats[] = {"%zu,%zu.5,%zu.5\n", "1%02zu,%zu.5,%zu.5\n",
                                                  "\"1%02zu\",%zu.5,%zu.5\n"};
            char header[64];
            snprintf(header, sizeof header, "%s,y,x", names[i]);
            char *text = rows_of(20, header, formats[begin]);
            sporf_dataset *data = read_plain(text);
            assert_int_equal(data->features, 2);
            assert_int_equal(other_note_count(data), 0);
            assert_string_equal(left_out_note(data, 0)->text, "an identifier: it counts the rows");
            if (!*names[i]) assert_string_equal(left_out_note(data, 0)->column, "1");
            sporf_dataset_free(data);
            free(text);
        }
}

static void a_column_that_counts_the_rows_under_another_name_is_noted(void **state) {
    (void)state;
    char *text = rows_of(20, "day,y,x", "1%02zu,%zu.5,%zu.5\n");
    sporf_dataset *data = read_plain(text);
    assert_int_equal(data->features, 3);
    assert_non_null(strstr(other_note(data, 0)->text, "'day' may be an identifier: it counts"));
    sporf_dataset_free(data);
    free(text);
}

static void options_and_schemas_keep_what_counts_the_rows(void **state) {
    (void)state;
    static const char *const id[] = {"id"};
    char *text = rows_of(20, "id,x", "%zu,%zu.5\n");
    sporf_read_options options = plain_options();
    options.ordinal = id;
    options.ordinal_count = 1;
    sporf_dataset *data = read_with(text, &options);
    assert_int_equal(data->features, 2);
    options = plain_options();
    options.schema = &data->schema;
    sporf_dataset *again = read_with(text, &options);
    assert_int_equal(again->features, 2);
    sporf_dataset_free(again);
    sporf_dataset_free(data);
    free(text);
}

static void two_letters_that_changed_places_are_one_slip(void **state) {
    (void)state;
    static const char *const names[] = {"twon"};
    sporf_read_options options = plain_options();
    options.categorical = names;
    options.categorical_count = 1;
    assert_refused("x,town\n1,a\n", &options, "no categorical column 'twon'; did you mean 'town'?");
}

static void assert_noted(const char *text, const char *target, const char *note) {
    sporf_read_options options = plain_options();
    options.targets = &target;
    options.targets_count = target != NULL;
    sporf_dataset *data = read_with(text, &options);
    assert_int_equal(other_note_count(data), note != NULL);
    if (note) assert_non_null(strstr(other_note(data, 0)->text, note));
    sporf_dataset_free(data);
}

static void identifiers_too_long_for_single_precision_are_noted(void **state) {
    (void)state;
    static const char *const formats[] = {"200000%02zu,%zu\n", "90071992547409%02zu,%zu\n",
                                          "\"200000%02zu\",%zu\n", " -200000%02zu ,%zu\n"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char *text = rows_of(40, "customer_id,x", formats[i]);
        assert_noted(text, NULL, "column 'customer_id' may be an identifier");
        free(text);
    }
}

static void whole_numbers_that_lose_digits_are_noted(void **state) {
    (void)state;
    assert_noted("day,x\n20240101,1\n20240102,2\n", NULL, "column 'day' has whole numbers");
    assert_noted("x,y\n1,2\n2,-16777217\n", NULL, "column 'y' has whole numbers");
    assert_noted("x,y\n1,2\n2,16777217\n", "y", "target 'y' has whole numbers");
    assert_noted("1,2\n2,16777217\n", NULL, "column '2' has whole numbers");
    assert_noted("x,y\n1,16777216\n2,16777218\n", NULL, NULL); /* fit */
    assert_noted("x,y\n1,16777217.5\n2,1.6777217e7\n", NULL, NULL);
    assert_noted("x,y\n1,123456789.0\n2,1e20\n", NULL, NULL);
}

static void a_table_of_nothing_useful_says_why(void **state) {
    (void)state;
    char *text = rows_of(20, "code,when,nothing", "k%zu,2024-02-%02zu,\n");
    const sporf_read_options options = plain_options();
    sporf_dataset *data = read_plain(text);
    assert_int_equal(data->features, 0);
    assert_int_equal(spf_check_features(data, &options, "data.csv"), SPORF_ERROR_DATA);
    assert_non_null(strstr(sporf_last_error(), "'code' and others are left out"));
    sporf_dataset_free(data);
    free(text);
}

static void columns_without_names_are_called_by_number_if_some_are_left_out(void **state) {
    (void)state;
    char *text = rows_of(20, "0,k,2024-01-01,1", "%zu,k%zu,2024-01-01,%zu\n");
    sporf_dataset *data = read_plain(text);
    assert_int_equal(data->features, 2);
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), 0), "1");
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), 1), "4");
    sporf_dataset_free(data);
    free(text);
}

static void columns_that_are_left_out_are_called_as_options_call_them(void **state) {
    (void)state;
    static const char *const ignored[] = {"2"};
    sporf_read_options options = plain_options();
    options.label = "1";
    for (options.ignored_count = 0; options.ignored_count < 2; options.ignored_count++) {
        options.ignored = ignored;
        sporf_dataset *data = read_with("0,1,,2,20240101\n1,2,,3,20240102\n", &options);
        assert_string_equal(left_out_note(data, 0)->column, "3");
        assert_non_null(strstr(other_note(data, 0)->text, "column '5' has whole numbers"));
        sporf_dataset_free(data);
    }
}

static void dates_are_told_from_other_texts(void **state) {
    (void)state;
    static const char *const dates[] = {"2024-02-29",
                                        "2024/2/29",
                                        "29.02.2024",
                                        "2/29/24",
                                        "29-2-2024",
                                        "2024-02-29T23:59",
                                        "1/2/2024 7:05",
                                        "2024-02-29 23:59:59.123Z",
                                        "2024-02-29T23:59:59+01:00",
                                        "2024-02-29t00:00:00-0500"};
    static const char *const others[] = {"",
                                         "2024",
                                         "2024-13-01",
                                         "2024-02-32",
                                         "13/13/2024",
                                         "1.2.3",
                                         "1-2/2024",
                                         "2024-02-29x",
                                         "10.0.0.1",
                                         "2024-02",
                                         "2024-02-29T",
                                         "1/2/202",
                                         "red",
                                         "2024-02-29 25:00"};
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++)
        if (!spf_is_date(dates[i], strlen(dates[i]))) fail_msg("%s", dates[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (spf_is_date(others[i], strlen(others[i]))) fail_msg("%s", others[i]);
}

/* ---- weights and targets --------------------------------------------------------------------- */

static void weights_and_targets_are_no_features(void **state) {
    (void)state;
    static const char *const targets[] = {"t2", "t1"};
    sporf_read_options options = plain_options();
    options.weight = "w";
    options.targets = targets;
    options.targets_count = 2;
    sporf_dataset *data = read_with("t1,a,w,t2,b\n1,x,0,10,7\n2,y,2.5,20,\n", &options);
    assert_int_equal(data->features, 2);
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), 0), "a");
    assert_string_equal(levels_of(data, 0), "x|y");
    assert_column(data, 1, (float[]){7, NAN});
    assert_true(data->weights[0] == 0 && data->weights[1] == 2.5f);
    assert_int_equal(data->targets, 2);
    assert_memory_equal(data->target_storage, ((float[]){10, 20, 1, 2}), 4 * sizeof(float));
    assert_string_equal(spf_strings_at(&data->schema.target_names, 0), "t2");
    assert_string_equal(spf_strings_at(&data->schema.target_names, 1), "t1");
    sporf_dataset_free(data);
}

static void targets_of_one_name_are_refused(void **state) {
    (void)state;
    static const char *const targets[] = {"2", "3"}, *const twice[] = {"y", "2"};
    sporf_read_options options = plain_options();
    options.targets = targets;
    options.targets_count = 2;
    assert_refused("x,y,y\n1,2,3\n", &options, "two targets are named 'y'");
    sporf_dataset *data = read_with("x,y,y [kg]\n1,2,3\n", &options);
    assert_int_equal(data->targets, 2);
    sporf_dataset_free(data);
    options.targets = twice;
    assert_refused("x,y,z\n1,2,3\n", &options, "column '2' is named twice as target");
}

static void weights_that_make_no_sense_are_refused(void **state) {
    (void)state;
    sporf_read_options options = plain_options();
    options.weight = "w";
    assert_refused("x,w\n1,-1\n2,1\n", &options, "row 1: weight -1; weights must not be negative");
    assert_refused("x,w\n1,0\n2,0\n", &options, "all weights are 0");
    assert_refused("x,w\n1,1\n2,\n3,NA\n", &options,
                   "the weight column 'w' is missing in 2 of 3 rows, first in row 2");
    assert_refused("x,w\n1,inf\n2,1\n", &options, "not finite");
    assert_refused("x,w\n1,a\n2,b\n", &options, "'a' is not a number");
}

static void missing_targets_are_counted(void **state) {
    (void)state;
    static const char *const targets[] = {"y"};
    sporf_read_options options = plain_options();
    options.targets = targets;
    options.targets_count = 1;
    assert_refused("x,y\n1,1\n2,\n3,NA\n", &options,
                   "the target column 'y' is missing in 2 of 3 rows, first in row 2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_text_are_categories_with_sorted_levels),
        cmocka_unit_test(half_of_the_cells_make_a_category),
        cmocka_unit_test(quoted_words_that_say_missing_are_levels),
        cmocka_unit_test(decimal_commas_are_no_categories),
        cmocka_unit_test(marks_between_thousands_are_read_unless_the_column_is_a_category),
        cmocka_unit_test(what_only_resembles_marks_between_thousands_is_a_category),
        cmocka_unit_test(marks_of_the_first_rows_do_not_decide_alone),
        cmocka_unit_test(kinds_are_settled_by_all_of_the_file),
        cmocka_unit_test(one_late_text_among_numbers_is_an_error),
        cmocka_unit_test(late_numbers_may_outweigh_early_texts),
        cmocka_unit_test(levels_do_not_depend_on_the_order_of_rows),
        cmocka_unit_test(thousands_of_levels_are_numbered),
        cmocka_unit_test(numbers_can_be_read_as_categories),
        cmocka_unit_test(a_star_names_all_columns_that_begin_so),
        cmocka_unit_test(columns_can_be_ignored),
        cmocka_unit_test(orders_can_be_given),
        cmocka_unit_test(orders_that_make_no_sense_are_refused),
        cmocka_unit_test(names_that_are_not_there_are_corrected),
        cmocka_unit_test(any_column_given_by_name_makes_a_header),
        cmocka_unit_test(names_of_a_schema_make_a_header_even_if_they_are_numbers),
        cmocka_unit_test(identifiers_dates_and_empty_columns_are_left_out),
        cmocka_unit_test(texts_that_hardly_ever_come_twice_are_noted),
        cmocka_unit_test(few_rows_make_no_identifier),
        cmocka_unit_test(numbers_that_look_like_identifiers_are_noted),
        cmocka_unit_test(a_column_that_counts_the_rows_and_is_called_so_is_left_out),
        cmocka_unit_test(a_column_that_counts_the_rows_under_another_name_is_noted),
        cmocka_unit_test(options_and_schemas_keep_what_counts_the_rows),
        cmocka_unit_test(two_letters_that_changed_places_are_one_slip),
        cmocka_unit_test(identifiers_too_long_for_single_precision_are_noted),
        cmocka_unit_test(whole_numbers_that_lose_digits_are_noted),
        cmocka_unit_test(a_table_of_nothing_useful_says_why),
        cmocka_unit_test(columns_without_names_are_called_by_number_if_some_are_left_out),
        cmocka_unit_test(columns_that_are_left_out_are_called_as_options_call_them),
        cmocka_unit_test(dates_are_told_from_other_texts),
        cmocka_unit_test(weights_and_targets_are_no_features),
        cmocka_unit_test(targets_of_one_name_are_refused),
        cmocka_unit_test(weights_that_make_no_sense_are_refused),
        cmocka_unit_test(missing_targets_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
