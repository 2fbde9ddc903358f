/* Honest trees: what their leaves hold, that splits know nothing of it, and that all else is as
 * ever.
 * Labels: full */
#include "base/rng.h"
#include "data/dataset.h"

#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/wanted.h"

static sporf_forest *train(const sporf_dataset *data, const sporf_params *params) {
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_train(data, params, NULL, &forest));
    return forest;
}

/* ---- what the leaves hold -------------------------------------------------------------------- */

/* The bag of a tree, divided by the seed alone, and the leaves its rows end in. */
typedef struct {
    const forest_case *c;
    const spf_tree *tree;
    uint32_t *bag,
        *estimation; /* [rows]: weights of rows that choose splits, and that fill leaves */
    uint32_t *leaf;  /* [rows]: by the plain walk */
    int parted;
    size_t classes, repeated; /* leaves that hold what an ancestor's rows do */
} witness;

static witness open_witness(const forest_case *c, const sporf_forest *forest, uint32_t tree) {
    size_t rows = c->data->rows;
    witness w = {.c = c,
                 .tree = plain_tree(forest, tree),
                 .bag = need(rows, sizeof *w.bag),
                 .estimation = need(rows, sizeof *w.estimation),
                 .leaf = need(rows, sizeof *w.leaf),
                 .classes = c->data->targets ? 1 : c->data->schema.classes.count};
    bag_of_tree(c, tree, w.bag);
    w.parted = part_bag_of_tree(c, tree, w.bag, w.estimation) > 0;
    for (size_t i = 0; i < rows; i++)
        w.leaf[i] = spf_tree_walk_columns(w.tree, c->data->columns, i);
    return w;
}

static void free_witness(witness *w) {
    free(w->bag);
    free(w->estimation);
    free(w->leaf);
}

/* Weight of each class, and of each target times its values, in rows of some leaves. */
typedef struct {
    double weight, *of_class, *values;
} sums;

static void add_up(const witness *w, uint32_t first, uint32_t last, sums *s) {
    const sporf_dataset *data = w->c->data;
    const uint32_t *weights = w->parted ? w->estimation : w->bag;
    s->weight = 0;
    for (size_t k = 0; k < w->classes; k++) s->of_class[k] = 0;
    for (size_t t = 0; t < data->targets; t++) s->values[t] = 0;
    for (size_t i = 0; i < data->rows; i++) {
        if (w->leaf[i] < first || w->leaf[i] > last) continue;
        s->weight += weights[i];
        s->of_class[data->targets ? 0 : data->labels[i]] += weights[i];
        for (size_t t = 0; t < data->targets; t++)
            s->values[t] += weights[i] * (double)spf_target_of(data, t)[i];
    }
}

static void assert_leaf_holds(const witness *w, uint32_t leaf, const sums *s, double unit) {
    const spf_tree *tree = w->tree;
    uint32_t entry = tree->leaf_start[leaf];
    for (size_t k = 0; k < w->classes; k++) {
        if (s->of_class[k] == 0) continue;
        assert_true(entry < tree->leaf_start[leaf + 1]);
        assert_int_equal(tree->leaf_class[entry], k);
        assert_true(tree->leaf_weight[entry] == (float)(s->of_class[k] * unit));
        entry++;
    }
    assert_int_equal(entry, tree->leaf_start[leaf + 1]);
    size_t targets = w->c->data->targets;
    for (size_t t = 0; t < targets; t++)
        assert_near(tree->leaf_value[leaf * targets + t], s->values[t] / s->weight, 1e-4);
}

/* Looks for the nearest of a leaf's ancestors, itself included, that has rows, from the root
 * down. */
static void check_leaf(witness *w, uint32_t leaf, double unit) {
    const spf_tree *tree = w->tree;
    sums here = {0, need(w->classes, sizeof(double)), need(w->c->data->targets, sizeof(double))};
    sums found = {0, need(w->classes, sizeof(double)), need(w->c->data->targets, sizeof(double))};
    uint32_t at = 0, first = 0, last = tree->leaves_count - 1;
    for (;;) {
        add_up(w, first, last, &here);
        if (here.weight == 0) break;
        sums swap = found;
        found = here;
        here = swap;
        if (tree->nodes[at].right == 0) break;
        uint32_t middle = first; /* the first leaf of the right side */
        for (uint32_t i = at + 1; i < tree->nodes[at].right; i++)
            middle += tree->nodes[i].right == 0;
        if (leaf < middle)
            at++, last = middle - 1;
        else
            at = tree->nodes[at].right, first = middle;
    }
    w->repeated += here.weight == 0;
    assert_leaf_holds(w, leaf, &found, unit);
    free(here.of_class);
    free(here.values);
    free(found.of_class);
    free(found.values);
}

