/* Only rows whose leaf may change are walked again. A row's leaf can only change below a node that
 * uses the feature, and the rows of a node are contiguous, since rows are sorted by leaf. So for
 * each feature of a tree, the rows of the topmost nodes that use it are shuffled, and walk on from
 * there. All other rows of a full shuffle would get the remaining values and keep their leaves. */
#include "learn/replay/permutation_importance.h"

#include "base/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOVES = 64 }; /* moves whose losses are computed at a time */

/* Buffers of one thread. */
typedef struct {
    const float **columns; /* [features]: the data's columns, except the shuffled one */
    float *shuffled;       /* [rows] */
    uint32_t *place;       /* [rows]: 0, 1, 2, ... except during a shuffle */
    uint32_t *swapped;     /* [rows]: exchanges, to be undone */
    uint32_t *use_start;   /* [features + 2] into uses */
    uint32_t *uses;        /* nodes in preorder, by feature */
    uint32_t *row_start;   /* [nodes + 1]: the first out-of-bag row below a node, or after it */
    uint32_t *end;         /* [nodes]: the node after the last one below it */
    size_t uses_capacity, start_capacity, end_capacity;
} buffers;

/* The increase of a tree's error after shuffling a feature. */
typedef struct {
    uint32_t feature;
    double increase;
} effect;

typedef struct {
    size_t count;
    effect *effects; /* features ascending; others have no effect */
} tree_effects;

typedef struct {
    const spf_oob_replay *replay;
    uint64_t seed;
    buffers *buffers_of; /* [workers] */
    tree_effects *found; /* [trees] */
    size_t trees;        /* with out-of-bag rows */
    spf_sum *sums, *squares;
} shuffling;

/* ---- nodes that use a feature ---------------------------------------------------------------- */

/* Features of a node's terms. A set of levels and its feature may both occur, which does no
 * harm. */
static void count_uses(const spf_tree *tree, uint32_t *start) {
    for (uint32_t v = 0; v < tree->nodes_count; v++) {
        if (tree->nodes[v].right == 0) continue;
        uint32_t p = spf_split_projection(&tree->nodes[v]);
        for (uint32_t i = tree->projection_start[p]; i < tree->projection_start[p + 1]; i++)
            start[spf_term_feature(tree, tree->term_feature[i]) + 2]++;
    }
    for (size_t j = 2; j < tree->features + 2; j++) start[j] += start[j - 1];
}

/* start[j + 1] runs over the entries of feature j, and ends where the next begin. */
static void list_uses(const spf_tree *tree, uint32_t *start, uint32_t *uses) {
    for (uint32_t v = 0; v < tree->nodes_count; v++) {
        if (tree->nodes[v].right == 0) continue;
        uint32_t p = spf_split_projection(&tree->nodes[v]);
        for (uint32_t i = tree->projection_start[p]; i < tree->projection_start[p + 1]; i++)
            uses[start[spf_term_feature(tree, tree->term_feature[i]) + 1]++] = v;
    }
}

/* Leaves are numbered, and rows sorted, in preorder. */
static void find_extents(const spf_grown *grown, buffers *b) {
    const spf_tree *tree = &grown->tree;
    uint32_t row = (uint32_t)grown->oob_count;
    b->row_start[tree->nodes_count] = row;
    for (uint32_t v = tree->nodes_count; v-- > 0;) {
        const spf_node *node = &tree->nodes[v];
        b->end[v] = node->right == 0 ? v + 1 : b->end[node->right];
        while (node->right == 0 && row > 0 && grown->oob_leaf[row - 1] == node->content) row--;
        b->row_start[v] = row;
    }
}

static sporf_status index_tree(const spf_grown *grown, buffers *b) {
    const spf_tree *tree = &grown->tree;
    memset(b->use_start, 0, (tree->features + 2) * sizeof *b->use_start);
    count_uses(tree, b->use_start);
    SPF_TRY(SPF_RESERVE(b->uses, b->uses_capacity, b->use_start[tree->features + 1]));
    SPF_TRY(SPF_RESERVE(b->row_start, b->start_capacity, (size_t)tree->nodes_count + 1));
    SPF_TRY(SPF_RESERVE(b->end, b->end_capacity, tree->nodes_count));
    list_uses(tree, b->use_start, b->uses);
    find_extents(grown, b);
    return SPORF_OK;
}

