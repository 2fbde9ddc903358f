/* Some rows of a table as a table: nothing is lost but the other rows, and a forest of it knows the
 * classes of the whole. */
#include "support/check.h"
#include "support/random_data.h"
#include "support/same_dataset.h"
#include "support/wanted.h"

static void all_rows_are_the_same_table(void **state) {
    (void)state;
    for (data_kind kind = DATA_SMOOTH; kind <= DATA_MIXED; kind++) {
        uint32_t rows[50];
        sporf_dataset *data = random_data(kind, 50, 6, 3, 1), *all = NULL;
        for (uint32_t i = 0; i < 50; i++) rows[i] = i;
        assert_ok(sporf_dataset_set_label_name(data, "kind"));
        assert_ok(sporf_dataset_select(data, rows, 50, &all));
        assert_true(same_dataset(data, all));
        sporf_dataset_free(all);
        sporf_dataset_free(data);
    }
}

static void weights_targets_and_names_come_along(void **state) {
    (void)state;
    const uint32_t rows[] = {7, 3, 3, 0};
    static const char *const names[] = {"a", "b"}, *const outcomes[] = {"u", "v"};
    double weights[10], values[20];
    for (size_t i = 0; i < 10; i++) weights[i] = (double)i / 2;
    for (size_t i = 0; i < 20; i++) values[i] = (double)(i * i);
    sporf_dataset *data = random_data(DATA_SMOOTH, 10, 2, 3, 1), *part = NULL;
    const sporf_matrix targets = {values, SPORF_FLOAT64, 10, 2, 2, 1};
    assert_ok(sporf_dataset_set_feature_names(data, names, 2));
    assert_ok(sporf_dataset_set_weights(data, weights, 10));
    assert_ok(sporf_dataset_set_targets(data, &targets, outcomes));
    assert_ok(sporf_dataset_select(data, rows, 4, &part));
    assert_int_equal(sporf_dataset_rows(part), 4);
    assert_int_equal(sporf_dataset_classes(part), 3);
    assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(part), 1), "b");
    assert_string_equal(sporf_schema_target_name(sporf_dataset_schema(part), 1), "v");
    for (size_t i = 0; i < 4; i++) {
        assert_true(sporf_dataset_weights(part)[i] == sporf_dataset_weights(data)[rows[i]]);
        assert_int_equal(sporf_dataset_labels(part)[i], sporf_dataset_labels(data)[rows[i]]);
        for (size_t k = 0; k < 2; k++) {
            assert_true(sporf_dataset_target(part, k)[i] == sporf_dataset_target(data, k)[rows[i]]);
            assert_true(sporf_dataset_feature(part, k)[i] ==
                        sporf_dataset_feature(data, k)[rows[i]]);
        }
    }
    sporf_dataset_free(part);
    sporf_dataset_free(data);
}

static void wrong_rows_are_refused(void **state) {
    (void)state;
    const uint32_t rows[] = {0, 10};
    sporf_dataset *data = random_data(DATA_SMOOTH, 10, 2, 3, 1), *part = NULL;
    assert_refused(sporf_dataset_select(data, rows, 2, &part), SPORF_ERROR_ARGUMENT, "row 10");
    assert_refused(sporf_dataset_select(data, rows, 0, &part), SPORF_ERROR_ARGUMENT, "no rows");
    assert_refused(sporf_dataset_select(NULL, rows, 1, &part), SPORF_ERROR_ARGUMENT, "needs data");
    assert_null(part);
    sporf_dataset_free(data);
}

/* The rows of all classes but one, or of a single class. */
static sporf_dataset *rows_of(const sporf_dataset *data, uint32_t class, int others) {
    sporf_dataset *part = NULL;
    uint32_t *rows = need(sporf_dataset_rows(data), sizeof *rows);
    size_t count = 0;
    for (uint32_t i = 0; i < sporf_dataset_rows(data); i++)
        if ((sporf_dataset_labels(data)[i] == class) != others) rows[count++] = i;
    assert_ok(sporf_dataset_select(data, rows, count, &part));
    free(rows);
    return part;
}

/* A class without rows is one that nothing votes for; all else is as if it did not exist. */
static void a_class_without_rows_changes_nothing_for_the_others(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc", "rr-rf", "ccf", "patch"};
    static const char *const bags[] = {"bootstrap", "stratified", "subsample", "none"};
    enum { ROWS = 120, CLASSES = 4, MISSING = 1 };
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 5, CLASSES, 1);
    sporf_dataset *part = rows_of(data, MISSING, 1), *plain = rows_of(data, MISSING, 1);
    size_t rows = sporf_dataset_rows(part);
    int64_t *labels = need(rows, sizeof *labels);
    for (size_t i = 0; i < rows; i++) labels[i] = sporf_dataset_labels(part)[i];
    assert_ok(sporf_dataset_set_labels_int(plain, labels, rows));
    assert_int_equal(sporf_dataset_classes(plain), CLASSES - 1);
    uint32_t *votes = need(ROWS * CLASSES, sizeof *votes), *others = need(ROWS * CLASSES, 4);
    for (size_t m = 0; m < 6; m++)
        for (size_t b = 0; b < 4; b++) {
            const char *weights = b % 2 ? "balanced" : "none";
            sporf_forest *forest =
                train_with(part, "method", methods[m], "bag", bags[b], "class-weights", weights,
                           "criterion", b < 2 ? "gini" : "entropy", "trees", "9", (char *)NULL);
            sporf_forest *known =
                train_with(plain, "method", methods[m], "bag", bags[b], "class-weights", weights,
                           "criterion", b < 2 ? "gini" : "entropy", "trees", "9", (char *)NULL);
            assert_int_equal(sporf_forest_classes(forest), CLASSES);
            assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.votes = votes)));
            assert_ok(sporf_forest_predict(known, data, NULL, WANTED(.votes = others)));
            for (size_t i = 0; i < ROWS; i++)
                for (size_t k = 0, o = 0; k < CLASSES; k++)
                    assert_int_equal(votes[i * CLASSES + k],
                                     k == MISSING ? 0 : others[i * (CLASSES - 1) + o++]);
            sporf_oob a, c;
            sporf_forest_oob(forest, &a);
            sporf_forest_oob(known, &c);
            assert_int_equal(a.rows, c.rows);
            if (a.rows > 0) {
                assert_true(a.error == c.error);
                assert_near(a.kappa, c.kappa, 1e-12);
            }
            sporf_forest_free(forest);
            sporf_forest_free(known);
        }
    free(votes);
    free(others);
    free(labels);
    sporf_dataset_free(part);
    sporf_dataset_free(plain);
    sporf_dataset_free(data);
}

/* In a fold, too, the forest that can be had from one class predicts it. */
static void rows_of_one_class_make_a_forest_that_predicts_it(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc", "rr-rf", "ccf", "patch"};
    enum { ROWS = 60 };
    uint32_t classes[ROWS];
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 5, 3, 1), *part = rows_of(data, 2, 0);
    for (size_t m = 0; m < 6; m++) {
        sporf_forest *forest = train_with(part, "method", methods[m], "trees", "5", (char *)NULL);
        assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.classes = classes)));
        for (size_t i = 0; i < ROWS; i++) assert_int_equal(classes[i], 2);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(part);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rows_are_the_same_table),
        cmocka_unit_test(weights_targets_and_names_come_along),
        cmocka_unit_test(wrong_rows_are_refused),
        cmocka_unit_test(a_class_without_rows_changes_nothing_for_the_others),
        cmocka_unit_test(rows_of_one_class_make_a_forest_that_predicts_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
