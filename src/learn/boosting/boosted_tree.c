/* Growing on histograms. */
#include "learn/boosting/boosted_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Gains below this share of a node's own score are rounding errors. */
#define LEAST_GAIN 1e-10

/* The children of a split node, or the root alone. */
typedef struct {
    uint32_t small, large; /* large is 0 for the root */
    int search_small, search_large;
    int subtract; /* the larger one has the histograms of its parent */
} family;

/* The search for cuts of some families: an item of the loop is a part of the columns for one of
 * them. */
typedef struct spf_search {
    family *families;
    size_t families_count, families_capacity;
    spf_bin_part *parts;
    size_t parts_count, parts_capacity;
    spf_cut *found; /* [families x parts x 2] */
    size_t found_capacity;
} spf_search;

/* ---- memory ---------------------------------------------------------------------------------- */

sporf_status spf_boosted_tree_create(const spf_tree_rules *rules, size_t rows, unsigned workers,
                                     spf_boosted_tree *tree) {
    *tree = (spf_boosted_tree){.rules = rules, .workers = workers};
    tree->rows = spf_alloc(rows, sizeof *tree->rows);
    tree->spare = spf_alloc(rows, sizeof *tree->spare);
    tree->gradients.pair = spf_alloc(rows, sizeof *tree->gradients.pair);
    tree->search = spf_alloc_zero(1, sizeof *tree->search);
    if (!tree->rows || !tree->spare || !tree->gradients.pair || !tree->search)
        return spf_raise_memory();
    return SPORF_OK;
}

void spf_boosted_tree_free(spf_boosted_tree *tree) {
    free(tree->rows);
    free(tree->spare);
    free(tree->gradients.pair);
    free(tree->nodes);
    free(tree->histograms);
    free(tree->free_slots);
    if (tree->search) {
        free(tree->search->families);
        free(tree->search->parts);
        free(tree->search->found);
    }
    free(tree->search);
    *tree = (spf_boosted_tree){0};
}

static sporf_status take_slot(spf_boosted_tree *tree, int32_t *slot) {
    *slot = -1;
    if (tree->free_count > 0) {
        *slot = tree->free_slots[--tree->free_count];
        return SPORF_OK;
    }
    if (tree->slots_used >= tree->slots) return SPORF_OK;
    SPF_TRY(SPF_RESERVE(tree->histograms, tree->histograms_capacity,
                        (tree->slots_used + 1) * tree->bins));
    *slot = (int32_t)tree->slots_used++;
    return SPORF_OK;
}

static sporf_status give_slot(spf_boosted_tree *tree, spf_grown_node *node) {
    if (node->slot < 0) return SPORF_OK;
    SPF_TRY(SPF_RESERVE(tree->free_slots, tree->free_capacity, tree->free_count + 1));
    tree->free_slots[tree->free_count++] = node->slot;
    node->slot = -1;
    return SPORF_OK;
}

/* ---- columns --------------------------------------------------------------------------------- */

static int is_candidate(const spf_boosted_tree *tree, size_t column) {
    const spf_bin_column *c = spf_tree_column(tree, column);
    if (spf_bins_of(c) < 2) return 0;
    return column >= spf_tree_features(tree) || tree->rules->all_features ||
           tree->rules->sums->single[c->source];
}

/* ---- the search for cuts --------------------------------------------------------------------- */

typedef struct {
    spf_boosted_tree *tree;
    spf_cut_rules rules;
} search_job;

/* Adds the parts of some columns, whose numbers begin with `column`; `chosen` tells which groups,
 * NULL: all. *bins is the size of the histogram so far. */
static sporf_status add_parts(spf_search *search, const spf_binned *binned, size_t columns,
                              const uint8_t *chosen, unsigned most, size_t column, size_t *bins) {
    for (size_t g = 0; g * SPF_GROUP_COLUMNS < columns; g++) {
        const spf_bin_group *group = &binned->groups[g];
        unsigned width = most < group->width ? most : group->width;
        if (chosen && !chosen[g]) continue;
        for (unsigned first = 0; first < group->columns; first += width) {
            SPF_TRY(SPF_RESERVE(search->parts, search->parts_capacity, search->parts_count + 1));
            search->parts[search->parts_count++] =
                (spf_bin_part){group, first, width, column + group->first + first,
                               *bins + ((size_t)first << group->bits)};
        }
        *bins += (size_t)group->width << group->bits;
    }
    return SPORF_OK;
}

