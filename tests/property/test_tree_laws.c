/* What holds in every node of every tree, recomputed by walking the training rows from the root:
 * the bag is where the leaves say, limits are kept, and a random forest with all features takes the
 * best cut there is. */
#include "model/validate.h"

#include "data/dataset.h"

#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/wanted.h"

/* Weight of each class in each node, from the rows that pass it. */
typedef struct {
    const spf_tree *tree;
    size_t classes;
    uint64_t *weight; /* nodes x classes */
    uint64_t *total;  /* [nodes] */
    uint32_t *depth;
    float *left, *right; /* [nodes]: the largest value that went left, the least that went right */
} passage;

static float project(const spf_tree *tree, const sporf_dataset *data, const spf_node *node,
                     size_t row) {
    return spf_tree_project(tree, spf_split_projection(node), data->columns, row);
}

static int goes_to_the_left(const spf_node *node, float value) {
    return isnan(value) ? (node->content & SPF_MISSING_LEFT) != 0 : value <= node->threshold;
}

static passage pass_rows(const forest_case *c, const spf_tree *tree, const uint32_t *bag) {
    passage p = {.tree = tree, .classes = sporf_dataset_classes(c->data)};
    p.weight = need(tree->nodes_count * p.classes, sizeof *p.weight);
    p.total = need(tree->nodes_count, sizeof *p.total);
    p.depth = need(tree->nodes_count, sizeof *p.depth);
    p.left = need(tree->nodes_count, sizeof *p.left);
    p.right = need(tree->nodes_count, sizeof *p.right);
    for (uint32_t i = 0; i < tree->nodes_count; i++) {
        p.left[i] = -INFINITY;
        p.right[i] = INFINITY;
    }
    for (uint32_t i = 0; i < tree->nodes_count; i++)
        if (tree->nodes[i].right) p.depth[i + 1] = p.depth[tree->nodes[i].right] = p.depth[i] + 1;
    for (size_t row = 0; row < sporf_dataset_rows(c->data); row++) {
        uint32_t at = 0, label = sporf_dataset_labels(c->data)[row];
        for (;;) {
            const spf_node *node = &tree->nodes[at];
            p.weight[at * p.classes + label] += bag[row];
            p.total[at] += bag[row];
            if (node->right == 0) break;
            float value = project(tree, c->data, node, row);
            int goes_left = goes_to_the_left(node, value);
            if (bag[row] > 0 && goes_left) p.left[at] = fmaxf(p.left[at], value);
            if (bag[row] > 0 && !goes_left) p.right[at] = fminf(p.right[at], value);
            at = goes_left ? at + 1 : node->right;
        }
    }
    return p;
}

static void free_passage(passage *p) {
    free(p->weight);
    free(p->total);
    free(p->depth);
    free(p->left);
    free(p->right);
}

static size_t present(const passage *p, uint32_t node) {
    size_t count = 0;
    for (size_t k = 0; k < p->classes; k++) count += p->weight[node * p->classes + k] > 0;
    return count;
}

/* ---- every forest ---------------------------------------------------------------------------- */

static void assert_leaf_holds(const passage *p, uint32_t node) {
    const spf_tree *tree = p->tree;
    uint32_t leaf = tree->nodes[node].content, entry = tree->leaf_start[leaf];
    for (uint32_t k = 0; k < p->classes; k++) {
        uint64_t weight = p->weight[node * p->classes + k];
        if (weight == 0) continue;
        assert_true(entry < tree->leaf_start[leaf + 1]);
        assert_int_equal(tree->leaf_class[entry], k);
        assert_true(tree->leaf_weight[entry] == (float)weight);
        entry++;
    }
    assert_int_equal(entry, tree->leaf_start[leaf + 1]);
}

static void assert_limits(const forest_case *c, const passage *p, uint32_t node) {
    const spf_node *at = &p->tree->nodes[node];
    assert_true(p->total[node] > 0);
    assert_true(c->params.max_depth == 0 || p->depth[node] <= c->params.max_depth);
    if (at->right == 0) return;
    assert_true(present(p, node) > 1);
    assert_true(p->total[node] >= c->params.min_split);
    assert_true(p->total[node + 1] >= c->params.min_leaf);
    assert_true(p->total[at->right] >= c->params.min_leaf);
    int differs = 0; /* a split that leaves all class shares as they were gains nothing */
    for (size_t k = 0; k < p->classes && !differs; k++)
        differs = p->weight[(node + 1) * p->classes + k] * p->total[node] !=
                  p->weight[node * p->classes + k] * p->total[node + 1];
    assert_true(differs);
}

