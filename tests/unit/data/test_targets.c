/* Numbers to predict, through the interface that programs see. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/preview.h"
#include "support/random_data.h"
#include "support/wanted.h"

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
        assert_string_equal(sporf_schema_target_name(sporf_forest_schema(forest), 1),
                            k == 0 ? "weight" : "y2");
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
    double guard = 77;
    uint32_t votes = 77;
    assert_int_equal(sporf_forest_classes(forest), 0);
    assert_null(sporf_schema_class_name(sporf_forest_schema(forest), 0));
    assert_refused(sporf_forest_predict(forest, data, NULL, WANTED(.probabilities = &guard)),
                   SPORF_ERROR_MODEL, "predicts numbers");
    assert_refused(sporf_forest_predict(forest, data, NULL, WANTED(.votes = &votes)),
                   SPORF_ERROR_MODEL, "predicts numbers");
    assert_refused(sporf_forest_predict(forest, data, NULL, WANTED(.tree_classes = &votes)),
                   SPORF_ERROR_MODEL, "predicts numbers");
    sporf_evaluation scores;
    size_t confusion = 77;
    assert_refused(
        sporf_forest_evaluate(forest, data, NULL, SCORED(&scores, .confusion = &confusion)),
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
    sporf_target_scores scores = {77, 77, 77};
    double guard = 77;
    assert_refused(sporf_forest_predict(forest, data, NULL, WANTED(.values = &guard)),
                   SPORF_ERROR_MODEL, "classes, not numbers");
    assert_refused(sporf_forest_evaluate(forest, data, NULL, FILLED(.targets = &scores)),
                   SPORF_ERROR_MODEL, "classes, not numbers");
    assert_true(guard == 77 && scores.rmse == 77);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- defaults and settings ------------------------------------------------------------------- */

/* Only the sparse projections of sporf are better off with one feature each. */
static void defaults_for_numbers_look_at_the_method(void **state) {
    (void)state;
    static const char *const methods[][2] = {{"sporf", "1/p"}, {"frc", "3/p"}, {"rr-rf", "3/p"}};
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 3, 1, 4);
    for (size_t m = 0; m < 3; m++) {
        sporf_params params;
        sporf_forest *forest = NULL;
        sporf_params_init(&params);
        params.trees = 2;
        assert_ok(sporf_params_set(&params, "method", methods[m][0]));
        assert_ok(sporf_forest_train(data, &params, NULL, &forest));
        assert_string_equal(sporf_forest_setting(forest, "density"), methods[m][1]);
        assert_string_equal(sporf_forest_setting(forest, "scale"), "sd");
        assert_string_equal(sporf_forest_setting(forest, "min-split"), "5");
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

static void no_parameters_are_those_for_targets_where_there_are_any(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 3, 1, 4);
    sporf_forest *forest = NULL;
    uint64_t bytes = 0, same = 0;
    sporf_params params;
    sporf_params_init(&params);
    assert_ok(sporf_forest_train(data, NULL, NULL, &forest));
    assert_string_equal(sporf_forest_setting(forest, "density"), "1/p");
    assert_string_equal(sporf_forest_setting(forest, "scale"), "sd");
    assert_string_equal(sporf_forest_setting(forest, "min-split"), "5");
    bytes = preview_of(data, NULL).memory;
    same = preview_of(data, &params).memory;
    assert_int_equal(bytes, same);
    sporf_forest_free(forest);
    assert_ok(sporf_dataset_set_targets(data, NULL, NULL));
    assert_ok(sporf_forest_train(data, NULL, NULL, &forest));
    assert_string_equal(sporf_forest_setting(forest, "density"), "3/p");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void settings_of_a_forest_of_numbers_name_nothing_of_classes(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 3, 1, 4);
    sporf_forest *forest = train_with(data, "trees", "2", (char *)NULL);
    assert_null(sporf_forest_setting(forest, "criterion"));
    assert_null(sporf_forest_setting(forest, "class-weights"));
    assert_non_null(sporf_forest_setting(forest, "samples"));
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* Labels beside targets change neither the forest nor what a sampler sees. */
static sporf_status look(void *payload, void *own, const sporf_view *view, sporf_random *random,
                         sporf_projections *candidates) {
    (void)own, (void)random;
    int *blind = payload;
    *blind &= view->classes == 0;
    for (size_t i = 0; i < view->rows; i++) *blind &= view->label[i] == 0;
    return sporf_projections_add(candidates, 1, &(uint32_t){0}, &(float){1});
}

static void labels_beside_targets_are_not_looked_at(void **state) {
    (void)state;
    int blind = 1;
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 3, 1, 4);
    assert_non_null(sporf_dataset_labels(data));
    sporf_params params = params_with("trees", "2", (char *)NULL);
    sporf_sampler sampler = {.name = "look", .payload = &blind, .draw = look};
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.sampler = &sampler;
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_train(data, &params, &hooks, &forest));
    assert_int_equal(sporf_forest_targets(forest), 1);
    assert_int_equal(sporf_forest_classes(forest), 0);
    assert_true(blind);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- out of bag ------------------------------------------------------------------------------ */

