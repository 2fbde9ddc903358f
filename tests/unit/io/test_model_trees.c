/* Each rule that the trees of a model file obey, broken once behind right checksums: the fault is
 * found and named. */
#include "io/model_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "predict/predict.h"
#include "support/model_checksums.h"
#include "support/plain_tree.h"

enum { FEATURES = 12, CLASSES = 4, TREES = 3, CLASS_BITS = 2 };

#define LEAF(number, class_index) (0x80000000u | (number) << CLASS_BITS | (class_index))
#define LONG(distance) (0xc0000000u | (distance))
#define MIXED(number) (0x80000000u | (number))

/* The tree sections of a file, to be changed. Tree 0 has a projection of three terms at its root
 * (nodes 0 and 1), then on the left a long one (node 3) and on the right one of two terms (node 4);
 * tree 1 is a leaf, tree 2 the mirror image of a split with a long projection (node 2). */
typedef struct {
    uint64_t classes, nodes_count, projections_count, mixed_count;
    spf_packed_tree trees[TREES];
    spf_packed_node nodes[6];
    uint64_t projection_start[3];
    uint32_t term_feature[19];
    float term_weight[19];
    uint32_t leaf_weight[7];
    uint64_t mixed_start[5];
    uint32_t entry_class[9];
    float entry_weight[9];
} sample;

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static sample *make_sample(void) {
    static sample kept;
    kept = (sample){
        .classes = CLASSES,
        .nodes_count = 5,
        .projections_count = 2,
        .mixed_count = 3,
        .trees =
            {{.start = 0, .root = 0, .leaf = 0, .leaves = 4, .projection = 0, .projections = 1},
             {.root = LEAF(0, 2), .leaf = 4, .leaves = 1, .projection = 1},
             {2, 5, .root = LONG(0), .leaves = 2, .projection = 1, .projections = 1}},
        .nodes = {{{1, 1}, NAN, {0, 3}, {1, -1}},
                  {{LONG(2), 3}, 0.5f, {7, 7}, {1, 0}},
                  {{LEAF(1, 0), LEAF(0, 3)}, -1, {1, 0}, {-1, 0}},
                  {{LEAF(0, 1), LEAF(1, 0)}, 2, {0, 0}, {1, 0}},
                  {{LEAF(2, 3), LEAF(3, 2)}, 0, {5, 11}, {0.5f, 0.25f}}},
        .projection_start = {0, 9, 19},
        .leaf_weight = {bits_of(3), MIXED(0), MIXED(1), bits_of(1), MIXED(2), bits_of(2),
                        bits_of(5)},
        .mixed_start = {0, 2, 4, 7},
        .entry_class = {0, 2, 1, 3, 0, 2, 3, 0, 1},
        .entry_weight = {2, 1, 1, 4, 1, 2, 2, 1, 1},
    };
    for (uint32_t i = 0; i < 19; i++) {
        kept.term_feature[i] = i < 9 ? i : i - 7;
        kept.term_weight[i] = 1;
    }
    return &kept;
}

static void append_class_names(model *m, uint64_t classes) {
    uint64_t words[16] = {classes};
    for (uint64_t i = 0; i <= classes; i++) words[1 + i] = 2 * i;
    for (uint64_t i = 0; i < classes; i++) ((char *)(words + classes + 2))[2 * i] = (char)('a' + i);
    append_section(m, 1, words, (classes + 2) * 8 + 2 * classes);
}

