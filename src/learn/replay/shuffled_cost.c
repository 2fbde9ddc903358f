/* Only rows whose leaf may change are walked again. A row's leaf can only change below a node that
 * uses the group, and the rows of a node are contiguous, since rows are sorted by leaf. So the rows
 * of the topmost nodes that use it walk on from there. */
#include "learn/replay/shuffled_cost.h"

#include "base/sum.h"

#include <stdlib.h>
#include <string.h>

enum { MOVES = 64 }; /* moves whose losses are computed at a time */

sporf_status spf_shuffled_create(const spf_oob_replay *replay, const spf_feature_groups *groups,
                                 spf_shuffled *out) {
    const sporf_dataset *data = replay->plan.data;
    *out = (spf_shuffled){.replay = replay, .groups = groups};
    out->columns = spf_alloc(data->features, sizeof *out->columns);
    out->moved = spf_alloc(data->features, sizeof *out->moved);
    out->used_by = spf_alloc_zero(data->features, sizeof *out->used_by);
    out->exposed = spf_alloc(data->rows, sizeof *out->exposed);
    out->use_start = spf_alloc(groups->count + 2, sizeof *out->use_start);
    if (!out->columns || !out->moved || !out->used_by || !out->exposed || !out->use_start)
        return spf_raise_memory();
    memcpy(out->columns, data->columns, data->features * sizeof *out->columns);
    return SPORF_OK;
}

void spf_shuffled_free(spf_shuffled *s) {
    free(s->columns);
    free(s->moved);
    free(s->used_by);
    free(s->exposed);
    free(s->use_start);
    free(s->values);
    free(s->uses);
    free(s->row_start);
    free(s->end);
    *s = (spf_shuffled){0};
}

/* ---- nodes that use a group ------------------------------------------------------------------ */

/* Calls for each node and each of its terms, in preorder; a node may come twice for a group, which
 * does no harm. */
typedef void visit_use(spf_shuffled *s, uint32_t node, uint32_t group);

static void visit_uses(spf_shuffled *s, visit_use *visit) {
    const spf_tree *tree = &s->grown->tree;
    const spf_feature_groups *groups = s->groups;
    for (uint32_t v = 0; v < tree->nodes_count; v++) {
        if (tree->nodes[v].right == 0) continue;
        uint32_t p = spf_split_projection(&tree->nodes[v]);
        for (uint32_t i = tree->projection_start[p]; i < tree->projection_start[p + 1]; i++) {
            uint32_t feature = spf_term_feature(tree, tree->term_feature[i]);
            s->used_by[feature] = s->trees;
            for (uint32_t k = groups->of_start[feature]; k < groups->of_start[feature + 1]; k++)
                visit(s, v, groups->of[k]);
        }
    }
}

static void count_use(spf_shuffled *s, uint32_t node, uint32_t group) {
    (void)node;
    s->use_start[group + 2]++;
}

/* use_start[g + 1] runs over the entries of group g, and ends where the next begin. */
static void list_use(spf_shuffled *s, uint32_t node, uint32_t group) {
    s->uses[s->use_start[group + 1]++] = node;
}

/* Leaves are numbered, and rows sorted, in preorder. */
static void find_extents(spf_shuffled *s) {
    const spf_grown *grown = s->grown;
    const spf_tree *tree = &grown->tree;
    uint32_t row = (uint32_t)grown->oob_count;
    s->row_start[tree->nodes_count] = row;
    for (uint32_t v = tree->nodes_count; v-- > 0;) {
        const spf_node *node = &tree->nodes[v];
        s->end[v] = node->right == 0 ? v + 1 : s->end[node->right];
        while (node->right == 0 && row > 0 && grown->oob_leaf[row - 1] == node->content) row--;
        s->row_start[v] = row;
    }
}

static double weight_out_of_bag(const spf_shuffled *s) {
    uint64_t units = 0;
    for (size_t i = 0; i < s->grown->oob_count; i++)
        units += spf_row_units(s->replay->weights, s->grown->oob_row[i]);
    return (double)units;
}

