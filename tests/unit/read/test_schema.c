/* Reading with the schema of a model, and schemas of tables that come as numbers. */
#include "read/blocks.h"
#include "read/names.h"

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

static void assert_refused(const char *text, const sporf_read_options *options, const char *words) {
    sporf_dataset *data = NULL;
    assert_int_not_equal(try_read("new.csv", text, options, &data), SPORF_OK);
    assert_null(data);
    if (!strstr(sporf_last_error(), words))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
}

static const char training[] = "height,colour,size,class\n1,red,2,a\n2,green,10,b\n3,blue,2,a\n";

/* What a model would know of the table above. */
static sporf_dataset *train_table(void) {
    static const char *const orders[] = {"size"};
    sporf_read_options options = plain_options();
    options.label = "class";
    options.ordinal = orders;
    options.ordinal_count = 1;
    return read_with(training, &options);
}

static void columns_of_a_schema_are_found_in_any_order(void **state) {
    (void)state;
    sporf_dataset *known = train_table();
    sporf_read_options options = plain_options();
    options.schema = sporf_dataset_schema(known);
    sporf_dataset *data =
        read_with("size,note,colour,height\n10,\"any\nthing\",blue,7\n2.0,,red,\n", &options);
    assert_true(same_schema(&data->schema, &known->schema));
    assert_true(data->columns[0][0] == 7 && isnan(data->columns[0][1]));
    assert_true(data->columns[1][0] == 0 && data->columns[1][1] == 2);
    assert_true(data->columns[2][0] == 1 && data->columns[2][1] == 0);
    assert_int_equal(sporf_dataset_unknown_levels(data, 1, NULL), 0);
    sporf_dataset_free(data);
    sporf_dataset_free(known);
}

static void unknown_levels_are_missing_and_counted(void **state) {
    (void)state;
    const char *example;
    sporf_dataset *known = train_table();
    sporf_read_options options = plain_options();
    options.schema = sporf_dataset_schema(known);
    sporf_dataset *data =
        read_with("height,colour,size\n1,pink,2\n2,red,3\n3,,2\n4,grey,\n", &options);
    assert_true(data->has_missing);
    assert_true(isnan(data->columns[1][0]) && data->columns[1][1] == 2);
    assert_int_equal(sporf_dataset_unknown_levels(data, 0, NULL), 0);
    assert_int_equal(sporf_dataset_unknown_levels(data, 1, &example), 2);
    assert_string_equal(example, "pink");
    assert_int_equal(sporf_dataset_unknown_levels(data, 2, &example), 1);
    assert_string_equal(example, "3");
    assert_int_equal(sporf_dataset_unknown_levels(data, 0, &example), 0);
    assert_null(example);
    assert_int_equal(sporf_dataset_missing(data, 1), 3);
    sporf_dataset_free(data);
    sporf_dataset_free(known);
}

static void a_schema_leaves_no_column_out(void **state) {
    (void)state;
    sporf_dataset *known = train_table();
    sporf_read_options options = plain_options();
    options.schema = sporf_dataset_schema(known);
    sporf_dataset *data = read_with("height,colour,size\n,,\n,pink,\n", &options);
    assert_int_equal(data->features, 3);
    assert_int_equal(left_out_count(data), 0);
    sporf_dataset_free(data);
    sporf_dataset_free(known);
}

static void what_does_not_fit_a_schema_is_explained(void **state) {
    (void)state;
    sporf_dataset *known = train_table();
    sporf_read_options options = plain_options();
    options.schema = sporf_dataset_schema(known);
    assert_refused("height,colour,size\ntall,red,2\n", &options,
                   "'tall' is not a number, but the model was trained on numbers here");
    assert_refused(
        "heigth,colour,class\n1,red,a\n", &options,
        "new.csv: the data have no column 'height', 'size', of the 3 that the model was "
        "trained with; other columns are 'heigth', 'class'; is 'heigth' meant for 'height'?");
    assert_refused("height,colour,size,colour\n1,red,2,red\n", &options,
                   "two columns named 'colour'");
    options.header = SPORF_HEADER_NO;
    assert_refused("1,red\n2,blue\n", &options, "the data have 2 features, but the model");
    sporf_dataset_free(known);
}