static model encode(const sample *s) {
    unsigned char header[MODEL_HEADER] = "\x89SPORF\r\n";
    model m = begin_model(header, 10);
    set32(&m, 16, 3);
    set64(&m, 32, TREES);
    set64(&m, 40, FEATURES);
    set64(&m, 48, s->classes);
    append_class_names(&m, s->classes);
    append_section(&m, 7, s->trees, sizeof s->trees);
    append_section(&m, 8, s->nodes, s->nodes_count * sizeof *s->nodes);
    append_section(&m, 9, s->projection_start, (s->projections_count + 1) * 8);
    append_section(&m, 10, s->term_feature, s->projection_start[s->projections_count] * 4);
    append_section(&m, 11, s->term_weight, s->projection_start[s->projections_count] * 4);
    append_section(&m, 12, s->leaf_weight, sizeof s->leaf_weight);
    append_section(&m, 14, s->mixed_start, (s->mixed_count + 1) * 8);
    append_section(&m, 15, s->entry_class, s->mixed_start[s->mixed_count] * 4);
    append_section(&m, 16, s->entry_weight, s->mixed_start[s->mixed_count] * 4);
    fix_model_checksums(m.bytes, m.size);
    return m;
}

static sporf_status load(const sample *s, sporf_forest **forest) {
    model m = encode(s);
    sporf_status status = spf_model_decode(m.bytes, m.size, forest);
    free(m.bytes);
    return status;
}

static void assert_fault(const sample *s, const char *words) {
    sporf_forest *forest = NULL;
    assert_int_equal(load(s, &forest), SPORF_ERROR_MODEL);
    if (!strstr(sporf_last_error(), words))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
}

/* Changes a field of a fresh sample and looks for words in the refusal. */
#define ASSERT_FAULT(field, value, words)                                                          \
    do {                                                                                           \
        sample *changed = make_sample();                                                           \
        changed->field = (value);                                                                  \
        assert_fault(changed, words);                                                              \
    } while (0)

/* ---- what is right --------------------------------------------------------------------------- */

static void proper_trees_load_and_lead_where_they_should(void **state) {
    (void)state;
    sporf_forest *forest = NULL;
    if (load(make_sample(), &forest) != SPORF_OK) fail_msg("%s", sporf_last_error());
    double shares[CLASSES];
    float row[FEATURES] = {0};
    row[3] = -1; /* 1 > 0.5, then 0 <= 0: leaf 2; tree 2: 1 > -1: leaf 0 */
    spf_predict_row(forest, row,
                    spf_combining_of(forest, SPORF_COMBINE_POSTERIORS, SPORF_CALIBRATE_NONE),
                    shares);
    assert_true(shares[0] == 1 / 5.0 / 3);
    assert_true(shares[1] == 1 / 5.0 / 3);
    assert_true(shares[2] == 2 / 5.0 / 3);
    assert_true(shares[3] == (4 / 5.0 + 2 / 5.0 + 1) / 3);
    assert_int_equal(spf_tree_walk_row(plain_tree(forest, 0), row), 2);
    row[3] = 1; /* -1 <= 0.5, 1 <= 2: leaf 0; -1 <= -1: leaf 1 */
    assert_int_equal(spf_tree_walk_row(plain_tree(forest, 0), row), 0);
    assert_int_equal(spf_tree_walk_row(plain_tree(forest, 1), row), 0);
    assert_int_equal(spf_tree_walk_row(plain_tree(forest, 2), row), 1);
    assert_true(spf_predict_row(
        forest, row, spf_combining_of(forest, SPORF_COMBINE_VOTES, SPORF_CALIBRATE_NONE), shares));
    assert_int_equal(spf_argmax(shares, CLASSES), 0);
    sporf_forest_free(forest);
}

/* ---- the tree table -------------------------------------------------------------------------- */

static void leaves_and_projections_of_a_tree_exist(void **state) {
    (void)state;
    ASSERT_FAULT(trees[1].leaves, 0, "tree 1: its leaves do not exist");
    ASSERT_FAULT(trees[1].leaves, 4, "tree 1: its leaves do not exist");
    ASSERT_FAULT(trees[1].leaves, UINT32_MAX, "tree 1: its leaves do not exist");
    ASSERT_FAULT(trees[2].leaf, 8, "tree 2: its leaves do not exist");
    ASSERT_FAULT(trees[2].leaf, UINT64_MAX, "tree 2: its leaves do not exist");
    ASSERT_FAULT(trees[2].projections, 2, "tree 2: its projections do not exist");
    ASSERT_FAULT(trees[2].projection, UINT32_MAX, "tree 2: its projections do not exist");
}

