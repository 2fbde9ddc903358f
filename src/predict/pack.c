/* Chooses the place of each split. Trees are packed in bins: the top levels of a bin's trees are
 * stored together, level by level, because every row passes them; below, each subtree follows depth
 * first, with the child that has more training rows directly behind its parent (Browne et al.
 * 2019). Children are always behind their parents.
 *
 * How much room each tree takes is measured first. Then every tree has its own places, and trees
 * are packed in any order. */
#include "predict/pack.h"

#include "base/parallel.h"
#include "model/own_tree.h"
#include "model/validate.h"
#include "predict/pack_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A node whose place is not chosen yet, and the reference that will point to it. */
typedef struct {
    uint32_t node;
    uint32_t side;   /* which child of its parent it is */
    uint64_t parent; /* packed node; NO_PARENT for a root */
} waiting;

#define NO_PARENT UINT64_MAX

enum { TOP_NODES = 1 << SPF_TOP_LEVELS }; /* of a tree, in the level below the top ones */

/* How much a tree has of each array of the forest and, later, where that is to begin. */
typedef struct {
    uint64_t level[SPF_TOP_LEVELS]; /* nodes of the top levels */
    uint64_t below;                 /* nodes below them */
    uint64_t projections, terms, leaves, mixed, entries;
} extent;

_Static_assert(sizeof(waiting) == SPF_WAITING_BYTES && sizeof(extent) == SPF_EXTENT_BYTES,
               "spf_packing_bytes counts them");

/* Memory of a thread, enough for any of the trees. */
typedef struct {
    float *weight;         /* of each node: weight of its training rows */
    uint32_t *long_number; /* of each long projection: its number in the forest */
    waiting *stack;
} scratch;

typedef struct {
    sporf_forest *forest;
    spf_packed packed;
    extent *extents; /* [trees] */
    _Atomic(spf_tree *) *inspected;
    spf_packed_tree *trees;
    spf_packed_node *nodes;
    uint64_t *projection_start, *mixed_start;
    uint32_t *term_feature, *leaf_weight, *leaf_class, *entry_class;
    float *term_weight, *entry_weight, *leaf_value;
    size_t width; /* values of a leaf */
    spf_set_list sets;
    spf_set_index set_index;
    unsigned workers;
    scratch *scratches; /* [workers] */
} packing;

static uint32_t terms_of(const spf_tree *tree, uint32_t projection) {
    return tree->projection_start[projection + 1] - tree->projection_start[projection];
}