static size_t leaves_checked, leaves_repeated;

static void check_leaves(const forest_case *c, const sporf_forest *forest, double unit) {
    enum { MOST = 25 }; /* leaves of a tree: each takes a pass over the rows */
    for (uint32_t t = 0; t < forest->trees_count; t++) {
        witness w = open_witness(c, forest, t);
        uint32_t step = 1 + w.tree->leaves_count / MOST;
        for (uint32_t leaf = t % step; leaf < w.tree->leaves_count; leaf += step) {
            check_leaf(&w, leaf, unit);
            leaves_checked++;
        }
        leaves_repeated += w.repeated;
        free_witness(&w);
    }
}

static void leaves_are_those_of_the_rows_kept_for_them(const forest_case *given,
                                                       const sporf_forest *other) {
    static const double shares[] = {0.5, 0.2, 0.9};
    forest_case c = *given;
    c.params.honest = shares[given->params.criterion + (given->params.bag == SPORF_BAG_NONE)];
    sporf_forest *forest = train(c.data, &c.params);
    (void)other;
    check_leaves(&c, forest, 1);
    sporf_forest_free(forest);
}

static void leaves_hold_what_was_kept_for_them_or_their_nearest_ancestor(void **state) {
    (void)state;
    for_every_forest(leaves_are_those_of_the_rows_kept_for_them, 2);
    assert_true(leaves_repeated > leaves_checked / 20 && leaves_repeated < leaves_checked / 2);
}

static void so_do_leaves_of_large_trees(void **state) {
    (void)state;
    for_every_large_forest(leaves_are_those_of_the_rows_kept_for_them, 1);
}

static void so_do_leaves_of_numbers(void **state) {
    (void)state;
    static const data_kind kinds[] = {DATA_SMOOTH, DATA_TIED, DATA_MIXED};
    static const sporf_bag bags[] = {SPORF_BAG_BOOTSTRAP, SPORF_BAG_SUBSAMPLE, SPORF_BAG_NONE};
    for (size_t k = 0; k < 3; k++)
        for (size_t targets = 1; targets <= 3; targets += 2)
            for (uint32_t least = 1; least <= 5; least += 4) {
                sporf_dataset *data = with_targets(kinds[k], 400, 5, targets, k + 1);
                forest_case c = {data, params_with("trees", "3", "honest", "0.4", (char *)NULL)};
                c.params.bag = bags[(k + targets) % 3];
                c.params.min_leaf = least;
                sporf_forest *forest = train(data, &c.params);
                check_leaves(&c, forest, 1);
                sporf_forest_free(forest);
                sporf_dataset_free(data);
            }
}

static void so_do_leaves_of_weighted_rows(void **state) {
    (void)state;
    enum { ROWS = 300 };
    static const sporf_bag bags[] = {SPORF_BAG_BOOTSTRAP, SPORF_BAG_STRATIFIED, SPORF_BAG_SUBSAMPLE,
                                     SPORF_BAG_NONE};
    for (size_t targets = 0; targets <= 1; targets++)
        for (size_t b = 0; b < 4; b++) {
            if (targets && bags[b] == SPORF_BAG_STRATIFIED) continue;
            sporf_dataset *data = targets ? with_targets(DATA_SMOOTH, ROWS, 4, 1, 3)
                                          : random_data(DATA_SMOOTH, ROWS, 4, 3, 3);
            double weights[ROWS];
            for (size_t i = 0; i < ROWS; i++) weights[i] = (double)(i % 5) / 4;
            assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
            forest_case c = {data, params_with("trees", "3", "honest", "0.5", (char *)NULL)};
            c.params.bag = bags[b];
            c.params.weight_is = SPORF_WEIGHT_COUNT;
            if (!targets) c.params.class_weights = "1=2";
            sporf_forest *forest = train(data, &c.params);
            int drawn = bags[b] == SPORF_BAG_BOOTSTRAP || bags[b] == SPORF_BAG_STRATIFIED;
            check_leaves(&c, forest, drawn ? 1 : 0.25); /* weights are kept in quarters */
            sporf_forest_free(forest);
            sporf_dataset_free(data);
        }
}