/* The second target is constant, the third a hundred times the first. */
static sporf_dataset *three_targets(void) {
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 3, 1, 4);
    float values[3 * ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        values[i] = sporf_dataset_target(data, 0)[i];
        values[ROWS + i] = 5;
        values[2 * ROWS + i] = 100 * values[i];
    }
    set_targets(data, values, 3);
    return data;
}

static void a_target_that_is_constant_takes_no_part_in_the_mean_r2(void **state) {
    (void)state;
    sporf_dataset *data = three_targets();
    sporf_forest *forest = train_with(data, "trees", "30", (char *)NULL);
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    const sporf_target_scores *scores = oob.targets;
    assert_true(isnan(scores[1].r2) && scores[1].rmse == 0 && scores[1].mae == 0);
    assert_near(oob.r2, (scores[0].r2 + scores[2].r2) / 2, 1e-15);
    assert_true(scores[0].r2 > 0.3 && scores[0].mae < scores[0].rmse);
    assert_near(scores[2].rmse, 100 * scores[0].rmse, 1e-3 * scores[2].rmse);
    assert_near(oob.error, sqrt((pow(scores[0].rmse, 2) + pow(scores[2].rmse, 2)) / 3), 1e-12);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void out_of_bag_results_of_targets_survive_in_files(void **state) {
    (void)state;
    sporf_dataset *data = three_targets();
    sporf_forest *forest = train_with(data, "trees", "30", (char *)NULL), *copy = NULL;
    sporf_oob oob, again;
    void *bytes = NULL;
    size_t size = 0;
    assert_ok(sporf_forest_save_bytes(forest, &bytes, &size));
    assert_ok(sporf_forest_load_bytes(bytes, size, &copy));
    sporf_forest_oob(forest, &oob);
    sporf_forest_oob(copy, &again);
    assert_int_equal(oob.rows, again.rows);
    for (size_t t = 0; t < 3; t++) {
        const sporf_target_scores *a = &oob.targets[t], *b = &again.targets[t];
        assert_true(a->rmse == b->rmse && a->mae == b->mae);
        assert_true(t == 1 ? isnan(b->r2) : a->r2 == b->r2);
    }
    sporf_free(bytes);
    sporf_forest_free(copy);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void one_target_has_the_error_of_the_forest_and_no_bag_has_none(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 3, 1, 4);
    sporf_forest *forest = train_with(data, "trees", "30", (char *)NULL);
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    assert_true(oob.targets[0].rmse == oob.error && oob.targets[0].r2 == oob.r2);
    sporf_forest_free(forest);
    forest = train_with(data, "trees", "3", "bag", "none", (char *)NULL);
    sporf_forest_oob(forest, &oob);
    assert_true(oob.rows == 0 && isnan(oob.error) && !oob.targets);
    sporf_forest_free(forest);
    assert_ok(sporf_dataset_set_targets(data, NULL, NULL));
    forest = train_with(data, "trees", "3", (char *)NULL);
    sporf_forest_oob(forest, &oob);
    assert_null(oob.targets);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- splits ---------------------------------------------------------------------------------- */

/* Both sides of the one cut there is hold the same values, whose means single precision rounds. */
static void a_split_of_several_targets_that_gains_nothing_is_not_made(void **state) {
    (void)state;
    enum { SIDE = 7 };
    for (size_t targets = 1; targets <= 3; targets++) {
        float x[2 * SIDE], y[3 * 2 * SIDE];
        for (size_t i = 0; i < 2 * SIDE; i++) {
            x[i] = i < SIDE ? 0 : 1;
            for (size_t t = 0; t < targets; t++)
                y[t * 2 * SIDE + i] = (i % SIDE) == t ? 1.3f : 0.1f * (float)((i % SIDE) * t);
        }
        sporf_matrix matrix = {x, SPORF_FLOAT32, 2 * SIDE, 1, 1, 2 * SIDE};
        sporf_dataset *data = NULL;
        assert_ok(sporf_dataset_from_matrix(&matrix, &data));
        set_targets(data, y, targets);
        sporf_forest *forest = train_with(data, "trees", "1", "bag", "none", (char *)NULL);
        assert_int_equal(sporf_forest_nodes(forest, 0), 1);
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets_of_any_layout_and_type_are_the_same),
        cmocka_unit_test(targets_that_cannot_be_used_are_refused_and_change_nothing),
        cmocka_unit_test(a_forest_of_numbers_touches_nothing_made_for_classes),
        cmocka_unit_test(a_leaf_of_numbers_has_a_weight_and_no_classes),
        cmocka_unit_test(a_forest_of_classes_touches_nothing_made_for_numbers),
        cmocka_unit_test(defaults_for_numbers_look_at_the_method),
        cmocka_unit_test(no_parameters_are_those_for_targets_where_there_are_any),
        cmocka_unit_test(settings_of_a_forest_of_numbers_name_nothing_of_classes),
        cmocka_unit_test(labels_beside_targets_are_not_looked_at),
        cmocka_unit_test(a_target_that_is_constant_takes_no_part_in_the_mean_r2),
        cmocka_unit_test(out_of_bag_results_of_targets_survive_in_files),
        cmocka_unit_test(one_target_has_the_error_of_the_forest_and_no_bag_has_none),
        cmocka_unit_test(a_split_of_several_targets_that_gains_nothing_is_not_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