sporf_status spf_shuffled_open_tree(spf_shuffled *s, const spf_grown *grown) {
    size_t nodes = grown->tree.nodes_count, groups = s->groups->count;
    s->grown = grown;
    s->weight = weight_out_of_bag(s);
    s->trees++;
    memset(s->use_start, 0, (groups + 2) * sizeof *s->use_start);
    visit_uses(s, count_use);
    for (size_t g = 2; g < groups + 2; g++) s->use_start[g] += s->use_start[g - 1];
    SPF_TRY(SPF_RESERVE(s->uses, s->uses_capacity, s->use_start[groups + 1]));
    SPF_TRY(SPF_RESERVE(s->row_start, s->start_capacity, nodes + 1));
    SPF_TRY(SPF_RESERVE(s->end, s->end_capacity, nodes));
    visit_uses(s, list_use);
    find_extents(s);
    return SPORF_OK;
}

size_t spf_shuffled_used(const spf_shuffled *s) {
    size_t used = 0;
    for (uint32_t g = 0; g < s->groups->count; g++) used += spf_shuffled_uses(s, g) != 0;
    return used;
}

/* ---- a group --------------------------------------------------------------------------------- */

/* The topmost of a group's nodes after `use`: the next use that is not below it. */
static uint32_t next_topmost(const spf_shuffled *s, uint32_t use, uint32_t end) {
    uint32_t below = s->end[s->uses[use]];
    do use++;
    while (use < end && s->uses[use] < below);
    return use;
}

sporf_status spf_shuffled_open_group(spf_shuffled *s, uint32_t group) {
    const spf_feature_groups *groups = s->groups;
    uint32_t end = s->use_start[group + 1];
    s->group = group;
    s->exposed_count = s->moved_count = 0;
    for (uint32_t u = s->use_start[group]; u < end; u = next_topmost(s, u, end)) {
        uint32_t node = s->uses[u], last = s->row_start[s->end[node]];
        for (uint32_t i = s->row_start[node]; i < last; i++)
            s->exposed[s->exposed_count++] = (spf_exposed){i, node};
    }
    for (uint32_t i = groups->start[group]; i < groups->start[group + 1]; i++)
        if (s->used_by[groups->member[i]] == s->trees)
            s->moved[s->moved_count++] = groups->member[i];
    return SPF_RESERVE(s->values, s->values_capacity, s->moved_count * s->replay->plan.data->rows);
}

/* Gives the exposed rows the values of others, in the features of the group. */
static void exchange(spf_shuffled *s, const uint32_t *donor) {
    const sporf_dataset *data = s->replay->plan.data;
    for (size_t k = 0; k < s->moved_count; k++) {
        const float *from = data->columns[s->moved[k]];
        float *to = s->values + k * data->rows;
        for (size_t i = 0; i < s->exposed_count; i++) {
            uint32_t row = s->grown->oob_row[s->exposed[i].place];
            to[row] = from[donor[row]];
        }
        s->columns[s->moved[k]] = to;
    }
}

static void restore(spf_shuffled *s) {
    for (size_t k = 0; k < s->moved_count; k++)
        s->columns[s->moved[k]] = s->replay->plan.data->columns[s->moved[k]];
}

/* Adds the losses of some moves to a sum, in order. */
static void add_costs(const spf_shuffled *s, const spf_move *moves, size_t count, spf_sum *sum) {
    const spf_outcome *outcome = &s->replay->plan.outcome;
    double costs[MOVES];
    outcome->kind->cost_moves(outcome, &s->grown->tree, moves, count, costs);
    for (size_t i = 0; i < count; i++) spf_sum_add(sum, costs[i]);
}

double spf_shuffled_cost(spf_shuffled *s, const uint32_t *donor) {
    const spf_grown *grown = s->grown;
    spf_sum sum = {0};
    spf_move moves[MOVES];
    size_t count = 0;
    exchange(s, donor);
    for (size_t i = 0; i < s->exposed_count; i++) {
        uint32_t place = s->exposed[i].place;
        uint32_t row = grown->oob_row[place], before = grown->oob_leaf[place];
        uint32_t after = spf_tree_walk_from(&grown->tree, s->exposed[i].node, s->columns, row);
        if (after == before) continue;
        moves[count++] = (spf_move){row, before, after};
        if (count < MOVES) continue;
        add_costs(s, moves, count, &sum);
        count = 0;
    }
    add_costs(s, moves, count, &sum);
    restore(s);
    return spf_sum_value(&sum) / s->weight;
}
