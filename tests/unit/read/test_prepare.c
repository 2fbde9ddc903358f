/* The table preparation of the paper's appendix. */
#include "data/dataset.h"
#include "support/check.h"
#include "support/notes.h"
#include "support/random_data.h"
#include "support/read_text.h"

static sporf_dataset *read_table(const char *text, const char *label, const char *ordinal) {
    sporf_read_options options = plain_options();
    const char *const orders[] = {ordinal};
    options.label = label;
    options.ordinal = orders;
    options.ordinal_count = ordinal != NULL;
    return read_with(text, &options);
}

static sporf_dataset *prepared(const sporf_dataset *data, int standardise, size_t **feature) {
    sporf_dataset *made = NULL;
    sporf_prepare_options options;
    sporf_prepare_options_init(&options);
    options.standardise = standardise;
    assert_ok(sporf_dataset_prepare(data, &options, &made, feature));
    return made;
}

static void assert_column(const sporf_dataset *data, size_t column, const char *name,
                          const float *values) {
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), column), name);
    for (size_t i = 0; i < data->rows; i++)
        if (data->columns[column][i] != values[i])
            fail_msg("%s, row %zu: %g instead of %g", name, i + 1, (double)data->columns[column][i],
                     (double)values[i]);
}

static void numbers_come_first_then_a_column_for_each_level(void **state) {
    (void)state;
    sporf_dataset *data =
        read_table("colour,size,weight,kind\n"
                   "red,small,1,b\nblue,large,2,a\nred,medium,4,b\ngreen,small,3,c\n",
                   "kind", "size=small<medium<large");
    size_t *feature = NULL;
    sporf_dataset *made = prepared(data, 0, &feature);
    assert_int_equal(made->features, 5);
    assert_column(made, 0, "size", (float[]){1, 3, 2, 1});
    assert_column(made, 1, "weight", (float[]){1, 2, 4, 3});
    assert_column(made, 2, "colour=blue", (float[]){0, 1, 0, 0});
    assert_column(made, 3, "colour=green", (float[]){0, 0, 0, 1});
    assert_column(made, 4, "colour=red", (float[]){1, 0, 1, 0});
    const size_t from[] = {1, 2, 0, 0, 0};
    assert_memory_equal(feature, from, sizeof from);
    assert_int_equal(sporf_dataset_classes(made), 3);
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(made), 2), "2");
    assert_memory_equal(made->labels, ((uint32_t[]){1, 0, 1, 2}), 4 * sizeof(uint32_t));
    for (size_t j = 0; j < 5; j++)
        assert_int_equal(sporf_schema_kind(sporf_dataset_schema(made), j), SPORF_KIND_NUMBER);
    sporf_free(feature);
    sporf_dataset_free(made);
    sporf_dataset_free(data);
}

static void long_names_stay_whole(void **state) {
    (void)state;
    char text[3000], a[401], b[401], level[401], joined[900];
    memset(a, 'a', 400), memset(b, 'a', 400), memset(level, 'l', 400);
    a[400] = b[400] = level[400] = '\0';
    b[399] = 'b';
    snprintf(text, sizeof text, "%s,%s,same\n1,%s,7\n2,m,7\n", a, b, level);
    sporf_dataset *data = read_table(text, NULL, NULL);
    sporf_dataset *made = prepared(data, 0, NULL);
    assert_column(made, 0, a, (float[]){1, 2});
    snprintf(joined, sizeof joined, "%s=%s", b, level);
    assert_column(made, 1, joined, (float[]){1, 0});
    sporf_dataset_free(made);
    sporf_dataset_free(data);
}

static void no_two_columns_get_one_name(void **state) {
    (void)state;
    static const char *const tables[] = {"k,k=a\na,1\nb,2\n", "k,k=a\na=c,c\nb,d\n",
                                         "k,x,k=a\na,1,0\nb,2,1\n"};
    for (size_t i = 0; i < 3; i++) {
        sporf_dataset *data = read_table(tables[i], i == 2 ? "k=a" : NULL, NULL), *made = NULL;
        assert_int_equal(sporf_dataset_prepare(data, NULL, &made, NULL), SPORF_ERROR_DATA);
        assert_null(made);
        assert_non_null(strstr(sporf_last_error(), i == 1 ? "would be named 'k=a=c'; rename one"
                                                          : "would be named 'k=a'; rename one"));
        sporf_dataset_free(data);
    }
}

static void missing_values_get_the_median_or_the_most_frequent_level(void **state) {
    (void)state;
    sporf_dataset *data =
        read_table("a,b,c,s\n1,,x,lo\n5,3,,hi\n,4,y,hi\n9,,y,\n2,8,x,lo\n", NULL, "s=lo<hi");
    sporf_dataset *made = prepared(data, 0, NULL);
    assert_column(made, 0, "a", (float[]){1, 5, 3.5F, 9, 2});
    assert_column(made, 1, "b", (float[]){4, 3, 4, 4, 8});
    assert_column(made, 2, "s", (float[]){1, 2, 2, 1, 1});
    assert_column(made, 3, "c=x", (float[]){1, 1, 0, 0, 1});
    assert_column(made, 4, "c=y", (float[]){0, 0, 1, 1, 0});
    assert_int_equal(other_note_count(made), 4);
    assert_string_equal(other_note(made, 0)->text,
                        "column 'a': 1 missing, filled with the median, 3.5");
    assert_string_equal(other_note(made, 2)->text,
                        "column 'c': 1 missing, filled with the most frequent, 'x'");
    sporf_dataset_free(made);
    sporf_dataset_free(data);
}

