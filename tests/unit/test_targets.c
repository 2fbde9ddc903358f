/* Numbers to predict, through the interface that programs see. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/random_data.h"

enum { ROWS = 60 };

static sporf_dataset *plain_table(void) {
    return random_data(DATA_SMOOTH, ROWS, 3, 2, 4);
}

/* ---- setting them ---------------------------------------------------------------------------- */

static void targets_of_any_layout_and_type_are_the_same(void **state) {
    (void)state;
    double by_row[ROWS * 2];
    float by_column[2 * ROWS];
    for (size_t i = 0; i < ROWS; i++)
        for (size_t t = 0; t < 2; t++) {
            by_row[i * 2 + t] = 0.1 * (double)(i * (t + 1)) - 2;
            by_column[t * ROWS + i] = (float)by_row[i * 2 + t];
        }
    const sporf_matrix layouts[] = {{by_row, SPORF_FLOAT64, ROWS, 2, 2, 1},
                                    {by_column, SPORF_FLOAT32, ROWS, 2, 1, ROWS}};
    const char *const names[] = {"price", "weight"};
    for (size_t k = 0; k < 2; k++) {
        sporf_dataset *data = plain_table();
        assert_ok(sporf_dataset_set_targets(data, &layouts[k], k == 0 ? names : NULL));
        assert_int_equal(sporf_dataset_targets(data), 2);
        for (size_t t = 0; t < 2; t++)
            assert_memory_equal(sporf_dataset_target(data, t), by_column + t * ROWS,
                                ROWS * sizeof *by_column);
        sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL);
        assert_string_equal(sporf_forest_target_name(forest, 1), k == 0 ? "weight" : "y2");
        assert_ok(sporf_dataset_set_targets(data, NULL, NULL));
        assert_int_equal(sporf_dataset_targets(data), 0);
        assert_null(sporf_dataset_target(data, 0));
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
}

static void targets_that_cannot_be_used_are_refused_and_change_nothing(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 3, 1, 4);
    double values[ROWS * 2] = {0};
    float before[ROWS];
    memcpy(before, sporf_dataset_target(data, 0), sizeof before);
    sporf_matrix matrix = {values, SPORF_FLOAT64, ROWS, 2, 2, 1};
    static const double bad[] = {NAN, INFINITY, -1e31};
    for (size_t k = 0; k < 3; k++) {
        values[2 * 6 + 1] = bad[k];
        assert_refused(sporf_dataset_set_targets(data, &matrix, NULL), SPORF_ERROR_DATA, "row 7");
    }
    values[2 * 6 + 1] = 0;
    assert_refused(sporf_dataset_set_targets(data, &matrix, (const char *const[]){"a", NULL}),
                   SPORF_ERROR_ARGUMENT, "target 2 is NULL");
    assert_refused(sporf_dataset_set_targets(data, &matrix, (const char *const[]){"a", "a"}),
                   SPORF_ERROR_ARGUMENT, "both 'a'");
    matrix.rows = ROWS - 1;
    assert_refused(sporf_dataset_set_targets(data, &matrix, NULL), SPORF_ERROR_ARGUMENT,
                   "59 rows, but the data have 60");
    matrix.values = NULL;
    assert_refused(sporf_dataset_set_targets(data, &matrix, NULL), SPORF_ERROR_ARGUMENT, "NULL");
    assert_refused(sporf_dataset_set_targets(NULL, &matrix, NULL), SPORF_ERROR_ARGUMENT, "NULL");
    assert_int_equal(sporf_dataset_targets(data), 1);
    assert_memory_equal(before, sporf_dataset_target(data, 0), sizeof before);
    sporf_dataset_free(data);
}

/* ---- what is for classes -----------------------------------------------------------------------
 */

/* Arrays of as many cells as there are classes, which is none, and one that nobody may touch. */
static void a_forest_of_numbers_touches_nothing_made_for_classes(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 3, 1, 4);
    sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL);
    const float row[3] = {0};
    double guard = 77;
    uint32_t votes = 77;
    assert_int_equal(sporf_forest_classes(forest), 0);
    assert_null(sporf_forest_class_name(forest, 0));
    assert_int_equal(sporf_forest_predict_row(forest, row, SPORF_COMBINE_VOTES, &guard),
                     SPORF_NO_CLASS);
    assert_int_equal(sporf_forest_predict_row(forest, row, SPORF_COMBINE_POSTERIORS, NULL),
                     SPORF_NO_CLASS);
    assert_refused(sporf_forest_predict(forest, data, NULL, NULL, &guard), SPORF_ERROR_MODEL,
                   "predicts numbers");
    assert_refused(sporf_forest_votes(forest, data, NULL, &votes), SPORF_ERROR_MODEL,
                   "predicts numbers");
    assert_refused(sporf_forest_predict_trees(forest, data, NULL, &votes), SPORF_ERROR_MODEL,
                   "predicts numbers");
    sporf_scores scores;
    size_t confusion = 77;
    assert_refused(sporf_forest_evaluate(forest, data, NULL, &scores, &confusion),
                   SPORF_ERROR_MODEL, "predicts numbers");
    assert_true(guard == 77 && votes == 77 && confusion == 77);
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    assert_null(oob.votes);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void a_leaf_of_numbers_has_a_weight_and_no_classes(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 3, 2, 4);
    sporf_forest *forest = train_with(data, "trees", "1", "bag", "none", (char *)NULL);
    double weight = 0;
    for (size_t i = 0; i < sporf_forest_nodes(forest, 0); i++) {
        sporf_node node;
        assert_ok(sporf_forest_node(forest, 0, i, &node));
        if (!node.is_leaf) continue;
        assert_int_equal(node.classes, 0);
        assert_null(node.class_index);
        assert_non_null(node.values);
        weight += node.class_weight[0];
    }
    assert_near(weight, ROWS, 0);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void a_forest_of_classes_touches_nothing_made_for_numbers(void **state) {
    (void)state;
    sporf_dataset *data = plain_table();
    sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL);
    const float row[3] = {0};
    double guard = 77;
    assert_int_equal(sporf_forest_predict_row_values(forest, row, &guard), 0);
    assert_int_equal(sporf_forest_predict_row_values(forest, row, NULL), 0);
    assert_true(guard == 77);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_of_any_layout_and_type_are_the_same),
        cmocka_unit_test(targets_that_cannot_be_used_are_refused_and_change_nothing),
        cmocka_unit_test(a_forest_of_numbers_touches_nothing_made_for_classes),
        cmocka_unit_test(a_leaf_of_numbers_has_a_weight_and_no_classes),
        cmocka_unit_test(a_forest_of_classes_touches_nothing_made_for_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