static void trees_lie_one_after_the_other(void **state) {
    (void)state;
    ASSERT_FAULT(trees[0].leaf, 1, "tree 0: its parts do not follow");
    ASSERT_FAULT(trees[2].leaf, 4, "tree 2: its parts do not follow");
    ASSERT_FAULT(trees[1].projection, 0, "tree 1: its parts do not follow");
    ASSERT_FAULT(trees[2].leaves, 1, "leaves or projections of no tree");
    ASSERT_FAULT(trees[2].projections, 0, "leaves or projections of no tree");
}

static void a_root_lies_where_its_tree_starts(void **state) {
    (void)state;
    ASSERT_FAULT(trees[0].start, 5, "tree 0: its root does not exist");
    ASSERT_FAULT(trees[0].start, UINT64_MAX, "tree 0: its root does not exist");
    ASSERT_FAULT(trees[0].root, 1, "tree 0: its root does not exist");
    ASSERT_FAULT(trees[0].root, 0x40000000u, "tree 0: its root does not exist");
    ASSERT_FAULT(trees[2].root, LONG(1), "tree 2: its root does not exist");
    ASSERT_FAULT(trees[1].start, 1, "tree 1: its root does not exist");
    sample *s = make_sample();
    s->trees[2].start = 1;
    s->trees[2].root = LONG(1);
    assert_fault(s, "tree 2: its root does not exist");
}

/* ---- projections ----------------------------------------------------------------------------- */

static void long_projections_have_their_place(void **state) {
    (void)state;
    ASSERT_FAULT(projection_start[1], 8, "tree 0: long projection 0 has no proper place");
    ASSERT_FAULT(projection_start[1], 20, "tree 0: long projection 0 has no proper place");
    ASSERT_FAULT(projection_start[1], UINT64_MAX, "tree 0: long projection 0 has no proper place");
}

static void a_long_projection_is_used_by_its_tree(void **state) {
    (void)state;
    sample *s = make_sample();
    s->trees[2].root = 0;
    s->nodes[2] = (spf_packed_node){{LEAF(0, 0), LEAF(1, 3)}, -1, {1, 1}, {1, 0}};
    assert_fault(s, "tree 2: a projection is never used");
}

static void a_split_names_a_long_projection_of_its_tree(void **state) {
    (void)state;
    ASSERT_FAULT(nodes[3].feature[0], 1, "tree 0: node 3 does not name a long projection");
    ASSERT_FAULT(nodes[3].feature[0], UINT32_MAX, "tree 0: node 3 does not name a long");
    ASSERT_FAULT(nodes[2].feature[0], 0, "tree 2: node 2 does not name a long projection");
    ASSERT_FAULT(nodes[3].feature[1], 1, "tree 0: node 3 does not name a long projection");
    ASSERT_FAULT(nodes[3].weight[0], 0, "tree 0: node 3 does not name a long projection");
    ASSERT_FAULT(nodes[3].weight[0], 0.5f, "tree 0: node 3 does not name a long projection");
    ASSERT_FAULT(nodes[3].weight[1], -0.0f, "tree 0: node 3 does not name a long projection");
}

static void short_projections_are_whole(void **state) {
    (void)state;
    ASSERT_FAULT(nodes[0].weight[1], 0, "tree 0: a term is missing in node 0");
    ASSERT_FAULT(nodes[1].feature[1], 8, "tree 0: a term is missing in node 1");
    ASSERT_FAULT(nodes[0].child[0], 2, "tree 0: node 0 is part of a projection with children");
    ASSERT_FAULT(nodes[0].child[1], LEAF(0, 1), "node 0 is part of a projection with children");
    sample *s = make_sample();
    s->nodes[4] = s->nodes[0];
    assert_fault(s, "tree 0: a projection reaches beyond the nodes");
}