/* All candidates in parts of at most so many columns; returns through *bins how many bins they
 * have. */
static sporf_status divide(spf_boosted_tree *tree, unsigned most, size_t *bins) {
    const spf_tree_rules *rules = tree->rules;
    tree->search->parts_count = *bins = 0;
    SPF_TRY(add_parts(tree->search, rules->features, spf_tree_features(tree), rules->chosen->group,
                      most, 0, bins));
    return add_parts(tree->search, &rules->sums->binned, rules->sums->list.count, NULL, most,
                     spf_tree_features(tree), bins);
}

/* Whole groups, or smaller parts if there are too few for all threads. */
static sporf_status list_parts(spf_boosted_tree *tree) {
    spf_search *search = tree->search;
    size_t bins;
    for (unsigned most = SPF_GROUP_COLUMNS; most >= SPF_GROUP_PART; most /= 2) {
        SPF_TRY(divide(tree, most, &bins));
        if (search->parts_count * search->families_count >= 2 * (size_t)tree->workers) break;
        if (tree->workers == 1) break;
    }
    return SPF_RESERVE(search->found, search->found_capacity,
                       2 * search->parts_count * search->families_count);
}

/* The place of a part in the histograms of a node. */
static uint64_t *slot_part(const spf_boosted_tree *tree, int32_t slot, const spf_bin_part *part) {
    return tree->histograms + (size_t)slot * tree->bins + part->start;
}

static spf_cut search_part(const search_job *job, const spf_grown_node *node,
                           const spf_bin_part *part, const uint64_t *bins) {
    const spf_boosted_tree *tree = job->tree;
    spf_cut_node view = {tree->rows + node->begin, node->end - node->begin, node->total, node->low,
                         node->high};
    double g = spf_pair_gradient(node->total);
    const double least = LEAST_GAIN * (1 + g * g / spf_pair_hessian(node->total));
    spf_cut best = {.gain = least};
    size_t first = part->column, stride;
    unsigned end = part->group->columns < part->first + part->width ? part->group->columns
                                                                    : part->first + part->width;
    for (size_t j = first; j < first + end - part->first; j++) {
        if (!is_candidate(tree, j)) continue;
        const uint8_t *bytes = spf_tree_bins(tree, j, &stride);
        spf_cut_search(&job->rules, &view, spf_tree_column(tree, j), (uint32_t)j,
                       bins + ((j - first) << part->group->bits), bytes, stride, &best);
    }
    if (!(best.gain > least)) best.gain = 0; /* no column has a cut */
    return best;
}

static uint64_t *fill_part(const spf_boosted_tree *tree, const spf_grown_node *node,
                           const spf_bin_part *part, uint64_t *scratch) {
    uint64_t *bins = node->slot < 0 ? scratch : slot_part(tree, node->slot, part);
    spf_gradient_bins_fill(part, tree->rows + node->begin, node->end - node->begin,
                           tree->gradients.pair, bins);
    return bins;
}

static sporf_status search_item(void *context, size_t item, unsigned worker) {
    const search_job *job = context;
    const spf_boosted_tree *tree = job->tree;
    const spf_search *search = tree->search;
    const family *f = &search->families[item / search->parts_count];
    const spf_bin_part *part = &search->parts[item % search->parts_count];
    uint64_t *scratch = tree->rules->scratch[worker], *bins;
    const spf_grown_node *small = &tree->nodes[f->small], *large = &tree->nodes[f->large];
    spf_cut *found = &search->found[2 * item];
    found[0].gain = found[1].gain = 0;
    if (f->search_small || f->subtract) {
        bins = fill_part(tree, small, part, scratch);
        if (f->search_small) found[0] = search_part(job, small, part, bins);
        if (f->subtract)
            spf_gradient_bins_subtract(slot_part(tree, large->slot, part), bins,
                                       spf_part_bins(part));
    }
    if (!f->search_large) return SPORF_OK;
    bins = f->subtract ? slot_part(tree, large->slot, part)
                       : fill_part(tree, large, part, scratch + spf_part_bins(part));
    found[1] = search_part(job, large, part, bins);
    return SPORF_OK;
}

