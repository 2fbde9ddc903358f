/* Reads the packed form. Every packed tree has exactly one plain one and vice versa, up to the
 * order of projections: anything that packing could not have made is refused. */
#include "model/unpack.h"

#include "model/samples.h"
#include "model/validate.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A reference to follow, the position it counts from, and the split whose right child it is. */
typedef struct {
    uint64_t from;
    uint32_t ref;
    uint32_t right_of; /* NO_SPLIT for a left child or a root */
} branch;

#define NO_SPLIT UINT32_MAX

/* What the trees up to here use of the arrays. */
typedef struct {
    uint64_t nodes; /* packed ones */
    uint64_t mixed; /* leaves of several classes, numbered consecutively; ANY before the first */
    unsigned char *reached; /* a bit for each packed node; NULL for a single tree */
} taken;

#define ANY UINT64_MAX

typedef struct {
    const spf_packed *packed;
    const spf_packed_tree *tree;
    size_t number;
    spf_node *nodes;
    uint32_t nodes_count, leaves_count;
    uint32_t *projection_start, *term_feature;
    float *term_weight;
    size_t start_capacity, feature_capacity, weight_capacity;
    uint32_t projections_count, terms_count;
    uint32_t *long_number; /* [long projections of the tree]: number in the plain tree */
    uint32_t longs_count;  /* how many have been seen */
    uint64_t long_terms;   /* their terms */
    uint32_t *leaf_start, *leaf_class;
    float *leaf_weight;
    size_t class_capacity, entry_capacity;
    uint32_t entries_count;
    branch *stack;
    size_t stack_capacity;
    taken *taken;
} unpacking;

