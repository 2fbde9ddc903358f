/* CSV files as people have them, read right or refused with file, line, column and advice.
 * Labels: threads */
#include "read/reader.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "support/same_dataset.h"
#include "support/tmpfile.h"

static sporf_read_options options_with_label(const char *label) {
    sporf_read_options options;
    sporf_read_options_init(&options);
    options.threads = 1;
    options.label = label;
    return options;
}

static sporf_status read_bytes(const char *bytes, size_t size, const sporf_read_options *options,
                               sporf_dataset **out) {
    const spf_source source = {.name = "data.csv", .bytes = bytes, .size = size};
    *out = NULL;
    return spf_read_csv(&source, options, out);
}

static sporf_dataset *read_with(const char *text, const sporf_read_options *options) {
    sporf_dataset *data = NULL;
    if (read_bytes(text, strlen(text), options, &data) != SPORF_OK)
        fail_msg("%s", sporf_last_error());
    return data;
}

static sporf_dataset *read_text(const char *text, const char *label) {
    sporf_read_options options = options_with_label(label);
    return read_with(text, &options);
}

static void assert_refused_bytes(const char *bytes, size_t size, const sporf_read_options *options,
                                 const char *words) {
    sporf_dataset *data = NULL;
    assert_int_equal(read_bytes(bytes, size, options, &data), SPORF_ERROR_DATA);
    assert_null(data);
    if (!strstr(sporf_last_error(), words))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
}

static void assert_refused(const char *text, const char *label, const char *words) {
    sporf_read_options options = options_with_label(label);
    assert_refused_bytes(text, strlen(text), &options, words);
}

static void assert_shape(const sporf_dataset *data, size_t rows, size_t features, size_t classes) {
    assert_int_equal(sporf_dataset_rows(data), rows);
    assert_int_equal(sporf_dataset_features(data), features);
    assert_int_equal(sporf_dataset_classes(data), classes);
}

static float cell(const sporf_dataset *data, size_t row, size_t feature) {
    return sporf_dataset_feature(data, feature)[row];
}

static const char *label_of(const sporf_dataset *data, size_t row) {
    return sporf_schema_class_name(sporf_dataset_schema(data), sporf_dataset_labels(data)[row]);
}

/* Each text is the same table: x = 1, 3; y = 2.5, -4; labels a, b. */
static void assert_small_table(const char *text, const char *label) {
    sporf_dataset *data = read_text(text, label);
    assert_shape(data, 2, 2, 2);
    assert_true(cell(data, 0, 0) == 1 && cell(data, 1, 0) == 3);
    assert_true(cell(data, 0, 1) == 2.5f && cell(data, 1, 1) == -4);
    assert_string_equal(label_of(data, 0), "a");
    assert_string_equal(label_of(data, 1), "b");
    sporf_dataset_free(data);
}

static void commas_tabs_and_semicolons_are_recognised(void **state) {
    (void)state;
    assert_small_table("x,y,c\n1,2.5,a\n3,-4,b\n", "c");
    assert_small_table("x\ty\tc\n1\t2.5\ta\n3\t-4\tb\n", "c");
    assert_small_table("x;y;c\n1;2.5;a\n3;-4;b\n", "c");
    assert_small_table("\"x,1;\";\"y,,\";c\n1;2.5;a\n3;-4;b\n", "c");
}

static void line_ends_marks_and_blanks_do_not_matter(void **state) {
    (void)state;
    assert_small_table("x,y,c\r\n1,2.5,a\r\n3,-4,b\r\n", "c");
    assert_small_table("x,y,c\n1,2.5,a\n3,-4,b", "c");
    assert_small_table("x,y,c\n1,2.5,a\n3,-4,b\r\n\r\n \n\n", "c");
    assert_small_table("\xef\xbb\xbfx,y,c\n1,2.5,a\n3,-4,b\n", "c");
    assert_small_table("c , x,y\na , 1, 2.5 \nb,\t3 ,  -4\t\n", "c");
    assert_small_table("c,x,y\r\na,1,2.5\r\nb,3,-4\r", "c");
}

