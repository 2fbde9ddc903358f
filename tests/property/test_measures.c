/* Strength, correlation and permutation importances, found again from their definitions: each tree
 * asked about each row, and every row of a full shuffle walking down from the root. */
#include "base/rng.h"
#include "data/dataset.h"
#include "data/targets.h"
#include "learn/rows/row_weights.h"

#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"

/* The rows that a tree was grown without, in the order of their leaves. */
typedef struct {
    const spf_tree *tree;
    size_t count;
    uint32_t *row, *leaf, *units;
    double weight;
} left_out;

static left_out find_left_out(const forest_case *c, const sporf_forest *forest, uint32_t number) {
    size_t rows = c->data->rows, at = 0;
    uint32_t *bag = need(rows, sizeof *bag), *estimation = need(rows, sizeof *estimation);
    spf_row_weights weights;
    left_out o = {.tree = plain_tree(forest, number),
                  .row = need(rows, sizeof *o.row),
                  .leaf = need(rows, sizeof *o.leaf),
                  .units = need(rows, sizeof *o.units)};
    assert_ok(spf_row_weights_create(c->data, spf_row_classes_of(c->data), c->params.class_weights,
                                     c->params.weight_is, &weights));
    bag_of_tree(c, number, bag);
    if (c->params.honest > 0) part_bag_of_tree(c, number, bag, estimation);
    for (uint32_t k = 0; k < o.tree->leaves_count; k++)
        for (uint32_t i = 0; i < rows; i++) {
            uint32_t units = spf_row_units(&weights, i);
            if (bag[i] > 0 || estimation[i] > 0 || units == 0) continue;
            if (spf_tree_walk_columns(o.tree, c->data->columns, i) != k) continue;
            o.row[at] = i;
            o.leaf[at] = k;
            o.units[at++] = units;
            o.weight += units;
        }
    o.count = at;
    free(bag);
    free(estimation);
    spf_row_weights_free(&weights);
    return o;
}

static void drop_left_out(left_out *o) {
    free(o->row);
    free(o->leaf);
    free(o->units);
}

static int has_votes(const forest_case *c, const sporf_forest *forest) {
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    return c->params.bag != SPORF_BAG_NONE && oob.rows > 0;
}

/* ---- strength and correlation ---------------------------------------------------------------- */

static uint32_t rival_of(const uint32_t *votes, size_t classes, uint32_t label) {
    int64_t best = -1;
    for (uint32_t k = 0; k < classes; k++)
        if (k != label && (best < 0 || votes[k] > votes[best])) best = k;
    return (uint32_t)best;
}

/* Mean and variance in two passes. */
typedef struct {
    double mean, variance;
} moments;

static moments moments_of(const double *values, const double *weights, size_t count) {
    moments m = {0};
    double all = 0;
    for (size_t i = 0; i < count; i++) all += weights[i];
    for (size_t i = 0; i < count; i++) m.mean += weights[i] * values[i] / all;
    for (size_t i = 0; i < count; i++)
        m.variance += weights[i] * (values[i] - m.mean) * (values[i] - m.mean) / all;
    return m;
}

static double raw_margin_spread(const forest_case *c, const left_out *o, const uint32_t *votes) {
    size_t classes = c->data->schema.classes.count;
    double *margin = need(o->count, sizeof *margin), *weight = need(o->count, sizeof *weight);
    for (size_t i = 0; i < o->count; i++) {
        uint32_t label = c->data->labels[o->row[i]], vote = spf_leaf_vote(o->tree, o->leaf[i]);
        uint32_t rival = rival_of(votes + o->row[i] * classes, classes, label);
        margin[i] = vote == label ? 1 : vote == rival ? -1 : 0;
        weight[i] = o->units[i];
    }
    double spread = sqrt(moments_of(margin, weight, o->count).variance);
    free(margin);
    free(weight);
    return spread;
}