/* With halves of equal size and leaves of many rows none goes without. */
static void large_leaves_need_no_ancestor(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 2000, 4, 3, 1);
    forest_case c = {data, params_with("trees", "4", "bag", "subsample", "min-leaf", "30", "honest",
                                       "0.5", (char *)NULL)};
    sporf_forest *forest = train(data, &c.params);
    leaves_repeated = 0;
    check_leaves(&c, forest, 1);
    assert_int_equal(leaves_repeated, 0);
    for (size_t t = 0; t < 4; t++) {
        const spf_tree *tree = plain_tree(forest, t);
        double sum = 0;
        assert_true(tree->leaves_count > 3);
        for (uint32_t i = 0; i < tree->leaf_start[tree->leaves_count]; i++)
            sum += tree->leaf_weight[i];
        assert_true(sum == 632); /* half of .632 x 2000 */
    }
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- honesty --------------------------------------------------------------------------------- */

/* Gives all rows but those that choose the splits of the tree another label or number. */
static void lie(const forest_case *c, sporf_dataset *data, uint32_t tree) {
    uint32_t *bag = need(data->rows, sizeof *bag), *apart = need(data->rows, sizeof *apart);
    sporf_random random = spf_random_start(9, tree, SPF_USE_SIMULATE);
    bag_of_tree(c, tree, bag);
    part_bag_of_tree(c, tree, bag, apart);
    for (size_t i = 0; i < data->rows; i++) {
        if (bag[i] > 0) continue;
        if (data->targets)
            data->target_storage[i] = (float)(100 * spf_random_normal(&random));
        else
            data->labels[i] = spf_random_below(&random, (uint32_t)data->schema.classes.count);
    }
    free(bag);
    free(apart);
}

static size_t trees_told_apart;

static void assert_lies_change_no_split(const forest_case *c) {
    sporf_dataset *data = (sporf_dataset *)(void *)(uintptr_t)c->data; /* restored below */
    size_t size = data->rows * sizeof(uint32_t);
    void *truth = need(data->rows, sizeof(uint32_t)),
         *told = data->targets ? (void *)data->target_storage : (void *)data->labels;
    sporf_forest *honest = train(data, &c->params);
    memcpy(truth, told, size);
    for (uint32_t t = 0; t < c->params.trees; t++) {
        lie(c, data, t);
        sporf_forest *deceived = train(data, &c->params);
        memcpy(told, truth, size);
        assert_true(same_splits(plain_tree(honest, t), plain_tree(deceived, t)));
        trees_told_apart +=
            !same_tree(plain_tree(honest, t), plain_tree(deceived, t)) || data->targets > 0;
        sporf_forest_free(deceived);
    }
    sporf_forest_free(honest);
    free(truth);
}

static void splits_are_chosen_without_them(const forest_case *given, const sporf_forest *forest) {
    forest_case c = *given;
    (void)forest;
    if (c.params.bag == SPORF_BAG_STRATIFIED) return; /* is drawn by the labels of all rows */
    c.params.honest = 0.5;
    assert_lies_change_no_split(&c);
}

static void splits_do_not_know_the_labels_of_rows_that_fill_leaves(void **state) {
    (void)state;
    trees_told_apart = 0;
    for_every_forest(splits_are_chosen_without_them, 2);
    assert_true(trees_told_apart > 500);
}

static void nor_do_splits_of_large_trees(void **state) {
    (void)state;
    for_every_large_forest(splits_are_chosen_without_them, 1);
}

static void nor_do_splits_of_trees_that_predict_numbers(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc", "patch", "rr-rf"};
    for (size_t m = 0; m < 5; m++)
        for (size_t k = 0; k < 2; k++) {
            data_kind kind = k && m < 4 ? DATA_MIXED : DATA_SMOOTH;
            sporf_dataset *data = with_targets(kind, 350, 5, 1, m + 1);
            forest_case c = {data, params_with("method", methods[m], "trees", "2", "honest", "0.5",
                                               "bag", k ? "none" : "bootstrap", (char *)NULL)};
            assert_lies_change_no_split(&c);
            sporf_dataset_free(data);
        }
}

