/* Each rule of a valid tree, broken once: the fault is found and named. */
#include "model/validate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/plain_tree.h"
#include "support/random_forest.h"

enum { FEATURES = 3, CLASSES = 4 };

/* A tree whose arrays can be changed:        0
 *                                          /   \
 *                                         1     4        leaves: nodes 2, 3, 5, 6 */
typedef struct {
    spf_node nodes[7];
    uint32_t projection_start[4], term_feature[5], leaf_start[5], leaf_class[6];
    float term_weight[5], leaf_weight[6];
    spf_tree tree;
    spf_tree_extent extent;
} sample;

static sample *make_sample(void) {
    static sample kept;
    kept = (sample){
        .nodes = {{0.5f, 4, 0}, {-1, 3, 2}, {0, 0, 0}, {0, 0, 1}, {2, 6, 1}, {0, 0, 2}, {0, 0, 3}},
        .projection_start = {0, 1, 3, 5},
        .term_feature = {1, 0, 2, 1, 2},
        .term_weight = {1, 1, -1, 0.5f, 0.25f},
        .leaf_start = {0, 1, 3, 4, 6},
        .leaf_class = {0, 1, 3, 2, 0, 3},
        .leaf_weight = {4, 1, 2, 3, 1, 1},
    };
    kept.tree = (spf_tree){.nodes_count = 7,
                           .projections_count = 3,
                           .leaves_count = 4,
                           .features = FEATURES,
                           .nodes = kept.nodes,
                           .projection_start = kept.projection_start,
                           .term_feature = kept.term_feature,
                           .term_weight = kept.term_weight,
                           .leaf_start = kept.leaf_start,
                           .leaf_class = kept.leaf_class,
                           .leaf_weight = kept.leaf_weight};
    kept.extent = (spf_tree_extent){.terms = 5, .leaf_entries = 6};
    return &kept;
}

static sporf_status validate(const sample *s) {
    return spf_tree_validate(&s->tree, &s->extent, FEATURES, CLASSES, 17);
}

static void assert_fault(const sample *s, const char *words) {
    assert_int_equal(validate(s), SPORF_ERROR_MODEL);
    if (!strstr(sporf_last_error(), words) || !strstr(sporf_last_error(), "tree 17"))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
}

static void a_proper_tree_passes(void **state) {
    (void)state;
    assert_int_equal(validate(make_sample()), SPORF_OK);
}

static void node_and_leaf_counts_must_agree(void **state) {
    (void)state;
    sample *s = make_sample();
    s->tree.nodes_count = 6;
    assert_fault(s, "6 nodes cannot have 4 leaves");
    s->tree.nodes_count = 0;
    assert_fault(s, "0 nodes");
    s->tree.leaves_count = 0;
    assert_fault(s, "0 nodes cannot have 0 leaves");
    s->tree.nodes_count = UINT32_MAX;
    assert_fault(s, "nodes cannot have 0 leaves");
}

static void a_right_child_lies_behind_the_left_one_and_inside(void **state) {
    (void)state;
    static const uint32_t wrong[] = {1, 2, 7, UINT32_MAX};
    for (int i = 0; i < 4; i++) {
        sample *s = make_sample();
        s->nodes[1].right = wrong[i];
        assert_fault(s, "node 1 names node");
    }
}

static void a_right_child_is_the_node_behind_the_left_subtree(void **state) {
    (void)state;
    sample *s = make_sample();
    s->nodes[0].right = 5;
    assert_fault(s, "node 0 should have node 4 as its right child, not 5");
    s = make_sample();
    s->nodes[1].right = 4;
    assert_fault(s, "node 1 should have node 3 as its right child, not 4");
}

static void no_node_is_left_over(void **state) {
    (void)state;
    sample *s = make_sample();
    s->nodes[0] = (spf_node){0, 0, 0};
    assert_fault(s, "node 1 belongs to no split");
}

static void the_splits_cannot_outnumber_the_leaves(void **state) {
    (void)state;
    sample *s = make_sample();
    for (uint32_t i = 0; i < 5; i++) s->nodes[i] = (spf_node){1, 6, 0};
    assert_fault(s, "more than 3 splits");
}

static void the_last_node_is_a_leaf(void **state) {
    (void)state;
    sample *s = make_sample();
    s->nodes[6] = (spf_node){1, 6, 0};
    assert_fault(s, "node 6 names node 6");
}

static void thresholds_are_finite(void **state) {
    (void)state;
    static const float wrong[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        sample *s = make_sample();
        s->nodes[4].threshold = wrong[i];
        assert_fault(s, "node 4 has the threshold");
    }
}

static void leaves_have_no_threshold(void **state) {
    (void)state;
    static const float wrong[] = {1, -0.0f, NAN};
    for (int i = 0; i < 3; i++) {
        sample *s = make_sample();
        s->nodes[5].threshold = wrong[i];
        assert_fault(s, "node 5 is a leaf and has the threshold");
    }
}

static void a_split_uses_a_projection_there_is(void **state) {
    (void)state;
    sample *s = make_sample();
    s->nodes[4].content = 3;
    assert_fault(s, "node 4 uses projection 3 of 3");
}

