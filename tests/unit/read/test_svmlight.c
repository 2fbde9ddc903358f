/* svmlight files: sparse rows made dense, and rows that make no sense. */
#include "read/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static sporf_read_options plain_options(void) {
    sporf_read_options options;
    sporf_read_options_init(&options);
    options.threads = 1;
    return options;
}

static sporf_status read_with(const char *text, const sporf_read_options *options,
                              sporf_dataset **out) {
    *out = NULL;
    const spf_source source = {.name = "a.svm", .bytes = text, .size = strlen(text)};
    return spf_read_source(&source, options, out);
}

static sporf_dataset *read_text(const char *text) {
    sporf_read_options options = plain_options();
    sporf_dataset *data = NULL;
    if (read_with(text, &options, &data) != SPORF_OK) fail_msg("%s", sporf_last_error());
    return data;
}

static void assert_refused(const char *text, const char *words) {
    sporf_read_options options = plain_options();
    options.format = SPORF_FORMAT_SVMLIGHT;
    sporf_dataset *data = NULL;
    assert_int_equal(read_with(text, &options, &data), SPORF_ERROR_DATA);
    assert_null(data);
    if (!strstr(sporf_last_error(), words))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
}

static const char *label_of(const sporf_dataset *data, size_t row) {
    return sporf_schema_class_name(sporf_dataset_schema(data), sporf_dataset_labels(data)[row]);
}

static void labels_may_be_numbers_to_predict(void **state) {
    (void)state;
    static const char *const label[] = {"label"}, *const feature[] = {"1"};
    sporf_read_options options = plain_options();
    sporf_dataset *data = NULL;
    options.targets = label;
    options.targets_count = 1;
    options.weight = "2";
    if (read_with("1.5 1:7 2:3\n-2e1 1:8 2:1\n", &options, &data) != SPORF_OK)
        fail_msg("%s", sporf_last_error());
    assert_int_equal(data->features, 1);
    assert_int_equal(sporf_dataset_classes(data), 0);
    assert_int_equal(sporf_dataset_targets(data), 1);
    assert_string_equal(sporf_schema_target_name(sporf_dataset_schema(data), 0), "label");
    assert_true(sporf_dataset_target(data, 0)[0] == 1.5f &&
                sporf_dataset_target(data, 0)[1] == -20);
    assert_true(sporf_dataset_weights(data)[0] == 3 && data->columns[0][1] == 8);
    sporf_dataset_free(data);
    assert_int_equal(read_with("1 1:7 2:1\nred 1:8 2:1\n", &options, &data), SPORF_ERROR_DATA);
    assert_non_null(strstr(sporf_last_error(), "line 2, label: 'red' is not a number"));
    options.targets = feature;
    assert_int_equal(read_with("1.5 1:7 2:3\n2 1:8\n", &options, &data), SPORF_ERROR_DATA);
    assert_non_null(strstr(sporf_last_error(), "target 'label'"));
}

static void rows_are_filled_up_with_zeros(void **state) {
    (void)state;
    sporf_dataset *data =
        read_text("# a comment\n+1 1:0.5 3:-2e1\n\n-1 2:7 # more\r\n1.0 qid:4 3:1 1:2\n-1\n");
    static const float expected[4][3] = {{0.5f, 0, -20}, {0, 7, 0}, {2, 0, 1}, {0, 0, 0}};
    assert_int_equal(data->rows, 4);
    assert_int_equal(data->features, 3);
    for (size_t i = 0; i < 12; i++)
        assert_true(data->columns[i % 3][i / 3] == expected[i / 3][i % 3]);
    assert_int_equal(sporf_dataset_classes(data), 2);
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), 0), "-1");
    assert_string_equal(label_of(data, 0), "1");
    assert_string_equal(label_of(data, 2), "1");
    sporf_dataset_free(data);
}

static void labels_may_be_words_and_lists(void **state) {
    (void)state;
    sporf_dataset *data = read_text("1,3 1:1\nspam 1:2\n2.5 1:1");
    assert_string_equal(label_of(data, 0), "1,3");
    assert_string_equal(label_of(data, 1), "spam");
    assert_string_equal(label_of(data, 2), "2.5");
    sporf_dataset_free(data);
}

static void features_count_from_one_unless_told(void **state) {
    (void)state;
    assert_refused("1 0:1 1:2\n", "a.svm line 1: feature 0, but features are numbered from 1");
    assert_refused("1 0:1 1:2\n", "zero-based");
    sporf_read_options options = plain_options();
    sporf_dataset *data = NULL;
    options.zero_based = 1;
    assert_int_equal(read_with("1 0:1 1:2\n", &options, &data), SPORF_OK);
    assert_int_equal(data->features, 2);
    assert_true(data->columns[0][0] == 1 && data->columns[1][0] == 2);
    sporf_dataset_free(data);
}

static void a_least_number_of_features_is_kept(void **state) {
    (void)state;
    sporf_read_options options = plain_options();
    sporf_dataset *data = NULL;
    options.svmlight_features = 5;
    assert_int_equal(read_with("1 2:1\n", &options, &data), SPORF_OK);
    assert_int_equal(data->features, 5);
    sporf_dataset_free(data);
    assert_int_equal(read_with("1 7:1\n", &options, &data), SPORF_OK);
    assert_int_equal(data->features, 7);
    sporf_dataset_free(data);
}