static void quoted_fields_are_unwrapped(void **state) {
    (void)state;
    assert_small_table("\"x\",\"y\",\"c\"\n\"1\",\" 2.5 \",\"a\"\n\"3\" , \"-4\",\"b\"", "c");
    sporf_dataset *data =
        read_text("x,c\n1,\"say \"\"hi\"\", you\"\n2,\"two\nlines\"\n3,\" a \"\n", "c");
    assert_shape(data, 3, 1, 3);
    assert_string_equal(label_of(data, 0), "say \"hi\", you");
    assert_string_equal(label_of(data, 1), "two\nlines");
    assert_string_equal(label_of(data, 2), " a ");
    sporf_dataset_free(data);
}

static void a_header_is_found_by_its_words(void **state) {
    (void)state;
    sporf_dataset *with = read_text("x,y\n1,2\n", NULL), *without = read_text("1,2\n3,4\n", NULL);
    assert_shape(with, 1, 2, 0);
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(with), 1), "y");
    assert_shape(without, 2, 2, 0);
    assert_null(sporf_schema_feature_name(sporf_dataset_schema(without), 0));
    sporf_dataset_free(with);
    sporf_dataset_free(without);
    /* a first row with a number is data even where it has words */
    sporf_dataset *mixed = read_text("1,a\n2,b\n", "last");
    assert_shape(mixed, 2, 1, 2);
    sporf_dataset_free(mixed);
}

static void the_label_by_name_makes_a_header(void **state) {
    (void)state;
    sporf_dataset *data = read_text("1,2,kind\n5,6,a\n7,8,b\n", "kind");
    assert_shape(data, 2, 2, 2);
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), 0), "1");
    assert_string_equal(data->schema.label_name, "kind");
    sporf_dataset_free(data);
    /* a number is a place, not a name, as long as nothing else says there is a header */
    data = read_text("1,2\n5,6\n", "2");
    assert_shape(data, 2, 1, 2);
    sporf_dataset_free(data);
}

static void a_header_can_be_forced_either_way(void **state) {
    (void)state;
    sporf_read_options options = options_with_label(NULL);
    options.header = SPORF_HEADER_YES;
    sporf_dataset *data = read_with("1,2\n3,4\n", &options);
    assert_shape(data, 1, 2, 0);
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), 0), "1");
    sporf_dataset_free(data);
    options.header = SPORF_HEADER_NO;
    assert_refused_bytes("x,y\n1,2\n3,4\n", 12, &options,
                         "data.csv line 1, column 1: 'x' is not a number");
}

static void the_label_can_be_a_name_a_number_or_last(void **state) {
    (void)state;
    static const char text[] = "c,x,y\na,1,2.5\nb,3,-4\n";
    assert_small_table(text, "c");
    assert_small_table(text, "1");
    assert_small_table("x,y,c\n1,2.5,a\n3,-4,b\n", "last");
    /* the column called "1" wins over the first column; so does one called "last" */
    assert_small_table("last,x,y\na,1,2.5\nb,3,-4\n", "last");
    sporf_read_options options = options_with_label("1");
    options.header = SPORF_HEADER_YES;
    sporf_dataset *data = read_with("x,1\n1,a\n3,b\n", &options);
    assert_shape(data, 2, 1, 2);
    assert_string_equal(data->schema.label_name, "1");
    sporf_dataset_free(data);
}

static void a_label_that_is_not_there_lists_the_columns(void **state) {
    (void)state;
    assert_refused("x,y,c\n1,2,a\n", "kind", "no label column 'kind'; its columns are: x, y, c");
    assert_refused("a,b,c,d,e,f,g,h,i,j\n1,2,3,4,5,6,7,8,9,0\n", "11",
                   "a, b, c, d, e, f, g, h, ..., j (10 in all)");
    assert_refused("a,b,c,d,e,f,g,h,i\n1,2,3,4,5,6,7,8,9\n", "11", "g, h, i (9 in all)");
    assert_refused("1,2\n", "kind", "2 columns without names");
    assert_refused("1,2\n", "3", "number from 1 to 2 or 'last'");
    assert_refused("1,2\n", "0", "no label column '0'");
    assert_refused("x,c,c\n1,2,3\n", "c", "2 columns are named 'c'");
}

static void a_label_that_stands_for_one_name_suggests_it(void **state) {
    (void)state;
    assert_refused("x,y,churned\n1,2,a\n", "chrn", "'chrn'; did you mean 'churned'?");
    assert_refused("x,Would recommend?\n1,a\n", "recommend", "did you mean 'Would recommend?'");
    assert_refused("recommended,recommender,y\n1,a,2\n", "rcmd", "its columns are: recommended");
}