/* The topmost of a feature's nodes from `use` on: the next use that is not below it. */
static uint32_t next_topmost(const buffers *b, uint32_t use, uint32_t end) {
    uint32_t below = b->end[b->uses[use]];
    do use++;
    while (use < end && b->uses[use] < below);
    return use;
}

/* ---- shuffling ------------------------------------------------------------------------------- */

/* Gives the rows below a feature's topmost nodes other rows' values: these are drawn from all
 * out-of-bag rows without replacement, as the first steps of a full shuffle. */
static void shuffle(const shuffling *s, const spf_grown *grown, buffers *b, uint64_t key,
                    uint32_t feature) {
    const float *column = s->replay->plan.data->columns[feature];
    sporf_random random = spf_random_start(key, feature, SPF_USE_PERMUTE);
    uint32_t all = (uint32_t)grown->oob_count, drawn = 0, end = b->use_start[feature + 1];
    for (uint32_t u = b->use_start[feature]; u < end; u = next_topmost(b, u, end)) {
        uint32_t node = b->uses[u], last = b->row_start[b->end[node]];
        for (uint32_t i = b->row_start[node]; i < last; i++, drawn++) {
            uint32_t with = drawn + spf_random_below(&random, all - drawn), taken = b->place[with];
            b->place[with] = b->place[drawn];
            b->place[drawn] = taken;
            b->swapped[drawn] = with;
            b->shuffled[grown->oob_row[i]] = column[grown->oob_row[taken]];
        }
    }
    while (drawn-- > 0) {
        uint32_t with = b->swapped[drawn], taken = b->place[with];
        b->place[with] = b->place[drawn];
        b->place[drawn] = taken;
    }
}

/* Adds the losses of some moves to a sum, in order. */
static void add_costs(const spf_outcome *outcome, const spf_tree *tree, const spf_move *moves,
                      size_t count, spf_sum *sum) {
    double costs[MOVES];
    outcome->kind->cost_moves(outcome, tree, moves, count, costs);
    for (size_t i = 0; i < count; i++) spf_sum_add(sum, costs[i]);
}

static double cost_of_shuffle(const shuffling *s, const spf_grown *grown, buffers *b,
                              uint32_t feature) {
    const spf_plan *plan = &s->replay->plan;
    spf_sum sum = {0};
    spf_move moves[MOVES];
    size_t count = 0;
    uint32_t end = b->use_start[feature + 1];
    b->columns[feature] = b->shuffled;
    for (uint32_t u = b->use_start[feature]; u < end; u = next_topmost(b, u, end)) {
        uint32_t node = b->uses[u], last = b->row_start[b->end[node]];
        for (uint32_t i = b->row_start[node]; i < last; i++) {
            uint32_t row = grown->oob_row[i], before = grown->oob_leaf[i];
            uint32_t after = spf_tree_walk_from(&grown->tree, node, b->columns, row);
            if (after == before) continue;
            moves[count++] = (spf_move){row, before, after};
            if (count < MOVES) continue;
            add_costs(&plan->outcome, &grown->tree, moves, count, &sum);
            count = 0;
        }
    }
    add_costs(&plan->outcome, &grown->tree, moves, count, &sum);
    b->columns[feature] = plan->data->columns[feature];
    return spf_sum_value(&sum);
}

/* ---- trees ----------------------------------------------------------------------------------- */

static double weight_out_of_bag(const shuffling *s, const spf_grown *grown) {
    uint64_t units = 0;
    for (size_t i = 0; i < grown->oob_count; i++)
        units += spf_row_units(s->replay->weights, grown->oob_row[i]);
    return (double)units;
}

static sporf_status shuffle_tree(void *context, uint32_t number, const spf_grown *grown,
                                 unsigned worker) {
    shuffling *s = context;
    buffers *b = &s->buffers_of[worker];
    tree_effects *found = &s->found[number];
    uint64_t key = spf_tree_key(s->seed, number);
    double weight = weight_out_of_bag(s, grown);
    size_t features = grown->tree.features, used = 0;
    if (grown->oob_count == 0) return SPORF_OK;
    SPF_TRY(index_tree(grown, b));
    for (size_t j = 0; j < features; j++) used += b->use_start[j + 1] > b->use_start[j];
    found->effects = spf_alloc(used, sizeof *found->effects);
    if (!found->effects) return spf_raise_memory();
    for (uint32_t j = 0; j < features; j++) {
        if (b->use_start[j + 1] == b->use_start[j]) continue;
        SPF_TRY(spf_oob_replay_check_interrupt(s->replay));
        shuffle(s, grown, b, key, j);
        found->effects[found->count++] = (effect){j, cost_of_shuffle(s, grown, b, j) / weight};
    }
    return SPORF_OK;
}