static void splits_may_share_a_projection(void **state) {
    (void)state;
    sample *s = make_sample();
    s->nodes[4].content = 0;
    assert_int_equal(validate(s), SPORF_OK);
}

static void leaves_are_numbered_in_their_order(void **state) {
    (void)state;
    sample *s = make_sample();
    s->nodes[3].content = 2;
    assert_fault(s, "node 3 is leaf 2 by its number, 1 by its place");
    s = make_sample();
    s->nodes[6].content = UINT32_MAX;
    assert_fault(s, "node 6 is leaf");
}

static void starts_begin_at_zero_rise_and_end_at_the_extent(void **state) {
    (void)state;
    sample *s = make_sample();
    s->projection_start[0] = 1;
    assert_fault(s, "projection 0 starts at 1");
    s = make_sample();
    s->projection_start[2] = 1;
    assert_fault(s, "projection 1 is empty");
    s = make_sample();
    s->projection_start[1] = UINT32_MAX;
    assert_fault(s, "projection 1 is empty or runs backwards");
    s = make_sample();
    s->projection_start[3] = 6;
    assert_fault(s, "the last projection ends at 6 instead of 5");
    s = make_sample();
    s->leaf_start[0] = 1;
    assert_fault(s, "leaf 0 starts at 1");
    s = make_sample();
    s->leaf_start[3] = 6;
    assert_fault(s, "leaf 3 is empty");
    s = make_sample();
    s->extent.leaf_entries = 7;
    assert_fault(s, "the last leaf ends at 6 instead of 7");
}

static void a_tree_without_splits_has_no_terms(void **state) {
    (void)state;
    sample *s = make_sample();
    s->nodes[0] = (spf_node){0, 0, 0};
    s->tree.nodes_count = s->tree.leaves_count = 1;
    s->tree.projections_count = 0;
    s->extent = (spf_tree_extent){.terms = 0, .leaf_entries = 1};
    assert_int_equal(validate(s), SPORF_OK);
    s->extent.terms = 1;
    assert_fault(s, "the last projection ends at 0 instead of 1");
}

static void features_exist_and_ascend(void **state) {
    (void)state;
    sample *s = make_sample();
    s->term_feature[2] = FEATURES;
    assert_fault(s, "projection 1 uses feature 3 of 3");
    s = make_sample();
    s->term_feature[4] = 1;
    assert_fault(s, "the features of projection 2 do not ascend");
}

static void projection_weights_are_finite_and_not_zero(void **state) {
    (void)state;
    static const float wrong[] = {0, -0.0f, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        sample *s = make_sample();
        s->term_weight[3] = wrong[i];
        assert_fault(s, "projection 2 has the weight");
    }
}

static void classes_exist_and_ascend(void **state) {
    (void)state;
    sample *s = make_sample();
    s->leaf_class[5] = CLASSES;
    assert_fault(s, "leaf 3 holds class 4 of 4");
    s = make_sample();
    s->leaf_class[1] = 3;
    assert_fault(s, "the classes of leaf 1 do not ascend");
}

static void class_weights_are_finite_and_positive(void **state) {
    (void)state;
    static const float wrong[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        sample *s = make_sample();
        s->leaf_weight[3] = wrong[i];
        assert_fault(s, "leaf 2 has the class weight");
    }
}

static void random_forests_are_valid_however_deep(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        random_shape shape = {.leaves = seed == 0 ? 300000 : 0, .chains = seed % 2 == 0};
        sporf_forest *forest = random_forest(seed, seed < 30 ? &shape : NULL);
        for (size_t t = 0; t < forest->trees_count; t++) {
            const spf_tree *tree = plain_tree(forest, t);
            spf_tree_extent extent = {tree->projection_start[tree->projections_count],
                                      tree->leaf_start[tree->leaves_count]};
            assert_int_equal(spf_tree_validate(tree, &extent, forest->features, forest->classes, t),
                             SPORF_OK);
        }
        sporf_forest_free(forest);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_proper_tree_passes),
        cmocka_unit_test(node_and_leaf_counts_must_agree),
        cmocka_unit_test(a_right_child_lies_behind_the_left_one_and_inside),
        cmocka_unit_test(a_right_child_is_the_node_behind_the_left_subtree),
        cmocka_unit_test(no_node_is_left_over),
        cmocka_unit_test(the_splits_cannot_outnumber_the_leaves),
        cmocka_unit_test(the_last_node_is_a_leaf),
        cmocka_unit_test(thresholds_are_finite),
        cmocka_unit_test(leaves_have_no_threshold),
        cmocka_unit_test(a_split_uses_a_projection_there_is),
        cmocka_unit_test(splits_may_share_a_projection),
        cmocka_unit_test(leaves_are_numbered_in_their_order),
        cmocka_unit_test(starts_begin_at_zero_rise_and_end_at_the_extent),
        cmocka_unit_test(a_tree_without_splits_has_no_terms),
        cmocka_unit_test(features_exist_and_ascend),
        cmocka_unit_test(projection_weights_are_finite_and_not_zero),
        cmocka_unit_test(classes_exist_and_ascend),
        cmocka_unit_test(class_weights_are_finite_and_positive),
        cmocka_unit_test(random_forests_are_valid_however_deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