/* In a table without missing values nothing is known about those to come but the weights of both
 * sides. */
static void missing_values_to_come_go_where_more_rows_chose_splits(void **state) {
    (void)state;
    enum { TREES = 5 };
    size_t splits = 0;
    sporf_dataset *data = random_data(DATA_SMOOTH, 300, 4, 3, 2);
    forest_case c = {data,
                     params_with("bag", "subsample", "trees", "5", "honest", "0.6", (char *)NULL)};
    sporf_forest *forest = train(data, &c.params);
    for (uint32_t t = 0; t < TREES; t++) {
        witness w = open_witness(&c, forest, t);
        uint32_t *below = need(w.tree->nodes_count, sizeof *below);
        for (uint32_t i = w.tree->nodes_count; i-- > 0;) {
            const spf_node *node = &w.tree->nodes[i];
            if (node->right == 0) {
                for (size_t r = 0; r < data->rows; r++)
                    below[i] += w.leaf[r] == node->content ? w.bag[r] : 0;
                continue;
            }
            below[i] = below[i + 1] + below[node->right];
            int left = (node->content & SPF_MISSING_LEFT) != 0;
            assert_int_equal(left, below[i + 1] > below[node->right]);
            splits++;
        }
        free(below);
        free_witness(&w);
    }
    assert_true(splits > 50);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* A sampler that wants to know whom it sees. */
typedef struct {
    const forest_case *c;
    uint32_t **bags; /* [trees]: of rows that choose splits */
    size_t seen;
    int faults;
} spy;

static void look(spy *s, const sporf_view *view) {
    const uint32_t *bag = s->bags[view->tree];
    for (size_t i = 0; i < view->rows; i++) {
        s->faults += bag[view->row[i]] != view->weight[i];
        s->faults += view->label[i] != s->c->data->labels[view->row[i]];
    }
    s->seen += view->rows;
}

static sporf_status look_first(void *payload, const sporf_view *view, sporf_random *random,
                               sporf_projections *basis, void **state) {
    (void)random, (void)basis, (void)state;
    look(payload, view);
    return SPORF_OK;
}

static sporf_status look_and_draw(void *payload, void *state, const sporf_view *view,
                                  sporf_random *random, sporf_projections *candidates) {
    const float one = 1;
    uint32_t feature = sporf_random_below(random, (uint32_t)view->features);
    (void)state;
    look(payload, view);
    return sporf_projections_add(candidates, 1, &feature, &one);
}

static void a_sampler_sees_no_row_that_fills_leaves(void **state) {
    (void)state;
    enum { TREES = 3 };
    sporf_dataset *data = random_data(DATA_SMOOTH, 9000, 5, 3, 4);
    forest_case c = {data,
                     params_with("trees", "3", "threads", "1", "honest", "0.5", (char *)NULL)};
    uint32_t *bags[TREES], *apart = need(data->rows, sizeof *apart);
    spy s = {.c = &c, .bags = bags};
    const sporf_sampler sampler = {
        .name = "spy", .payload = &s, .prepare = look_first, .draw = look_and_draw};
    sporf_hooks hooks;
    sporf_forest *forest = NULL;
    c.params.bag = SPORF_BAG_BOOTSTRAP;
    for (uint32_t t = 0; t < TREES; t++) {
        bags[t] = need(data->rows, sizeof *bags[t]);
        bag_of_tree(&c, t, bags[t]);
        part_bag_of_tree(&c, t, bags[t], apart);
    }
    sporf_hooks_init(&hooks);
    hooks.sampler = &sampler;
    assert_ok(sporf_forest_train(data, &c.params, &hooks, &forest));
    assert_int_equal(s.faults, 0);
    assert_true(s.seen > 3 * TREES * 2500);
    check_leaves(&c, forest, 1);
    for (uint32_t t = 0; t < TREES; t++) free(bags[t]);
    free(apart);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- out of bag ------------------------------------------------------------------------------ */

static void votes_are_those_of_rows_out_of_bag(const forest_case *given,
                                               const sporf_forest *other) {
    forest_case c = *given;
    c.params.honest = 0.5;
    (void)other;
    size_t classes = c.data->schema.classes.count;
    sporf_forest *forest = train(c.data, &c.params);
    uint32_t *votes = need(c.data->rows * classes, sizeof *votes);
    for (uint32_t t = 0; t < forest->trees_count; t++) {
        witness w = open_witness(&c, forest, t);
        for (size_t i = 0; i < c.data->rows; i++)
            if (w.bag[i] + w.estimation[i] == 0)
                votes[i * classes + spf_leaf_vote(w.tree, w.leaf[i])]++;
        free_witness(&w);
    }
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    if (c.params.bag == SPORF_BAG_NONE)
        assert_true(oob.rows == 0 && !oob.votes && !oob.curve);
    else
        assert_memory_equal(oob.votes, votes, c.data->rows * classes * sizeof *votes);
    free(votes);
    sporf_forest_free(forest);
}

static void rows_that_fill_leaves_are_not_out_of_bag(void **state) {
    (void)state;
    for_every_forest(votes_are_those_of_rows_out_of_bag, 3);
}

/* ---- threads --------------------------------------------------------------------------------- */

static void assert_same_bytes(const sporf_forest *a, const sporf_forest *b) {
    void *bytes[2];
    size_t size[2];
    assert_ok(sporf_forest_save_bytes(a, &bytes[0], &size[0]));
    assert_ok(sporf_forest_save_bytes(b, &bytes[1], &size[1]));
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    sporf_free(bytes[0]);
    sporf_free(bytes[1]);
}

static void assert_threads_change_nothing(const sporf_dataset *data, sporf_params params) {
    params.honest = 0.3;
    params.threads = 1;
    sporf_forest *one = train(data, &params);
    params.threads = 4;
    sporf_forest *four = train(data, &params);
    assert_same_bytes(one, four);
    sporf_forest_free(one);
    sporf_forest_free(four);
}

/* With so many rows, 10,000 of a tree that choose splits, trees are grown in branches. */
static void threads_do_not_change_a_byte_of_honest_forests(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "rr-rf", "ccf"};
    for (size_t n = 0; n < 7; n++) {
        size_t targets = n > 4 ? n - 4 : 0;
        data_kind kind = n < 4 ? DATA_SMOOTH : DATA_MIXED;
        sporf_dataset *data =
            targets ? with_targets(kind, 24000, 5, targets, n) : random_data(kind, 24000, 5, 3, n);
        assert_threads_change_nothing(
            data, params_with("trees", "1", "min-leaf", "9", "projections", "2", "method",
                              methods[n < 4 ? n : 0], "bag", "bootstrap", (char *)NULL));
        sporf_dataset_free(data);
    }
}

/* ---- small tables ---------------------------------------------------------------------------- */

static void check_probabilities(const sporf_forest *forest, const sporf_dataset *data) {
    size_t classes = data->schema.classes.count;
    double *shares = need(data->rows * classes, sizeof *shares);
    sporf_predict_options options;
    sporf_predict_options_init(&options);
    options.combine = SPORF_COMBINE_POSTERIORS;
    assert_ok(sporf_forest_predict(forest, data, &options, WANTED(.probabilities = shares)));
    for (size_t i = 0; i < data->rows; i++) {
        double sum = 0;
        for (size_t k = 0; k < classes; k++) sum += shares[i * classes + k];
        assert_near(sum, 1, 1e-12);
    }
    free(shares);
}

static void tables_of_a_few_rows_have_honest_forests(void **state) {
    (void)state;
    static const char *const bags[] = {"bootstrap", "subsample", "none", "stratified"};
    for (size_t rows = 2; rows <= 6; rows++)
        for (size_t targets = 0; targets <= 1; targets++)
            for (size_t b = 0; b < 4 - targets; b++) {
                sporf_dataset *data = targets ? with_targets(DATA_SMOOTH, rows, 2, 1, rows)
                                              : random_data(DATA_SMOOTH, rows, 2, 2, rows);
                sporf_forest *forest =
                    train_with(data, "trees", "30", "honest", "0.5", "bag", bags[b], (char *)NULL);
                double values[6];
                if (targets) {
                    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.values = values)));
                    for (size_t i = 0; i < rows; i++) assert_true(isfinite(values[i]));
                } else {
                    check_probabilities(forest, data);
                }
                sporf_forest_free(forest);
                sporf_dataset_free(data);
            }
}