static void two_columns_of_one_name_are_refused_with_their_numbers(void **state) {
    (void)state;
    assert_refused("x,x,c\n1,2,a\n", "c",
                   "data.csv: columns 1 and 2 are both named 'x'; rename one of them, so that they "
                   "can be told apart in new data");
    assert_refused("u,b,c,b,b\n1,2,a,3,4\n", "c", "columns 2 and 4 are both named 'b'");
    assert_refused("c,x,c\n1,2,a\n", "3", "columns 1 and 3 are both named 'c'");
    assert_refused(",x,,c\n1,2,3,a\n", "c", "columns 1 and 3 are both named ''");
    assert_refused("x,x,c\n1,2024-01-01,a\n", "c", "columns 1 and 2 are both named 'x'");
    assert_refused("b,x,x\nn,y,a\nb,n,d\n", "1",
                   "if the first line holds no names, say so (header 'no')");
}

static void equal_names_are_fine_where_no_feature_has_them(void **state) {
    (void)state;
    sporf_dataset *data = read_text("x,c,,\n1,a,,\n2,b,,\n", "c");
    assert_shape(data, 2, 1, 2);
    sporf_dataset_free(data);
    sporf_read_options options = options_with_label("c");
    options.ignored = (const char *[]){"2"};
    options.ignored_count = 1;
    data = read_with("x,x,c\n1,2,a\n", &options);
    assert_shape(data, 1, 1, 1);
    sporf_dataset_free(data);
    options = options_with_label("c");
    options.columns = (const char *[]){"x"};
    options.columns_count = 1;
    data = read_with("x,y,y,c\n1,2,3,a\n", &options);
    assert_shape(data, 1, 1, 1);
    sporf_dataset_free(data);
}

static void columns_nobody_asked_for_may_hold_anything(void **state) {
    (void)state;
    sporf_read_options options = options_with_label(NULL);
    static const char *const wanted[] = {"y", "x"};
    options.columns = wanted;
    options.columns_count = 2;
    sporf_dataset *data = read_with("x,c,y\n1,text,2\n3,,4\n", &options);
    assert_shape(data, 2, 2, 0);
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), 1), "y");
    assert_true(cell(data, 1, 1) == 4);
    sporf_dataset_free(data);
    data = read_with("x,y\n1,2\n", &options);
    assert_shape(data, 1, 2, 0);
    sporf_dataset_free(data);
    assert_refused_bytes("c\n1\n", 4, &options,
                         "none of the 2 columns asked for ('y', ...) is there; its columns are: c");
}

static void a_label_cell_of_text_above_numbers_makes_a_header(void **state) {
    (void)state;
    sporf_dataset *data = read_text("0,1,target\n5,6,1\n7,8,0\n", "last");
    assert_shape(data, 2, 2, 2);
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), 1), "1");
    sporf_dataset_free(data);
    data = read_text("0,1,b\n5,6,1\n7,8,a\n", "last");
    assert_shape(data, 3, 2, 3);
    sporf_dataset_free(data);
}

static void a_first_row_of_missing_values_is_no_header(void **state) {
    (void)state;
    sporf_dataset *data = read_text("?,NA,a\n1,2,b\n3,4,a\n", "last");
    assert_shape(data, 3, 2, 2);
    assert_true(isnan(cell(data, 0, 0)) && isnan(cell(data, 0, 1)) && data->has_missing);
    sporf_dataset_free(data);
}

static void a_first_line_of_words_is_a_header_whatever_follows(void **state) {
    (void)state;
    sporf_dataset *data = read_text("a;b\n5,1;3,5\n", NULL);
    assert_shape(data, 1, 2, 0);
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), 0), "a");
    sporf_dataset_free(data);
    assert_refused("a;b\n5,123;3\n", NULL, "line 2, column 1 ('a'): '5,123' may have a decimal");
}

static void whole_numbers_with_points_are_the_same_classes_as_without(void **state) {
    (void)state;
    sporf_dataset *data = read_text("1,2.000e+00\n2,2\n3,10.0\n", "last");
    assert_shape(data, 3, 1, 2);
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), 0), "2");
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), 1), "10");
    assert_int_equal(sporf_dataset_labels(data)[1], 0);
    sporf_dataset_free(data);
    data = read_text("1,2.5\n2,2.0\n3,2\n", "last");
    assert_shape(data, 3, 1, 3);
    sporf_dataset_free(data);
}

