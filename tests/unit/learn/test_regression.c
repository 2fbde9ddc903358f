/* Forests that predict numbers.
 * Labels: threads */
#include "base/rng.h"
#include "data/dataset.h"

#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/random_data.h"
#include "support/wanted.h"

/* ---- what a tree holds ----------------------------------------------------------------------- */

/* The mean over the rows of the bag that walk into each leaf. */
static void assert_leaves_hold_means(const sporf_dataset *data, const spf_tree *tree,
                                     const uint32_t *bag) {
    double *sum = need(tree->leaves_count * data->targets, sizeof *sum);
    double *weight = need(tree->leaves_count, sizeof *weight);
    for (size_t i = 0; i < data->rows; i++) {
        uint32_t leaf = spf_tree_walk_columns(tree, data->columns, i);
        weight[leaf] += bag[i];
        for (size_t t = 0; t < data->targets; t++)
            sum[leaf * data->targets + t] += bag[i] * (double)spf_target_of(data, t)[i];
    }
    for (uint32_t k = 0; k < tree->leaves_count; k++) {
        assert_true(weight[k] == tree->leaf_weight[tree->leaf_start[k]]);
        for (size_t t = 0; t < data->targets; t++)
            assert_near(tree->leaf_value[k * data->targets + t],
                        (float)(sum[k * data->targets + t] / weight[k]), 1e-4);
    }
    free(sum);
    free(weight);
}

static void leaves_hold_the_means_of_the_rows_that_walk_into_them(void **state) {
    (void)state;
    static const data_kind kinds[] = {DATA_SMOOTH, DATA_TIED, DATA_BYTES, DATA_MIXED};
    for (size_t k = 0; k < 4; k++)
        for (size_t targets = 1; targets <= 3; targets += 2) {
            sporf_dataset *data = with_targets(kinds[k], 700, 5, targets, k + 1);
            sporf_params params = params_with("trees", "4", "min-leaf", "3", (char *)NULL);
            sporf_forest *forest = NULL;
            uint32_t *bag = need(data->rows, sizeof *bag);
            assert_ok(sporf_forest_train(data, &params, NULL, &forest));
            forest_case c = {data, params};
            c.params.bag = SPORF_BAG_BOOTSTRAP;
            for (uint32_t t = 0; t < 4; t++) {
                bag_of_tree(&c, t, bag);
                assert_leaves_hold_means(data, plain_tree(forest, t), bag);
            }
            free(bag);
            sporf_forest_free(forest);
            sporf_dataset_free(data);
        }
}

/* ---- the best cut ---------------------------------------------------------------------------- */

/* The sum of squared distances from the mean of those rows that go to one side, by their weights.
 */
static double spread(const sporf_dataset *data, size_t feature, float threshold, int left) {
    double sum = 0, squares = 0, count = 0;
    for (size_t i = 0; i < data->rows; i++) {
        double y = sporf_dataset_target(data, 0)[i], weight = data->weights ? data->weights[i] : 1;
        if ((data->columns[feature][i] <= threshold) != left) continue;
        sum += weight * y;
        squares += weight * y * y;
        count += weight;
    }
    return count > 0 ? squares - sum * sum / count : 0;
}

static double best_spread(const sporf_dataset *data) {
    double best = INFINITY;
    for (size_t j = 0; j < data->features; j++)
        for (size_t i = 0; i < data->rows; i++) {
            float at = data->columns[j][i];
            best = fmin(best, spread(data, j, at, 1) + spread(data, j, at, 0));
        }
    return best;
}

/* What the first split leaves, in parts of the least there could be. */
static double first_split(const sporf_dataset *data, const char *split) {
    sporf_forest *forest = train_with(data, "method", "rf", "trees", "1", "bag", "none",
                                      "max-depth", "1", "split", split, (char *)NULL);
    sporf_node root;
    assert_ok(sporf_forest_node(forest, 0, 0, &root));
    assert_false(root.is_leaf);
    double found = spread(data, root.features[0], root.threshold, 1) +
                   spread(data, root.features[0], root.threshold, 0);
    sporf_forest_free(forest);
    return found / best_spread(data);
}

/* In nodes of every size: those searched in lanes, and those in bins. */
static void a_split_leaves_the_least_variance(void **state) {
    (void)state;
    static const size_t rows[] = {3, 20, 127, 129, 400, 1500};
    static const char *const splits[] = {"auto", "exact"};
    for (size_t r = 0; r < 6; r++)
        for (size_t s = 0; s < 2; s++) {
            sporf_dataset *data = with_targets(DATA_SMOOTH, rows[r], 3, 1, r + 7);
            double most = s == 0 && rows[r] > 128 ? 1.02 : 1 + 1e-5;
            assert_true(first_split(data, splits[s]) <= most);
            sporf_dataset_free(data);
        }
}

