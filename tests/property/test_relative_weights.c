/* Relative weights: their scale does not matter, equal ones are none, and they have no say in which
 * rows a tree sees or how many a leaf has. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/repeated.h"
#include "support/same_bytes.h"
#include "support/wanted.h"

static const char *const methods[] = {"sporf", "rf", "frc", "patch", "rr-rf", "ccf"};
static const char *const bags[] = {"bootstrap", "stratified", "subsample", "none"};
enum { METHODS = 6, BAGS = 4, FOR_MIXED = 4, ROWS = 260 };

static sporf_forest *train(const sporf_dataset *data, const sporf_params *params) {
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_train(data, params, NULL, &forest));
    return forest;
}

/* ---- tables and settings of every kind ------------------------------------------------------- */

typedef struct {
    data_kind kind;
    size_t classes; /* 0: targets */
    size_t targets;
} table;

static const table tables[] = {{DATA_SMOOTH, 2, 0}, {DATA_TIED, 3, 0},   {DATA_MIXED, 2, 0},
                               {DATA_MIXED, 4, 0},  {DATA_NOISE, 40, 0}, {DATA_SMOOTH, 0, 1},
                               {DATA_MIXED, 0, 1},  {DATA_TIED, 0, 3}};
enum { TABLES = sizeof tables / sizeof *tables };

static sporf_dataset *make_table(const table *t, uint64_t seed) {
    return t->targets ? with_targets(t->kind, ROWS, 5, t->targets, seed)
                      : random_data(t->kind, ROWS, 5, t->classes, seed);
}

static int serves(const table *t, size_t method, size_t bag) {
    if (t->targets && (bag == 1 || method == 5)) return 0;
    return t->kind != DATA_MIXED || method < FOR_MIXED;
}

/* Each number of a case decides something. */
static sporf_params settings(size_t method, size_t bag, size_t number, int classes) {
    static const char *const leaves[] = {"1", "5", "2", "1", "9"};
    return params_with("method", methods[method], "bag", bags[bag], "min-leaf", leaves[number % 5],
                       "min-leaf-weight", number % 7 == 5 ? "0.03" : "0", "min-split",
                       number % 3 ? "2" : "7", "honest", number % 4 == 3 ? "0.4" : "0", "split",
                       number % 2 ? "exact" : "auto", "criterion",
                       classes && number % 3 == 1 ? "entropy" : "gini", "trees", "4", (char *)NULL);
}

typedef void (*law)(sporf_dataset *data, const sporf_params *params, const double *weights);

/* Calls the law for every table, method and bag, with weights of whole ratios. */
static void for_every_case(law holds) {
    size_t number = 0;
    for (size_t t = 0; t < TABLES; t++) {
        sporf_dataset *data = make_table(&tables[t], t + 1);
        double *weights = whole_weights(ROWS, 40, t + 1);
        for (size_t m = 0; m < METHODS; m++)
            for (size_t b = 0; b < BAGS; b++, number++) {
                if (!serves(&tables[t], m, b)) continue;
                sporf_params params = settings(m, b, number, tables[t].classes > 0);
                if (tables[t].classes && number % 5 == 2) params.class_weights = "1=3";
                holds(data, &params, weights);
            }
        free(weights);
        sporf_dataset_free(data);
    }
}

static sporf_forest *train_scaled(sporf_dataset *data, const sporf_params *params,
                                  const double *weights, double factor) {
    double scaled[ROWS];
    for (size_t i = 0; i < ROWS; i++) scaled[i] = weights[i] * factor;
    assert_ok(sporf_dataset_set_weights(data, scaled, ROWS));
    return train(data, params);
}

/* ---- laws ------------------------------------------------------------------------------------ */

static void scale_does_not_matter(sporf_dataset *data, const sporf_params *params,
                                  const double *weights) {
    static const double factors[] = {100, 0x1p-20, 1.0 / 3, 1e-7, 0x1p40};
    sporf_forest *once = train_scaled(data, params, weights, 1);
    for (size_t i = 0; i < 5; i++) {
        sporf_forest *scaled = train_scaled(data, params, weights, factors[i]);
        assert_same_bytes(once, scaled);
        assert_same_oob(once, scaled);
        sporf_forest_free(scaled);
    }
    sporf_forest_free(once);
}

static void weights_times_a_number_change_no_byte(void **state) {
    (void)state;
    for_every_case(scale_does_not_matter);
}

/* Weights that are not small multiples of the smallest are rounded, in the same way at any scale.
 * Their products are exact in single precision, which weights are held in. */
