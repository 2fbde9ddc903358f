/* Weights that are counts behave like repeated rows: forests on weighted rows against those on
 * repeated ones, node by node, and their results. Relative weights: test_relative_weights. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/repeated.h"
#include "support/wanted.h"

static const char *const methods[] = {"sporf", "rf", "frc", "patch", "rr-rf", "ccf"};
static const char *const criteria[] = {"gini", "entropy"};
enum { METHODS = 6, CRITERIA = 2, FOR_MIXED = 4 }; /* the last two want numbers */

static sporf_forest *train(const sporf_dataset *data, const sporf_params *params) {
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_train(data, params, NULL, &forest));
    return forest;
}

static void assert_same_forest(const sporf_forest *a, const sporf_forest *b) {
    assert_int_equal(a->trees_count, b->trees_count);
    for (size_t t = 0; t < a->trees_count; t++)
        assert_true(same_tree(plain_tree(a, t), plain_tree(b, t)));
}

/* Copies of a row are out of bag one by one, a weighted row as a whole: what is learned from
 * out-of-bag votes differs. */
static void assert_same_predictions(const sporf_forest *a, const sporf_forest *b,
                                    const sporf_dataset *data) {
    size_t cells = sporf_dataset_rows(data) * sporf_forest_classes(a);
    double *of_a = need(cells, sizeof *of_a), *of_b = need(cells, sizeof *of_b);
    sporf_predict_options options;
    sporf_predict_options_init(&options);
    options.combine = SPORF_COMBINE_POSTERIORS;
    options.calibration = SPORF_CALIBRATE_NONE;
    assert_ok(sporf_forest_predict(a, data, &options, WANTED(.probabilities = of_a)));
    assert_ok(sporf_forest_predict(b, data, &options, WANTED(.probabilities = of_b)));
    assert_memory_equal(of_a, of_b, cells * sizeof *of_a);
    free(of_a);
    free(of_b);
}

typedef struct {
    data_kind kind;
    size_t rows, features, classes;
    const char *split;
} table;

/* With bins, large nodes are searched by the number of their different rows: there only few rows
 * give the same forest. */
static const table tables[] = {
    {DATA_SMOOTH, 40, 5, 2, "auto"},     {DATA_TIED, 42, 4, 3, "auto"},
    {DATA_SMOOTH, 300, 6, 2, "exact"},   {DATA_NOISE, 250, 4, 5, "exact"},
    {DATA_CONSTANT, 150, 5, 3, "exact"}, {DATA_TIED, 700, 5, 2, "exact"},
    {DATA_BYTES, 200, 6, 40, "exact"},   {DATA_MIXED, 40, 6, 2, "auto"},
    {DATA_MIXED, 300, 5, 2, "exact"},    {DATA_MIXED, 280, 6, 4, "exact"},
};
enum { TABLES = sizeof tables / sizeof *tables };

static void run_tables(const char *bag, const char *scale) {
    for (size_t t = 0; t < TABLES; t++) {
        const table *c = &tables[t];
        sporf_dataset *data = random_data(c->kind, c->rows, c->features, c->classes, t + 1);
        double *times = whole_weights(c->rows, c->classes, t + 1);
        sporf_dataset *repeated = repeated_rows(data, times);
        assert_ok(sporf_dataset_set_weights(data, times, c->rows));
        for (size_t m = 0; m < (c->kind == DATA_MIXED ? FOR_MIXED : METHODS); m++)
            for (size_t k = 0; k < CRITERIA; k++) {
                sporf_params params = params_with(
                    "method", methods[m], "criterion", criteria[k], "split", c->split, "bag", bag,
                    "scale", scale, "weight-is", "count", "trees", "4", "min-leaf",
                    t % 2 ? "3" : "1", "min-split", t % 3 ? "2" : "9", (char *)NULL);
                params.threads = 1 + t % 3;
                sporf_forest *a = train(data, &params), *b = train(repeated, &params);
                assert_same_forest(a, b);
                assert_same_predictions(a, b, data);
                sporf_forest_free(a);
                sporf_forest_free(b);
            }
        sporf_dataset_free(data);
        sporf_dataset_free(repeated);
        free(times);
    }
}

static void whole_weights_grow_the_forest_of_repeated_rows(void **state) {
    (void)state;
    run_tables("none", "none");
    run_tables("none", "iqr");
}

static void bootstraps_grow_the_forest_of_repeated_rows_too(void **state) {
    (void)state;
    run_tables("bootstrap", "range");
    run_tables("stratified", "none");
}