static void without_a_header_places_count(void **state) {
    (void)state;
    sporf_dataset *known = train_table();
    sporf_read_options options = plain_options();
    options.schema = sporf_dataset_schema(known);
    options.header = SPORF_HEADER_NO;
    options.label = "2";
    sporf_dataset *data = read_with("1,b,red,2\n2,a,pink,10\n", &options);
    assert_true(same_schema(&data->schema, &known->schema));
    assert_true(data->columns[1][0] == 2 && data->columns[2][1] == 1);
    assert_int_equal(sporf_dataset_unknown_levels(data, 1, NULL), 1);
    sporf_dataset_free(data);
    sporf_dataset_free(known);
}

static void columns_that_were_left_out_keep_their_place(void **state) {
    (void)state;
    static const char *const ignored[] = {"2"};
    sporf_read_options options = plain_options();
    options.header = SPORF_HEADER_NO;
    options.ignored = ignored;
    options.ignored_count = 1;
    sporf_dataset *known = read_with("1,k,red\n2,l,blue\n", &options);
    assert_int_equal(known->features, 2);
    options.ignored_count = 0;
    options.schema = sporf_dataset_schema(known);
    sporf_dataset *data = read_with("1,anything,blue\n", &options);
    assert_int_equal(data->features, 2);
    assert_true(data->columns[1][0] == 0);
    sporf_dataset_free(data);
    sporf_dataset_free(known);
}

static void weights_and_targets_are_read_beside_a_schema(void **state) {
    (void)state;
    static const char *const targets[] = {"t"};
    sporf_dataset *known = train_table();
    sporf_read_options options = plain_options();
    options.schema = sporf_dataset_schema(known);
    options.weight = "w";
    options.targets = targets;
    options.targets_count = 1;
    options.label = "class";
    sporf_dataset *data =
        read_with("t,size,w,colour,height,class\n5,2,1,red,7,a\n6,10,2,,8,b\n", &options);
    assert_true(same_schema(&data->schema, &known->schema));
    assert_int_equal(data->features, 3);
    assert_true(data->columns[0][1] == 8 && data->columns[1][0] == 2 && data->columns[2][1] == 1);
    assert_true(sporf_dataset_weights(data)[1] == 2 && sporf_dataset_target(data, 0)[0] == 5);
    assert_string_equal(sporf_schema_target_name(sporf_dataset_schema(data), 0), "t");
    assert_int_equal(sporf_dataset_classes(data), 2);
    sporf_dataset_free(data);
    sporf_dataset_free(known);
}

static void units_may_be_left_away_but_not_changed(void **state) {
    (void)state;
    sporf_read_options options = plain_options();
    sporf_dataset *known = read_with("height [cm],width\n1,2\n", &options);
    options.schema = sporf_dataset_schema(known);
    sporf_dataset *data = read_with("width [m],height\n3,4\n", &options);
    assert_true(data->columns[0][0] == 4 && data->columns[1][0] == 3);
    sporf_dataset_free(data);
    data = read_with("height [cm],width\n3,4\n", &options);
    sporf_dataset_free(data);
    assert_refused("height [in],width\n3,4\n", &options,
                   "column 'height [in]': the model was trained with 'height [cm]'");
    sporf_dataset_free(known);
    known = read_with("x,height [cm],height [in]\n1,2,3\n",
                      &(sporf_read_options){.struct_size = sizeof options});
    options.schema = sporf_dataset_schema(known);
    data = read_with("height [in],height [cm],x\n3,2,1\n", &options);
    assert_true(data->columns[1][0] == 2 && data->columns[2][0] == 3);
    sporf_dataset_free(data);
    sporf_dataset_free(known);
}