/* The first part with the largest gain. */
static void take_best(spf_boosted_tree *tree, size_t number, int side, uint32_t node) {
    const spf_search *search = tree->search;
    spf_cut *best = &tree->nodes[node].cut;
    for (size_t i = 0; i < search->parts_count; i++) {
        const spf_cut *cut = &search->found[2 * (number * search->parts_count + i) + (size_t)side];
        if (cut->gain > best->gain) *best = *cut;
    }
}

static spf_cut_rules cut_rules(const spf_boosted_tree *tree) {
    const spf_tree_rules *rules = tree->rules;
    const spf_gradients *g = &tree->gradients;
    spf_cut_rules cut = {.l2 = rules->l2 / g->hessian_unit,
                         .least_hessian = SPF_LEAST_HESSIAN / g->hessian_unit,
                         .min_leaf = rules->min_leaf,
                         .gradients = g,
                         .bounded = rules->bounded};
    if (g->least_hessian == g->most_hessian) { /* hessians count rows */
        cut.least_hessian = fmax(cut.least_hessian, (double)rules->min_leaf * g->most_hessian);
        cut.min_leaf = 1;
    }
    return cut;
}

/* Finds the best cut of every node of the families. */
static sporf_status run_search(spf_boosted_tree *tree, spf_pool *pool, unsigned worker) {
    spf_search *search = tree->search;
    search_job job = {tree, cut_rules(tree)};
    if (search->families_count == 0) return SPORF_OK;
    SPF_TRY(list_parts(tree));
    SPF_TRY(spf_pool_for(pool, worker, search->families_count * search->parts_count, search_item,
                         &job));
    for (size_t i = 0; i < search->families_count; i++) {
        const family *f = &search->families[i];
        if (f->search_small) take_best(tree, i, 0, f->small);
        if (f->search_large) take_best(tree, i, 1, f->large);
    }
    return SPORF_OK;
}

/* ---- splitting ------------------------------------------------------------------------------- */

static int may_split(const spf_boosted_tree *tree, const spf_grown_node *node) {
    const spf_tree_rules *rules = tree->rules;
    return (rules->max_depth == 0 || node->depth < rules->max_depth) &&
           node->end - node->begin >= 2 * (size_t)rules->min_leaf;
}

/* Moves the rows of a node that go right behind those that go left, both in their old order. */
static size_t partition(const spf_boosted_tree *tree, const spf_grown_node *node) {
    const spf_bin_column *column = spf_tree_column(tree, node->cut.column);
    size_t stride, left = 0, right = 0, count = node->end - node->begin;
    const uint8_t *bytes = spf_tree_bins(tree, node->cut.column, &stride);
    uint32_t *rows = tree->rows + node->begin, *spare = tree->spare + node->begin;
    uint8_t is_left[SPF_BINS_MOST];
    for (unsigned b = 0; b < SPF_BINS_MOST; b++)
        is_left[b] = (uint8_t)spf_cut_is_left(&node->cut, column, b);
    for (size_t i = 0; i < count; i++) {
        uint32_t row = rows[i];
        size_t goes_left = is_left[bytes[(size_t)row * stride]];
        rows[left] = row;
        spare[right] = row;
        left += goes_left;
        right += 1 - goes_left;
    }
    memcpy(rows + left, spare, right * sizeof *rows);
    return left;
}

void spf_boosted_tree_bound(const spf_boosted_tree *tree, const spf_grown_node *node,
                            double left_value, double right_value) {
    spf_grown_node *left = &tree->nodes[node->left], *right = &tree->nodes[node->right];
    left->low = right->low = node->low;
    left->high = right->high = node->high;
    int8_t direction = spf_tree_column(tree, node->cut.column)->monotone;
    if (direction == 0) return;
    double middle = (fmin(fmax(left_value, node->low), node->high) +
                     fmin(fmax(right_value, node->low), node->high)) /
                    2;
    *(direction > 0 ? &left->high : &left->low) = middle;
    *(direction > 0 ? &right->low : &right->high) = middle;
}

