/* The plain walk on trees small enough to follow by hand. */
#include "model/forest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/plain_tree.h"
#include "support/random_forest.h"

/* One split on 2 x[0] - x[1] <= 1; the left leaf holds a tie of classes 1 and 3, the right leaf
 * class 0 once and class 2 three times. */
static const spf_node stump_nodes[] = {{1.0f, 2, 0}, {0, 0, 0}, {0, 0, 1}};
static const spf_tree stump = {
    .nodes_count = 3,
    .projections_count = 1,
    .leaves_count = 2,
    .features = 2,
    .nodes = stump_nodes,
    .projection_start = (const uint32_t[]){0, 2},
    .term_feature = (const uint32_t[]){0, 1},
    .term_weight = (const float[]){2, -1},
    .leaf_start = (const uint32_t[]){0, 2, 4},
    .leaf_class = (const uint32_t[]){1, 3, 0, 2},
    .leaf_weight = (const float[]){2, 2, 1, 3},
};

static uint32_t walk(const spf_tree *tree, float x0, float x1) {
    const float row[] = {x0, x1}, *const columns[] = {&row[0], &row[1]};
    uint32_t by_row = spf_tree_walk_row(tree, row);
    assert_int_equal(by_row, spf_tree_walk_columns(tree, columns, 0));
    return by_row;
}

static void a_single_leaf_takes_every_row(void **state) {
    (void)state;
    static const spf_node nodes[] = {{0, 0, 0}};
    static const uint32_t none[] = {0};
    const spf_tree tree = {.nodes_count = 1,
                           .leaves_count = 1,
                           .nodes = nodes,
                           .projection_start = none,
                           .leaf_start = (const uint32_t[]){0, 1},
                           .leaf_class = (const uint32_t[]){5},
                           .leaf_weight = (const float[]){7}};
    double totals[6] = {0};
    assert_int_equal(walk(&tree, -1e30f, 1e30f), 0);
    assert_int_equal(spf_leaf_vote(&tree, 0), 5);
    spf_leaf_add_posterior(&tree, 0, totals);
    assert_true(totals[5] == 1.0);
}

static void a_value_equal_to_the_threshold_goes_left(void **state) {
    (void)state;
    assert_int_equal(walk(&stump, 1, 1), 0);
    assert_int_equal(walk(&stump, 0, -1), 0);
    assert_int_equal(walk(&stump, 1, 0.9999999f), 1);
    assert_int_equal(walk(&stump, 1, 1.0000001f), 0);
}

static void both_zeros_are_one_value(void **state) {
    (void)state;
    for (int negative = 0; negative < 2; negative++) {
        spf_node nodes[] = {{negative ? -0.0f : 0.0f, 2, 0}, {0, 0, 0}, {0, 0, 1}};
        spf_tree tree = stump;
        tree.nodes = nodes;
        tree.projection_start = (const uint32_t[]){0, 1};
        tree.term_weight = (const float[]){1};
        assert_int_equal(walk(&tree, 0.0f, 0), 0);
        assert_int_equal(walk(&tree, -0.0f, 0), 0);
        assert_int_equal(walk(&tree, -1e-45f, 0), 0);
        assert_int_equal(walk(&tree, 1e-45f, 0), 1);
    }
}

/* With e = 2^-12, (1 + e)^2 rounds to 1 + 2 e in single precision, so that -(1 + 2 e) + (1 + e)^2
 * is 0; fused, e^2 would remain and the row would go right. */
static void products_are_rounded_before_they_are_added(void **state) {
    (void)state;
    spf_node nodes[] = {{0, 2, 0}, {0, 0, 0}, {0, 0, 1}};
    spf_tree tree = stump;
    tree.nodes = nodes;
    tree.term_feature = (const uint32_t[]){0, 1};
    tree.term_weight = (const float[]){-1, 1 + 0x1p-12f};
    assert_int_equal(walk(&tree, 1 + 0x1p-11f, 1 + 0x1p-12f), 0);
}

static void terms_are_added_in_their_order(void **state) {
    (void)state;
    spf_node nodes[] = {{0.5f, 2, 0}, {0, 0, 0}, {0, 0, 1}};
    spf_tree tree = stump;
    tree.nodes = nodes;
    tree.features = 3;
    tree.projection_start = (const uint32_t[]){0, 3};
    tree.term_feature = (const uint32_t[]){0, 1, 2};
    tree.term_weight = (const float[]){1, 1, 1};
    const float lost[] = {1, 1e20f, -1e20f}, kept[] = {1e20f, -1e20f, 1};
    assert_int_equal(spf_tree_walk_row(&tree, lost), 0);
    assert_int_equal(spf_tree_walk_row(&tree, kept), 1);
}

/* Splits at n, n - 1, ... 1 on one feature, each to the left of the one before: leaf k takes the
 * values above k and up to k + 1. */
