/* Out-of-bag results and predictions, recomputed tree by tree with the plain walk.
 * Labels: full */
#include "data/dataset.h"

#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/wanted.h"

/* ---- out of bag ------------------------------------------------------------------------------ */

/* The class with most votes, the lower one in a tie; -1 without votes. */
static int64_t winner(const uint32_t *votes, size_t classes) {
    int64_t best = -1;
    for (size_t k = 0; k < classes; k++)
        if (votes[k] > 0 && (best < 0 || votes[k] > votes[best])) best = (int64_t)k;
    return best;
}

typedef struct {
    size_t voted, wrong;
    double kappa;
} tally;

static tally count_up(const sporf_dataset *data, const uint32_t *votes) {
    size_t rows = sporf_dataset_rows(data), classes = sporf_dataset_classes(data);
    double *truth = need(classes, sizeof *truth), *said = need(classes, sizeof *said), chance = 0;
    tally t = {0};
    for (size_t i = 0; i < rows; i++) {
        int64_t leader = winner(votes + i * classes, classes);
        uint32_t label = sporf_dataset_labels(data)[i];
        if (leader < 0) continue;
        t.voted++;
        t.wrong += leader != label;
        truth[label]++;
        said[leader]++;
    }
    for (size_t k = 0; k < classes; k++) chance += truth[k] * said[k];
    double n = (double)t.voted, right = n - (double)t.wrong;
    t.kappa = n * n == chance ? NAN : (n * right - chance) / (n * n - chance);
    free(truth);
    free(said);
    return t;
}

static void assert_rate(double rate, const tally *t) {
    if (t->voted == 0)
        assert_true(isnan(rate));
    else
        assert_true(rate == (double)t->wrong / (double)t->voted);
}

/* Walks on the columns as given: scaling must be in the weights already. */
static void oob_is_recomputable(const forest_case *c, const sporf_forest *forest) {
    size_t rows = sporf_dataset_rows(c->data), classes = sporf_dataset_classes(c->data);
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    if (c->params.bag == SPORF_BAG_NONE) {
        assert_int_equal(oob.rows, 0);
        assert_true(isnan(oob.error) && isnan(oob.kappa) && !oob.curve && !oob.votes);
        return;
    }
    uint32_t *votes = need(rows * classes, sizeof *votes), *bag = need(rows, sizeof *bag);
    tally t = {0};
    for (uint32_t n = 0; n < forest->trees_count; n++) {
        const spf_tree *tree = plain_tree(forest, n);
        bag_of_tree(c, n, bag);
        for (size_t i = 0; i < rows; i++) {
            if (bag[i] > 0) continue;
            uint32_t leaf = spf_tree_walk_columns(tree, c->data->columns, i);
            votes[i * classes + spf_leaf_vote(tree, leaf)]++;
        }
        t = count_up(c->data, votes);
        assert_rate(oob.curve[n], &t);
    }
    assert_memory_equal(oob.votes, votes, rows * classes * sizeof *votes);
    assert_int_equal(oob.rows, t.voted);
    assert_rate(oob.error, &t);
    if (t.voted > 0 && !isnan(t.kappa))
        assert_near(oob.kappa, t.kappa, 1e-9);
    else
        assert_true(isnan(oob.kappa));
    free(votes);
    free(bag);
}

static void out_of_bag_results_are_those_of_walking_the_rows_left_out(void **state) {
    (void)state;
    for_every_forest(oob_is_recomputable, 7);
    for_every_large_forest(oob_is_recomputable, 2);
}

/* ---- prediction ------------------------------------------------------------------------------ */

/* The definition: leaves in the order of the trees, added up, divided. */
static void sum_over_trees(const sporf_forest *forest, const float *row, sporf_combine combine,
                           double *total) {
    memset(total, 0, forest->classes * sizeof *total);
    for (size_t t = 0; t < forest->trees_count; t++) {
        const spf_tree *tree = plain_tree(forest, t);
        uint32_t leaf = spf_tree_walk_row(tree, row), most = tree->leaf_start[leaf];
        double sum = 0;
        for (uint32_t i = tree->leaf_start[leaf]; i < tree->leaf_start[leaf + 1]; i++) {
            sum += tree->leaf_weight[i];
            if (tree->leaf_weight[i] > tree->leaf_weight[most]) most = i;
        }
        if (combine == SPORF_COMBINE_VOTES)
            total[tree->leaf_class[most]] += 1;
        else
            for (uint32_t i = tree->leaf_start[leaf]; i < tree->leaf_start[leaf + 1]; i++)
                total[tree->leaf_class[i]] += tree->leaf_weight[i] / sum;
    }
    for (size_t k = 0; k < forest->classes; k++) total[k] /= (double)forest->trees_count;
}

static uint32_t first_largest(const double *values, size_t count) {
    uint32_t best = 0;
    for (uint32_t k = 1; k < count; k++)
        if (values[k] > values[best]) best = k;
    return best;
}