static void set_bounds(const spf_boosted_tree *tree, const spf_grown_node *node) {
    spf_cut_rules rules = cut_rules(tree);
    spf_cut_node view = {.low = node->low, .high = node->high};
    spf_boosted_tree_bound(tree, node, spf_cut_value(&rules, &view, node->cut.left),
                           spf_cut_value(&rules, &view, node->total - node->cut.left));
}

static sporf_status make_children(spf_boosted_tree *tree, uint32_t number, size_t left_rows) {
    SPF_TRY(SPF_RESERVE(tree->nodes, tree->nodes_capacity, tree->nodes_count + 2));
    spf_grown_node *node = &tree->nodes[number];
    node->left = (uint32_t)tree->nodes_count;
    node->right = node->left + 1;
    spf_grown_node *left = &tree->nodes[node->left], *right = &tree->nodes[node->right];
    *left = (spf_grown_node){.begin = node->begin,
                             .end = node->begin + left_rows,
                             .depth = node->depth + 1,
                             .total = node->cut.left,
                             .slot = -1};
    *right = (spf_grown_node){.begin = left->end,
                              .end = node->end,
                              .depth = node->depth + 1,
                              .total = node->total - node->cut.left,
                              .slot = -1};
    set_bounds(tree, node);
    tree->nodes_count += 2;
    tree->leaves++;
    return SPORF_OK;
}

/* The larger child takes over the histograms of its parent. */
static sporf_status add_family(spf_boosted_tree *tree, uint32_t number) {
    spf_search *search = tree->search;
    spf_grown_node *node = &tree->nodes[number];
    spf_grown_node *left = &tree->nodes[node->left], *right = &tree->nodes[node->right];
    int left_is_small = left->end - left->begin <= right->end - right->begin;
    spf_grown_node *small = left_is_small ? left : right, *large = left_is_small ? right : left;
    family f = {.small = left_is_small ? node->left : node->right,
                .large = left_is_small ? node->right : node->left,
                .search_small = may_split(tree, small),
                .search_large = may_split(tree, large)};
    if (!f.search_small && !f.search_large) return give_slot(tree, node);
    f.subtract = f.search_large && node->slot >= 0;
    if (f.search_large) {
        large->slot = node->slot;
        node->slot = -1;
    }
    SPF_TRY(give_slot(tree, node));
    if (f.search_large && large->slot < 0) SPF_TRY(take_slot(tree, &large->slot));
    if (f.search_small) SPF_TRY(take_slot(tree, &small->slot));
    SPF_TRY(SPF_RESERVE(search->families, search->families_capacity, search->families_count + 1));
    search->families[search->families_count++] = f;
    return SPORF_OK;
}

/* ---- growing --------------------------------------------------------------------------------- */

typedef struct {
    spf_boosted_tree *tree;
    const uint32_t *nodes;
    size_t *left_rows;
} partition_job;

static sporf_status partition_item(void *context, size_t item, unsigned worker) {
    (void)worker;
    const partition_job *job = context;
    job->left_rows[item] = partition(job->tree, &job->tree->nodes[job->nodes[item]]);
    return SPORF_OK;
}

/* Splits some nodes and searches the cuts of their children. */
static sporf_status split_nodes(spf_boosted_tree *tree, const uint32_t *nodes, size_t count,
                                spf_pool *pool, unsigned worker) {
    size_t *left_rows = spf_alloc(count, sizeof *left_rows);
    if (!left_rows) return spf_raise_memory();
    partition_job job = {tree, nodes, left_rows};
    tree->search->families_count = 0;
    sporf_status status = spf_pool_for(pool, worker, count, partition_item, &job);
    for (size_t i = 0; status == SPORF_OK && i < count; i++) {
        status = make_children(tree, nodes[i], left_rows[i]);
        if (status == SPORF_OK) status = add_family(tree, nodes[i]);
    }
    free(left_rows);
    return status == SPORF_OK ? run_search(tree, pool, worker) : status;
}