static void collect_tree(void *context, uint32_t number, const spf_grown *grown) {
    shuffling *s = context;
    const sporf_hooks *hooks = s->replay->hooks;
    tree_effects *found = &s->found[number];
    s->trees += grown->oob_count > 0;
    for (size_t i = 0; i < found->count; i++) {
        double increase = found->effects[i].increase;
        spf_sum_add(&s->sums[found->effects[i].feature], increase);
        spf_sum_add(&s->squares[found->effects[i].feature], increase * increase);
    }
    free(found->effects);
    *found = (tree_effects){0};
    if (hooks->progress)
        hooks->progress(hooks->payload, (size_t)number + 1, s->replay->forest->trees_count);
}

/* ---- the forest ------------------------------------------------------------------------------ */

static sporf_status prepare_buffers(const sporf_dataset *data, buffers *b) {
    b->columns = spf_alloc(data->features, sizeof *b->columns);
    b->shuffled = spf_alloc(data->rows, sizeof *b->shuffled);
    b->place = spf_alloc(data->rows, sizeof *b->place);
    b->swapped = spf_alloc(data->rows, sizeof *b->swapped);
    b->use_start = spf_alloc(data->features + 2, sizeof *b->use_start);
    if (!b->columns || !b->shuffled || !b->place || !b->swapped || !b->use_start)
        return spf_raise_memory();
    memcpy(b->columns, data->columns, data->features * sizeof *b->columns);
    for (uint32_t i = 0; i < data->rows; i++) b->place[i] = i;
    return SPORF_OK;
}

static sporf_status prepare(shuffling *s) {
    const sporf_dataset *data = s->replay->plan.data;
    s->buffers_of = spf_alloc_zero(s->replay->workers, sizeof *s->buffers_of);
    s->found = spf_alloc_zero(s->replay->forest->trees_count, sizeof *s->found);
    s->sums = spf_alloc_zero(data->features, sizeof *s->sums);
    s->squares = spf_alloc_zero(data->features, sizeof *s->squares);
    if (!s->buffers_of || !s->found || !s->sums || !s->squares) return spf_raise_memory();
    for (unsigned i = 0; i < s->replay->workers; i++)
        SPF_TRY(prepare_buffers(data, &s->buffers_of[i]));
    return SPORF_OK;
}

static void release(shuffling *s) {
    for (unsigned i = 0; s->buffers_of && i < s->replay->workers; i++) {
        buffers *b = &s->buffers_of[i];
        free(b->columns);
        free(b->shuffled);
        free(b->place);
        free(b->swapped);
        free(b->use_start);
        free(b->uses);
        free(b->row_start);
        free(b->end);
    }
    for (size_t t = 0; s->found && t < s->replay->forest->trees_count; t++)
        free(s->found[t].effects);
    free(s->buffers_of);
    free(s->found);
    free(s->sums);
    free(s->squares);
}

/* The standard error of a mean over trees; NaN for a single tree. */
static double standard_error(const shuffling *s, size_t feature, double mean) {
    double trees = (double)s->trees;
    double variance = (spf_sum_value(&s->squares[feature]) - trees * mean * mean) / (trees - 1);
    return trees > 1 ? sqrt(fmax(0, variance) / trees) : NAN;
}

sporf_status spf_permutation_importances(const spf_oob_replay *replay, uint64_t seed,
                                         double *importances, double *errors) {
    shuffling s = {.replay = replay, .seed = seed};
    sporf_status status = prepare(&s);
    if (status == SPORF_OK) status = spf_oob_replay_trees(replay, shuffle_tree, collect_tree, &s);
    for (size_t j = 0; status == SPORF_OK && j < replay->plan.data->features; j++) {
        importances[j] = spf_sum_value(&s.sums[j]) / (double)s.trees;
        if (errors) errors[j] = standard_error(&s, j, importances[j]);
    }
    release(&s);
    return status;
}