static void a_deep_chain_is_followed_to_its_end(void **state) {
    (void)state;
    enum { SPLITS = 100000 };
    spf_node *nodes = calloc(2 * SPLITS + 1, sizeof *nodes);
    assert_non_null(nodes);
    for (uint32_t i = 0; i < SPLITS; i++)
        nodes[i] = (spf_node){(float)(SPLITS - i), 2 * SPLITS - i, 0};
    for (uint32_t k = 0; k <= SPLITS; k++) nodes[SPLITS + k].content = k;
    spf_tree tree = {.nodes_count = 2 * SPLITS + 1,
                     .nodes = nodes,
                     .features = 1,
                     .projection_start = (const uint32_t[]){0, 1},
                     .term_feature = (const uint32_t[]){0},
                     .term_weight = (const float[]){1}};
    assert_int_equal(walk(&tree, 0, 0), 0);
    assert_int_equal(walk(&tree, 1, 0), 0);
    assert_int_equal(walk(&tree, 1.5f, 0), 1);
    assert_int_equal(walk(&tree, 777.5f, 0), 777);
    assert_int_equal(walk(&tree, 2.0f * SPLITS, 0), SPLITS);
    free(nodes);
}

static void a_tied_vote_goes_to_the_lower_class(void **state) {
    (void)state;
    assert_int_equal(spf_leaf_vote(&stump, 0), 1);
    assert_int_equal(spf_leaf_vote(&stump, 1), 2);
}

static void posteriors_are_shares_that_sum_to_one(void **state) {
    (void)state;
    double totals[4] = {10, 0, 0, 0};
    spf_leaf_add_posterior(&stump, 1, totals);
    assert_true(totals[0] == 10.25 && totals[1] == 0 && totals[2] == 0.75 && totals[3] == 0);
    spf_leaf_add_posterior(&stump, 0, totals);
    assert_true(totals[0] == 10.25 && totals[1] == 0.5 && totals[2] == 0.75 && totals[3] == 0.5);
}

static void the_largest_value_wins_and_the_first_of_equals(void **state) {
    (void)state;
    assert_int_equal(spf_argmax((const double[]){3}, 1), 0);
    assert_int_equal(spf_argmax((const double[]){1, 2, 2, 0}, 4), 1);
    assert_int_equal(spf_argmax((const double[]){0, 0, 0}, 3), 0);
    assert_int_equal(spf_argmax((const double[]){0, 0, 1e-300}, 3), 2);
}

/* Looking for the row's way from the leaf's side: every split above the leaf agrees with it. */
static void assert_leaf_is_right(const spf_tree *tree, const float *row, uint32_t leaf) {
    uint32_t low = 0, high = tree->nodes_count; /* the subtree under inspection */
    while (tree->nodes[low].right != 0) {
        const spf_node *node = &tree->nodes[low];
        uint32_t projection = spf_split_projection(node);
        uint32_t first = tree->projection_start[projection];
        volatile float sum = 0;
        for (uint32_t i = first; i < tree->projection_start[projection + 1]; i++) {
            volatile float product = tree->term_weight[i] * row[tree->term_feature[i]];
            sum = sum + product;
        }
        if (sum > node->threshold)
            low = node->right;
        else {
            high = node->right;
            low++;
        }
    }
    assert_int_equal(high - low, 1);
    assert_int_equal(tree->nodes[low].content, leaf);
}

static void random_forests_lead_every_row_to_the_leaf_of_its_side(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        sporf_forest *forest = random_forest(seed, NULL);
        sporf_random random = spf_random_start(seed, 1, SPF_USE_SIMULATE);
        float row[64];
        const float *columns[64];
        for (size_t j = 0; j < forest->features; j++) columns[j] = &row[j];
        for (int i = 0; i < 20; i++) {
            random_row(&random, row, forest->features);
            for (size_t t = 0; t < forest->trees_count; t++) {
                const spf_tree *tree = plain_tree(forest, t);
                uint32_t leaf = spf_tree_walk_row(tree, row);
                assert_int_equal(leaf, spf_tree_walk_columns(tree, columns, 0));
                assert_leaf_is_right(tree, row, leaf);
            }
        }
        sporf_forest_free(forest);
    }
}

static void no_forest_is_freed_without_harm(void **state) {
    (void)state;
    sporf_forest_free(NULL);
    sporf_forest_free(calloc(1, sizeof(sporf_forest)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_single_leaf_takes_every_row),
        cmocka_unit_test(a_value_equal_to_the_threshold_goes_left),
        cmocka_unit_test(both_zeros_are_one_value),
        cmocka_unit_test(products_are_rounded_before_they_are_added),
        cmocka_unit_test(terms_are_added_in_their_order),
        cmocka_unit_test(a_deep_chain_is_followed_to_its_end),
        cmocka_unit_test(a_tied_vote_goes_to_the_lower_class),
        cmocka_unit_test(posteriors_are_shares_that_sum_to_one),
        cmocka_unit_test(the_largest_value_wins_and_the_first_of_equals),
        cmocka_unit_test(random_forests_lead_every_row_to_the_leaf_of_its_side),
        cmocka_unit_test(no_forest_is_freed_without_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