static void a_long_projection_lies_aside(void **state) {
    (void)state;
    sample *s = make_sample();
    for (uint32_t i = 0; i < 4; i++)
        s->nodes[i] = (spf_packed_node){{1, 1}, NAN, {2 * i, 2 * i + 1}, {1, 1}};
    s->nodes[4].feature[0] = s->nodes[4].feature[1] = 11;
    s->nodes[4].weight[1] = 0;
    assert_fault(s, "tree 0: a long projection does not lie aside");
}

static void terms_are_in_order(void **state) {
    (void)state;
    ASSERT_FAULT(nodes[4].feature[1], FEATURES, "tree 0: projection 2 uses feature 12 of 12");
    ASSERT_FAULT(nodes[4].feature[0], 11, "tree 0: the features of projection 2 do not ascend");
    ASSERT_FAULT(nodes[0].feature[1], 7, "tree 0: the features of projection 0 do not ascend");
    ASSERT_FAULT(nodes[4].weight[0], 0, "tree 0: projection 2 has the weight 0");
    ASSERT_FAULT(nodes[4].weight[1], -0.0f, "tree 0: projection 2 has the weight -0");
    ASSERT_FAULT(nodes[4].weight[1], INFINITY, "tree 0: projection 2 has the weight inf");
    ASSERT_FAULT(nodes[4].weight[1], -1.5f, "tree 0: projection 2 has the weight -1.5");
    ASSERT_FAULT(term_feature[18], FEATURES, "tree 2: projection 0 uses feature 12 of 12");
    ASSERT_FAULT(term_feature[8], 7, "tree 0: the features of projection 1 do not ascend");
    ASSERT_FAULT(term_weight[8], 0, "tree 0: projection 1 has the weight 0");
    ASSERT_FAULT(term_weight[18], NAN, "tree 2: projection 0 has the weight nan");
}

/* ---- splits ---------------------------------------------------------------------------------- */

static void children_exist(void **state) {
    (void)state;
    ASSERT_FAULT(nodes[1].child[1], 4, "tree 0: a child lies beyond the nodes");
    ASSERT_FAULT(nodes[1].child[1], 0x40000003u, "tree 0: a child lies beyond the nodes");
    ASSERT_FAULT(nodes[1].child[1], 0x3fffffffu, "tree 0: a child lies beyond the nodes");
    ASSERT_FAULT(nodes[1].child[0], LONG(4), "tree 0: a child lies beyond the nodes");
}

static void no_walk_runs_in_a_circle(void **state) {
    (void)state;
    ASSERT_FAULT(nodes[1].child[1], 0, "tree 0: node 1 is its own child");
    ASSERT_FAULT(nodes[1].child[0], LONG(0), "tree 0: node 1 is its own child");
    ASSERT_FAULT(nodes[3].child[0], LONG(0), "tree 0: node 3 is its own child");
}

static void thresholds_are_finite(void **state) {
    (void)state;
    ASSERT_FAULT(nodes[4].threshold, INFINITY, "tree 0: node 4 has the threshold inf");
    ASSERT_FAULT(nodes[3].threshold, NAN, "tree 0: node 1 has the threshold nan");
    sample *s = make_sample();
    uint32_t other_nan = 0x7fc00001u;
    memcpy(&s->nodes[4].threshold, &other_nan, sizeof other_nan);
    assert_fault(s, "tree 0: node 4 has the threshold nan");
}

static void splits_and_leaves_are_as_many_as_they_should_be(void **state) {
    (void)state;
    ASSERT_FAULT(nodes[1].child[1], LEAF(2, 3), "tree 0: it has fewer leaves than it says");
    sample *s = make_sample();
    s->nodes_count = 6;
    s->nodes[5] = s->nodes[4];
    s->nodes[4].child[0] = 1;
    assert_fault(s, "tree 0: it has more splits than its leaves allow");
}