/* The law of blocks, with categories. */
static void blocks_with_a_schema_are_the_rows_of_the_whole(void **state) {
    (void)state;
    static const char *const colours[] = {"red", "green", "\"blue\"", "pink", "", "\"a\nb\""};
    sporf_dataset *known = train_table();
    char text[8192];
    size_t used = (size_t)sprintf(text, "colour,x,size,height\n");
    for (size_t i = 0; i < 200; i++)
        used += (size_t)sprintf(text + used, "%s,%s,%zu,%zu\n", colours[i * i % 6],
                                i % 3 ? "?" : "w", i % 4 * 5, i);
    sporf_read_options options = plain_options();
    options.schema = sporf_dataset_schema(known);
    sporf_dataset *whole = read_with(text, &options);
    tmp_file file = tmp_file_of("blocks.csv", text, used);
    for (size_t bytes = 16; bytes < 4096; bytes *= 3) {
        sporf_reader *reader = NULL;
        size_t done = 0, unknown = 0;
        assert_int_equal(spf_reader_open(file.path, &options, bytes, &reader), SPORF_OK);
        for (;;) {
            sporf_dataset *block = NULL;
            assert_int_equal(sporf_reader_next(reader, 7, &block), SPORF_OK);
            if (!block) break;
            assert_true(same_schema(&block->schema, &whole->schema));
            for (size_t j = 0; j < 3; j++)
                assert_memory_equal(block->columns[j], whole->columns[j] + done,
                                    block->rows * sizeof(float));
            done += block->rows;
            unknown += sporf_dataset_unknown_levels(block, 1, NULL);
            sporf_dataset_free(block);
        }
        assert_int_equal(done, whole->rows);
        assert_int_equal(unknown, sporf_dataset_unknown_levels(whole, 1, NULL));
        sporf_reader_free(reader);
    }
    assert_true(sporf_dataset_unknown_levels(whole, 1, NULL) > 0);
    tmp_file_remove(&file);
    sporf_dataset_free(whole);
    sporf_dataset_free(known);
}

static void blocks_refuse_what_needs_all_of_the_file(void **state) {
    (void)state;
    static const char *const names[] = {"colour"};
    sporf_read_options options = plain_options();
    options.categorical = names;
    options.categorical_count = 1;
    tmp_file file = tmp_file_of("blocks.csv", training, strlen(training));
    sporf_reader *reader = NULL;
    assert_int_equal(sporf_reader_open(file.path, &options, &reader), SPORF_ERROR_ARGUMENT);
    assert_non_null(strstr(sporf_last_error(), "give a schema"));
    tmp_file_remove(&file);
}

/* ---- tables of numbers ----------------------------------------------------------------------- */

static tmp_file numbers_file(void) {
    static const char header[] =
        "\x93NUMPY\x01\x00\x3b\x00{'descr': '<f4', 'fortran_order': False, "
        "'shape': (3, 4)}    ";
    static const float values[] = {10, 1, 0.5f, 2, 9, 0, NAN, 1, 10, 1, 3, 0};
    char bytes[256];
    size_t head = 10 + 0x3b;
    memset(bytes, ' ', sizeof bytes);
    memcpy(bytes, header, sizeof header - 1 < head ? sizeof header - 1 : head);
    memcpy(bytes + head, values, sizeof values);
    return tmp_file_of("a.npy", bytes, head + sizeof values);
}

static void columns_of_npy_files_can_be_categories_weights_and_targets(void **state) {
    (void)state;
    static const char *const categorical[] = {"1"}, *const targets[] = {"4"};
    tmp_file file = numbers_file();
    sporf_read_options options = plain_options();
    options.label = "2";
    options.categorical = categorical;
    options.categorical_count = 1;
    sporf_dataset *data = NULL;
    if (sporf_dataset_read(file.path, &options, &data) != SPORF_OK)
        fail_msg("%s", sporf_last_error());
    assert_int_equal(data->features, 3);
    assert_int_equal(sporf_schema_levels(sporf_dataset_schema(data), 0), 2);
    assert_string_equal(sporf_schema_level_name(sporf_dataset_schema(data), 0, 0), "9");
    assert_true(data->columns[0][0] == 1 && data->columns[0][1] == 0);
    assert_true(data->has_missing && isnan(data->columns[1][1]));
    sporf_dataset_free(data);
    options.targets = targets;
    options.targets_count = 1;
    options.weight = "1";
    options.categorical_count = 0;
    assert_int_equal(sporf_dataset_read(file.path, &options, &data), SPORF_OK);
    assert_int_equal(data->features, 1);
    assert_true(sporf_dataset_weights(data)[1] == 9);
    assert_int_equal(sporf_dataset_targets(data), 1);
    assert_true(sporf_dataset_target(data, 0)[0] == 2);
    assert_string_equal(sporf_schema_target_name(sporf_dataset_schema(data), 0), "3");
    sporf_dataset_free(data);
    options.weight = "3";
    assert_int_equal(sporf_dataset_read(file.path, &options, &data), SPORF_ERROR_DATA);
    assert_non_null(strstr(sporf_last_error(), "is missing in 1 of 3 rows"));
    tmp_file_remove(&file);
}