#define FAULT(u, text, ...)                                                                        \
    spf_raise(SPORF_ERROR_MODEL, "tree %zu: " text, (u)->number, ##__VA_ARGS__)

/* ---- the tree table -------------------------------------------------------------------------- */

/* A root is at the start of its tree; a root that is a leaf is in its reference. */
static int root_exists(const spf_packed *packed, const spf_packed_tree *tree) {
    if (spf_ref_is_leaf(tree->root)) return tree->start == 0;
    return tree->start < packed->nodes_count && (tree->root & SPF_REF_VALUE) == 0 &&
           (tree->root == 0 || spf_ref_is_long(tree->root));
}

/* Whether everything that a tree's entry names exists. */
static sporf_status check_entry(const spf_packed *packed, size_t number) {
    const spf_packed_tree *tree = &packed->trees[number];
    if (tree->leaves == 0 || tree->leaves > SPF_REF_VALUE || tree->leaf > packed->leaves_count ||
        tree->leaves > packed->leaves_count - tree->leaf)
        return spf_raise(SPORF_ERROR_MODEL, "tree %zu: its leaves do not exist", number);
    if ((uint64_t)tree->projection + tree->projections > packed->projections_count)
        return spf_raise(SPORF_ERROR_MODEL, "tree %zu: its projections do not exist", number);
    if (!root_exists(packed, tree))
        return spf_raise(SPORF_ERROR_MODEL, "tree %zu: its root does not exist", number);
    return SPORF_OK;
}

sporf_status spf_packed_validate_table(const sporf_forest *forest) {
    const spf_packed *packed = &forest->packed;
    uint64_t leaves = 0, projections = 0;
    for (size_t t = 0; t < forest->trees_count; t++) {
        const spf_packed_tree *tree = &packed->trees[t];
        SPF_TRY(check_entry(packed, t));
        if (tree->leaf != leaves || tree->projection != projections)
            return spf_raise(SPORF_ERROR_MODEL,
                             "tree %zu: its parts do not follow those of the tree before it", t);
        leaves += tree->leaves;
        projections += tree->projections;
    }
    if (leaves != packed->leaves_count || projections != packed->projections_count)
        return spf_raise(SPORF_ERROR_MODEL, "there are leaves or projections of no tree");
    return SPORF_OK;
}

/* ---- projections ----------------------------------------------------------------------------- */

static sporf_status add_terms(unpacking *u, const uint32_t *features, const float *weights,
                              uint64_t terms) {
    if (u->terms_count + terms > UINT32_MAX) return FAULT(u, "it has more than 2^32 terms");
    SPF_TRY(SPF_RESERVE(u->term_feature, u->feature_capacity, u->terms_count + terms));
    SPF_TRY(SPF_RESERVE(u->term_weight, u->weight_capacity, u->terms_count + terms));
    memcpy(u->term_feature + u->terms_count, features, terms * sizeof *features);
    memcpy(u->term_weight + u->terms_count, weights, terms * sizeof *weights);
    u->terms_count += (uint32_t)terms;
    return SPORF_OK;
}

static sporf_status close_projection(unpacking *u) {
    SPF_TRY(SPF_RESERVE(u->projection_start, u->start_capacity, (size_t)u->projections_count + 2));
    u->projection_start[++u->projections_count] = u->terms_count;
    return SPORF_OK;
}

/* Projections are numbered in order of first use. */
#define NO_NUMBER UINT32_MAX

static sporf_status prepare_long_projections(unpacking *u) {
    uint32_t count = u->tree->projections;
    SPF_TRY(SPF_RESERVE(u->projection_start, u->start_capacity, 1));
    u->projection_start[0] = 0;
    SPF_TRY(SPF_RESERVE(u->term_feature, u->feature_capacity, 1)); /* never NULL */
    SPF_TRY(SPF_RESERVE(u->term_weight, u->weight_capacity, 1));
    u->long_number = spf_alloc(count, sizeof *u->long_number);
    if (!u->long_number) return spf_raise_memory();
    for (uint32_t i = 0; i < count; i++) u->long_number[i] = NO_NUMBER;
    return SPORF_OK;
}

static sporf_status unpack_long(unpacking *u, uint32_t number) {
    const spf_packed *packed = u->packed;
    uint64_t begin = packed->projection_start[number], end = packed->projection_start[number + 1];
    if (end > packed->terms_count || begin > end || end - begin <= SPF_SHORT_TERMS ||
        end - begin > packed->terms_count - u->long_terms)
        return FAULT(u, "long projection %u has no proper place", number);
    u->long_terms += end - begin; /* no two share terms, whatever the starts are */
    u->longs_count++;
    SPF_TRY(add_terms(u, packed->term_feature + begin, packed->term_weight + begin, end - begin));
    return close_projection(u);
}

static int is_part(const spf_packed_node *node) {
    uint32_t bits;
    memcpy(&bits, &node->threshold, sizeof bits);
    return bits == SPF_PART_THRESHOLD;
}

/* Whether a weight is the 0 of an absent term. */
static int is_absent(float weight) {
    uint32_t bits;
    memcpy(&bits, &weight, sizeof bits);
    return bits == 0;
}

static sporf_status take_node(unpacking *u, uint64_t at) {
    unsigned char *bits = u->taken->reached ? &u->taken->reached[at / 8] : NULL;
    unsigned char bit = (unsigned char)(1u << at % 8);
    u->taken->nodes++;
    if (!bits) return SPORF_OK;
    if (*bits & bit) return FAULT(u, "node %llu is reached twice", (unsigned long long)at);
    *bits |= bit;
    return SPORF_OK;
}

/* Follows the nodes of a short projection from *at to the last one. */
static sporf_status unpack_short(unpacking *u, uint64_t *at) {
    uint32_t before = u->terms_count;
    for (;; ++*at) {
        if (*at >= u->packed->nodes_count) return FAULT(u, "a projection reaches beyond the nodes");
        const spf_packed_node *node = &u->packed->nodes[*at];
        int absent = is_absent(node->weight[1]), part = is_part(node);
        if (absent && (part || node->feature[1] != node->feature[0]))
            return FAULT(u, "a term is missing in node %llu", (unsigned long long)*at);
        if (part && (node->child[0] != 1 || node->child[1] != 1))
            return FAULT(u, "node %llu is part of a projection with children",
                         (unsigned long long)*at);
        SPF_TRY(take_node(u, *at));
        SPF_TRY(add_terms(u, node->feature, node->weight, absent ? 1 : SPF_PACKED_TERMS));
        if (u->terms_count - before > SPF_SHORT_TERMS)
            return FAULT(u, "a long projection does not lie aside");
        if (!part) return close_projection(u);
    }
}

/* ---- nodes and leaves ------------------------------------------------------------------------ */

static sporf_status add_entries(unpacking *u, const uint32_t *classes, const float *weights,
                                uint64_t count) {
    if (u->entries_count + count > UINT32_MAX) return FAULT(u, "it has more than 2^32 entries");
    SPF_TRY(SPF_RESERVE(u->leaf_class, u->class_capacity, u->entries_count + count));
    SPF_TRY(SPF_RESERVE(u->leaf_weight, u->entry_capacity, u->entries_count + count));
    memcpy(u->leaf_class + u->entries_count, classes, count * sizeof *classes);
    memcpy(u->leaf_weight + u->entries_count, weights, count * sizeof *weights);
    u->entries_count += (uint32_t)count;
    return SPORF_OK;
}

static sporf_status add_mixed(unpacking *u, uint32_t number) {
    const spf_packed *packed = u->packed;
    if (number >= packed->mixed_count || (u->taken->mixed != ANY && number != u->taken->mixed))
        return FAULT(u, "leaf %u has no entries of its own", u->leaves_count);
    u->taken->mixed = (uint64_t)number + 1;
    uint64_t begin = packed->mixed_start[number], end = packed->mixed_start[number + 1];
    if (end > packed->entries_count || begin > end || end - begin < 2)
        return FAULT(u, "leaf %u has no proper entries", u->leaves_count);
    return add_entries(u, packed->entry_class + begin, packed->entry_weight + begin, end - begin);
}

static sporf_status add_leaf(unpacking *u, uint32_t ref) {
    uint32_t leaf = spf_ref_leaf(u->packed, ref);
    if (leaf != u->leaves_count || leaf >= u->tree->leaves)
        return FAULT(u, "leaf %u comes where leaf %u should", leaf, u->leaves_count);
    uint32_t vote = spf_ref_class(u->packed, u->tree, ref);
    uint32_t bits = u->packed->leaf_weight[u->tree->leaf + leaf];
    float weight;
    memcpy(&weight, &bits, sizeof weight);
    u->leaf_start[leaf] = u->entries_count;
    if (bits & SPF_LEAF_MIXED)
        SPF_TRY(add_mixed(u, bits & ~SPF_LEAF_MIXED));
    else
        SPF_TRY(add_entries(u, &vote, &weight, 1));
    u->leaf_start[++u->leaves_count] = u->entries_count;
    spf_tree so_far = {
        .leaf_start = u->leaf_start, .leaf_class = u->leaf_class, .leaf_weight = u->leaf_weight};
    if (spf_leaf_vote(&so_far, leaf) != vote)
        return FAULT(u, "leaf %u votes for class %u against its entries", leaf, vote);
    u->nodes[u->nodes_count++] = (spf_node){.content = leaf};
    return SPORF_OK;
}

/* Reverses the short projection added last if it is a mirror image; returns whether it was. */
static int mirror_terms(unpacking *u) {
    uint32_t first = u->projection_start[u->projections_count - 1];
    if (!(u->term_weight[first] < 0)) return 0;
    for (uint32_t i = first; i < u->terms_count; i++) u->term_weight[i] = -u->term_weight[i];
    return 1;
}

/* Finds the deciding node, the plain number of its projection, and whether it is a mirror image. */
static sporf_status find_projection(unpacking *u, const branch *b, uint64_t *at, uint32_t *number,
                                    int *mirrored) {
    int is_long = spf_ref_is_long(b->ref);
    *at = b->from + (b->ref & SPF_REF_VALUE);
    if (*at >= u->packed->nodes_count || (!is_long && b->ref > SPF_REF_VALUE))
        return FAULT(u, "a child lies beyond the nodes");
    if (!is_long) {
        *number = u->projections_count;
        SPF_TRY(unpack_short(u, at));
        *mirrored = mirror_terms(u);
        return SPORF_OK;
    }
    const spf_packed_node *node = &u->packed->nodes[*at];
    uint32_t own = node->feature[0] - u->tree->projection;
    SPF_TRY(take_node(u, *at));
    if (own >= u->tree->projections || node->feature[1] != 0 || fabsf(node->weight[0]) != 1 ||
        !is_absent(node->weight[1]))
        return FAULT(u, "node %llu does not name a long projection", (unsigned long long)*at);
    *mirrored = node->weight[0] < 0;
    int is_new = u->long_number[own] == NO_NUMBER;
    if (is_new) u->long_number[own] = u->projections_count;
    *number = u->long_number[own];
    return is_new ? unpack_long(u, node->feature[0]) : SPORF_OK;
}

/* Adds a split, and puts its children on the stack. */
static sporf_status add_split(unpacking *u, const branch *b, size_t *waiting) {
    uint64_t at = 0;
    uint32_t number = 0, split = u->nodes_count;
    int mirrored = 0;
    SPF_TRY(find_projection(u, b, &at, &number, &mirrored));
    const spf_packed_node *node = &u->packed->nodes[at];
    u->nodes[u->nodes_count++] =
        (spf_node){.threshold = mirrored ? spf_mirror_threshold(node->threshold) : node->threshold,
                   .content = number | (mirrored ? SPF_MISSING_LEFT : 0)};
    SPF_TRY(SPF_RESERVE(u->stack, u->stack_capacity, *waiting + 2));
    for (int side = 1; side >= 0; side--) { /* so that the left one is taken first */
        uint32_t child = node->child[side ^ mirrored];
        if (!spf_ref_is_leaf(child) && (child & SPF_REF_VALUE) == 0)
            return FAULT(u, "node %llu is its own child", (unsigned long long)at);
        u->stack[(*waiting)++] = (branch){at, child, side == 1 ? split : NO_SPLIT};
    }
    return SPORF_OK;
}

static sporf_status unpack_nodes(unpacking *u) {
    size_t waiting = 1;
    SPF_TRY(SPF_RESERVE(u->stack, u->stack_capacity, waiting));
    u->stack[0] = (branch){u->tree->start, u->tree->root, NO_SPLIT};
    while (waiting > 0) {
        branch b = u->stack[--waiting];
        if (u->nodes_count >= 2 * (uint64_t)u->tree->leaves - 1)
            return FAULT(u, "it has more splits than its leaves allow");
        if (b.right_of != NO_SPLIT) u->nodes[b.right_of].right = u->nodes_count;
        SPF_TRY(spf_ref_is_leaf(b.ref) ? add_leaf(u, b.ref) : add_split(u, &b, &waiting));
    }
    if (u->leaves_count != u->tree->leaves) return FAULT(u, "it has fewer leaves than it says");
    if (u->longs_count != u->tree->projections) return FAULT(u, "a projection is never used");
    return SPORF_OK;
}

/* ---- a tree ---------------------------------------------------------------------------------- */

static sporf_status unpack(unpacking *u) {
    const spf_packed_tree *tree = u->tree;
    SPF_TRY(check_entry(u->packed, u->number));
    u->nodes = spf_alloc(2 * (size_t)tree->leaves - 1, sizeof *u->nodes);
    u->leaf_start = spf_alloc((size_t)tree->leaves + 1, sizeof *u->leaf_start);
    if (!u->nodes || !u->leaf_start) return spf_raise_memory();
    SPF_TRY(prepare_long_projections(u));
    return unpack_nodes(u);
}

/* Leaf values and samples are the same arrays in both forms. */
static void lend_values(const sporf_forest *forest, size_t number, spf_tree *out) {
    const spf_packed *packed = &forest->packed;
    out->leaf_value = spf_leaf_values(packed, &packed->trees[number], spf_leaf_width(forest));
    if (!packed->sample_end) return;
    out->sample_end = packed->sample_end + packed->trees[number].leaf;
    out->sample_value = packed->sample_value + packed->sample_tree[number] * forest->targets;
    if (packed->sample_weight)
        out->sample_weight = packed->sample_weight + packed->sample_tree[number];
}

static sporf_status unpack_next(const sporf_forest *forest, size_t number, taken *taken,
                                spf_tree *out) {
    unpacking u = {.packed = &forest->packed,
                   .tree = &forest->packed.trees[number],
                   .number = number,
                   .taken = taken};
    sporf_status status = unpack(&u);
    free(u.stack);
    free(u.long_number);
    *out = (spf_tree){
        .nodes_count = u.nodes_count,
        .projections_count = u.projections_count,
        .leaves_count = u.leaves_count,
        .nodes = u.nodes,
        .projection_start = u.projection_start,
        .term_feature = u.term_feature,
        .term_weight = u.term_weight,
        .leaf_start = u.leaf_start,
        .leaf_class = u.leaf_class,
        .leaf_weight = u.leaf_weight,
        .features = forest->features,
        .sets = forest->packed.sets,
        .borrows = 1,
    };
    if (status == SPORF_OK) lend_values(forest, number, out);
    spf_tree_extent extent = {.terms = u.terms_count, .leaf_entries = u.entries_count};
    if (status == SPORF_OK && !forest->trusted)
        status =
            spf_tree_validate(out, &extent, forest->features, spf_leaf_classes(forest), number);
    if (status != SPORF_OK) spf_tree_free(out);
    return status;
}

sporf_status spf_unpack_tree(const sporf_forest *forest, size_t number, spf_tree *out) {
    taken unknown = {.mixed = ANY};
    return unpack_next(forest, number, &unknown, out);
}

sporf_status spf_forest_tree(const sporf_forest *forest, size_t number, const spf_tree **tree) {
    if (forest->trees) {
        *tree = &forest->trees[number];
        return SPORF_OK;
    }
    spf_tree *found = atomic_load(&forest->inspected[number]), *made;
    *tree = found;
    if (found) return SPORF_OK;
    made = spf_alloc_zero(1, sizeof *made);
    if (!made) return spf_raise_memory();
    sporf_status status = spf_unpack_tree(forest, number, made);
    if (status == SPORF_OK &&
        atomic_compare_exchange_strong(&forest->inspected[number], &found, made)) {
        *tree = made;
        return SPORF_OK;
    }
    if (status == SPORF_OK) spf_tree_free(made); /* another thread was first */
    free(made);
    *tree = found;
    return status;
}

/* ---- all trees ------------------------------------------------------------------------------- */

static sporf_status validate_trees(const sporf_forest *forest, taken *all) {
    for (size_t t = 0; t < forest->trees_count; t++) {
        spf_tree tree;
        SPF_TRY(unpack_next(forest, t, all, &tree));
        spf_tree_free(&tree);
    }
    if (all->nodes != forest->packed.nodes_count || all->mixed != forest->packed.mixed_count)
        return spf_raise(SPORF_ERROR_MODEL, "there are nodes or leaves of no tree");
    return SPORF_OK;
}

static sporf_status validate_values(const sporf_forest *forest) {
    const spf_packed *packed = &forest->packed;
    size_t width = spf_leaf_width(forest);
    for (uint64_t i = 0; packed->leaf_value && i < packed->leaves_count * width; i++)
        if (!isfinite(packed->leaf_value[i]))
            return spf_raise(SPORF_ERROR_MODEL, "leaf value %llu is not finite",
                             (unsigned long long)i);
    for (uint64_t i = 0; spf_has_several_labels(forest) && i < packed->leaves_count * width; i++)
        if (!(packed->leaf_value[i] >= 0 && packed->leaf_value[i] <= 1))
            return spf_raise(SPORF_ERROR_MODEL, "leaf value %llu is not the share of a class",
                             (unsigned long long)i);
    return SPORF_OK;
}

sporf_status spf_packed_validate(const sporf_forest *forest) {
    SPF_TRY(spf_packed_validate_table(forest));
    SPF_TRY(validate_values(forest));
    SPF_TRY(spf_samples_validate(forest));
    taken all = {.reached = spf_alloc_zero(forest->packed.nodes_count / 8 + 1, 1)};
    if (!all.reached) return spf_raise_memory();
    sporf_status status = validate_trees(forest, &all);
    free(all.reached);
    return status;
}