static void a_ragged_row_names_its_line(void **state) {
    (void)state;
    assert_refused("a,b,c\n1,2,3\n4,5\n", NULL,
                   "data.csv line 3: 2 fields, but the header (line 1) has 3");
    assert_refused("a,b,c\n1,2,3,4\n", NULL,
                   "data.csv line 2: 4 fields, but the header (line 1) has 3");
    assert_refused("1,2,3\n4,5,6\n7,8,9,\n", NULL,
                   "data.csv line 3: 4 fields, but the first row (line 1) has 3");
    /* lines are counted as an editor counts them, those inside quotes too */
    assert_refused("x,c\n1,\"a\nb\nc\"\n2\n", "c",
                   "data.csv line 5: 1 field, but the header (line 1) has 2");
}

static void blank_lines_around_rows_are_ignored(void **state) {
    (void)state;
    static const char *const texts[] = {"1,2\n\n3,4\n", "\n1,2\n3,4\n",
                                        "1,2\r\n \t\r\n\r\n3,4\r\n\r\n", "1\t2\n   \n3\t4",
                                        "\n\n1 2\n\n3 4\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sporf_dataset *data = read_text(texts[i], NULL);
        assert_shape(data, 2, 2, 0);
        assert_true(cell(data, 1, 0) == 3 && cell(data, 1, 1) == 4);
        sporf_dataset_free(data);
    }
    assert_refused("a,b\n1,2\n\n\n3\n", NULL,
                   "data.csv line 5: 1 field, but the header (line 1) has 2");
}

static void a_blank_line_in_a_column_alone_is_a_missing_value(void **state) {
    (void)state;
    sporf_dataset *data = read_text("x\n1\n\n3\n\n", NULL);
    assert_shape(data, 3, 1, 0);
    assert_true(isnan(cell(data, 1, 0)) && cell(data, 2, 0) == 3);
    sporf_dataset_free(data);
}

static void files_without_rows_are_refused(void **state) {
    (void)state;
    assert_refused("", NULL, "data.csv: the file is empty");
    assert_refused("\n\r\n  \n", NULL, "the file is empty");
    assert_refused("\xef\xbb\xbf", NULL, "the file is empty");
    assert_refused("x,y,c\n", NULL, "a header and no rows");
    assert_refused("x,y,c", "c", "a header and no rows");
}

static void text_among_numbers_is_refused_with_its_place(void **state) {
    (void)state;
    assert_refused(
        "x,y\n1,2\n3,red\n4,5\n", NULL,
        "data.csv line 3, column 2 ('y'): 'red' is not a number, but most cells of the column are");
    assert_refused("x,y\n1,2\n3,red\n4,5\n", NULL, "(categorical 'y') or not at all (ignore 'y')");
    assert_refused("1,2\n3,x4\n5,6\n", NULL, "data.csv line 2, column 2: 'x4' is not a number");
    assert_refused("1,2\n3,4x\n5,6\n", NULL,
                   "data.csv line 2, column 2: '4x' is a number with a sign or unit");
    assert_refused("1,2\n3,4x\n5,6\n", NULL, "categorical '2'");
    assert_refused("1,2\n3,0x10\n5,6\n", NULL, "'0x10' is not a number");
    assert_refused("1,2\n3,\a\"\n", NULL, "a quote next to '\\x07'");
    assert_refused("1\n2 3\n", NULL, "if blanks separate fields");
    assert_refused(
        "1,2\n3,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n5,6\n",
        NULL, "aaaa...' is not a number");
}

static void offending_text_is_made_fit_to_print(void **state) {
    (void)state;
    assert_refused("1\n\x1b[31m\xc3\xa9\xff\xc3 \xe2\x82\xac\t!\n", NULL,
                   "'\\x1b[31m\xc3\xa9\\xff\\xc3 \xe2\x82\xac\\t!' is not a number");
}

static void missing_values_are_not_a_number(void **state) {
    (void)state;
    static const char *const words[] = {"",     "NA",   "N/A", "?",    "nan",   "NaN",
                                        "null", "NULL", " ",   "\"\"", "\"NA\""};
    char text[64];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        snprintf(text, sizeof text, "x,y\n1,2\n%s,4\n", words[i]);
        sporf_dataset *data = read_text(text, NULL);
        assert_shape(data, 2, 2, 0);
        assert_true(data->has_missing && isnan(cell(data, 1, 0)) && cell(data, 1, 1) == 4);
        sporf_dataset_free(data);
    }
    sporf_dataset *whole = read_text("x,y\n1,2\n", NULL);
    assert_false(whole->has_missing);
    sporf_dataset_free(whole);
}