static void weights_of_classes_are_those_of_their_rows(void **state) {
    (void)state;
    static const char *const bags[] = {"none", "bootstrap", "stratified"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 200, 5, 3, 8);
    double times[200];
    for (size_t i = 0; i < 200; i++) times[i] = 1 + sporf_dataset_labels(data)[i];
    sporf_dataset *repeated = repeated_rows(data, times);
    for (size_t m = 0; m < METHODS; m++)
        for (size_t b = 0; b < 3; b++) {
            sporf_params params = params_with("method", methods[m], "bag", bags[b], "split",
                                              "exact", "trees", "3", (char *)NULL);
            sporf_forest *wanted = train(repeated, &params);
            params.class_weights = "1=2,2=3";
            params.weight_is = SPORF_WEIGHT_COUNT;
            sporf_forest *got = train(data, &params);
            assert_same_forest(got, wanted);
            assert_same_predictions(got, wanted, data);
            sporf_forest_free(got);
            sporf_forest_free(wanted);
        }
    sporf_dataset_free(data);
    sporf_dataset_free(repeated);
}

/* Two copies of a half each are one row, also for min-leaf and min-split, and in the leaves. */
static void halves_of_doubled_rows_grow_the_forest_of_the_rows(void **state) {
    (void)state;
    enum { ROWS = 150, PARTS = 4 };
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 5, 3, 9);
    double times[ROWS], parts[PARTS * ROWS];
    for (size_t i = 0; i < ROWS; i++) times[i] = PARTS;
    for (size_t i = 0; i < PARTS * ROWS; i++) parts[i] = i % PARTS == 0 ? 0.625 : 0.125;
    sporf_dataset *doubled = repeated_rows(data, times);
    assert_ok(sporf_dataset_set_weights(doubled, parts, PARTS * ROWS));
    for (size_t m = 0; m < METHODS - 1; m++) { /* ccf draws rows, and here there are more */
        sporf_params params = params_with("method", methods[m], "bag", "none", "split", "exact",
                                          "weight-is", "count", "trees", "3", (char *)NULL);
        for (params.min_leaf = 1; params.min_leaf < 6; params.min_leaf += 2)
            for (params.min_split = 2; params.min_split < 20; params.min_split += 9) {
                sporf_forest *a = train(data, &params), *b = train(doubled, &params);
                assert_same_forest(a, b);
                sporf_forest_free(a);
                sporf_forest_free(b);
            }
    }
    sporf_dataset_free(data);
    sporf_dataset_free(doubled);
}

/* The unit is a power of two: multiplying weights by one changes nothing but the leaves. */
static void leaves_hold_the_weight_that_was_given(void **state) {
    (void)state;
    enum { ROWS = 120 };
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 3, 10);
    double weights[ROWS], sum = 0;
    for (size_t i = 0; i < ROWS; i++) sum += weights[i] = 0.3 + (double)(i % 11) / 7;
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    for (size_t m = 0; m < METHODS; m++) {
        sporf_forest *forest = train_with(data, "method", methods[m], "bag", "none", "trees", "3",
                                          "weight-is", "count", (char *)NULL);
        for (size_t t = 0; t < 3; t++) {
            const spf_tree *tree = plain_tree(forest, t);
            double in_leaves = 0;
            for (uint32_t i = 0; i < tree->leaf_start[tree->leaves_count]; i++)
                in_leaves += tree->leaf_weight[i];
            assert_near(in_leaves, sum, 1e-4 * sum);
        }
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

static void weights_of_one_change_no_byte(void **state) {
    (void)state;
    static const char *const bags[] = {"none", "bootstrap", "stratified", "subsample"};
    enum { ROWS = 180 };
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 11);
    double ones[ROWS];
    for (size_t i = 0; i < ROWS; i++) ones[i] = 1;
    for (size_t b = 0; b < 4; b++) {
        sporf_params params =
            params_with("bag", bags[b], "trees", "5", "weight-is", "count", (char *)NULL);
        assert_ok(sporf_dataset_set_weights(data, NULL, 0));
        sporf_forest *without = train(data, &params);
        assert_ok(sporf_dataset_set_weights(data, ones, ROWS));
        sporf_forest *with = train(data, &params);
        assert_same_forest(without, with);
        assert_true(without->oob_error == with->oob_error || bags[b][0] == 'n');
        sporf_forest_free(without);
        sporf_forest_free(with);
    }
    sporf_dataset_free(data);
}

static void broken_weights(double *weights, size_t rows) {
    for (size_t i = 0; i < rows; i++) weights[i] = i % 6 == 5 ? 0 : 0.01 + (double)(i * 37 % 101);
    for (size_t i = 0; i < rows; i++) weights[i] /= 30;
}