/* They are shares of the bag, in units so small that no step of a target fits beside them. */
static void weights_that_are_no_whole_numbers_leave_targets_their_precision(void **state) {
    (void)state;
    for (size_t rows = 16; rows < 1000; rows *= 2)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            sporf_dataset *data = with_targets(DATA_SMOOTH, rows, 3, 1, seed);
            double *weights = need(rows, sizeof *weights);
            for (size_t i = 0; i < rows; i++)
                weights[i] = seed == 1 ? 1.07 : 1 + (double)(i % 9) / 3.3;
            assert_ok(sporf_dataset_set_weights(data, weights, rows));
            assert_true(first_split(data, "exact") <= 1 + 1e-5);
            free(weights);
            sporf_dataset_free(data);
        }
}

/* ---- predictions ----------------------------------------------------------------------------- */

static void check_predictions(const sporf_forest *forest, const sporf_dataset *data) {
    size_t targets = data->targets, trees = sporf_forest_trees(forest);
    double *values = need(data->rows * targets, sizeof *values), *one = need(targets, sizeof *one);
    float *row = need(data->features, sizeof *row);
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.values = values)));
    for (size_t i = 0; i < data->rows; i++) {
        for (size_t j = 0; j < data->features; j++) row[j] = data->columns[j][i];
        assert_int_equal(
            (sporf_forest_predict_row(forest, row, SPORF_COMBINE_VOTES, one) != SPORF_NO_CLASS), 1);
        assert_memory_equal(one, values + i * targets, targets * sizeof *one);
        for (size_t t = 0; t < targets; t++) {
            double sum = 0;
            for (size_t n = 0; n < trees; n++) {
                const spf_tree *tree = plain_tree(forest, n);
                sum += tree->leaf_value[spf_tree_walk_row(tree, row) * targets + t];
            }
            assert_true(one[t] == sum / (double)trees);
        }
    }
    free(values);
    free(one);
    free(row);
}

static void predictions_are_means_over_trees_also_from_files(void **state) {
    (void)state;
    for (size_t targets = 1; targets <= 2; targets++) {
        sporf_dataset *data = with_targets(DATA_MIXED, 300, 6, targets, 5);
        sporf_forest *forest = train_with(data, "trees", "20", (char *)NULL), *copy = NULL;
        void *bytes = NULL, *again = NULL;
        size_t size = 0, other = 0;
        check_predictions(forest, data);
        assert_ok(sporf_forest_save_bytes(forest, &bytes, &size));
        assert_ok(sporf_forest_load_bytes(bytes, size, &copy));
        assert_int_equal(sporf_forest_targets(copy), targets);
        assert_string_equal(sporf_schema_target_name(sporf_forest_schema(copy), 0),
                            targets > 1 ? "y1" : "y");
        assert_int_equal(sporf_forest_classes(copy), 0);
        check_predictions(copy, data);
        assert_ok(sporf_forest_save_bytes(copy, &again, &other));
        assert_int_equal(size, other);
        assert_memory_equal(bytes, again, size);
        sporf_free(bytes);
        sporf_free(again);
        sporf_forest_free(forest);
        sporf_forest_free(copy);
        sporf_dataset_free(data);
    }
}

static void threads_do_not_change_a_byte(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, 9000, 12, 1, 3);
    sporf_forest *one = train_with(data, "trees", "3", "threads", "1", (char *)NULL);
    sporf_forest *many = train_with(data, "trees", "3", "threads", "8", (char *)NULL);
    void *a = NULL, *b = NULL;
    size_t a_size = 0, b_size = 0;
    assert_ok(sporf_forest_save_bytes(one, &a, &a_size));
    assert_ok(sporf_forest_save_bytes(many, &b, &b_size));
    assert_int_equal(a_size, b_size);
    assert_memory_equal(a, b, a_size);
    sporf_free(a);
    sporf_free(b);
    sporf_forest_free(one);
    sporf_forest_free(many);
    sporf_dataset_free(data);
}

/* ---- weights --------------------------------------------------------------------------------- */

static void weights_count_like_repeated_rows(void **state) {
    (void)state;
    enum { ROWS = 60 };
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 3, 1, 9), *more = NULL;
    double weights[ROWS];
    float *values = need(3 * 3 * ROWS, sizeof *values), *targets = need(3 * ROWS, sizeof *targets);
    size_t rows = 0;
    for (size_t i = 0; i < ROWS; i++) {
        weights[i] = (double)(i % 4);
        for (size_t k = 0; k < i % 4; k++, rows++) {
            for (size_t j = 0; j < 3; j++) values[rows * 3 + j] = data->columns[j][i];
            targets[rows] = sporf_dataset_target(data, 0)[i];
        }
    }
    sporf_matrix matrix = {values, SPORF_FLOAT32, rows, 3, 3, 1};
    assert_ok(sporf_dataset_from_matrix(&matrix, &more));
    set_targets(more, targets, 1);
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    sporf_forest *a = train_with(data, "trees", "5", "bag", "none", "split", "exact", "weight-is",
                                 "count", (char *)NULL);
    sporf_forest *b = train_with(more, "trees", "5", "bag", "none", "split", "exact", (char *)NULL);
    for (size_t t = 0; t < 5; t++) {
        const spf_tree *x = plain_tree(a, t), *y = plain_tree(b, t);
        assert_true(same_tree(x, y));
        for (uint32_t k = 0; k < x->leaves_count; k++)
            assert_near(x->leaf_value[k], y->leaf_value[k], 1e-6);
    }
    sporf_forest_free(a);
    sporf_forest_free(b);
    sporf_dataset_free(data);
    sporf_dataset_free(more);
    free(values);
    free(targets);
}