static moments margins_of(const forest_case *c, const uint32_t *votes) {
    size_t rows = c->data->rows, classes = c->data->schema.classes.count, count = 0;
    double *margin = need(rows, sizeof *margin), *weight = need(rows, sizeof *weight);
    spf_row_weights weights;
    assert_ok(spf_row_weights_create(c->data, spf_row_classes_of(c->data), c->params.class_weights,
                                     c->params.weight_is, &weights));
    for (size_t i = 0; i < rows; i++) {
        const uint32_t *own = votes + i * classes;
        uint32_t label = c->data->labels[i], all = 0;
        for (size_t k = 0; k < classes; k++) all += own[k];
        if (all == 0) continue;
        margin[count] = ((double)own[label] - own[rival_of(own, classes, label)]) / all;
        weight[count++] = spf_row_units(&weights, i);
    }
    moments m = moments_of(margin, weight, count);
    spf_row_weights_free(&weights);
    free(margin);
    free(weight);
    return m;
}

static void strength_is_as_defined(const forest_case *c, const sporf_forest *forest) {
    sporf_strength strength;
    sporf_oob oob;
    if (!has_votes(c, forest)) {
        assert_refused(sporf_forest_strength(forest, c->data, NULL, NULL, &strength),
                       c->params.bag == SPORF_BAG_NONE ? SPORF_ERROR_ARGUMENT : SPORF_ERROR_DATA,
                       "no row");
        return;
    }
    sporf_forest_oob(forest, &oob);
    assert_ok(sporf_forest_strength(forest, c->data, NULL, NULL, &strength));
    moments margin = margins_of(c, oob.votes);
    double spread = 0, trees = 0, s = margin.mean;
    for (uint32_t t = 0; t < forest->trees_count; t++) {
        left_out o = find_left_out(c, forest, t);
        if (o.count > 0) spread += raw_margin_spread(c, &o, oob.votes);
        trees += o.count > 0;
        drop_left_out(&o);
    }
    spread /= trees;
    assert_int_equal(strength.rows, oob.rows);
    assert_near(strength.strength, s, 1e-12);
    assert_true(strength.strength >= -1 && strength.strength <= 1);
    if (spread < 1e-9) {
        assert_true(isnan(strength.correlation));
        return;
    }
    assert_near(strength.correlation, margin.variance / (spread * spread), 1e-9);
    if (s > 1e-9)
        assert_near(strength.bound * s * s, strength.correlation * (1 - s * s), 1e-9);
    else if (s < -1e-9)
        assert_true(isnan(strength.bound));
}

static void strength_and_correlation_are_breimans(void **state) {
    (void)state;
    for_every_forest(strength_is_as_defined, 4);
}

/* ---- permutation importances ----------------------------------------------------------------- */

/* Features that are shuffled together; the first is the smallest. */
typedef struct {
    uint32_t features[2];
    size_t count;
} shuffled_group;

static int is_in(const shuffled_group *group, uint32_t feature) {
    return group->features[0] == feature || group->features[group->count - 1] == feature;
}

/* Whether a row comes by a node that looks at a feature of a group. */
static int meets(const forest_case *c, const spf_tree *tree, uint32_t row,
                 const shuffled_group *group) {
    uint32_t at = 0;
    while (tree->nodes[at].right != 0) {
        const spf_node *node = &tree->nodes[at];
        uint32_t p = spf_split_projection(node);
        for (uint32_t i = tree->projection_start[p]; i < tree->projection_start[p + 1]; i++)
            if (is_in(group, spf_term_feature(tree, tree->term_feature[i]))) return 1;
        float value = spf_tree_project(tree, p, c->data->columns, row);
        int left =
            isnan(value) ? (node->content & SPF_MISSING_LEFT) != 0 : value <= node->threshold;
        at = left ? at + 1 : node->right;
    }
    return 0;
}

/* Column `feature` of a group with the values of the rows that were left out shuffled: those that
 * come by the group draw first. */