static void values_that_are_too_large_are_refused(void **state) {
    (void)state;
    assert_refused("1\ninf\n", NULL, "'inf' is not finite");
    assert_refused("1\n-Infinity\n", NULL, "'-Infinity' is not finite");
    assert_refused("1\n1.1e30\n", NULL, "1.1e30 is beyond 1e30");
    assert_refused("1\n-1e39\n", NULL, "beyond 1e30");
    assert_refused("1\n1e999\n", NULL, "beyond 1e30");
    sporf_dataset *data = read_text("1e30\n-1e30\n1e-999\n", NULL);
    assert_true(cell(data, 0, 0) == 1e30f && cell(data, 1, 0) == -1e30f && cell(data, 2, 0) == 0);
    sporf_dataset_free(data);
}

static void a_missing_label_is_refused(void **state) {
    (void)state;
    assert_refused("x,c\n1,a\n2,\n", "c", "data.csv line 3, column 2 ('c'): no class label ('')");
    assert_refused("x,c\n1,NA\n2,b\n", "c", "no class label ('NA')");
    assert_refused("x,c\n1,\"\"\n2,b\n", "c", "no class label");
    assert_refused("x,c\n1,a\n2,\n3,b\n4,?\n", "c",
                   "data.csv line 3, column 2 ('c'): no class label (''), in 2 of 4 rows");
    sporf_dataset *data = read_text("x,c\n1,\"NA\"\n", "c"); /* quoted, it is a word */
    assert_string_equal(label_of(data, 0), "NA");
    sporf_dataset_free(data);
}

static void quotes_out_of_place_are_refused(void **state) {
    (void)state;
    assert_refused("x,c\n1,a\n2,\"b\n3,c\n", "c",
                   "line 3, column 2 ('c'): the quote before 'b\\n3,c' is never");
    assert_refused("x,c\n1,5\" pipe\n2,b\n", "c", "line 2, column 2 ('c'): a quote next to '5'");
    assert_refused("x,c\n1,\"a\"b\n2,b\n", "c", "line 2, column 2 ('c'): a quote next to 'a'");
    assert_refused("x,\"c\n1,2\n", NULL, "line 1, column 2: the quote before");
}

static void nul_bytes_are_refused(void **state) {
    (void)state;
    sporf_read_options options = options_with_label("last");
    assert_refused_bytes("1,a\n2\0,b\n", 9, &options, "line 2, column 1: a NUL byte in '2\\x00'");
    assert_refused_bytes("1,a\n2,b\0\n", 9, &options, "line 2, column 2: a NUL byte in 'b\\x00'");
    assert_refused_bytes("x\0,c\n2,b\n", 9, &options, "line 1, column 1: a NUL byte");
    assert_refused_bytes("\xff\xfex\0,\0y\0\n\0", 10, &options, "UTF-16 must be saved as UTF-8");
}

/* A table with quoted line ends and separators in its labels. */
static char *tricky_table(size_t rows) {
    static const char *const labels[] = {"a", "\"b\nb\"", "\"\"\"\"", "\"c,\"\"\n\r\n,\"", " d "};
    char *text = malloc(rows * 64 + 64);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "x,\"the\nlabel\",y\r\n");
    for (size_t i = 0; i < rows; i++)
        used += (size_t)sprintf(text + used, "%zu.%zu,%s,\"-%zue-2\"%s", i, i * i % 97,
                                labels[(i * i + i / 5) % 5], i, i % 3 ? "\n" : "\r\n");
    return text;
}

static void every_way_to_cut_the_file_gives_the_same_table(void **state) {
    (void)state;
    char *text = tricky_table(200);
    sporf_read_options options = options_with_label("the\nlabel");
    const spf_source source = {.name = "data.csv", .bytes = text, .size = strlen(text)};
    sporf_dataset *whole = NULL;
    assert_int_equal(spf_read_csv_in_chunks(&source, &options, SIZE_MAX, &whole), SPORF_OK);
    assert_shape(whole, 200, 2, 5);
    for (size_t chunk = 1; chunk < 300; chunk += 1 + chunk / 16) {
        sporf_dataset *cut = NULL;
        options.threads = 1 + (unsigned)(chunk % 5);
        assert_int_equal(spf_read_csv_in_chunks(&source, &options, chunk, &cut), SPORF_OK);
        assert_true(same_dataset(whole, cut));
        sporf_dataset_free(cut);
    }
    sporf_dataset_free(whole);
    free(text);
}