static void rows_that_make_no_sense_are_named(void **state) {
    (void)state;
    assert_refused("1 1:1\n1 2:1 2:3\n", "a.svm line 2: feature 2 comes twice");
    assert_refused("1 2:0 1:1 2:0\n", "feature 2 comes twice");
    assert_refused("1 1:1\n\n1 x\n", "a.svm line 3: 'x' is not of the form feature:value");
    assert_refused("1 :1\n", "':1' is not of the form feature:value");
    assert_refused("1 -1:1\n", "'-1:1' is not of the form feature:value");
    assert_refused("1 1:\n", "a.svm line 1, feature 1: empty");
    assert_refused("1 1:red\n", "a.svm line 1, feature 1: 'red' is not a number");
    assert_refused("1 1:nan\n", "missing value 'nan'");
    assert_refused("1 1:inf\n", "'inf' is not finite");
    assert_refused("1 1:1e31\n", "1e31 is beyond 1e30");
    assert_refused("1:1 2:2\n", "'1:1' where the label of the row should be");
    assert_refused("? 2:2\n", "'?' where the label of the row should be");
    assert_refused("1 2147483649:1\n", "the feature number in '2147483649:1' is beyond 2147483648");
    assert_refused("1 99999999999999999999999:1\n", "is beyond 2147483648");
    assert_refused("", "the file is empty");
    assert_refused("# nothing\n", "the file is empty");
    assert_refused("1\n2\n", "no row has a feature");
}

static void a_small_file_cannot_ask_for_all_memory(void **state) {
    (void)state;
    sporf_read_options options = plain_options();
    sporf_dataset *data = NULL;
    options.max_memory = 1 << 20;
    assert_int_equal(read_with("1 2147483648:1\n", &options, &data), SPORF_ERROR_MEMORY);
    assert_null(data);
    assert_non_null(strstr(sporf_last_error(), "1 rows x 2147483648 features take 32.0 GiB"));
    options.max_memory = (uint64_t)13 * 100000;
    assert_int_equal(read_with("1 100000:1\n", &options, &data), SPORF_ERROR_MEMORY);
    options.max_memory = (uint64_t)17 * 100000;
    assert_int_equal(read_with("1 100000:1\n", &options, &data), SPORF_OK);
    sporf_dataset_free(data);
    data = NULL;
    options.max_memory = 0;
    options.svmlight_features = SIZE_MAX / 2;
    assert_int_equal(read_with("1 1:1\n", &options, &data), SPORF_ERROR_MEMORY);
    assert_null(data);
}

static void the_format_is_recognised_by_its_pairs(void **state) {
    (void)state;
    static const char *const good[] = {"1 1:2\n", "# x\n\n+1 qid:1 2:3\n", "a,b 1:2 3:4",
                                       "0\n0\n1 5:1\n"};
    static const char *const bad[] = {"1,2\n",     "1 2\n",  "a:1 b:2\n", "x y:1\n",
                                      "12:30,1\n", "1\n2\n", "1 1:x\n",   ""};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const spf_source source = {.name = "a", .bytes = good[i], .size = strlen(good[i])};
        assert_true(spf_is_svmlight(&source));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const spf_source source = {.name = "a", .bytes = bad[i], .size = strlen(bad[i])};
        assert_false(spf_is_svmlight(&source));
    }
}

static void times_of_day_are_no_pairs(void **state) {
    (void)state;
    static const char *const tables[] = {
        "time,v,y\n1/1/2024 1:00 PM,0,b\n",   "1/1/2024 1:00 PM,0,b\n1/1/2024 2:00 PM,1,a\n",
        "when\n2024-01-31 12:00\n",           "2024-01-31 12:00\n2024-02-01 13:30\n",
        "v,when\n1,2024-01-31 12:00 UTC\n",   "1.2.2024 12:00 Uhr;5\n2.2.2024 13:00 Uhr;6\n",
        "5 12:00 +0100,1\n6 13:00 +0100,2\n", "Mon 12:00 UTC\nTue 13:00 UTC\n"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const spf_source source = {.name = "a", .bytes = tables[i], .size = strlen(tables[i])};
        if (spf_is_svmlight(&source)) fail_msg("taken for svmlight: %s", tables[i]);
    }
}

static void a_recognised_file_with_a_bad_row_is_refused_for_it(void **state) {
    (void)state;
    static const char *const files[] = {"1 1:2 x\n-1 1:3\n", "1 1:2\n-1 1:3 x\n1 x\n",
                                        "1\n-1 1:3 2:4 x\n1 1:2\n"};
    sporf_read_options options = plain_options();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        sporf_dataset *data = NULL;
        assert_int_equal(read_with(files[i], &options, &data), SPORF_ERROR_DATA);
        assert_non_null(strstr(sporf_last_error(), "'x' is not of the form feature:value"));
    }
}

static void a_byte_order_mark_is_no_part_of_the_first_label(void **state) {
    (void)state;
    sporf_dataset *data = read_text("\xef\xbb\xbf"
                                    "1 1:2\n2 1:3\n1 1:4\n");
    assert_int_equal(sporf_dataset_classes(data), 2);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_byte_order_mark_is_no_part_of_the_first_label),
        cmocka_unit_test(labels_may_be_numbers_to_predict),
        cmocka_unit_test(rows_are_filled_up_with_zeros),
        cmocka_unit_test(labels_may_be_words_and_lists),
        cmocka_unit_test(features_count_from_one_unless_told),
        cmocka_unit_test(a_least_number_of_features_is_kept),
        cmocka_unit_test(rows_that_make_no_sense_are_named),
        cmocka_unit_test(a_small_file_cannot_ask_for_all_memory),
        cmocka_unit_test(times_of_day_are_no_pairs),
        cmocka_unit_test(a_recognised_file_with_a_bad_row_is_refused_for_it),
        cmocka_unit_test(the_format_is_recognised_by_its_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