static float *full_shuffle(const forest_case *c, const left_out *o, uint32_t tree,
                           const shuffled_group *group, uint32_t feature, uint64_t seed) {
    const float *column = c->data->columns[feature];
    float *shuffled = need(c->data->rows, sizeof *shuffled);
    uint32_t *from = need(o->count, sizeof *from), all = (uint32_t)o->count, drawn = 0;
    sporf_random random =
        spf_random_start(spf_tree_key(seed, tree), group->features[0], SPF_USE_PERMUTE);
    memcpy(shuffled, column, c->data->rows * sizeof *shuffled);
    for (uint32_t i = 0; i < all; i++) from[i] = o->row[i];
    for (int second = 0; second < 2; second++)
        for (uint32_t i = 0; i < all; i++) {
            if (meets(c, o->tree, o->row[i], group) == second) continue;
            uint32_t with = drawn + spf_random_below(&random, all - drawn), taken = from[with];
            from[with] = from[drawn];
            from[drawn++] = taken;
            shuffled[o->row[i]] = column[taken];
        }
    free(from);
    return shuffled;
}

static double cost_of(const forest_case *c, const left_out *o, const float *const *columns,
                      const double *unit) {
    double sum = 0;
    size_t targets = c->data->targets;
    for (size_t i = 0; i < o->count; i++) {
        uint32_t leaf = spf_tree_walk_columns(o->tree, columns, o->row[i]);
        if (targets == 0)
            sum += o->units[i] * (spf_leaf_vote(o->tree, leaf) != c->data->labels[o->row[i]]);
        for (size_t t = 0; t < targets; t++) {
            double off = o->tree->leaf_value[leaf * targets + t] -
                         (double)spf_target_of(c->data, t)[o->row[i]];
            sum += o->units[i] * unit[t] * off * off;
        }
    }
    return sum / o->weight;
}

/* One, or one over the variance of each of several targets. */
static void target_units(const sporf_dataset *data, double *unit) {
    unit[0] = 1;
    for (size_t t = 0; data->targets > 1 && t < data->targets; t++) {
        double *values = need(data->rows, sizeof *values), *ones = need(data->rows, sizeof *ones);
        for (size_t i = 0; i < data->rows; i++) {
            values[i] = spf_target_of(data, t)[i];
            ones[i] = 1;
        }
        unit[t] = 1 / moments_of(values, ones, data->rows).variance / (double)data->targets;
        free(values);
        free(ones);
    }
}

/* Each feature by itself, and then a group of the first and the last. */
static shuffled_group group_at(const sporf_dataset *data, size_t number) {
    uint32_t features = (uint32_t)data->features;
    if (number < features) return (shuffled_group){{(uint32_t)number}, 1};
    return (shuffled_group){{0, features - 1}, features > 1 ? 2 : 1};
}

static void add_increases(const forest_case *c, const left_out *o, uint32_t tree, uint64_t seed,
                          double *increases) {
    double unit[4];
    const float **columns = need(c->data->features, sizeof *columns);
    target_units(c->data, unit);
    memcpy(columns, c->data->columns, c->data->features * sizeof *columns);
    double before = cost_of(c, o, columns, unit);
    for (uint32_t g = 0; g <= c->data->features; g++) {
        shuffled_group group = group_at(c->data, g);
        float *shuffled[2];
        for (size_t k = 0; k < group.count; k++) {
            shuffled[k] = full_shuffle(c, o, tree, &group, group.features[k], seed);
            columns[group.features[k]] = shuffled[k];
        }
        increases[g] = cost_of(c, o, columns, unit) - before;
        for (size_t k = 0; k < group.count; k++) {
            columns[group.features[k]] = c->data->columns[group.features[k]];
            free(shuffled[k]);
        }
    }
    free(columns);
}