/* However the cut was found, its threshold lies half way between the rows on its two sides. */
static void assert_half_way(const passage *p, uint32_t node) {
    float a = p->left[node], b = p->right[node];
    float middle = (float)(((double)a + (double)b) / 2), threshold = p->tree->nodes[node].threshold;
    if (isinf(a) || isinf(b)) { /* the rows on that side have no value */
        assert_true(a <= threshold && threshold < b && fabsf(threshold) == 0x1p127f);
        return;
    }
    if (threshold != (middle < b ? middle : a))
        fail_msg("node %u: threshold %.9g between %.9g and %.9g", node, threshold, a, b);
}

static void bag_is_in_the_leaves(const forest_case *c, const sporf_forest *forest) {
    uint32_t *bag = need(sporf_dataset_rows(c->data), sizeof *bag);
    for (uint32_t t = 0; t < forest->trees_count; t++) {
        const spf_tree *tree = plain_tree(forest, t);
        spf_tree_extent extent = {tree->projection_start[tree->projections_count],
                                  tree->leaf_start[tree->leaves_count]};
        assert_ok(spf_tree_validate(tree, &extent, forest->features, forest->classes, t));
        bag_of_tree(c, t, bag);
        passage p = pass_rows(c, tree, bag);
        for (uint32_t node = 0; node < tree->nodes_count; node++) {
            assert_limits(c, &p, node);
            if (tree->nodes[node].right == 0)
                assert_leaf_holds(&p, node);
            else
                assert_half_way(&p, node);
        }
        free_passage(&p);
    }
    free(bag);
}

static void every_leaf_holds_the_bag_that_walks_into_it(void **state) {
    (void)state;
    for_every_forest(bag_is_in_the_leaves, 4);
    for_every_large_forest(bag_is_in_the_leaves, 1);
}

static void keeps_limits(const forest_case *c, const sporf_forest *forest) {
    static const struct {
        uint32_t depth, split, leaf;
    } limits[] = {{1, 2, 1}, {3, 2, 1}, {0, 30, 1}, {0, 2, 7}, {4, 12, 5}, {0, 2, 1000000}};
    (void)forest;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        forest_case limited = *c;
        limited.params.max_depth = limits[i].depth;
        limited.params.min_split = limits[i].split;
        limited.params.min_leaf = limits[i].leaf;
        sporf_forest *other = NULL;
        assert_ok(sporf_forest_train(c->data, &limited.params, NULL, &other));
        bag_is_in_the_leaves(&limited, other);
        sporf_forest_free(other);
    }
}

static void limits_of_depth_and_size_are_kept_in_every_node(void **state) {
    (void)state;
    for_every_forest(keeps_limits, 1);
}

/* A direction of a tree's basis is stored once, however often it is used, unless it is so short
 * that splits hold it themselves. */
static void stores_projections_sparingly(const forest_case *c, const sporf_forest *forest) {
    for (size_t t = 0; t < forest->trees_count; t++) {
        const spf_tree *tree = plain_tree(forest, t);
        uint32_t splits = tree->nodes_count - tree->leaves_count;
        char *used = need(tree->projections_count, 1);
        for (uint32_t i = 0; i < tree->nodes_count; i++)
            if (tree->nodes[i].right) used[spf_split_projection(&tree->nodes[i])] = 1;
        for (uint32_t i = 0; i < tree->projections_count; i++) assert_true(used[i]);
        assert_true(tree->projections_count <= splits);
        if (c->params.method == SPORF_METHOD_RR_RF && forest->features > SPF_SHORT_TERMS)
            assert_true(tree->projections_count <= forest->features);
        free(used);
    }
}

static void no_projection_is_stored_without_use(void **state) {
    (void)state;
    for_every_forest(stores_projections_sparingly, 2);
    for_every_large_forest(stores_projections_sparingly, 1);
}

/* ---- random forests with all features -------------------------------------------------------- */