static int is_long(const spf_tree *tree, uint32_t projection) {
    return terms_of(tree, projection) > SPF_SHORT_TERMS;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* The number of packed nodes of a plain one. */
static uint32_t nodes_of(const spf_tree *tree, const spf_node *node) {
    if (node->right == 0) return 0;
    uint32_t terms = terms_of(tree, spf_split_projection(node));
    return terms > SPF_SHORT_TERMS ? 1 : (terms + 1) / SPF_PACKED_TERMS;
}

static void count_nodes(const spf_tree *tree, extent *e) {
    uint32_t front[TOP_NODES] = {0}, next[TOP_NODES];
    size_t count = 1;
    for (uint32_t i = 0; i < tree->nodes_count; i++) e->below += nodes_of(tree, &tree->nodes[i]);
    for (int level = 0; level < SPF_TOP_LEVELS; level++) {
        size_t below = 0;
        for (size_t i = 0; i < count; i++) {
            const spf_node *node = &tree->nodes[front[i]];
            if (node->right == 0) continue;
            e->level[level] += nodes_of(tree, node);
            next[below++] = front[i] + 1;
            next[below++] = node->right;
        }
        e->below -= e->level[level];
        memcpy(front, next, below * sizeof *front);
        count = below;
    }
}

static sporf_status measure_tree(void *context, size_t item, unsigned worker) {
    (void)worker;
    packing *p = context;
    const spf_tree *tree = &p->forest->trees[item];
    extent *e = &p->extents[item];
    count_nodes(tree, e);
    for (uint32_t i = 0; i < tree->projections_count; i++) {
        e->projections += is_long(tree, i);
        e->terms += is_long(tree, i) ? terms_of(tree, i) : 0;
    }
    for (uint32_t k = 0; k < tree->leaves_count; k++) {
        uint32_t entries = tree->leaf_start[k + 1] - tree->leaf_start[k];
        e->mixed += entries > 1;
        e->entries += entries > 1 ? entries : 0;
    }
    e->leaves = tree->leaves_count;
    return spf_tree_check_walks(tree, item, SPORF_ERROR_DATA);
}

/* Several threads might find faults: the first tree with one is reported. */
static sporf_status measure(packing *p) {
    size_t trees = p->forest->trees_count;
    p->extents = spf_alloc_zero(trees, sizeof *p->extents);
    if (!p->extents) return spf_raise_memory();
    sporf_status status = spf_parallel(trees, p->workers, measure_tree, p);
    if (status != SPORF_ERROR_DATA) return status;
    for (size_t t = 0; t < trees; t++)
        SPF_TRY(spf_tree_check_walks(&p->forest->trees[t], t, SPORF_ERROR_DATA));
    return status;
}

/* ---- bins ------------------------------------------------------------------------------------ */

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

/* The next so many of an array that is filled up to *end. */
static void take(uint64_t *count, uint64_t *end) {
    uint64_t begin = *end;
    *end += *count;
    *count = begin;
}

static void place_bins(packing *p) {
    for (size_t begin = 0, trees; begin < p->forest->trees_count; begin += trees) {
        trees = trees_of_bin(p->forest, begin);
        for (int level = 0; level < SPF_TOP_LEVELS; level++)
            for (size_t t = begin; t < begin + trees; t++)
                take(&p->extents[t].level[level], &p->packed.nodes_count);
        for (size_t t = begin; t < begin + trees; t++)
            take(&p->extents[t].below, &p->packed.nodes_count);
    }
}

/* Afterwards extents are places, and the sizes of the packed forest are known. */
static sporf_status choose_places(packing *p) {
    spf_packed *all = &p->packed;
    int fits = 1;
    place_bins(p);
    for (size_t t = 0; t < p->forest->trees_count; t++) {
        extent *e = &p->extents[t];
        take(&e->projections, &all->projections_count);
        take(&e->terms, &all->terms_count);
        take(&e->leaves, &all->leaves_count);
        take(&e->mixed, &all->mixed_count);
        take(&e->entries, &all->entries_count);
        fits &= p->forest->trees[t].nodes_count <= BIN_NODES;
    }
    if (fits && all->projections_count < UINT32_MAX && all->mixed_count < SPF_LEAF_MIXED)
        return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "the forest is too large to predict with" SPF_HINT
                     "limit the depth (" SPF_OPTION("max-depth") "), raise " SPF_OPTION(
                         "min-leaf") " or grow fewer trees");
}

/* ---- memory ---------------------------------------------------------------------------------- */