static sporf_status grow_root(spf_boosted_tree *tree, spf_pool *pool, unsigned worker) {
    SPF_TRY(SPF_RESERVE(tree->nodes, tree->nodes_capacity, 1));
    tree->nodes_count = tree->leaves = 1;
    tree->nodes[0] = (spf_grown_node){.end = tree->rows_count,
                                      .total = tree->gradients.total,
                                      .low = -INFINITY,
                                      .high = INFINITY,
                                      .slot = -1};
    spf_search *search = tree->search;
    if (!may_split(tree, &tree->nodes[0])) return SPORF_OK;
    SPF_TRY(take_slot(tree, &tree->nodes[0].slot));
    SPF_TRY(SPF_RESERVE(search->families, search->families_capacity, 1));
    search->families[0] = (family){.search_small = 1};
    search->families_count = 1;
    return run_search(tree, pool, worker);
}

/* All nodes from `first` on that have a cut; those without give their histograms back. */
static sporf_status list_level(spf_boosted_tree *tree, size_t first, uint32_t *list,
                               size_t *count) {
    *count = 0;
    for (size_t i = first; i < tree->nodes_count; i++)
        if (tree->nodes[i].cut.gain > 0)
            list[(*count)++] = (uint32_t)i;
        else
            SPF_TRY(give_slot(tree, &tree->nodes[i]));
    return SPORF_OK;
}

static sporf_status grow_levels(spf_boosted_tree *tree, spf_pool *pool, unsigned worker) {
    size_t first = 0, count;
    while (first < tree->nodes_count) {
        size_t end = tree->nodes_count;
        uint32_t *list = spf_alloc(end - first, sizeof *list);
        if (!list) return spf_raise_memory();
        sporf_status status = list_level(tree, first, list, &count);
        if (status == SPORF_OK && count > 0) status = split_nodes(tree, list, count, pool, worker);
        free(list);
        if (status != SPORF_OK) return status;
        first = end;
    }
    return SPORF_OK;
}

/* The leaf whose cut gains most; the first in a tie. */
static uint32_t best_leaf(const spf_boosted_tree *tree) {
    uint32_t best = 0;
    double most = 0;
    for (uint32_t i = 0; i < tree->nodes_count; i++) {
        const spf_grown_node *node = &tree->nodes[i];
        if (node->left != 0 || !(node->cut.gain > most)) continue;
        most = node->cut.gain;
        best = i;
    }
    return most > 0 ? best : UINT32_MAX;
}

static sporf_status grow_best(spf_boosted_tree *tree, spf_pool *pool, unsigned worker) {
    while (tree->leaves < tree->rules->max_leaves) {
        uint32_t node = best_leaf(tree);
        if (node == UINT32_MAX) break;
        SPF_TRY(split_nodes(tree, &node, 1, pool, worker));
    }
    return SPORF_OK;
}

/* As many histograms as the memory allows; a node without one is counted from its rows. */
static sporf_status open_slots(spf_boosted_tree *tree) {
    SPF_TRY(divide(tree, SPF_GROUP_COLUMNS, &tree->bins));
    size_t most = tree->rules->histogram_bytes / (tree->bins * sizeof(uint64_t) + 1);
    tree->slots = most < INT32_MAX ? most : INT32_MAX;
    tree->slots_used = tree->free_count = 0;
    return SPORF_OK;
}

sporf_status spf_boosted_tree_grow(spf_boosted_tree *tree, spf_pool *pool, unsigned worker) {
    SPF_TRY(open_slots(tree));
    SPF_TRY(grow_root(tree, pool, worker));
    return (tree->rules->max_leaves > 0 ? grow_best : grow_levels)(tree, pool, worker);
}

uint32_t spf_boosted_tree_leaf(const spf_boosted_tree *tree, uint32_t row) {
    uint32_t at = 0;
    size_t stride;
    while (tree->nodes[at].left != 0) {
        const spf_grown_node *node = &tree->nodes[at];
        const uint8_t *bytes = spf_tree_bins(tree, node->cut.column, &stride);
        at = spf_cut_is_left(&node->cut, spf_tree_column(tree, node->cut.column),
                             bytes[row * stride])
                 ? node->left
                 : node->right;
    }
    return at;
}