static double child_score(const uint64_t *count, size_t classes, sporf_criterion criterion) {
    double sum = 0, all = 0;
    for (size_t k = 0; k < classes; k++) all += (double)count[k];
    for (size_t k = 0; k < classes; k++)
        if (count[k] > 0)
            sum += criterion == SPORF_GINI ? (double)count[k] * (double)count[k] / all
                                           : (double)count[k] * log((double)count[k] / all);
    return sum;
}

typedef struct {
    const forest_case *c;
    const uint32_t *bag;
    const uint32_t *node_of_row; /* the node each row is in */
    uint32_t node;
    size_t classes;
} place;

/* The score of cutting a node at `value` of a feature; 0 if a child were too small. */
static int score_of(const place *at, size_t feature, float value, double *score) {
    uint64_t counts[2][8] = {{0}}, totals[2] = {0};
    const sporf_dataset *data = at->c->data;
    for (size_t row = 0; row < sporf_dataset_rows(data); row++) {
        if (at->node_of_row[row] != at->node || at->bag[row] == 0) continue;
        int side = sporf_dataset_feature(data, feature)[row] > value;
        counts[side][sporf_dataset_labels(data)[row]] += at->bag[row];
        totals[side] += at->bag[row];
    }
    *score = child_score(counts[0], at->classes, at->c->params.criterion) +
             child_score(counts[1], at->classes, at->c->params.criterion);
    return totals[0] >= at->c->params.min_leaf && totals[1] >= at->c->params.min_leaf;
}

/* The best score of any cut of any feature; 0 if there is none. */
static int best_score(const place *at, double *best) {
    int found = 0;
    double score;
    for (size_t j = 0; j < sporf_dataset_features(at->c->data); j++)
        for (size_t row = 0; row < sporf_dataset_rows(at->c->data); row++)
            if (at->node_of_row[row] == at->node && at->bag[row] > 0 &&
                score_of(at, j, sporf_dataset_feature(at->c->data, j)[row], &score) &&
                (!found || score > *best)) {
                *best = score;
                found = 1;
            }
    return found;
}

/* In preorder, all rows of a node are in it when it is reached; a split sends them on. */
static void check_greedy(const forest_case *c, const spf_tree *tree, const uint32_t *bag) {
    size_t rows = sporf_dataset_rows(c->data), classes = sporf_dataset_classes(c->data);
    uint32_t *node_of_row = need(rows, sizeof *node_of_row);
    passage p = pass_rows(c, tree, bag);
    for (uint32_t i = 0; i < tree->nodes_count; i++) {
        place at = {c, bag, node_of_row, i, classes};
        const spf_node *node = &tree->nodes[i];
        double best = 0, own = child_score(p.weight + i * classes, classes, c->params.criterion);
        int found = present(&p, i) > 1 && p.total[i] >= c->params.min_split &&
                    (c->params.max_depth == 0 || p.depth[i] < c->params.max_depth) &&
                    best_score(&at, &best);
        int gains = found && best > own + 1e-9;
        if (gains != (node->right != 0)) fail_msg("node %u of %u", i, tree->nodes_count);
        if (!gains) continue;
        double score;
        uint32_t feature = tree->term_feature[tree->projection_start[spf_split_projection(node)]];
        assert_true(score_of(&at, feature, node->threshold, &score));
        assert_near(score, best, 1e-9 * fabs(best) + 1e-9);
        for (size_t row = 0; row < rows; row++)
            if (node_of_row[row] == i)
                node_of_row[row] =
                    project(tree, c->data, node, row) <= node->threshold ? i + 1 : node->right;
    }
    free_passage(&p);
    free(node_of_row);
}

static void check_random_forest(sporf_dataset *data, const sporf_params *params) {
    forest_case c = {data, *params};
    sporf_forest *forest = NULL;
    uint32_t *bag = need(sporf_dataset_rows(data), sizeof *bag);
    assert_ok(sporf_forest_train(data, params, NULL, &forest));
    for (uint32_t t = 0; t < forest->trees_count; t++) {
        bag_of_tree(&c, t, bag);
        check_greedy(&c, plain_tree(forest, t), bag);
    }
    free(bag);
    sporf_forest_free(forest);
}

