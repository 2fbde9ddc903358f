/* Nothing is trusted: indices are compared with the sizes of their arrays before they are used, and
 * distances are positive, so that a walk ends; it ends after no more splits and terms than the
 * tree's entry in the table allows. */
#include "predict/walk_checked.h"

#include <math.h>

typedef struct {
    const sporf_forest *forest;
    const spf_rows *rows;
    const spf_packed_tree *tree;
    uintptr_t row;
    uint64_t terms; /* terms of long projections that the walk may still meet */
} walker;

static float value_of(const walker *w, uint32_t feature) {
    return spf_row_value(w->rows, w->rows->kind, w->row, feature);
}

/* The value of a term that names a set; sets were checked when the file was opened. */
static int find_level(const walker *w, uint32_t number, float *value) {
    const spf_sets *sets = &w->forest->packed.sets;
    if (number >= sets->count) return 0;
    const spf_set *set = &sets->sets[number];
    *value = spf_set_value(sets, set, value_of(w, set->feature));
    return 1;
}

static int add_term(const walker *w, uint32_t feature, float weight, float *sum) {
    size_t features = w->forest->features;
    float value = 0;
    if (!(fabsf(weight) <= 1)) return 0;
    if (feature < features)
        value = value_of(w, feature);
    else if (!find_level(w, feature - (uint32_t)features, &value))
        return 0;
    *sum += weight * value;
    return 1;
}

/* The deciding node of a short projection, with its value; NULL if damaged. */
static const spf_packed_node *decide_short(const walker *w, uint64_t at, float *value) {
    const spf_packed *packed = &w->forest->packed;
    uint64_t most = packed->nodes_count - at;
    if (most > SPF_SHORT_TERMS / SPF_PACKED_TERMS) most = SPF_SHORT_TERMS / SPF_PACKED_TERMS;
    *value = -0.0f;
    for (uint64_t end = at + most; at < end; at++) {
        const spf_packed_node *node = &packed->nodes[at];
        if (!add_term(w, node->feature[0], node->weight[0], value) ||
            !add_term(w, node->feature[1], node->weight[1], value))
            return NULL;
        if (!isnan(node->threshold)) return node;
    }
    return NULL;
}

static const spf_packed_node *decide_long(walker *w, uint64_t at, float *value) {
    const spf_packed *packed = &w->forest->packed;
    uint32_t number = packed->nodes[at].feature[0];
    if (number - w->tree->projection >= w->tree->projections) return NULL;
    uint64_t first = packed->projection_start[number], end = packed->projection_start[number + 1];
    if (end > packed->terms_count || first > end || end - first > w->terms) return NULL;
    w->terms -= end - first;
    *value = -0.0f;
    for (uint64_t i = first; i < end; i++)
        if (!add_term(w, packed->term_feature[i], packed->term_weight[i], value)) return NULL;
    *value *= packed->nodes[at].weight[0];
    return &packed->nodes[at];
}

static int entries_exist(const sporf_forest *forest, uint32_t number) {
    const spf_packed *packed = &forest->packed;
    if (number >= packed->mixed_count) return 0;
    uint64_t first = packed->mixed_start[number], end = packed->mixed_start[number + 1];
    size_t classes = spf_leaf_classes(forest);
    if (end > packed->entries_count || first > end || end - first > classes) return 0;
    for (uint64_t i = first; i < end; i++)
        if (packed->entry_class[i] >= classes || !isfinite(packed->entry_weight[i]) ||
            !(packed->entry_weight[i] > 0))
            return 0;
    return first < end;
}

static int values_exist(const sporf_forest *forest, uint64_t leaf) {
    size_t width = spf_leaf_width(forest);
    for (size_t t = 0; t < width; t++)
        if (!isfinite(forest->packed.leaf_value[leaf * width + t])) return 0;
    return 1;
}

static int leaf_exists(const sporf_forest *forest, const spf_packed_tree *tree, uint32_t ref) {
    const spf_packed *packed = &forest->packed;
    uint32_t leaf = spf_ref_leaf(packed, ref);
    if (leaf >= tree->leaves || tree->leaf > packed->leaves_count ||
        leaf >= packed->leaves_count - tree->leaf)
        return 0;
    uint32_t bits = packed->leaf_weight[tree->leaf + leaf];
    return spf_ref_class(packed, tree, ref) < spf_leaf_classes(forest) &&
           (!(bits & SPF_LEAF_MIXED) || entries_exist(forest, bits & ~SPF_LEAF_MIXED)) &&
           values_exist(forest, tree->leaf + leaf);
}

/* The number of terms that a walk may meet. Returns 0 if the tree's terms do not follow those of
 * the previous tree. */
static int find_limit(const spf_packed *packed, const spf_packed_tree *tree, uint64_t *terms) {
    uint64_t first = packed->projection_start[tree->projection];
    uint64_t end = packed->projection_start[tree->projection + tree->projections];
    *terms = spf_walk_limit(tree->leaves, end - first);
    return first <= end && end <= packed->terms_count;
}

uint32_t spf_walk_checked(const sporf_forest *forest, size_t number, const spf_rows *rows,
                          size_t row) {
    const spf_packed *packed = &forest->packed;
    const spf_packed_tree *tree = &packed->trees[number];
    walker w = {forest, rows, tree, spf_row_handle(rows, rows->kind, row), 0};
    uint64_t from = tree->start;
    uint32_t ref = tree->root;
    if (!find_limit(packed, tree, &w.terms)) return 0;
    for (uint32_t splits = 0; !spf_ref_is_leaf(ref); splits++) {
        uint32_t distance = ref & SPF_REF_VALUE;
        if (from >= packed->nodes_count || distance >= packed->nodes_count - from ||
            (distance == 0 && splits > 0) || splits >= tree->leaves - 1)
            return 0;
        float value;
        const spf_packed_node *node = spf_ref_is_long(ref)
                                          ? decide_long(&w, from + distance, &value)
                                          : decide_short(&w, from + distance, &value);
        if (!node || !isfinite(node->threshold)) return 0;
        from = (uint64_t)(node - packed->nodes);
        ref = node->child[!(value <= node->threshold)];
    }
    return leaf_exists(forest, tree, ref) ? ref : 0;
}
