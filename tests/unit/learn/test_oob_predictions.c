/* What trees predict for the rows that they left out, counted again from bags and plain trees. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/random_data.h"

/* Rows that an honest tree fills its leaves with are in its bag. */
static void add_tree(const forest_case *c, const sporf_forest *forest, uint32_t number,
                     double *sums, size_t *counts) {
    const sporf_dataset *data = c->data;
    const spf_tree *tree = plain_tree(forest, number);
    uint32_t *bag = need(data->rows, sizeof *bag);
    bag_of_tree(c, number, bag);
    for (size_t i = 0; i < data->rows; i++) {
        if (bag[i] > 0 || (data->weights && data->weights[i] == 0)) continue;
        uint32_t leaf = spf_tree_walk_columns(tree, data->columns, i);
        for (size_t t = 0; t < data->targets; t++)
            sums[i * data->targets + t] += tree->leaf_value[leaf * data->targets + t];
        counts[i]++;
    }
    free(bag);
}

static void assert_counted_again(const forest_case *c, const sporf_forest *forest) {
    size_t rows = c->data->rows, targets = c->data->targets, never = 0;
    double *sums = need(rows * targets, sizeof *sums);
    size_t *counts = need(rows, sizeof *counts);
    for (uint32_t t = 0; t < forest->trees_count; t++) add_tree(c, forest, t, sums, counts);
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    assert_non_null(oob.predictions);
    assert_int_equal(oob.training_rows, rows);
    for (size_t i = 0; i < rows; i++)
        for (size_t t = 0; t < targets; t++) {
            double said = oob.predictions[i * targets + t];
            never += counts[i] == 0;
            assert_int_equal(isnan(said), counts[i] == 0);
            if (counts[i] > 0) assert_true(said == sums[i * targets + t] / (double)counts[i]);
        }
    assert_true(never > 0 && never < rows * targets);
    free(sums);
    free(counts);
}

static void assert_errors_are_theirs(const sporf_dataset *data, const sporf_forest *forest) {
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    for (size_t t = 0; t < data->targets; t++) {
        double squares = 0, weights = 0;
        for (size_t i = 0; i < data->rows; i++) {
            double said = oob.predictions[i * data->targets + t], weight = 1;
            if (isnan(said)) continue;
            if (data->weights) weight = data->weights[i];
            squares += weight * pow(said - sporf_dataset_target(data, t)[i], 2);
            weights += weight;
        }
        assert_near(oob.targets[t].rmse, sqrt(squares / weights), 1e-12 * oob.targets[t].rmse);
    }
}

static void predictions_are_means_over_the_trees_without_the_row(void **state) {
    (void)state;
    static const char *const bags[] = {"bootstrap", "subsample"};
    static const char *const honest[] = {"0", "0.5"};
    for (size_t n = 0; n < 12; n++) {
        sporf_dataset *data =
            with_targets(n % 2 ? DATA_MIXED : DATA_SMOOTH, 300, 5, 1 + n % 3, n + 1);
        double weights[300];
        for (size_t i = 0; i < 300; i++) weights[i] = (double)(i * 5 % 4);
        if (n >= 6) assert_ok(sporf_dataset_set_weights(data, weights, 300));
        forest_case c = {data, params_with("trees", "4", "bag", bags[n / 3 % 2], "honest",
                                           honest[n / 2 % 2], (char *)NULL)};
        sporf_forest *forest = NULL;
        assert_ok(sporf_forest_train(data, &c.params, NULL, &forest));
        assert_counted_again(&c, forest);
        assert_errors_are_theirs(data, forest);
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
}

static void assert_no_predictions(const sporf_forest *forest) {
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    assert_null(oob.predictions);
    assert_int_equal(oob.training_rows > 0, oob.votes != NULL);
}

static void there_are_none_of_classes_without_a_bag_or_after_loading(void **state) {
    (void)state;
    sporf_dataset *classes = random_data(DATA_SMOOTH, 60, 3, 2, 1);
    sporf_dataset *numbers = with_targets(DATA_SMOOTH, 60, 3, 2, 1);
    sporf_forest *of_classes = train_with(classes, "trees", "3", (char *)NULL);
    sporf_forest *bagless = train_with(numbers, "trees", "3", "bag", "none", (char *)NULL);
    sporf_forest *forest = train_with(numbers, "trees", "3", (char *)NULL), *loaded = NULL;
    void *bytes = NULL;
    size_t size = 0;
    assert_ok(sporf_forest_save_bytes(forest, &bytes, &size));
    assert_ok(sporf_forest_load_bytes(bytes, size, &loaded));
    assert_no_predictions(of_classes);
    assert_no_predictions(bagless);
    assert_no_predictions(loaded);
    sporf_free(bytes);
    sporf_forest_free(of_classes);
    sporf_forest_free(bagless);
    sporf_forest_free(forest);
    sporf_forest_free(loaded);
    sporf_dataset_free(classes);
    sporf_dataset_free(numbers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_are_means_over_the_trees_without_the_row),
        cmocka_unit_test(there_are_none_of_classes_without_a_bag_or_after_loading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