static void threads_do_not_change_a_weighted_forest(void **state) {
    (void)state;
    static const char *const bags[] = {"none", "bootstrap", "stratified", "subsample"};
    enum { ROWS = 6000 };
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 6, 3, 12);
    double *weights = need(ROWS, sizeof *weights);
    broken_weights(weights, ROWS);
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    for (size_t b = 0; b < 8; b++) {
        sporf_params params = params_with("bag", bags[b % 4], "trees", "3", "class-weights",
                                          "balanced", "threads", "1", (char *)NULL);
        params.weight_is = b < 4 ? SPORF_WEIGHT_COUNT : SPORF_WEIGHT_RELATIVE;
        params.min_leaf = b % 3 + 1;
        sporf_forest *one = train(data, &params);
        for (params.threads = 2; params.threads <= 5; params.threads += 3) {
            sporf_forest *several = train(data, &params);
            assert_same_forest(one, several);
            assert_true(one->oob_error == several->oob_error || bags[b % 4][0] == 'n');
            sporf_forest_free(several);
        }
        sporf_forest_free(one);
    }
    free(weights);
    sporf_dataset_free(data);
}

/* ---- large weights --------------------------------------------------------------------------- */

/* Sums near 2^31 in every search: scores scale by a power of two, and so by no bit of theirs. */
static void weights_times_a_power_of_two_change_nothing_but_the_leaves(void **state) {
    (void)state;
    enum { ROWS = 3000, EXPONENT = 17 };
    static const struct {
        data_kind kind;
        size_t classes;
        const char *split;
    } cases[] = {{DATA_SMOOTH, 2, "auto"}, {DATA_SMOOTH, 2, "exact"}, {DATA_TIED, 2, "auto"},
                 {DATA_SMOOTH, 5, "auto"}, {DATA_NOISE, 50, "auto"},  {DATA_SMOOTH, 5, "exact"},
                 {DATA_BYTES, 2, "auto"},  {DATA_BYTES, 7, "auto"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        sporf_dataset *data = random_data(cases[c].kind, ROWS, 5, cases[c].classes, c + 20);
        double *weights = whole_weights(ROWS, cases[c].classes, c);
        sporf_params params =
            params_with("bag", "none", "trees", "2", "split", cases[c].split, (char *)NULL);
        params.weight_is = SPORF_WEIGHT_COUNT;
        params.min_leaf = 2;
        params.min_split = 3;
        assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
        sporf_forest *small = train(data, &params);
        for (size_t i = 0; i < ROWS; i++) weights[i] = ldexp(weights[i], EXPONENT);
        params.min_leaf <<= EXPONENT;
        params.min_split <<= EXPONENT;
        assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
        sporf_forest *large = train(data, &params);
        for (size_t t = 0; t < 2; t++) {
            const spf_tree *a = plain_tree(small, t), *b = plain_tree(large, t);
            assert_int_equal(a->nodes_count, b->nodes_count);
            assert_memory_equal(a->nodes, b->nodes, a->nodes_count * sizeof *a->nodes);
            for (uint32_t i = 0; i < a->leaf_start[a->leaves_count]; i++)
                assert_true(b->leaf_weight[i] == ldexpf(a->leaf_weight[i], EXPONENT));
        }
        sporf_forest_free(small);
        sporf_forest_free(large);
        sporf_dataset_free(data);
        free(weights);
    }
}

static sporf_dataset *reversed(const sporf_dataset *data, const double *weights) {
    size_t rows = sporf_dataset_rows(data), features = sporf_dataset_features(data);
    double *values = need(rows * features, sizeof *values), *turned = need(rows, sizeof *turned);
    int64_t *labels = need(rows, sizeof *labels);
    for (size_t i = 0; i < rows; i++) {
        size_t from = rows - 1 - i;
        turned[i] = weights[from];
        labels[i] = sporf_dataset_labels(data)[from];
        for (size_t j = 0; j < features; j++)
            values[i * features + j] = sporf_dataset_feature(data, j)[from];
    }
    sporf_matrix matrix = {values, SPORF_FLOAT64, rows, features, features, 1};
    sporf_dataset *copy = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &copy));
    assert_ok(sporf_dataset_set_labels_int(copy, labels, rows));
    assert_ok(sporf_dataset_set_weights(copy, turned, rows));
    free(values);
    free(turned);
    free(labels);
    return copy;
}

/* Sums of weights have no rounding, nor have those of x ln x, whose unit follows the heaviest bag.
 */
static void the_order_of_weighted_rows_does_not_matter(void **state) {
    (void)state;
    enum { ROWS = 500 };
    static const double factors[] = {1, 0x1p18, 0.7};
    for (size_t n = 0; n < 12; n++) {
        sporf_dataset *data = random_data(n % 2 ? DATA_TIED : DATA_SMOOTH, ROWS, 4, 4, n + 40);
        double *weights = whole_weights(ROWS, 4, n);
        for (size_t i = 0; i < ROWS; i++) weights[i] *= factors[n % 3];
        assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
        sporf_dataset *turned = reversed(data, weights);
        for (size_t k = 0; k < 2 * CRITERIA; k++) {
            sporf_params params = params_with("bag", "none", "trees", "3", "split", "exact",
                                              "criterion", criteria[k % 2], (char *)NULL);
            params.weight_is = k < 2 ? SPORF_WEIGHT_COUNT : SPORF_WEIGHT_RELATIVE;
            params.min_leaf = 1 + n % 3;
            sporf_forest *a = train(data, &params), *b = train(turned, &params);
            assert_same_forest(a, b);
            sporf_forest_free(a);
            sporf_forest_free(b);
        }
        sporf_dataset_free(data);
        sporf_dataset_free(turned);
        free(weights);
    }
}