/* A class of one row: either it chooses splits or it is seen in a leaf. */
static void a_class_may_be_rare(void **state) {
    (void)state;
    enum { ROWS = 40, TREES = 50 };
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 3, 2, 1);
    for (size_t i = 0; i < ROWS; i++) data->labels[i] = i == 7;
    sporf_forest *forest =
        train_with(data, "trees", "50", "honest", "0.5", "bag", "none", (char *)NULL);
    size_t seen = 0;
    check_probabilities(forest, data);
    for (size_t t = 0; t < TREES; t++) {
        const spf_tree *tree = plain_tree(forest, t);
        double of_one = 0;
        for (uint32_t i = 0; i < tree->leaf_start[tree->leaves_count]; i++)
            of_one += tree->leaf_class[i] == 1 ? tree->leaf_weight[i] : 0;
        assert_true(of_one == (tree->nodes_count == 1)); /* else the leaves know one class */
        seen += of_one > 0;
    }
    assert_true(seen > TREES / 5 && seen < TREES - TREES / 5);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- weights --------------------------------------------------------------------------------- */

static void weights_times_a_power_of_two_change_nothing_but_the_leaves(void **state) {
    (void)state;
    enum { ROWS = 500, EXPONENT = 7 };
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 3, 6);
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++) weights[i] = (double)(1 + i % 3);
    sporf_params params = params_with("bag", "none", "trees", "3", "honest", "0.5", (char *)NULL);
    params.min_leaf = 2;
    params.weight_is = SPORF_WEIGHT_COUNT;
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    sporf_forest *small = train(data, &params);
    for (size_t i = 0; i < ROWS; i++) weights[i] = ldexp(weights[i], EXPONENT);
    params.min_leaf <<= EXPONENT;
    params.min_split <<= EXPONENT;
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    sporf_forest *large = train(data, &params);
    for (size_t t = 0; t < 3; t++) {
        const spf_tree *a = plain_tree(small, t), *b = plain_tree(large, t);
        assert_true(same_splits(a, b));
        for (uint32_t i = 0; i < a->leaf_start[a->leaves_count]; i++)
            assert_true(b->leaf_weight[i] == ldexpf(a->leaf_weight[i], EXPONENT));
    }
    sporf_forest_free(small);
    sporf_forest_free(large);
    sporf_dataset_free(data);
}