static void the_first_fault_is_reported_however_the_file_is_cut(void **state) {
    (void)state;
    static const char *const faults[] = {"1,a\n", "x,a,2\n", "1,\"a,2\n", "1,a\"b,2\n", "1,,2\n"};
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        char *text = tricky_table(300), first[SPF_ERROR_TEXT_MAX];
        char *place = strstr(text, "150."), *later = strstr(text, "250.");
        assert_non_null(place);
        memcpy(later, "oops", 4);
        memcpy(place, faults[f], strlen(faults[f]));
        sporf_read_options options = options_with_label("2");
        options.header = SPORF_HEADER_YES;
        const spf_source source = {.name = "data.csv", .bytes = text, .size = strlen(text)};
        sporf_dataset *data = NULL;
        assert_int_equal(spf_read_csv_in_chunks(&source, &options, SIZE_MAX, &data),
                         SPORF_ERROR_DATA);
        snprintf(first, sizeof first, "%s", sporf_last_error());
        for (size_t chunk = 1; chunk < 4000; chunk += 1 + chunk / 4) {
            options.threads = 1 + (unsigned)(chunk % 7);
            assert_int_equal(spf_read_csv_in_chunks(&source, &options, chunk, &data),
                             SPORF_ERROR_DATA);
            assert_string_equal(sporf_last_error(), first);
        }
        free(text);
    }
}

static void a_wide_table_is_read(void **state) {
    (void)state;
    enum { COLUMNS = 100000, ROWS = 37 };
    char *text = malloc((size_t)ROWS * COLUMNS * 3 + 1);
    assert_non_null(text);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) {
        size_t column = i % COLUMNS;
        text[3 * i] = (char)('0' + (i / COLUMNS + column) % 10);
        text[3 * i + 1] = (char)('0' + column % 10);
        text[3 * i + 2] = column + 1 == COLUMNS ? '\n' : ',';
    }
    text[(size_t)ROWS * COLUMNS * 3] = '\0';
    sporf_dataset *data = read_text(text, NULL);
    assert_shape(data, ROWS, COLUMNS, 0);
    for (size_t j = 0; j < COLUMNS; j++)
        for (size_t i = 0; i < ROWS; i++)
            assert_true(cell(data, i, j) == (float)((i + j) % 10 * 10 + j % 10));
    sporf_dataset_free(data);
    free(text);
}

/* A table of few rows and many columns of text, or of many rows with texts that all differ. */
static void max_memory_counts_the_texts(void **state) {
    (void)state;
    const size_t shapes[][2] = {{20000, 3}, {1, 60000}};
    for (size_t k = 0; k < 2; k++) {
        char *text = malloc(1 << 20), *p = text;
        assert_non_null(text);
        for (size_t i = 0; i < shapes[k][1]; i++) {
            for (size_t j = 0; j < shapes[k][0]; j++)
                p += sprintf(p, k == 0 ? "%c," : "%cx%zu,", (char)('a' + (i + j) % 3), i);
            p += sprintf(p, "1\n");
        }
        const spf_source source = {.name = "data.csv", .bytes = text, .size = (size_t)(p - text)};
        sporf_read_options options;
        sporf_dataset *data = NULL;
        sporf_read_options_init(&options);
        options.max_memory = 2 << 20;
        assert_int_equal(spf_read_csv(&source, &options, &data), SPORF_ERROR_MEMORY);
        assert_non_null(strstr(sporf_last_error(), "2.0 MiB that max-memory allows"));
        options.max_memory = 64 << 20;
        assert_int_equal(spf_read_csv(&source, &options, &data), SPORF_OK);
        sporf_dataset_free(data);
        free(text);
    }
}

static void max_memory_refuses_with_the_figures(void **state) {
    (void)state;
    sporf_read_options options = options_with_label(NULL);
    sporf_dataset *data = NULL;
    options.max_memory = 50;
    assert_int_equal(read_bytes("1,2,3\n4,5,6\n7,8,9\n", 18, &options, &data), SPORF_ERROR_MEMORY);
    assert_non_null(strstr(sporf_last_error(), "data.csv: 3 rows x 3 features take 72 bytes"));
    assert_non_null(strstr(sporf_last_error(), "50 bytes that max-memory allows"));
    options.max_memory = 72;
    assert_int_equal(read_bytes("1,2,3\n4,5,6\n7,8,9\n", 18, &options, &data), SPORF_OK);
    sporf_dataset_free(data);
}

