/* A least share of weight in each child: of that of the rows that choose a tree's splits. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/repeated.h"
#include "support/same_bytes.h"

static const char *const methods[] = {"sporf", "rf", "frc", "patch", "rr-rf", "ccf"};
static const char *const bags[] = {"bootstrap", "stratified", "subsample", "none"};
enum { METHODS = 6, BAGS = 4, FOR_MIXED = 4, ROWS = 900, TREES = 3 };

typedef struct {
    data_kind kind;
    size_t classes; /* 0: targets */
    size_t targets;
} table;

static const table tables[] = {{DATA_SMOOTH, 2, 0}, {DATA_TIED, 3, 0},   {DATA_MIXED, 2, 0},
                               {DATA_BYTES, 2, 0},  {DATA_NOISE, 40, 0}, {DATA_SMOOTH, 0, 1},
                               {DATA_MIXED, 0, 1},  {DATA_TIED, 0, 3}};
enum { TABLES = sizeof tables / sizeof *tables };

static sporf_dataset *make_table(const table *t, uint64_t seed) {
    return t->targets ? with_targets(t->kind, ROWS, 4, t->targets, seed)
                      : random_data(t->kind, ROWS, 4, t->classes, seed);
}

static int serves(const table *t, size_t method, size_t bag) {
    if (t->targets && (bag == 1 || method == 5)) return 0;
    return t->kind != DATA_MIXED || method < FOR_MIXED;
}

static sporf_forest *train(const sporf_dataset *data, const sporf_params *params) {
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_train(data, params, NULL, &forest));
    return forest;
}

/* ---- the law --------------------------------------------------------------------------------- */

/* The lightest leaf's share of the rows that choose splits, which walk down the tree again; 1 where
 * the tree is a leaf. */
static double least_share(const forest_case *c, const spf_tree *tree, uint32_t number) {
    size_t rows = sporf_dataset_rows(c->data);
    uint32_t *bag = need(rows, sizeof *bag), *apart = need(rows, sizeof *apart);
    double *held = need(tree->leaves_count, sizeof *held), total = 0, least;
    for (uint32_t k = 0; k < tree->leaves_count; k++) held[k] = 0;
    bag_of_tree(c, number, bag);
    if (c->params.honest > 0) part_bag_of_tree(c, number, bag, apart);
    for (size_t i = 0; i < rows; i++) {
        held[spf_tree_walk_columns(tree, c->data->columns, i)] += bag[i];
        total += bag[i];
    }
    least = held[0];
    for (uint32_t k = 0; k < tree->leaves_count; k++) least = fmin(least, held[k]);
    free(bag);
    free(apart);
    free(held);
    return least / total;
}

static double least_share_of_forest(const forest_case *c) {
    sporf_forest *forest = train(c->data, &c->params);
    double least = 1;
    for (uint32_t t = 0; t < forest->trees_count; t++)
        least = fmin(least, least_share(c, plain_tree(forest, t), t));
    sporf_forest_free(forest);
    return least;
}

/* Each number of a case decides something. */
static sporf_params settings(size_t method, size_t bag, size_t number, int classes) {
    static const char *const shares[] = {"0.01", "0.07", "0.003", "0.2"};
    return params_with("method", methods[method], "bag", bags[bag], "min-leaf-weight",
                       shares[number / 2 % 4], "min-leaf", number % 5 == 4 ? "6" : "1", "honest",
                       number % 4 == 3 ? "0.4" : "0", "split", number % 2 ? "exact" : "auto",
                       "criterion", classes && number % 3 == 1 ? "entropy" : "gini", "weight-is",
                       number / 3 % 2 ? "count" : "relative", (char *)NULL);
}

static void check(const sporf_dataset *data, const sporf_params *params, size_t *bound) {
    forest_case c = {data, *params};
    c.params.trees = TREES;
    double share = c.params.min_leaf_weight, least = least_share_of_forest(&c);
    if (least < share * (1 - 1e-12))
        fail_msg("method %s, bag %d, weight-is %d: a leaf has %.9g of the weight, below %g",
                 methods[c.params.method], (int)c.params.bag, (int)c.params.weight_is, least,
                 share);
    c.params.min_leaf_weight = 0;
    *bound += least_share_of_forest(&c) < share;
}

static void every_leaf_of_every_tree_has_its_share(void **state) {
    (void)state;
    size_t number = 0, cases = 0, bound = 0;
    for (size_t t = 0; t < TABLES; t++) {
        sporf_dataset *data = make_table(&tables[t], t + 1);
        double *weights = whole_weights(ROWS, 40, t + 1);
        for (size_t m = 0; m < METHODS; m++)
            for (size_t b = 0; b < BAGS; b++, number++) {
                if (!serves(&tables[t], m, b)) continue;
                int weighted = number % 3 > 0;
                sporf_params params = settings(m, b, number, tables[t].classes > 0);
                assert_ok(sporf_dataset_set_weights(data, weighted ? weights : NULL,
                                                    weighted ? ROWS : 0));
                check(data, &params, &bound);
                cases++;
            }
        free(weights);
        sporf_dataset_free(data);
    }
    assert_true(bound > cases / 2); /* most trees had lighter leaves without */
}