static void a_node_belongs_to_one_split_of_one_tree(void **state) {
    (void)state;
    sample *s = make_sample();
    s->trees[2].start = 3;
    assert_fault(s, "tree 2: node 3 is reached twice");
    s = make_sample();
    s->nodes_count = 6;
    assert_fault(s, "there are nodes or leaves of no tree");
}

/* Two trees with the same splits leave as many to nobody, and their number is right. */
static void splits_of_two_trees_do_not_hide_those_of_none(void **state) {
    (void)state;
    sample *s = make_sample();
    s->trees[0] = (spf_packed_tree){.leaves = 3};
    s->trees[1] = (spf_packed_tree){.root = LEAF(0, 2), .leaf = 3, .leaves = 1};
    s->trees[2] = (spf_packed_tree){.leaf = 4, .leaves = 3};
    s->nodes[0] = (spf_packed_node){{1, LEAF(2, 2)}, 0, {1, 1}, {1, 0}};
    s->nodes[1] = (spf_packed_node){{LEAF(0, 0), LEAF(1, 3)}, -1, {1, 1}, {1, 0}};
    s->nodes_count = 4;
    s->projections_count = s->mixed_count = 0;
    for (int i = 0; i < 7; i++) s->leaf_weight[i] = bits_of(1);
    assert_fault(s, "tree 2: node 0 is reached twice");
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static void leaves_are_numbered_from_left_to_right(void **state) {
    (void)state;
    ASSERT_FAULT(nodes[3].child[0], LEAF(1, 1), "tree 0: leaf 1 comes where leaf 0 should");
    ASSERT_FAULT(nodes[4].child[1], LEAF(2, 3), "tree 0: leaf 2 comes where leaf 3 should");
    ASSERT_FAULT(nodes[4].child[1], LEAF(4, 2), "tree 0: leaf 4 comes where leaf 3 should");
    ASSERT_FAULT(trees[1].root, LEAF(1, 2), "tree 1: leaf 1 comes where leaf 0 should");
}

static void mixed_leaves_have_entries_of_their_own(void **state) {
    (void)state;
    ASSERT_FAULT(leaf_weight[1], MIXED(1), "tree 0: leaf 1 has no entries of its own");
    ASSERT_FAULT(leaf_weight[2], MIXED(0), "tree 0: leaf 2 has no entries of its own");
    ASSERT_FAULT(leaf_weight[4], MIXED(3), "tree 1: leaf 0 has no entries of its own");
    ASSERT_FAULT(leaf_weight[4], UINT32_MAX, "tree 1: leaf 0 has no entries of its own");
    ASSERT_FAULT(mixed_start[1], 1, "tree 0: leaf 1 has no proper entries");
    ASSERT_FAULT(mixed_start[1], 8, "tree 0: leaf 1 has no proper entries");
    ASSERT_FAULT(mixed_start[2], 1, "tree 0: leaf 2 has no proper entries");
    sample *s = make_sample();
    s->mixed_count = 4;
    s->mixed_start[4] = 9;
    assert_fault(s, "there are nodes or leaves of no tree");
}

static void a_leaf_votes_for_its_greatest_class(void **state) {
    (void)state;
    ASSERT_FAULT(nodes[3].child[1], LEAF(1, 2), "tree 0: leaf 1 votes for class 2 against");
    ASSERT_FAULT(trees[1].root, LEAF(0, 3), "tree 1: leaf 0 votes for class 3 against");
    ASSERT_FAULT(entry_weight[1], 3, "tree 0: leaf 1 votes for class 0 against");
}

static void classes_and_their_weights_are_in_order(void **state) {
    (void)state;
    ASSERT_FAULT(classes, 3, "tree 0: leaf 2 holds class 3 of 3");
    ASSERT_FAULT(entry_class[1], CLASSES, "tree 0: leaf 1 holds class 4 of 4");
    ASSERT_FAULT(entry_class[1], 0, "tree 0: the classes of leaf 1 do not ascend");
    ASSERT_FAULT(leaf_weight[0], 0, "tree 0: leaf 0 has the class weight 0");
    ASSERT_FAULT(leaf_weight[0], bits_of(INFINITY), "tree 0: leaf 0 has the class weight inf");
    ASSERT_FAULT(leaf_weight[0], bits_of(NAN), "tree 0: leaf 0 has the class weight nan");
    ASSERT_FAULT(entry_weight[1], -1, "tree 0: leaf 1 has the class weight -1");
    ASSERT_FAULT(entry_weight[1], NAN, "tree 0: leaf 1 has the class weight nan");
    sample *s = make_sample();
    s->classes = 3;
    s->entry_class[3] = s->entry_class[6] = 2;
    s->nodes[4].child[0] = LEAF(2, 2);
    s->entry_class[5] = 1;
    s->trees[1].root = LEAF(0, 1);
    assert_fault(s, "tree 2: leaf 0 holds class 3 of 3");
}

/* ---- more than a plain tree can number ------------------------------------------------------- */

static void assert_tree_fault(const spf_packed *packed, const char *words) {
    sporf_forest forest = {.trees_count = 1, .features = 1, .classes = 1, .packed = *packed};
    spf_tree tree;
    assert_int_equal(spf_unpack_tree(&forest, 0, &tree), SPORF_ERROR_MODEL);
    if (!strstr(sporf_last_error(), words))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
}

/* They are counted before any is looked at, so that the test needs none. */
static void too_many_terms_or_entries_are_named(void **state) {
    (void)state;
    const uint64_t many = (uint64_t)1 << 32, starts[] = {0, many};
    const uint32_t leaf_weight[] = {MIXED(0), bits_of(1)};
    const spf_packed_node node = {.child = {LEAF(0, 0), LEAF(1, 0)}, .weight = {1}};
    spf_packed_tree tree = {.root = LONG(0), .leaves = 2, .projections = 1};
    spf_packed packed = {.trees = &tree,
                         .nodes = &node,
                         .nodes_count = 1,
                         .projection_start = starts,
                         .projections_count = 1,
                         .terms_count = many,
                         .leaf_weight = leaf_weight,
                         .leaves_count = 2,
                         .mixed_start = starts,
                         .mixed_count = 1,
                         .entries_count = many};
    assert_tree_fault(&packed, "tree 0: it has more than 2^32 terms");
    tree = (spf_packed_tree){.root = LEAF(0, 0), .leaves = 1};
    assert_tree_fault(&packed, "tree 0: it has more than 2^32 entries");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proper_trees_load_and_lead_where_they_should),
        cmocka_unit_test(leaves_and_projections_of_a_tree_exist),
        cmocka_unit_test(trees_lie_one_after_the_other),
        cmocka_unit_test(a_root_lies_where_its_tree_starts),
        cmocka_unit_test(long_projections_have_their_place),
        cmocka_unit_test(a_long_projection_is_used_by_its_tree),
        cmocka_unit_test(a_split_names_a_long_projection_of_its_tree),
        cmocka_unit_test(short_projections_are_whole),
        cmocka_unit_test(a_long_projection_lies_aside),
        cmocka_unit_test(terms_are_in_order),
        cmocka_unit_test(children_exist),
        cmocka_unit_test(no_walk_runs_in_a_circle),
        cmocka_unit_test(thresholds_are_finite),
        cmocka_unit_test(splits_and_leaves_are_as_many_as_they_should_be),
        cmocka_unit_test(a_node_belongs_to_one_split_of_one_tree),
        cmocka_unit_test(splits_of_two_trees_do_not_hide_those_of_none),
        cmocka_unit_test(leaves_are_numbered_from_left_to_right),
        cmocka_unit_test(mixed_leaves_have_entries_of_their_own),
        cmocka_unit_test(a_leaf_votes_for_its_greatest_class),
        cmocka_unit_test(classes_and_their_weights_are_in_order),
        cmocka_unit_test(too_many_terms_or_entries_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