static void irregular_weights_scale(sporf_dataset *data, const sporf_params *params,
                                    const double *weights) {
    static const double factors[] = {0x1p9, 100, 1000};
    double irregular[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        irregular[i] = weights[i] > 0 ? weights[i] + (double)(i * 31 % 97) / 64 : 0;
    sporf_forest *once = train_scaled(data, params, irregular, 1);
    for (size_t i = 0; i < 3; i++) {
        sporf_forest *scaled = train_scaled(data, params, irregular, factors[i]);
        assert_same_bytes(once, scaled);
        assert_same_oob(once, scaled);
        sporf_forest_free(scaled);
    }
    sporf_forest_free(once);
}

static void irregular_weights_times_a_number_change_no_byte_either(void **state) {
    (void)state;
    for_every_case(irregular_weights_scale);
}

static void equal_are_none(sporf_dataset *data, const sporf_params *given, const double *weights) {
    (void)weights;
    static const double values[] = {1, 0.1, 100, 0.3, 1e20};
    double equal[ROWS];
    sporf_params params = *given;
    params.class_weights = NULL;
    assert_ok(sporf_dataset_set_weights(data, NULL, 0));
    sporf_forest *without = train(data, &params);
    for (size_t v = 0; v < 5; v += 2) {
        for (size_t i = 0; i < ROWS; i++) equal[i] = values[v];
        assert_ok(sporf_dataset_set_weights(data, equal, ROWS));
        sporf_forest *with = train(data, &params);
        assert_same_bytes(without, with);
        assert_same_oob(without, with);
        sporf_forest_free(with);
    }
    sporf_forest_free(without);
}

static void equal_weights_are_none(void **state) {
    (void)state;
    for_every_case(equal_are_none);
    for (size_t i = 0; i < 2; i++) { /* where small forests choose settings, too */
        sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 5, 3, 4);
        sporf_params params;
        sporf_params_init(&params);
        params.trees = 50;
        params.class_weights = i ? "0=7,1=7,2=7" : NULL;
        equal_are_none(data, &params, NULL);
        sporf_dataset_free(data);
    }
}

/* Leaves of rows that weigh nothing would be empty; the others grow as if they were alone. */
static void weight_0_is_absence(sporf_dataset *data, const sporf_params *params,
                                const double *weights) {
    uint32_t kept[ROWS];
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (weights[i] > 0) kept[count++] = (uint32_t)i;
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    sporf_dataset *part = NULL;
    assert_ok(sporf_dataset_select(data, kept, count, &part));
    assert_true(count > 0 && count < ROWS);
    sporf_forest *a = train(data, params), *b = train(part, params);
    for (size_t t = 0; t < 4; t++) assert_true(same_tree(plain_tree(a, t), plain_tree(b, t)));
    assert_true(a->oob_error == b->oob_error || (isnan(a->oob_error) && isnan(b->oob_error)));
    sporf_forest_free(a);
    sporf_forest_free(b);
    sporf_dataset_free(part);
}

static void rows_of_weight_0_take_part_in_nothing(void **state) {
    (void)state;
    for_every_case(weight_0_is_absence);
}

/* How often each row is in the bag, whatever it weighs: as without weights. */
static void draws_of(const sporf_dataset *data, const sporf_params *params, uint32_t tree,
                     uint32_t *draws) {
    forest_case c = {data, *params};
    c.params.class_weights = NULL;
    bag_of_tree(&c, tree, draws);
}

static void positive(const double *weights, double *out) {
    for (size_t i = 0; i < ROWS; i++) out[i] = weights[i] + 0.5;
}

static void draws_are_counted(sporf_dataset *data, const sporf_params *given,
                              const double *weights) {
    double some[ROWS];
    uint32_t draws[4][ROWS], outside[ROWS] = {0};
    sporf_params params = *given;
    params.honest = 0;
    positive(weights, some);
    assert_ok(sporf_dataset_set_weights(data, NULL, 0));
    for (uint32_t t = 0; t < 4; t++) draws_of(data, &params, t, draws[t]);
    assert_ok(sporf_dataset_set_weights(data, some, ROWS));
    sporf_forest *forest = train(data, &params);
    for (uint32_t t = 0; t < 4; t++) {
        const spf_tree *tree = plain_tree(forest, t);
        uint32_t *held = need(tree->leaves_count, sizeof *held);
        for (uint32_t k = 0; k < tree->leaves_count; k++) held[k] = 0;
        for (size_t i = 0; i < ROWS; i++) {
            held[spf_tree_walk_columns(tree, data->columns, i)] += draws[t][i];
            outside[i] += draws[t][i] == 0;
        }
        for (uint32_t k = 0; k < tree->leaves_count; k++) assert_true(held[k] >= params.min_leaf);
        free(held);
    }
    for (size_t i = 0; forest->oob_votes && i < ROWS; i++) {
        uint32_t votes = 0;
        for (size_t k = 0; k < forest->classes; k++)
            votes += forest->oob_votes[i * forest->classes + k];
        assert_int_equal(votes, outside[i]);
    }
    sporf_forest_free(forest);
}

