/* Chooses the place of each split. Trees are packed in bins: the top levels of a bin's trees are
 * stored together, level by level, because every row passes them; below, each subtree follows depth
 * first, with the child that has more training rows directly behind its parent (Browne et al.
 * 2019). Children are always behind their parents. */
#include "predict/pack.h"

#include "model/own_tree.h"
#include "model/validate.h"
#include "predict/pack_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A node whose place is not chosen yet, and the reference that will point to it. */
typedef struct {
    uint32_t tree; /* index in the bin */
    uint32_t node;
    uint32_t side;   /* which child of its parent it is */
    uint64_t parent; /* packed node; NO_PARENT for a root */
} waiting;

#define NO_PARENT UINT64_MAX

_Static_assert(sizeof(waiting) == SPF_WAITING_BYTES, "spf_packing_bytes counts them");

/* A plain tree of the bin. */
typedef struct {
    const spf_tree *plain;
    spf_packed_tree *packed;
    float *weight;         /* of each node: weight of its training rows */
    uint32_t *long_number; /* of each long projection: its number in the forest */
} bin_tree;

typedef struct {
    spf_packed packed; /* sizes so far */
    _Atomic(spf_tree *) *inspected;
    spf_packed_tree *trees;
    spf_packed_node *nodes;
    uint64_t *projection_start, *mixed_start;
    uint32_t *term_feature, *leaf_weight, *leaf_class, *entry_class;
    float *term_weight, *entry_weight, *leaf_value;
    size_t width; /* values of a leaf */
    spf_set_list sets;
    spf_set_index set_index;
    /* scratch memory for a bin */
    bin_tree bin[SPF_BIN_TREES];
    float *weights;
    uint32_t *long_numbers;
    waiting *front, *next; /* one level of its trees */
    waiting *stack;
} packing;

static uint32_t terms_of(const spf_tree *tree, uint32_t projection) {
    return tree->projection_start[projection + 1] - tree->projection_start[projection];
}