static void numbers_stand_for_the_levels_of_a_schema(void **state) {
    (void)state;
    const char *example;
    static const char *const categorical[] = {"1", "4"};
    tmp_file file = numbers_file();
    sporf_read_options options = plain_options();
    options.header = SPORF_HEADER_NO;
    options.categorical = categorical;
    options.categorical_count = 2;
    sporf_dataset *known = read_with("10,1,2,1\n11,1,2,2\n", &options), *data = NULL;
    options.categorical_count = 0;
    options.schema = sporf_dataset_schema(known);
    assert_int_equal(sporf_dataset_read(file.path, &options, &data), SPORF_OK);
    assert_true(data->columns[0][0] == 0 && isnan(data->columns[0][1]));
    assert_true(data->columns[3][0] == 1 && data->columns[3][1] == 0);
    assert_int_equal(sporf_dataset_unknown_levels(data, 0, NULL), 1);
    assert_int_equal(sporf_dataset_unknown_levels(data, 3, &example), 1);
    assert_string_equal(example, "0");
    sporf_dataset_free(data);
    sporf_dataset_free(known);
    tmp_file_remove(&file);
}

static void levels_of_a_matrix_are_checked(void **state) {
    (void)state;
    static const char *const names[] = {"low", "high"}, *const twice[] = {"a", "a"};
    float values[] = {0, 1, NAN, 0.5f, 1, 2};
    const sporf_matrix matrix = {values, SPORF_FLOAT32, 3, 2, 1, 3};
    sporf_dataset *data = NULL;
    assert_int_equal(sporf_dataset_from_matrix(&matrix, &data), SPORF_OK);
    assert_int_equal(sporf_dataset_set_levels(data, 0, SPORF_KIND_ORDINAL, names, 2), SPORF_OK);
    assert_int_equal(sporf_schema_kind(sporf_dataset_schema(data), 0), SPORF_KIND_ORDINAL);
    assert_int_equal(sporf_schema_kind(sporf_dataset_schema(data), 1), SPORF_KIND_NUMBER);
    assert_int_equal(sporf_schema_kind(sporf_dataset_schema(data), 9), SPORF_KIND_NUMBER);
    assert_string_equal(sporf_schema_level_name(sporf_dataset_schema(data), 0, 1), "high");
    assert_null(sporf_schema_level_name(sporf_dataset_schema(data), 0, 2));
    assert_null(sporf_schema_level_name(sporf_dataset_schema(data), 1, 0));
    assert_int_equal(sporf_dataset_set_levels(data, 1, SPORF_KIND_CATEGORY, names, 2),
                     SPORF_ERROR_DATA);
    assert_non_null(
        strstr(sporf_last_error(), "row 1, feature 2: 0.5 is not the number of a level"));
    assert_int_equal(sporf_dataset_set_levels(data, 2, SPORF_KIND_CATEGORY, names, 2),
                     SPORF_ERROR_ARGUMENT);
    assert_int_equal(sporf_dataset_set_levels(data, 0, SPORF_KIND_NUMBER, names, 2),
                     SPORF_ERROR_ARGUMENT);
    assert_int_equal(sporf_dataset_set_levels(data, 0, SPORF_KIND_CATEGORY, twice, 2),
                     SPORF_ERROR_ARGUMENT);
    assert_int_equal(sporf_dataset_set_levels(data, 0, SPORF_KIND_CATEGORY, names, 0),
                     SPORF_ERROR_ARGUMENT);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_a_schema_are_found_in_any_order),
        cmocka_unit_test(unknown_levels_are_missing_and_counted),
        cmocka_unit_test(a_schema_leaves_no_column_out),
        cmocka_unit_test(what_does_not_fit_a_schema_is_explained),
        cmocka_unit_test(without_a_header_places_count),
        cmocka_unit_test(columns_that_were_left_out_keep_their_place),
        cmocka_unit_test(weights_and_targets_are_read_beside_a_schema),
        cmocka_unit_test(units_may_be_left_away_but_not_changed),
        cmocka_unit_test(blocks_with_a_schema_are_the_rows_of_the_whole),
        cmocka_unit_test(blocks_refuse_what_needs_all_of_the_file),
        cmocka_unit_test(columns_of_npy_files_can_be_categories_weights_and_targets),
        cmocka_unit_test(numbers_stand_for_the_levels_of_a_schema),
        cmocka_unit_test(levels_of_a_matrix_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