/* Labels are known, and nothing follows from them. */
static void labels_do_not_matter(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_MIXED, 200, 6, 3, 1);
    sporf_dataset *made = prepared(data, 1, NULL);
    for (size_t i = 0; i < data->rows; i++) data->labels[i] = (uint32_t)(i % 3);
    sporf_dataset *again = prepared(data, 1, NULL);
    assert_int_equal(made->features, again->features);
    assert_memory_equal(made->storage, again->storage, made->features * made->rows * sizeof(float));
    sporf_dataset_free(made);
    sporf_dataset_free(again);
    sporf_dataset_free(data);
}

static char *wide_text(void) {
    char *text = need(4000, 1);
    size_t used = (size_t)sprintf(text, "user_id,row,same,hole,size,x\n");
    for (int i = 0; i < 30; i++)
        used += (size_t)sprintf(text + used, "%d,%d,7,%s,only,%d\n", 1000 + i * 37 % 30, 5 + i,
                                i % 3 ? "" : "2", i * i % 11);
    return text;
}

static void what_is_constant_or_an_identifier_is_left_out(void **state) {
    (void)state;
    static const char *const wanted[][2] = {
        {"row", "an identifier: it counts the rows"}, /* by the reader */
        {"user_id", "an identifier: its numbers are all different"},
        {"same", "the same in every row"},
        {"hole", "the same wherever it is known"},
        {"size", "the same in every row"}};
    char *text = wide_text();
    sporf_dataset *data = read_table(text, NULL, NULL), *made = prepared(data, 0, NULL);
    assert_int_equal(made->features, 1);
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(made), 0), "x");
    assert_int_equal(left_out_count(made), 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(left_out_note(made, i)->column, wanted[i][0]);
        assert_string_equal(left_out_note(made, i)->text, wanted[i][1]);
    }
    sporf_dataset_free(made);
    sporf_dataset_free(data);
    free(text);
}

static void standardised_columns_have_mean_0_and_sd_1(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_MIXED, 300, 6, 3, 1), *made = prepared(data, 1, NULL);
    assert_true(made->features > 6);
    for (size_t j = 0; j < made->features; j++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < made->rows; i++) sum += made->columns[j][i];
        for (size_t i = 0; i < made->rows; i++)
            squares += pow(made->columns[j][i] - sum / (double)made->rows, 2);
        assert_near(sum / (double)made->rows, 0, 1e-6);
        assert_near(sqrt(squares / (double)(made->rows - 1)), 1, 1e-5);
    }
    sporf_forest *forest = train_with(made, "trees", "3", "method", "rr-rf", (char *)NULL);
    sporf_forest_free(forest);
    sporf_dataset_free(made);
    sporf_dataset_free(data);
}

static void targets_stay(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_MIXED, 60, 4, 2, 1), *made = prepared(data, 0, NULL);
    assert_int_equal(sporf_dataset_targets(made), 2);
    assert_memory_equal(made->target_storage, data->target_storage, 120 * sizeof(float));
    sporf_dataset_free(made);
    sporf_dataset_free(data);
}

static void a_table_of_nothing_is_refused(void **state) {
    (void)state;
    sporf_dataset *data = read_table("a,b\n1,2\n1,2\n", NULL, NULL), *made = NULL;
    sporf_prepare_options options = {0};
    assert_refused(sporf_dataset_prepare(data, NULL, &made, NULL), SPORF_ERROR_DATA,
                   "nothing is left");
    assert_null(made);
    assert_refused(sporf_dataset_prepare(NULL, NULL, &made, NULL), SPORF_ERROR_ARGUMENT, "data");
    assert_refused(sporf_dataset_prepare(data, NULL, NULL, NULL), SPORF_ERROR_ARGUMENT, "a place");
    assert_refused(sporf_dataset_prepare(data, &options, &made, NULL), SPORF_ERROR_ARGUMENT,
                   "sporf_prepare_options_init");
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_first_then_a_column_for_each_level),
        cmocka_unit_test(long_names_stay_whole),
        cmocka_unit_test(no_two_columns_get_one_name),
        cmocka_unit_test(missing_values_get_the_median_or_the_most_frequent_level),
        cmocka_unit_test(labels_do_not_matter),
        cmocka_unit_test(what_is_constant_or_an_identifier_is_left_out),
        cmocka_unit_test(standardised_columns_have_mean_0_and_sd_1),
        cmocka_unit_test(targets_stay),
        cmocka_unit_test(a_table_of_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