static int is_long(const spf_tree *tree, uint32_t projection) {
    return terms_of(tree, projection) > SPF_SHORT_TERMS;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

typedef struct {
    uint64_t nodes, projections, terms, leaves, mixed, entries;
    uint64_t bin_nodes, bin_projections; /* of plain trees, in the largest bin */
    uint32_t tree_leaves;                /* of the largest tree */
} sizes;

static void count_tree(const spf_tree *tree, sizes *s) {
    for (uint32_t i = 0; i < tree->nodes_count; i++) {
        if (tree->nodes[i].right == 0) continue;
        uint32_t terms = terms_of(tree, spf_split_projection(&tree->nodes[i]));
        s->nodes += terms > SPF_SHORT_TERMS ? 1 : (terms + 1) / SPF_PACKED_TERMS;
    }
    for (uint32_t i = 0; i < tree->projections_count; i++) {
        s->projections += is_long(tree, i);
        s->terms += is_long(tree, i) ? terms_of(tree, i) : 0;
    }
    for (uint32_t k = 0; k < tree->leaves_count; k++) {
        uint32_t entries = tree->leaf_start[k + 1] - tree->leaf_start[k];
        s->mixed += entries > 1;
        s->entries += entries > 1 ? entries : 0;
    }
    s->leaves += tree->leaves_count;
    if (tree->leaves_count > s->tree_leaves) s->tree_leaves = tree->leaves_count;
}

/* Every reference must be able to reach the end of its bin. */
enum { BIN_NODES = SPF_REF_VALUE / (SPF_SHORT_TERMS / SPF_PACKED_TERMS) };

/* How many trees are in the bin that begins with a given one. */
static size_t trees_of_bin(const sporf_forest *forest, size_t begin) {
    uint64_t nodes = forest->trees[begin].nodes_count;
    size_t count = 1;
    for (; count < SPF_BIN_TREES && begin + count < forest->trees_count; count++) {
        nodes += forest->trees[begin + count].nodes_count;
        if (nodes > BIN_NODES) break;
    }
    return count;
}

static sporf_status measure(const sporf_forest *forest, sizes *s) {
    for (size_t begin = 0, trees; begin < forest->trees_count; begin += trees) {
        uint64_t nodes = 0, projections = 0;
        trees = trees_of_bin(forest, begin);
        for (size_t t = begin; t < begin + trees; t++) {
            nodes += forest->trees[t].nodes_count;
            projections += forest->trees[t].projections_count;
            count_tree(&forest->trees[t], s);
            SPF_TRY(spf_tree_check_walks(&forest->trees[t], t, SPORF_ERROR_DATA));
        }
        if (nodes > s->bin_nodes) s->bin_nodes = nodes;
        if (projections > s->bin_projections) s->bin_projections = projections;
    }
    if (s->bin_nodes > BIN_NODES || s->projections >= UINT32_MAX || s->mixed >= SPF_LEAF_MIXED)
        return spf_raise(SPORF_ERROR_DATA,
                         "the forest is too large to predict with" SPF_HINT
                         "limit the depth (" SPF_OPTION("max-depth") "), raise " SPF_OPTION(
                             "min-leaf") " or grow fewer trees");
    return SPORF_OK;
}

static sporf_status allocate(packing *p, const sporf_forest *forest, const sizes *s) {
    int in_table;
    p->packed.class_bits = spf_class_bits(spf_leaf_classes(forest), s->tree_leaves, &in_table);
    p->inspected = spf_alloc_zero(forest->trees_count, sizeof *p->inspected);
    p->trees = spf_alloc_zero(forest->trees_count, sizeof *p->trees);
    p->nodes = spf_alloc_large(s->nodes * sizeof *p->nodes);
    p->projection_start = spf_alloc_zero(s->projections + 1, sizeof *p->projection_start);
    p->term_feature = spf_alloc(s->terms, sizeof *p->term_feature);
    p->term_weight = spf_alloc(s->terms, sizeof *p->term_weight);
    p->leaf_weight = spf_alloc(s->leaves, sizeof *p->leaf_weight);
    p->leaf_class = in_table ? spf_alloc(s->leaves, sizeof *p->leaf_class) : NULL;
    p->mixed_start = spf_alloc_zero(s->mixed + 1, sizeof *p->mixed_start);
    p->entry_class = spf_alloc(s->entries, sizeof *p->entry_class);
    p->entry_weight = spf_alloc(s->entries, sizeof *p->entry_weight);
    p->width = spf_leaf_width(forest);
    if (p->width > 0 && !(p->leaf_value = spf_alloc(s->leaves * p->width, sizeof *p->leaf_value)))
        return spf_raise_memory();
    p->weights = spf_alloc(s->bin_nodes, sizeof *p->weights);
    p->long_numbers = spf_alloc(s->bin_projections, sizeof *p->long_numbers);
    p->front = spf_alloc((size_t)SPF_BIN_TREES << SPF_TOP_LEVELS, sizeof *p->front);
    p->next = spf_alloc((size_t)SPF_BIN_TREES << SPF_TOP_LEVELS, sizeof *p->next);
    p->stack = spf_alloc(s->tree_leaves, sizeof *p->stack);
    return p->inspected && p->trees && p->nodes && p->projection_start && p->term_feature &&
                   p->term_weight && p->leaf_weight && (p->leaf_class || !in_table) &&
                   p->mixed_start && p->entry_class && p->entry_weight && p->weights &&
                   p->long_numbers && p->front && p->next && p->stack
               ? SPORF_OK
               : spf_raise_memory();
}

static void free_arrays(packing *p) {
    spf_set_list_free(&p->sets);
    free(p->inspected);
    free(p->trees);
    free(p->nodes);
    free(p->projection_start);
    free(p->term_feature);
    free(p->term_weight);
    free(p->leaf_weight);
    free(p->leaf_class);
    free(p->mixed_start);
    free(p->entry_class);
    free(p->entry_weight);
    free(p->leaf_value);
}

static void free_scratch(packing *p) {
    free(p->set_index.slots);
    free(p->weights);
    free(p->long_numbers);
    free(p->front);
    free(p->next);
    free(p->stack);
}

/* ---- sets of levels -------------------------------------------------------------------------- */

/* Afterwards the terms of all trees name sets of one list without duplicates. */
static sporf_status share_sets(packing *p, sporf_forest *forest) {
    for (size_t t = 0; t < forest->trees_count; t++) {
        spf_tree *tree = &forest->trees[t];
        if (tree->sets.count > 0) SPF_TRY(spf_tree_intern_sets(tree, &p->sets, &p->set_index));
        if (!tree->borrows) {
            free((void *)tree->sets.sets);
            free((void *)tree->sets.words);
        }
        tree->sets = (spf_sets){0};
    }
    if (forest->features + p->sets.count > UINT32_MAX)
        return spf_raise(SPORF_ERROR_DATA,
                         "the forest has too many sets of levels" SPF_HINT
                         "limit the depth (" SPF_OPTION("max-depth") "), raise " SPF_OPTION(
                             "min-leaf") " or grow fewer trees");
    p->packed.sets = spf_set_list_view(&p->sets);
    return SPORF_OK;
}

/* ---- a tree before its splits are placed ----------------------------------------------------- */

static float leaf_weight(const spf_tree *tree, uint32_t leaf) {
    float sum = 0;
    for (uint32_t i = tree->leaf_start[leaf]; i < tree->leaf_start[leaf + 1]; i++)
        sum += tree->leaf_weight[i];
    return sum;
}

static void weigh(const bin_tree *s) {
    for (uint32_t i = s->plain->nodes_count; i-- > 0;) {
        const spf_node *node = &s->plain->nodes[i];
        s->weight[i] = node->right == 0 ? leaf_weight(s->plain, node->content)
                                        : s->weight[i + 1] + s->weight[node->right];
    }
}

static void pack_leaves(packing *p, const bin_tree *s) {
    const spf_tree *tree = s->plain;
    s->packed->leaf = p->packed.leaves_count;
    s->packed->leaves = tree->leaves_count;
    if (p->leaf_value)
        memcpy(p->leaf_value + s->packed->leaf * p->width, tree->leaf_value,
               tree->leaves_count * p->width * sizeof *p->leaf_value);
    for (uint32_t k = 0; k < tree->leaves_count; k++) {
        uint64_t leaf = p->packed.leaves_count++, end = p->packed.entries_count;
        uint32_t first = tree->leaf_start[k], entries = tree->leaf_start[k + 1] - first;
        if (p->leaf_class) p->leaf_class[leaf] = spf_leaf_vote(tree, k);
        if (entries == 1) {
            memcpy(&p->leaf_weight[leaf], &tree->leaf_weight[first], sizeof *p->leaf_weight);
            continue;
        }
        p->leaf_weight[leaf] = SPF_LEAF_MIXED | (uint32_t)p->packed.mixed_count;
        memcpy(p->entry_class + end, tree->leaf_class + first, entries * sizeof *p->entry_class);
        memcpy(p->entry_weight + end, tree->leaf_weight + first, entries * sizeof *p->entry_weight);
        p->packed.entries_count += entries;
        p->mixed_start[++p->packed.mixed_count] = p->packed.entries_count;
    }
}

static void pack_long_projections(packing *p, const bin_tree *s) {
    const spf_tree *tree = s->plain;
    s->packed->projection = p->packed.projections_count;
    for (uint32_t i = 0; i < tree->projections_count; i++) {
        uint32_t terms = terms_of(tree, i), first = tree->projection_start[i];
        if (!is_long(tree, i)) continue;
        uint64_t end = p->packed.terms_count;
        memcpy(p->term_feature + end, tree->term_feature + first, terms * sizeof *p->term_feature);
        memcpy(p->term_weight + end, tree->term_weight + first, terms * sizeof *p->term_weight);
        p->packed.terms_count += terms;
        s->long_number[i] = p->packed.projections_count++;
        p->projection_start[p->packed.projections_count] = p->packed.terms_count;
    }
    s->packed->projections = p->packed.projections_count - s->packed->projection;
}

/* ---- places ---------------------------------------------------------------------------------- */

static void refer(packing *p, const waiting *w, uint32_t flags, uint64_t at) {
    if (w->parent == NO_PARENT) {
        p->bin[w->tree].packed->start = at;
        p->bin[w->tree].packed->root = flags;
    } else
        p->nodes[w->parent].child[w->side] = flags | (uint32_t)(at - w->parent);
}

static void refer_to_leaf(packing *p, const waiting *w, uint32_t leaf) {
    uint32_t vote = p->leaf_class ? 0 : spf_leaf_vote(p->bin[w->tree].plain, leaf);
    uint32_t ref = SPF_REF_STOP | leaf << p->packed.class_bits | vote;
    if (w->parent == NO_PARENT)
        p->bin[w->tree].packed->root = ref;
    else
        p->nodes[w->parent].child[w->side] = ref;
}

static void place_short(packing *p, const spf_tree *tree, uint32_t projection, float sign) {
    const uint32_t *feature = tree->term_feature + tree->projection_start[projection];
    const float *weight = tree->term_weight + tree->projection_start[projection];
    uint32_t terms = terms_of(tree, projection);
    for (uint32_t i = 0; i < terms; i += SPF_PACKED_TERMS) {
        int second = i + 1 < terms;
        p->nodes[p->packed.nodes_count++] = (spf_packed_node){
            .threshold = NAN,
            .child = {1, 1},
            .feature = {feature[i], feature[second ? i + 1 : i]},
            .weight = {sign * weight[i], second ? sign * weight[i + 1] : 0},
        };
    }
}

/* Places a node. Returns 0 for a leaf; otherwise sets its children, the likelier first, which wait
 * for their places. */
static int place(packing *p, const waiting *w, waiting children[2]) {
    const bin_tree *s = &p->bin[w->tree];
    const spf_node *node = &s->plain->nodes[w->node];
    if (node->right == 0) {
        refer_to_leaf(p, w, node->content);
        return 0;
    }
    uint32_t projection = spf_split_projection(node);
    int mirrored = (node->content & SPF_MISSING_LEFT) != 0;
    float sign = mirrored ? -1 : 1;
    if (is_long(s->plain, projection)) {
        refer(p, w, SPF_REF_STOP | SPF_REF_LONG, p->packed.nodes_count);
        p->nodes[p->packed.nodes_count++] =
            (spf_packed_node){.feature = {s->long_number[projection]}, .weight = {sign}};
    } else {
        refer(p, w, 0, p->packed.nodes_count);
        place_short(p, s->plain, projection, sign);
    }
    uint64_t last = p->packed.nodes_count - 1;
    p->nodes[last].threshold = mirrored ? spf_mirror_threshold(node->threshold) : node->threshold;
    int swapped = s->weight[node->right] > s->weight[w->node + 1];
    children[swapped] = (waiting){w->tree, w->node + 1, mirrored, last};
    children[!swapped] = (waiting){w->tree, node->right, !mirrored, last};
    return 1;
}

static void place_subtree(packing *p, const waiting *top) {
    size_t count = 1;
    p->stack[0] = *top;
    while (count > 0) {
        waiting children[2], now = p->stack[--count];
        if (!place(p, &now, children)) continue;
        p->stack[count++] = children[1];
        p->stack[count++] = children[0];
    }
}

static void place_bin(packing *p, size_t trees) {
    size_t count = 0;
    for (uint32_t t = 0; t < trees; t++) p->front[count++] = (waiting){t, 0, 0, NO_PARENT};
    for (int level = 0; level < SPF_TOP_LEVELS; level++) {
        size_t below = 0;
        for (size_t i = 0; i < count; i++)
            if (place(p, &p->front[i], p->next + below)) below += 2;
        waiting *placed = p->front;
        p->front = p->next;
        p->next = placed;
        count = below;
    }
    for (size_t i = 0; i < count; i++) place_subtree(p, &p->front[i]);
}

static void pack_bin(packing *p, const sporf_forest *forest, size_t begin, size_t trees) {
    float *weight = p->weights;
    uint32_t *number = p->long_numbers;
    for (size_t i = 0; i < trees; i++) {
        const spf_tree *plain = &forest->trees[begin + i];
        p->bin[i] = (bin_tree){plain, &p->trees[begin + i], weight, number};
        weight += plain->nodes_count;
        number += plain->projections_count;
        weigh(&p->bin[i]);
        pack_leaves(p, &p->bin[i]);
        pack_long_projections(p, &p->bin[i]);
    }
    place_bin(p, trees);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void hand_over(packing *p, sporf_forest *forest) {
    p->packed.trees = p->trees;
    p->packed.trees_count = forest->trees_count;
    p->packed.nodes = p->nodes;
    p->packed.projection_start = p->projection_start;
    p->packed.term_feature = p->term_feature;
    p->packed.term_weight = p->term_weight;
    p->packed.leaf_weight = p->leaf_weight;
    p->packed.leaf_class = p->leaf_class;
    p->packed.mixed_start = p->mixed_start;
    p->packed.entry_class = p->entry_class;
    p->packed.entry_weight = p->entry_weight;
    p->packed.leaf_value = p->leaf_value;
    forest->packed = p->packed;
    forest->inspected = p->inspected;
    forest->trusted = 1;
}

static void pack_trees(packing *p, sporf_forest *forest) {
    for (size_t begin = 0, trees; begin < forest->trees_count; begin += trees) {
        trees = trees_of_bin(forest, begin);
        pack_bin(p, forest, begin, trees);
        for (size_t t = begin; t < begin + trees; t++) spf_tree_free(&forest->trees[t]);
    }
    free(forest->trees);
    forest->trees = NULL;
}

sporf_status spf_pack(sporf_forest *forest) {
    packing p = {0};
    sizes s = {0};
    SPF_TRY(measure(forest, &s));
    sporf_status status = share_sets(&p, forest);
    if (status == SPORF_OK) status = allocate(&p, forest, &s);
    if (status == SPORF_OK) status = spf_pack_samples(forest, s.leaves, &p.packed);
    if (status == SPORF_OK) {
        pack_trees(&p, forest);
        hand_over(&p, forest);
    } else
        free_arrays(&p);
    free_scratch(&p);
    return status;
}