static void bags_and_leaves_count_rows_whatever_they_weigh(void **state) {
    (void)state;
    for_every_case(draws_are_counted);
}

/* ---- weights and copies ---------------------------------------------------------------------- */

static void assert_same_shares(const sporf_forest *a, const sporf_forest *b,
                               const sporf_dataset *data) {
    size_t cells = sporf_dataset_rows(data) * sporf_forest_classes(a);
    double *of_a = need(cells, sizeof *of_a), *of_b = need(cells, sizeof *of_b);
    sporf_predict_options options;
    sporf_predict_options_init(&options);
    options.combine = SPORF_COMBINE_POSTERIORS;
    assert_ok(sporf_forest_predict(a, data, &options, WANTED(.probabilities = of_a)));
    assert_ok(sporf_forest_predict(b, data, &options, WANTED(.probabilities = of_b)));
    assert_memory_equal(of_a, of_b, cells * sizeof *of_a);
    free(of_a);
    free(of_b);
}

/* Without a bag, and with leaves of any size, a weight is as good as copies. */
static void without_bags_whole_weights_choose_the_splits_of_repeated_rows(void **state) {
    (void)state;
    for (size_t m = 0; m < METHODS - 1; m++) {
        sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 5, 3, m + 1);
        double *times = whole_weights(ROWS, 3, m + 1);
        sporf_dataset *repeated = repeated_rows(data, times);
        assert_ok(sporf_dataset_set_weights(data, times, ROWS));
        sporf_params params = params_with("method", methods[m], "bag", "none", "split", "exact",
                                          "trees", "3", (char *)NULL);
        sporf_forest *a = train(data, &params), *b = train(repeated, &params);
        for (size_t t = 0; t < 3; t++) assert_true(same_splits(plain_tree(a, t), plain_tree(b, t)));
        assert_same_shares(a, b, data);
        sporf_forest_free(a);
        sporf_forest_free(b);
        sporf_dataset_free(data);
        sporf_dataset_free(repeated);
        free(times);
    }
}

/* Leaves hold weights of about 1 on average, and say the shares that were given. */
static void leaves_hold_average_rows(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 3);
    double weights[ROWS], of_class[2] = {0};
    for (size_t i = 0; i < ROWS; i++) {
        weights[i] = 250 + 13.7 * (double)(i % 50);
        of_class[data->labels[i]] += weights[i];
    }
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    sporf_forest *forest =
        train_with(data, "bag", "none", "trees", "1", "min-split", "1000", (char *)NULL);
    const float *held = plain_tree(forest, 0)->leaf_weight;
    assert_true(held[0] + held[1] > 0.7 * ROWS && held[0] + held[1] < 1.42 * ROWS);
    assert_near(held[1] / held[0], of_class[1] / of_class[0], 1e-3);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* One row that outweighs all others may be drawn often: sums must hold it. */
static void a_row_may_outweigh_all_others(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 3, 5);
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++) weights[i] = i == 7 ? 1e30 : 1e-3 * (double)(1 + i % 9);
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    for (size_t b = 0; b < BAGS; b++) {
        sporf_forest *forest = train_with(data, "bag", bags[b], "trees", "20", "criterion",
                                          b % 2 ? "entropy" : "gini", (char *)NULL);
        assert_true(sporf_forest_trees(forest) == 20);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_times_a_number_change_no_byte),
        cmocka_unit_test(irregular_weights_times_a_number_change_no_byte_either),
        cmocka_unit_test(equal_weights_are_none),
        cmocka_unit_test(rows_of_weight_0_take_part_in_nothing),
        cmocka_unit_test(bags_and_leaves_count_rows_whatever_they_weigh),
        cmocka_unit_test(without_bags_whole_weights_choose_the_splits_of_repeated_rows),
        cmocka_unit_test(leaves_hold_average_rows),
        cmocka_unit_test(a_row_may_outweigh_all_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