/* ---- the setting ----------------------------------------------------------------------------- */

static void the_share_is_kept_in_the_model(void **state) {
    (void)state;
    static const char *const shares[] = {"0", "0.5", "0.25"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 50, 3, 2, 1);
    for (size_t s = 0; s < 3; s++) {
        sporf_forest *forest = train_with(data, "trees", "2", "honest", shares[s], (char *)NULL);
        assert_string_equal(sporf_forest_setting(forest, "honest"), shares[s]);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(leaves_hold_what_was_kept_for_them_or_their_nearest_ancestor,
                                  name_broken_case),
        cmocka_unit_test_teardown(so_do_leaves_of_large_trees, name_broken_case),
        cmocka_unit_test(so_do_leaves_of_numbers),
        cmocka_unit_test(so_do_leaves_of_weighted_rows),
        cmocka_unit_test(large_leaves_need_no_ancestor),
        cmocka_unit_test_teardown(splits_do_not_know_the_labels_of_rows_that_fill_leaves,
                                  name_broken_case),
        cmocka_unit_test_teardown(nor_do_splits_of_large_trees, name_broken_case),
        cmocka_unit_test(nor_do_splits_of_trees_that_predict_numbers),
        cmocka_unit_test(missing_values_to_come_go_where_more_rows_chose_splits),
        cmocka_unit_test(a_sampler_sees_no_row_that_fills_leaves),
        cmocka_unit_test_teardown(rows_that_fill_leaves_are_not_out_of_bag, name_broken_case),
        cmocka_unit_test_teardown(threads_do_not_change_a_byte_of_honest_forests, name_broken_case),
        cmocka_unit_test(tables_of_a_few_rows_have_honest_forests),
        cmocka_unit_test(a_class_may_be_rare),
        cmocka_unit_test(weights_times_a_power_of_two_change_nothing_but_the_leaves),
        cmocka_unit_test(the_share_is_kept_in_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