/* ---- out of bag ------------------------------------------------------------------------------ */

typedef struct {
    double voted, wrong, rows;
} tally;

static tally count_votes(const sporf_dataset *data, const double *weights, const sporf_oob *oob) {
    size_t classes = sporf_dataset_classes(data);
    tally sums = {0};
    for (size_t i = 0; i < oob->training_rows; i++) {
        const uint32_t *votes = oob->votes + i * classes;
        uint32_t leader = 0;
        for (uint32_t k = 1; k < classes; k++) leader = votes[k] > votes[leader] ? k : leader;
        if (votes[leader] == 0) continue;
        assert_true(weights[i] > 0);
        sums.rows++;
        sums.voted += weights[i];
        if (leader != sporf_dataset_labels(data)[i]) sums.wrong += weights[i];
    }
    return sums;
}

static void out_of_bag_errors_count_rows_as_they_weigh(void **state) {
    (void)state;
    static const char *const bags[] = {"bootstrap", "stratified", "subsample"};
    enum { ROWS = 400 };
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 3, 13);
    double weights[ROWS], effective[ROWS];
    for (size_t whole = 0; whole < 2; whole++)
        for (size_t b = 0; b < 6; b++) {
            broken_weights(weights, ROWS);
            for (size_t i = 0; i < ROWS; i++) {
                if (whole) weights[i] = ceil(weights[i]);
                effective[i] = weights[i] * (sporf_dataset_labels(data)[i] == 1 ? 2 : 1);
            }
            assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
            sporf_forest *forest =
                train_with(data, "bag", bags[b % 3], "trees", "6", "class-weights", "1=2",
                           "weight-is", b < 3 ? "count" : "relative", (char *)NULL);
            sporf_oob oob;
            sporf_forest_oob(forest, &oob);
            tally wanted = count_votes(data, effective, &oob);
            assert_int_equal(oob.rows, wanted.rows);
            assert_near(oob.error, wanted.wrong / wanted.voted,
                        whole   ? 1e-12
                        : b < 3 ? 1e-6
                                : 1e-4);
            assert_true(oob.curve[5] == oob.error && isfinite(oob.kappa));
            sporf_forest_free(forest);
        }
    sporf_dataset_free(data);
}

/* A kappa of weighted rows is that of repeated rows: the votes are the same for all copies. */
static void out_of_bag_kappa_is_that_of_rows_repeated_with_their_votes(void **state) {
    (void)state;
    enum { ROWS = 300 };
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 14);
    double *times = whole_weights(ROWS, 2, 14), table[2][2] = {{0}}, n = 0;
    assert_ok(sporf_dataset_set_weights(data, times, ROWS));
    sporf_forest *forest = train_with(data, "trees", "5", (char *)NULL);
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    for (size_t i = 0; i < ROWS; i++) {
        const uint32_t *votes = oob.votes + 2 * i;
        if (votes[0] + votes[1] == 0) continue;
        table[sporf_dataset_labels(data)[i]][votes[1] > votes[0]] += times[i];
        n += times[i];
    }
    double agree = (table[0][0] + table[1][1]) / n, ones = (table[1][0] + table[1][1]) / n,
           said = (table[0][1] + table[1][1]) / n;
    double chance = ones * said + (1 - ones) * (1 - said);
    assert_near(oob.kappa, (agree - chance) / (1 - chance), 1e-9);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    free(times);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_weights_grow_the_forest_of_repeated_rows),
        cmocka_unit_test(bootstraps_grow_the_forest_of_repeated_rows_too),
        cmocka_unit_test(weights_of_classes_are_those_of_their_rows),
        cmocka_unit_test(halves_of_doubled_rows_grow_the_forest_of_the_rows),
        cmocka_unit_test(leaves_hold_the_weight_that_was_given),
        cmocka_unit_test(weights_of_one_change_no_byte),
        cmocka_unit_test(threads_do_not_change_a_weighted_forest),
        cmocka_unit_test(weights_times_a_power_of_two_change_nothing_but_the_leaves),
        cmocka_unit_test(the_order_of_weighted_rows_does_not_matter),
        cmocka_unit_test(out_of_bag_errors_count_rows_as_they_weigh),
        cmocka_unit_test(out_of_bag_kappa_is_that_of_rows_repeated_with_their_votes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