static void a_last_line_may_end_where_a_page_ends(void **state) {
    (void)state;
    enum { SIZE = 1 << 16 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    for (size_t i = 0; i < SIZE; i++) text[i] = i % 4 == 3 ? '\n' : '7';
    text[SIZE - 1] = '7'; /* no line end: the number runs into the end of the file */
    tmp_file file = tmp_file_of("page.csv", text, SIZE);
    sporf_dataset *data = NULL;
    if (sporf_dataset_read(file.path, NULL, &data) != SPORF_OK) fail_msg("%s", sporf_last_error());
    assert_int_equal(data->rows, SIZE / 4);
    assert_true(cell(data, 0, 0) == 777 && cell(data, SIZE / 4 - 1, 0) == 7777);
    sporf_dataset_free(data);
    tmp_file_remove(&file);
    free(text);
}

/* Whether words may be fields between blanks is found in one pass over a line. */
static void a_line_of_many_words_is_told_at_once(void **state) {
    (void)state;
    enum { WORDS = 100000 };
    char *text = malloc(5 * WORDS + 1);
    assert_non_null(text);
    for (size_t i = 0; i < WORDS; i++) memcpy(text + 5 * i, "word ", 6);
    tmp_file file = tmp_file_of("words.txt", text, 5 * WORDS);
    sporf_dataset *data = NULL;
    clock_t started = clock();
    assert_int_equal(sporf_dataset_read(file.path, NULL, &data), SPORF_ERROR_DATA);
    assert_true(clock() - started < 5 * CLOCKS_PER_SEC); /* a pass for each word takes minutes */
    tmp_file_remove(&file);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_tabs_and_semicolons_are_recognised),
        cmocka_unit_test(line_ends_marks_and_blanks_do_not_matter),
        cmocka_unit_test(quoted_fields_are_unwrapped),
        cmocka_unit_test(a_header_is_found_by_its_words),
        cmocka_unit_test(the_label_by_name_makes_a_header),
        cmocka_unit_test(a_header_can_be_forced_either_way),
        cmocka_unit_test(the_label_can_be_a_name_a_number_or_last),
        cmocka_unit_test(a_label_that_is_not_there_lists_the_columns),
        cmocka_unit_test(a_label_that_stands_for_one_name_suggests_it),
        cmocka_unit_test(two_columns_of_one_name_are_refused_with_their_numbers),
        cmocka_unit_test(equal_names_are_fine_where_no_feature_has_them),
        cmocka_unit_test(columns_nobody_asked_for_may_hold_anything),
        cmocka_unit_test(a_label_cell_of_text_above_numbers_makes_a_header),
        cmocka_unit_test(a_first_line_of_words_is_a_header_whatever_follows),
        cmocka_unit_test(a_first_row_of_missing_values_is_no_header),
        cmocka_unit_test(whole_numbers_with_points_are_the_same_classes_as_without),
        cmocka_unit_test(a_ragged_row_names_its_line),
        cmocka_unit_test(blank_lines_around_rows_are_ignored),
        cmocka_unit_test(a_blank_line_in_a_column_alone_is_a_missing_value),
        cmocka_unit_test(files_without_rows_are_refused),
        cmocka_unit_test(text_among_numbers_is_refused_with_its_place),
        cmocka_unit_test(offending_text_is_made_fit_to_print),
        cmocka_unit_test(missing_values_are_not_a_number),
        cmocka_unit_test(values_that_are_too_large_are_refused),
        cmocka_unit_test(a_missing_label_is_refused),
        cmocka_unit_test(quotes_out_of_place_are_refused),
        cmocka_unit_test(nul_bytes_are_refused),
        cmocka_unit_test(every_way_to_cut_the_file_gives_the_same_table),
        cmocka_unit_test(the_first_fault_is_reported_however_the_file_is_cut),
        cmocka_unit_test(a_wide_table_is_read),
        cmocka_unit_test(max_memory_refuses_with_the_figures),
        cmocka_unit_test(max_memory_counts_the_texts),
        cmocka_unit_test(a_last_line_may_end_where_a_page_ends),
        cmocka_unit_test(a_line_of_many_words_is_told_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