static int allocate_scratches(packing *p, uint32_t nodes, uint32_t projections, uint32_t leaves) {
    int done = 1;
    p->scratches = spf_alloc_zero(p->workers, sizeof *p->scratches);
    for (unsigned i = 0; p->scratches && i < p->workers; i++) {
        scratch *s = &p->scratches[i];
        s->weight = spf_alloc(nodes, sizeof *s->weight);
        s->long_number = spf_alloc(projections, sizeof *s->long_number);
        s->stack = spf_alloc(leaves, sizeof *s->stack);
        done &= s->weight && s->long_number && s->stack;
    }
    return p->scratches && done;
}

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static sporf_status allocate(packing *p) {
    const sporf_forest *forest = p->forest;
    const spf_packed *all = &p->packed;
    uint32_t nodes = 0, projections = 0, leaves = 0; /* of any tree, at most */
    int in_table;
    for (size_t t = 0; t < forest->trees_count; t++) {
        nodes = larger(nodes, forest->trees[t].nodes_count);
        projections = larger(projections, forest->trees[t].projections_count);
        leaves = larger(leaves, forest->trees[t].leaves_count);
    }
    p->packed.class_bits = spf_class_bits(spf_leaf_classes(forest), leaves, &in_table);
    p->inspected = spf_alloc_zero(forest->trees_count, sizeof *p->inspected);
    p->trees = spf_alloc_zero(forest->trees_count, sizeof *p->trees);
    p->nodes = spf_alloc_large(all->nodes_count * sizeof *p->nodes);
    p->projection_start = spf_alloc_zero(all->projections_count + 1, sizeof *p->projection_start);
    p->term_feature = spf_alloc(all->terms_count, sizeof *p->term_feature);
    p->term_weight = spf_alloc(all->terms_count, sizeof *p->term_weight);
    p->leaf_weight = spf_alloc(all->leaves_count, sizeof *p->leaf_weight);
    p->leaf_class = in_table ? spf_alloc(all->leaves_count, sizeof *p->leaf_class) : NULL;
    p->mixed_start = spf_alloc_zero(all->mixed_count + 1, sizeof *p->mixed_start);
    p->entry_class = spf_alloc(all->entries_count, sizeof *p->entry_class);
    p->entry_weight = spf_alloc(all->entries_count, sizeof *p->entry_weight);
    p->width = spf_leaf_width(forest);
    if (p->width > 0)
        p->leaf_value = spf_alloc(all->leaves_count * p->width, sizeof *p->leaf_value);
    return allocate_scratches(p, nodes, projections, leaves) && p->inspected && p->trees &&
                   p->nodes && p->projection_start && p->term_feature && p->term_weight &&
                   p->leaf_weight && (p->leaf_class || !in_table) && p->mixed_start &&
                   p->entry_class && p->entry_weight && (p->leaf_value || p->width == 0)
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
    spf_pack_samples_free(&p->packed);
}

static void free_scratches(packing *p) {
    for (unsigned i = 0; p->scratches && i < p->workers; i++) {
        free(p->scratches[i].weight);
        free(p->scratches[i].long_number);
        free(p->scratches[i].stack);
    }
    free(p->scratches);
    free(p->extents);
    free(p->set_index.slots);
}

/* ---- sets of levels -------------------------------------------------------------------------- */