static void check_predictions(const sporf_forest *forest, const sporf_dataset *data,
                              sporf_combine combine) {
    static const unsigned threads[] = {1, 2, 3, 8};
    size_t rows = sporf_dataset_rows(data), classes = forest->classes;
    double *wanted = need(rows * classes, sizeof *wanted), *got = need(rows * classes, sizeof *got);
    double *single = need(rows * classes, sizeof *single); /* calibrated, row by row */
    uint32_t *class = need(rows, sizeof *class), *class_only = need(rows, sizeof *class_only);
    float *row = need(forest->features, sizeof *row);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < forest->features; j++) row[j] = sporf_dataset_feature(data, j)[i];
        sum_over_trees(forest, row, combine, wanted + i * classes);
        class[i] = sporf_forest_predict_row(forest, row, combine, single + i * classes);
        assert_int_equal(class[i], first_largest(single + i * classes, classes));
        assert_int_equal(class[i], first_largest(wanted + i * classes, classes));
    }
    for (size_t t = 0; t < 4; t += IS_SANITIZED ? 2 : 1) {
        sporf_predict_options options;
        sporf_predict_options_init(&options);
        options.combine = combine;
        options.calibration = SPORF_CALIBRATE_NONE;
        options.threads = threads[t];
        memset(got, 0xff, rows * classes * sizeof *got);
        memset(class_only, 0xff, rows * sizeof *class_only);
        assert_ok(sporf_forest_predict(forest, data, &options, WANTED(.probabilities = got)));
        assert_memory_equal(got, wanted, rows * classes * sizeof *got);
        options.calibration = SPORF_CALIBRATE_AUTO;
        assert_ok(sporf_forest_predict(forest, data, &options, WANTED(.probabilities = got)));
        assert_memory_equal(got, single, rows * classes * sizeof *got);
        assert_ok(sporf_forest_predict(forest, data, &options, WANTED(.classes = class_only)));
        assert_memory_equal(class_only, class, rows * sizeof *class);
    }
    free(wanted);
    free(got);
    free(single);
    free(class);
    free(class_only);
    free(row);
}

/* New rows, and more than one block of them. */
static void predicts_as_defined(const forest_case *c, const sporf_forest *forest) {
    if (c->params.criterion != SPORF_GINI || c->params.bag == SPORF_BAG_SUBSAMPLE) return;
    data_kind kind = forest->schema.kinds ? DATA_MIXED : DATA_SMOOTH;
    sporf_dataset *fresh =
        random_data(kind, 300, forest->features, forest->classes < 300 ? 2 : 300, 99);
    check_predictions(forest, fresh, SPORF_COMBINE_VOTES);
    check_predictions(forest, fresh, SPORF_COMBINE_POSTERIORS);
    sporf_dataset_free(fresh);
}

static void predictions_are_sums_over_trees_for_any_number_of_threads(void **state) {
    (void)state;
    for_every_forest(predicts_as_defined, 4);
}

/* Two trees, two classes: votes tie often, and then class 0 must win. */
static void ties_go_to_the_lower_class(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_NOISE, 400, 3, 2, 1),
                  *fresh = random_data(DATA_NOISE, 400, 3, 2, 2);
    sporf_forest *forest = train_with(data, "trees", "2", (char *)NULL);
    double shares[800];
    uint32_t classes[400];
    size_t ties = 0;
    assert_ok(sporf_forest_predict(forest, fresh, NULL,
                                   WANTED(.classes = classes, .probabilities = shares)));
    for (size_t i = 0; i < 400; i++) {
        assert_near(shares[2 * i] + shares[2 * i + 1], 1, 1e-12);
        if (shares[2 * i] != shares[2 * i + 1]) continue;
        ties++;
        assert_int_equal(classes[i], 0);
    }
    assert_true(ties > 50);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    sporf_dataset_free(fresh);
}

static void votes_are_the_default(void **state) {
    (void)state;
    sporf_predict_options options;
    sporf_predict_options_init(&options);
    assert_int_equal(options.combine, SPORF_COMBINE_VOTES);
    sporf_dataset *data = random_data(DATA_NOISE, 100, 3, 3, 1);
    sporf_forest *forest = train_with(data, "trees", "5", "min-leaf", "10", (char *)NULL);
    double by_default[300], by_votes[300], by_posteriors[300];
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.probabilities = by_default)));
    assert_ok(sporf_forest_predict(forest, data, &options, WANTED(.probabilities = by_votes)));
    options.combine = SPORF_COMBINE_POSTERIORS;
    assert_ok(sporf_forest_predict(forest, data, &options, WANTED(.probabilities = by_posteriors)));
    assert_memory_equal(by_default, by_votes, sizeof by_votes);
    assert_memory_not_equal(by_votes, by_posteriors, sizeof by_votes);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(out_of_bag_results_are_those_of_walking_the_rows_left_out,
                                  name_broken_case),
        cmocka_unit_test_teardown(predictions_are_sums_over_trees_for_any_number_of_threads,
                                  name_broken_case),
        cmocka_unit_test(ties_go_to_the_lower_class),
        cmocka_unit_test(votes_are_the_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