/* ---- out of bag ------------------------------------------------------------------------------ */

static void out_of_bag_errors_are_those_of_the_trees_without_the_row(void **state) {
    (void)state;
    enum { TREES = 12 };
    sporf_dataset *data = with_targets(DATA_SMOOTH, 200, 4, 1, 6);
    sporf_params params = params_with("trees", "12", (char *)NULL);
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_train(data, &params, NULL, &forest));
    forest_case c = {data, params};
    c.params.bag = SPORF_BAG_BOOTSTRAP;
    double *sum = need(data->rows, sizeof *sum), *count = need(data->rows, sizeof *count);
    uint32_t *bag = need(data->rows, sizeof *bag);
    for (uint32_t t = 0; t < TREES; t++) {
        const spf_tree *tree = plain_tree(forest, t);
        bag_of_tree(&c, t, bag);
        for (size_t i = 0; i < data->rows; i++) {
            if (bag[i] > 0) continue;
            sum[i] += tree->leaf_value[spf_tree_walk_columns(tree, data->columns, i)];
            count[i]++;
        }
    }
    double error = 0, rows = 0;
    for (size_t i = 0; i < data->rows; i++) {
        if (count[i] == 0) continue;
        double miss = sum[i] / count[i] - sporf_dataset_target(data, 0)[i];
        error += miss * miss;
        rows++;
    }
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    assert_true((double)oob.rows == rows);
    assert_near(oob.error, sqrt(error / rows), 1e-12);
    assert_near(oob.curve[TREES - 1], oob.error, 0);
    assert_true(oob.r2 > 0.5 && oob.r2 < 1);
    sporf_target_scores scores;
    assert_ok(sporf_forest_evaluate(forest, data, NULL, FILLED(.targets = &scores)));
    assert_true(scores.rmse < oob.error && scores.r2 > oob.r2);
    free(sum);
    free(count);
    free(bag);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void what_is_for_classes_is_refused(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, 50, 3, 1, 2);
    sporf_forest *forest = train_with(data, "trees", "2", (char *)NULL), *none = NULL;
    uint32_t classes[50];
    assert_refused(sporf_forest_predict(forest, data, NULL, WANTED(.classes = classes)),
                   SPORF_ERROR_MODEL, "predicts numbers");
    sporf_params params = params_with("method", "ccf", (char *)NULL);
    assert_refused(sporf_forest_train(data, &params, NULL, &none), SPORF_ERROR_ARGUMENT, "ccf");
    params = params_with("bag", "stratified", (char *)NULL);
    assert_refused(sporf_forest_train(data, &params, NULL, &none), SPORF_ERROR_ARGUMENT,
                   "stratified");
    data->target_storage[7] = NAN;
    assert_refused(sporf_forest_train(data, NULL, NULL, &none), SPORF_ERROR_DATA, "row 8");
    assert_ok(sporf_dataset_set_targets(data, NULL, NULL));
    sporf_forest *classifier = train_with(data, "trees", "2", (char *)NULL);
    double values[50];
    assert_refused(sporf_forest_predict(classifier, data, NULL, WANTED(.values = values)),
                   SPORF_ERROR_MODEL, "predicts classes");
    sporf_forest_free(forest);
    sporf_forest_free(classifier);
    sporf_dataset_free(data);
}

static void a_constant_target_is_a_leaf(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, 40, 3, 1, 2);
    float same[40];
    for (size_t i = 0; i < 40; i++) same[i] = 2.5f;
    set_targets(data, same, 1);
    sporf_forest *forest = train_with(data, "trees", "2", (char *)NULL);
    double values[40];
    assert_int_equal(sporf_forest_nodes(forest, 0), 1);
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.values = values)));
    for (size_t i = 0; i < 40; i++) assert_true(values[i] == 2.5);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_hold_the_means_of_the_rows_that_walk_into_them),
        cmocka_unit_test(a_split_leaves_the_least_variance),
        cmocka_unit_test(weights_that_are_no_whole_numbers_leave_targets_their_precision),
        cmocka_unit_test(predictions_are_means_over_trees_also_from_files),
        cmocka_unit_test(threads_do_not_change_a_byte),
        cmocka_unit_test(weights_count_like_repeated_rows),
        cmocka_unit_test(out_of_bag_errors_are_those_of_the_trees_without_the_row),
        cmocka_unit_test(what_is_for_classes_is_refused),
        cmocka_unit_test(a_constant_target_is_a_leaf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