static void assert_importances(const forest_case *c, const sporf_forest *forest, uint64_t seed) {
    size_t features = c->data->features, groups = features + 1, trees = forest->trees_count;
    size_t counted = 0;
    double *found = need(groups, sizeof *found), *errors = need(groups, sizeof *errors);
    double *increases = need(trees * groups, sizeof *increases);
    const size_t pair[] = {features - 1, 0};
    sporf_measure_options options;
    sporf_measure_options_init(&options);
    options.seed = seed;
    options.threads = 1 + seed % 3;
    assert_ok(sporf_forest_permutation_importances(forest, c->data, &options, NULL, found, errors));
    assert_ok(sporf_forest_group_importances(forest, c->data, &options, NULL,
                                             &(sporf_feature_group){pair, features > 1 ? 2 : 1}, 1,
                                             found + features, errors + features));
    for (uint32_t t = 0; t < trees; t++) {
        left_out o = find_left_out(c, forest, t);
        if (o.count > 0) add_increases(c, &o, t, seed, increases + counted++ * groups);
        drop_left_out(&o);
    }
    for (size_t j = 0; j < groups; j++) {
        double mean = 0, squares = 0, n = (double)counted;
        for (size_t t = 0; t < counted; t++) mean += increases[t * groups + j] / n;
        for (size_t t = 0; t < counted; t++) squares += pow(increases[t * groups + j] - mean, 2);
        double size = fmax(1, fabs(mean));
        assert_near(found[j], mean, 1e-9 * size);
        if (counted > 1)
            assert_near(errors[j], sqrt(squares / (n - 1) / n), 1e-7 * size);
        else
            assert_true(isnan(errors[j]));
    }
    free(found);
    free(errors);
    free(increases);
}

static void importances_are_as_defined(const forest_case *c, const sporf_forest *forest) {
    double found[64];
    if (has_votes(c, forest)) {
        assert_importances(c, forest, 5);
        return;
    }
    assert_refused(sporf_forest_permutation_importances(forest, c->data, NULL, NULL, found, NULL),
                   c->params.bag == SPORF_BAG_NONE ? SPORF_ERROR_ARGUMENT : SPORF_ERROR_DATA,
                   "no row");
}

static void permutation_importances_are_breimans(void **state) {
    (void)state;
    for_every_forest(importances_are_as_defined, 3);
}

/* ---- weights, honest trees, numbers ---------------------------------------------------------- */

static void check(const sporf_dataset *data, sporf_params params) {
    forest_case c = {.data = data, .params = params};
    sporf_forest *forest = NULL;
    c.params.trees = 5;
    c.params.seed = 3;
    assert_ok(sporf_forest_train(data, &c.params, NULL, &forest));
    if (data->targets == 0) strength_is_as_defined(&c, forest);
    assert_importances(&c, forest, 2);
    sporf_forest_free(forest);
}

static void rows_count_as_they_weigh(void **state) {
    (void)state;
    static const char *const bags[] = {"bootstrap", "stratified", "subsample"};
    for (size_t b = 0; b < 3; b++)
        for (size_t step = 1; step < 3; step++) {
            sporf_dataset *data =
                random_data(b == 1 ? DATA_MIXED : DATA_SMOOTH, 150, 4, 3, b + step);
            double weights[150];
            for (size_t i = 0; i < 150; i++) weights[i] = (double)(i % 4) / (double)step;
            assert_ok(sporf_dataset_set_weights(data, weights, 150));
            check(data, params_with("bag", bags[b], "class-weights", b == 2 ? "balanced" : "none",
                                    "honest", b == 1 ? "0.4" : "0", (char *)NULL));
            sporf_dataset_free(data);
        }
}

static void numbers_count_by_squared_errors(void **state) {
    (void)state;
    for (size_t targets = 1; targets <= 3; targets++) {
        sporf_dataset *data =
            with_targets(targets == 2 ? DATA_MIXED : DATA_SMOOTH, 120, 4, targets, targets);
        check(data, params_with("min-leaf", "4", "honest", targets == 3 ? "0.5" : "0", "scale",
                                "sd", (char *)NULL));
        sporf_dataset_free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(strength_and_correlation_are_breimans, name_broken_case),
        cmocka_unit_test_teardown(permutation_importances_are_breimans, name_broken_case),
        cmocka_unit_test(rows_count_as_they_weigh),
        cmocka_unit_test(numbers_count_by_squared_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