/* Also where settings are chosen by small forests, which keep it as well. */
static void chosen_settings_leave_it_as_it_is(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 200, 4, 2, 3);
    forest_case c = {.data = data};
    sporf_params_init(&c.params);
    c.params.trees = TREES;
    c.params.bag = SPORF_BAG_BOOTSTRAP;
    c.params.class_weights = "1=20";
    c.params.min_leaf_weight = 0.1;
    assert_true(least_share_of_forest(&c) >= 0.1);
    c.params.min_leaf_weight = 0;
    assert_true(least_share_of_forest(&c) < 0.1);
    sporf_dataset_free(data);
}

/* ---- the same as min-leaf -------------------------------------------------------------------- */

/* Where rows, or their counts, add up to `total` in every bag. */
static void assert_same_as_min_leaf(const sporf_dataset *data, double total, const char *method,
                                    const char *bag) {
    for (uint32_t least = 2; least < 60; least = 2 * least + 1) {
        sporf_params params = params_with("method", method, "bag", bag, "weight-is", "count",
                                          "trees", "3", (char *)NULL);
        params.min_leaf = least;
        sporf_forest *rows = train(data, &params);
        params.min_leaf = 1;
        params.min_leaf_weight = least / total;
        sporf_forest *share = train(data, &params);
        for (size_t t = 0; t < TREES; t++)
            assert_true(same_tree(plain_tree(rows, t), plain_tree(share, t)));
        sporf_forest_free(rows);
        sporf_forest_free(share);
    }
}

static void without_weights_and_for_counts_a_share_is_a_number_of_rows(void **state) {
    (void)state;
    for (size_t t = 0; t < TABLES; t += 2) {
        sporf_dataset *data = make_table(&tables[t], t + 7);
        double *times = whole_weights(ROWS, 40, t + 1), total = 0;
        for (size_t i = 0; i < ROWS; i++) total += times[i];
        assert_same_as_min_leaf(data, ROWS, "rf", "none");
        assert_same_as_min_leaf(data, ROWS, "sporf", "bootstrap");
        assert_ok(sporf_dataset_set_weights(data, times, ROWS));
        assert_same_as_min_leaf(data, total, "sporf", "none");
        assert_same_as_min_leaf(data, total, "frc", "bootstrap");
        free(times);
        sporf_dataset_free(data);
    }
}

/* ---- what a model records -------------------------------------------------------------------- */

static void a_model_records_the_share_unless_it_is_0(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 100, 4, 2, 1);
    sporf_forest *with = train_with(data, "trees", "2", "min-leaf-weight", "0.05", (char *)NULL);
    sporf_forest *none = train_with(data, "trees", "2", "min-leaf-weight", "0", (char *)NULL);
    assert_string_equal(sporf_forest_setting(with, "min-leaf-weight"), "0.05");
    assert_null(sporf_forest_setting(none, "min-leaf-weight"));
    sporf_forest_free(with);
    sporf_forest_free(none);
    sporf_dataset_free(data);
}

static void trees_that_are_added_have_it_too(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 3, 1);
    static const char *const shares[] = {"0.04", "0"};
    for (size_t i = 0; i < 2; i++) {
        sporf_params params;
        sporf_forest *few =
            train_with(data, "trees", "2", "min-leaf-weight", shares[i], (char *)NULL);
        sporf_forest *all =
            train_with(data, "trees", "5", "min-leaf-weight", shares[i], (char *)NULL);
        sporf_forest *more = NULL;
        sporf_params_init(&params);
        params.min_leaf_weight = 0.3; /* to be replaced by the forest's */
        assert_ok(sporf_forest_params(few, &params));
        params.trees = 5;
        assert_ok(sporf_forest_extend(few, data, &params, NULL, &more));
        assert_same_bytes(more, all);
        params.min_leaf_weight = 0.25;
        assert_refused(sporf_forest_extend(few, data, &params, NULL, &(sporf_forest *){NULL}),
                       SPORF_ERROR_ARGUMENT,
                       i ? "min-leaf-weight is 0.25, but the forest was grown "
                           "with 0:"
                         : "with 0.04:");
        params.min_leaf_weight = 0;
        if (i == 0)
            assert_refused(sporf_forest_extend(few, data, &params, NULL, &(sporf_forest *){NULL}),
                           SPORF_ERROR_ARGUMENT, "min-leaf-weight is 0, but");
        sporf_forest_free(few);
        sporf_forest_free(all);
        sporf_forest_free(more);
    }
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_leaf_of_every_tree_has_its_share),
        cmocka_unit_test(chosen_settings_leave_it_as_it_is),
        cmocka_unit_test(without_weights_and_for_counts_a_share_is_a_number_of_rows),
        cmocka_unit_test(a_model_records_the_share_unless_it_is_0),
        cmocka_unit_test(trees_that_are_added_have_it_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