/* Afterwards the terms of all trees name sets of one list without duplicates. */
static sporf_status share_sets(packing *p) {
    sporf_forest *forest = p->forest;
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

/* A tree while it is packed. */
typedef struct {
    const packing *all;
    const spf_tree *plain;
    const extent *at;
    spf_packed_tree *packed;
    scratch own;
    uint64_t next; /* place of the next packed node */
} packed_tree;

static float leaf_weight(const spf_tree *tree, uint32_t leaf) {
    float sum = 0;
    for (uint32_t i = tree->leaf_start[leaf]; i < tree->leaf_start[leaf + 1]; i++)
        sum += tree->leaf_weight[i];
    return sum;
}

static void weigh(const packed_tree *s) {
    float *weight = s->own.weight;
    for (uint32_t i = s->plain->nodes_count; i-- > 0;) {
        const spf_node *node = &s->plain->nodes[i];
        weight[i] = node->right == 0 ? leaf_weight(s->plain, node->content)
                                     : weight[i + 1] + weight[node->right];
    }
}

static void pack_leaves(const packed_tree *s) {
    const packing *p = s->all;
    const spf_tree *tree = s->plain;
    uint64_t leaf = s->at->leaves, mixed = s->at->mixed, end = s->at->entries;
    s->packed->leaf = leaf;
    s->packed->leaves = tree->leaves_count;
    if (p->leaf_value)
        memcpy(p->leaf_value + leaf * p->width, tree->leaf_value,
               tree->leaves_count * p->width * sizeof *p->leaf_value);
    for (uint32_t k = 0; k < tree->leaves_count; k++, leaf++) {
        uint32_t first = tree->leaf_start[k], entries = tree->leaf_start[k + 1] - first;
        if (p->leaf_class) p->leaf_class[leaf] = spf_leaf_vote(tree, k);
        if (entries == 1) {
            memcpy(&p->leaf_weight[leaf], &tree->leaf_weight[first], sizeof *p->leaf_weight);
            continue;
        }
        p->leaf_weight[leaf] = SPF_LEAF_MIXED | (uint32_t)mixed;
        memcpy(p->entry_class + end, tree->leaf_class + first, entries * sizeof *p->entry_class);
        memcpy(p->entry_weight + end, tree->leaf_weight + first, entries * sizeof *p->entry_weight);
        end += entries;
        p->mixed_start[++mixed] = end;
    }
}

static void pack_long_projections(const packed_tree *s) {
    const packing *p = s->all;
    const spf_tree *tree = s->plain;
    uint64_t number = s->at->projections, end = s->at->terms;
    s->packed->projection = (uint32_t)number;
    for (uint32_t i = 0; i < tree->projections_count; i++) {
        uint32_t terms = terms_of(tree, i), first = tree->projection_start[i];
        if (!is_long(tree, i)) continue;
        memcpy(p->term_feature + end, tree->term_feature + first, terms * sizeof *p->term_feature);
        memcpy(p->term_weight + end, tree->term_weight + first, terms * sizeof *p->term_weight);
        end += terms;
        s->own.long_number[i] = (uint32_t)number++;
        p->projection_start[number] = end;
    }
    s->packed->projections = (uint32_t)(number - s->at->projections);
}

/* ---- places ---------------------------------------------------------------------------------- */

static void refer(const packed_tree *s, const waiting *w, uint32_t flags, uint64_t at) {
    if (w->parent == NO_PARENT) {
        s->packed->start = at;
        s->packed->root = flags;
    } else
        s->all->nodes[w->parent].child[w->side] = flags | (uint32_t)(at - w->parent);
}

static void refer_to_leaf(const packed_tree *s, const waiting *w, uint32_t leaf) {
    uint32_t vote = s->all->leaf_class ? 0 : spf_leaf_vote(s->plain, leaf);
    uint32_t ref = SPF_REF_STOP | leaf << s->all->packed.class_bits | vote;
    if (w->parent == NO_PARENT)
        s->packed->root = ref;
    else
        s->all->nodes[w->parent].child[w->side] = ref;
}

static void place_short(packed_tree *s, uint32_t projection, float sign) {
    const spf_tree *tree = s->plain;
    const uint32_t *feature = tree->term_feature + tree->projection_start[projection];
    const float *weight = tree->term_weight + tree->projection_start[projection];
    uint32_t terms = terms_of(tree, projection);
    for (uint32_t i = 0; i < terms; i += SPF_PACKED_TERMS) {
        int second = i + 1 < terms;
        s->all->nodes[s->next++] = (spf_packed_node){
            .threshold = NAN,
            .child = {1, 1},
            .feature = {feature[i], feature[second ? i + 1 : i]},
            .weight = {sign * weight[i], second ? sign * weight[i + 1] : 0},
        };
    }
}

/* Places a node. Returns 0 for a leaf; otherwise sets its children, the likelier first, which wait
 * for their places. */
static int place(packed_tree *s, const waiting *w, waiting children[2]) {
    const spf_node *node = &s->plain->nodes[w->node];
    spf_packed_node *nodes = s->all->nodes;
    if (node->right == 0) {
        refer_to_leaf(s, w, node->content);
        return 0;
    }
    uint32_t projection = spf_split_projection(node);
    int mirrored = (node->content & SPF_MISSING_LEFT) != 0;
    float sign = mirrored ? -1 : 1;
    if (is_long(s->plain, projection)) {
        refer(s, w, SPF_REF_STOP | SPF_REF_LONG, s->next);
        nodes[s->next++] =
            (spf_packed_node){.feature = {s->own.long_number[projection]}, .weight = {sign}};
    } else {
        refer(s, w, 0, s->next);
        place_short(s, projection, sign);
    }
    uint64_t last = s->next - 1;
    nodes[last].threshold = mirrored ? spf_mirror_threshold(node->threshold) : node->threshold;
    int swapped = s->own.weight[node->right] > s->own.weight[w->node + 1];
    children[swapped] = (waiting){w->node + 1, mirrored, last};
    children[!swapped] = (waiting){node->right, !mirrored, last};
    return 1;
}

static void place_subtree(packed_tree *s, const waiting *top) {
    waiting *stack = s->own.stack;
    size_t count = 1;
    stack[0] = *top;
    while (count > 0) {
        waiting children[2], now = stack[--count];
        if (!place(s, &now, children)) continue;
        stack[count++] = children[1];
        stack[count++] = children[0];
    }
}

static void place_nodes(packed_tree *s) {
    waiting levels[2][TOP_NODES], *front = levels[0], *next = levels[1];
    size_t count = 1;
    front[0] = (waiting){0, 0, NO_PARENT};
    for (int level = 0; level < SPF_TOP_LEVELS; level++) {
        size_t below = 0;
        s->next = s->at->level[level];
        for (size_t i = 0; i < count; i++)
            if (place(s, &front[i], next + below)) below += 2;
        waiting *placed = front;
        front = next;
        next = placed;
        count = below;
    }
    s->next = s->at->below;
    for (size_t i = 0; i < count; i++) place_subtree(s, &front[i]);
}

static sporf_status pack_tree(void *context, size_t item, unsigned worker) {
    packing *p = context;
    spf_tree *plain = &p->forest->trees[item];
    packed_tree s = {.all = p,
                     .plain = plain,
                     .at = &p->extents[item],
                     .packed = &p->trees[item],
                     .own = p->scratches[worker]};
    weigh(&s);
    pack_leaves(&s);
    pack_long_projections(&s);
    place_nodes(&s);
    spf_tree_free(plain);
    return SPORF_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void hand_over(packing *p) {
    sporf_forest *forest = p->forest;
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
    free(forest->trees);
    forest->trees = NULL;
    forest->packed = p->packed;
    forest->inspected = p->inspected;
    forest->trusted = 1;
}

/* Small forests are packed before a thread has started. */
static unsigned workers_for(const sporf_forest *forest, unsigned threads) {
    enum { NODES = 1 << 12 };
    uint64_t nodes = 0, most = spf_thread_count(threads);
    for (size_t t = 0; t < forest->trees_count; t++) nodes += forest->trees[t].nodes_count;
    if (most > nodes / NODES + 1) most = nodes / NODES + 1;
    return (unsigned)(most < forest->trees_count ? most : forest->trees_count);
}

sporf_status spf_pack(sporf_forest *forest, unsigned threads) {
    packing p = {.forest = forest, .workers = workers_for(forest, threads)};
    sporf_status status = measure(&p);
    if (status == SPORF_OK) status = choose_places(&p);
    if (status == SPORF_OK) status = share_sets(&p);
    if (status == SPORF_OK) status = allocate(&p);
    if (status == SPORF_OK) status = spf_pack_samples(forest, p.packed.leaves_count, &p.packed);
    if (status == SPORF_OK) status = spf_parallel(forest->trees_count, p.workers, pack_tree, &p);
    if (status == SPORF_OK)
        hand_over(&p);
    else
        free_arrays(&p);
    free_scratches(&p);
    return status;
}