static void a_random_forest_with_all_features_takes_the_best_cut_of_all(void **state) {
    (void)state;
    static const data_kind kinds[] = {DATA_SMOOTH, DATA_TIED, DATA_CONSTANT, DATA_NOISE};
    static const char *const limits[][2] = {
        {"min-leaf", "1"}, {"min-leaf", "4"}, {"min-split", "9"}, {"max-depth", "3"}};
    for (size_t k = 0; k < 4; k++)
        for (size_t l = 0; l < 4; l++)
            for (int criterion = 0; criterion < 2; criterion++) {
                sporf_dataset *data = random_data(kinds[k], 60, 3, 4, k + 1);
                sporf_params params = params_with(
                    "method", "rf", "trees", "2", "criterion", criterion ? "entropy" : "gini",
                    "bag", "bootstrap", limits[l][0], limits[l][1], (char *)NULL);
                check_random_forest(data, &params);
                sporf_dataset_free(data);
            }
}

/* In nodes of any size, where it is asked for. */
static void an_exact_search_takes_the_best_cut_of_large_nodes_too(void **state) {
    (void)state;
    static const data_kind kinds[] = {DATA_SMOOTH, DATA_TIED, DATA_NOISE, DATA_BYTES};
    for (size_t k = 0; k < 4; k++)
        for (size_t classes = 2; classes <= 4; classes += 2) {
            sporf_dataset *data = random_data(kinds[k], 1000, 3, classes, k + 1);
            sporf_params params =
                params_with("method", "rf", "projections", "p", "trees", "1", "criterion",
                            k % 2 ? "entropy" : "gini", "bag", "bootstrap", "split", "exact",
                            "max-depth", "4", (char *)NULL);
            check_random_forest(data, &params);
            sporf_dataset_free(data);
        }
}

static void fully_grown_trees_know_their_training_rows(void **state) {
    (void)state;
    static const char *const methods[] = {"rf", "sporf", "frc", "rr-rf", "ccf"};
    sporf_dataset *data = random_data(DATA_NOISE, 300, 5, 6, 1);
    uint32_t predicted[300];
    for (size_t m = 0; m < 5; m++) {
        sporf_forest *forest = train_with(data, "method", methods[m], "bag", "none", "trees", "3",
                                          "projections", "p", (char *)NULL);
        for (size_t t = 0; t < 3; t++)
            assert_int_equal(plain_tree(forest, t)->leaf_start[plain_tree(forest, t)->leaves_count],
                             plain_tree(forest, t)->leaves_count);
        assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.classes = predicted)));
        assert_memory_equal(predicted, sporf_dataset_labels(data), sizeof predicted);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

/* Four points of an exclusive or: no cut of one feature changes the shares, an oblique one does. */
static void a_split_that_gains_nothing_is_not_made(void **state) {
    (void)state;
    const float values[] = {0, 0, 0, 1, 1, 0, 1, 1};
    const int64_t labels[] = {0, 1, 1, 0};
    sporf_matrix matrix = {values, SPORF_FLOAT32, 4, 2, 2, 1};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, 4));
    for (int criterion = 0; criterion < 2; criterion++) {
        const char *name = criterion ? "entropy" : "gini";
        sporf_forest *axis = train_with(data, "method", "rf", "bag", "none", "trees", "1",
                                        "criterion", name, (char *)NULL);
        sporf_forest *oblique =
            train_with(data, "method", "sporf", "bag", "none", "trees", "1", "density", "1",
                       "projections", "10", "criterion", name, (char *)NULL);
        assert_int_equal(plain_tree(axis, 0)->nodes_count, 1);
        assert_int_equal(plain_tree(oblique, 0)->leaves_count, 3);
        sporf_forest_free(axis);
        sporf_forest_free(oblique);
    }
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_leaf_holds_the_bag_that_walks_into_it, name_broken_case),
        cmocka_unit_test_teardown(limits_of_depth_and_size_are_kept_in_every_node,
                                  name_broken_case),
        cmocka_unit_test_teardown(no_projection_is_stored_without_use, name_broken_case),
        cmocka_unit_test(a_random_forest_with_all_features_takes_the_best_cut_of_all),
        cmocka_unit_test(an_exact_search_takes_the_best_cut_of_large_nodes_too),
        cmocka_unit_test(fully_grown_trees_know_their_training_rows),
        cmocka_unit_test(a_split_that_gains_nothing_is_not_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
