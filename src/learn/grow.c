/* Growing one tree, depth first and left first, so that nodes come in preorder. Rows are kept in
 * one array that is parted in place at each split; the out-of-bag rows take the same way beside
 * them, which gives their leaves without a second pass. */
#include "learn/grow.h"

#include "base/rng.h"
#include "base/sort.h"
#include "learn/basis.h"
#include "learn/project.h"

#include <stdlib.h>
#include <string.h>

enum { ROOT_KEY = 1, INTERRUPT_ROWS = 4096, NO_PARENT = UINT32_MAX };

/* A contiguous part of an array of rows. */
typedef struct {
    uint32_t begin, end;
} extent;

/* A node that waits to be grown. */
typedef struct {
    extent bag, oob;
    uint64_t key;
    uint32_t depth;
    uint32_t parent; /* whose right child this is, or NO_PARENT */
} task;

struct spf_grower {
    const spf_plan *plan;
    /* the tree's data: the table's own columns, or the basis made by the sampler */
    size_t features;
    const float *const *columns;
    spf_basis basis;
    void *sampler_state;
    uint64_t key;
    /* rows */
    uint32_t *bag_weight;    /* [rows] */
    uint32_t *row, *oob_row; /* [rows] each; parted as the tree grows */
    uint32_t *oob_leaf;      /* [rows]: by position in oob_row */
    uint32_t *spare;         /* [rows] */
    float *value;            /* [rows] */
    task *stack;
    size_t stack_count, stack_capacity;
    /* the node being grown */
    uint32_t *label, *weight; /* [rows]: of the node's rows */
    uint32_t *class_total;    /* [classes]; all 0 between nodes */
    uint32_t *present;        /* classes with weight */
    size_t present_count;
    uint64_t total;
    sporf_projections candidates;
    spf_split_scratch scratch;
    spf_builder builder;
};

void spf_grower_free(spf_grower *g) {
    if (!g) return;
    spf_basis_free(&g->basis);
    spf_projections_free(&g->candidates);
    spf_split_scratch_free(&g->scratch);
    spf_builder_free(&g->builder);
    free(g->bag_weight);
    free(g->row);
    free(g->oob_row);
    free(g->oob_leaf);
    free(g->spare);
    free(g->value);
    free(g->stack);
    free(g->label);
    free(g->weight);
    free(g->class_total);
    free(g->present);
    free(g);
}

static uint32_t *alloc_numbers(size_t count, int *failed) {
    uint32_t *numbers = spf_alloc(count, sizeof *numbers);
    *failed |= !numbers;
    return numbers;
}

sporf_status spf_grower_create(const spf_plan *plan, spf_grower **out) {
    size_t rows = plan->data->rows, classes = plan->data->classes.count;
    spf_grower *g = spf_alloc_zero(1, sizeof *g);
    if (!g) return spf_raise_memory();
    int failed = 0;
    g->plan = plan;
    g->bag_weight = alloc_numbers(rows, &failed);
    g->row = alloc_numbers(rows, &failed);
    g->oob_row = alloc_numbers(rows, &failed);
    g->oob_leaf = alloc_numbers(rows, &failed);
    g->spare = alloc_numbers(rows, &failed);
    g->label = alloc_numbers(rows, &failed);
    g->weight = alloc_numbers(rows, &failed);
    g->present = alloc_numbers(classes, &failed);
    g->class_total = spf_alloc_zero(classes, sizeof *g->class_total);
    g->value = spf_alloc(rows, sizeof *g->value);
    failed |= !g->class_total || !g->value;
    failed |= spf_split_scratch_create(rows, classes, &g->scratch) != SPORF_OK;
    if (failed) {
        spf_grower_free(g);
        return spf_raise_memory();
    }
    *out = g;
    return SPORF_OK;
}

void spf_grown_free(spf_grown *grown) {
    spf_tree_free(&grown->tree);
    free(grown->oob_row);
    free(grown->oob_leaf);
    *grown = (spf_grown){0};
}

static sporf_status check_interrupt(const spf_plan *plan) {
    if (plan->interrupt && plan->interrupt(plan->interrupt_payload))
        return spf_raise(SPORF_ERROR_CANCELLED, "training was interrupted");
    return SPORF_OK;
}

/* Projects the table on the basis, in blocks of rows that stay in the cache. */
static sporf_status change_basis(spf_grower *g) {
    enum { BLOCK_ROWS = 512 };
    size_t rows = g->plan->data->rows;
    SPF_TRY(spf_basis_allocate(&g->basis, rows));
    for (size_t begin = 0; begin < rows; begin += BLOCK_ROWS) {
        SPF_TRY(check_interrupt(g->plan));
        spf_basis_project(&g->basis, g->plan->data, begin,
                          begin + BLOCK_ROWS < rows ? begin + BLOCK_ROWS : rows);
    }
    g->columns = g->basis.columns;
    g->features = g->basis.directions.count;
    return SPORF_OK;
}

/* ---- one node -------------------------------------------------------------------------------- */

/* Gathers labels and weights of the node's rows and adds up the classes. */
static void open_node(spf_grower *g, extent bag) {
    const uint32_t *labels = g->plan->data->labels;
    g->present_count = 0;
    g->total = 0;
    for (uint32_t i = bag.begin; i < bag.end; i++) {
        uint32_t row = g->row[i], label = labels[row], weight = g->bag_weight[row];
        g->label[i - bag.begin] = label;
        g->weight[i - bag.begin] = weight;
        if (g->class_total[label] == 0) g->present[g->present_count++] = label;
        g->class_total[label] += weight;
        g->total += weight;
    }
}

static void close_node(spf_grower *g) {
    for (size_t i = 0; i < g->present_count; i++) g->class_total[g->present[i]] = 0;
}

static int may_split(const spf_grower *g, const task *node) {
    const spf_plan *plan = g->plan;
    return g->present_count > 1 && g->total >= plan->min_split &&
           g->total >= 2 * (uint64_t)plan->min_leaf &&
           (plan->max_depth == 0 || node->depth < plan->max_depth);
}

static sporf_view view_of(const spf_grower *g, uint32_t tree, uint32_t depth, extent bag) {
    return (sporf_view){
        .tree = tree,
        .depth = depth,
        .features = g->features,
        .columns = g->columns,
        .scale = spf_basis_is_made(&g->basis) ? NULL : g->plan->scale,
        .rows = bag.end - bag.begin,
        .row = g->row + bag.begin,
        .weight = g->weight,
        .label = g->label,
        .classes = g->plan->data->classes.count,
    };
}

static const char *sampler_name(const spf_grower *g) {
    return g->plan->sampler.name ? g->plan->sampler.name : "";
}

/* A user's sampler that fails cannot raise: what it says is said here. */
static sporf_status speak_for_sampler(const spf_grower *g, sporf_status status, unsigned raised) {
    if (status == SPORF_OK || spf_raise_count() != raised) return status;
    return spf_raise(status, "the sampler '%s' failed with status %d", sampler_name(g),
                     (int)status);
}

static sporf_status draw_candidates(spf_grower *g, uint32_t tree, const task *node) {
    sporf_random random = spf_random_start(g->key, node->key, SPF_USE_DRAW);
    sporf_view view = view_of(g, tree, node->depth, node->bag);
    const sporf_sampler *sampler = &g->plan->sampler;
    spf_projections_clear(&g->candidates);
    g->candidates.features = g->features;
    g->candidates.scale = view.scale;
    unsigned raised = spf_raise_count();
    sporf_status status =
        sampler->draw(sampler->payload, g->sampler_state, &view, &random, &g->candidates);
    if (status != SPORF_OK) return speak_for_sampler(g, status, raised);
    for (size_t i = 0; spf_basis_is_made(&g->basis) && i < g->candidates.count; i++)
        if (spf_projection_terms(&g->candidates, i) != 1)
            return spf_raise(SPORF_ERROR_ARGUMENT,
                             "the sampler '%s' made a basis, so each candidate must be one of its "
                             "directions",
                             sampler_name(g));
    return SPORF_OK;
}

/* Tries all candidates; *winner is the first of the best. Stops early only at a score that no other
 * can exceed. */
static sporf_status find_split(spf_grower *g, extent bag, spf_split *best, size_t *winner) {
    size_t rows = bag.end - bag.begin;
    spf_split_node node = {
        .rows = rows,
        .label = g->label,
        .weight = g->weight,
        .class_total = g->class_total,
        .present = g->present,
        .present_count = g->present_count,
        .total = g->total,
        .min_leaf = g->plan->min_leaf,
        .criterion = g->plan->criterion,
        .xlogx = &g->plan->xlogx,
    };
    double perfect = spf_split_perfect(&node);
    *best = (spf_split){0};
    for (size_t i = 0; i < g->candidates.count; i++) {
        if (rows > INTERRUPT_ROWS) SPF_TRY(check_interrupt(g->plan));
        spf_split so_far = *best;
        spf_project_rows(&g->candidates, i, g->columns, g->row + bag.begin, rows, g->value);
        spf_split_exact(&node, g->value, &g->scratch, best);
        if (best->found && (!so_far.found || best->score > so_far.score)) *winner = i;
        if (best->found && best->score >= perfect) break;
    }
    return SPORF_OK;
}

/* Parts rows[begin..end) stably by projected value; returns where the right part begins. */
static uint32_t part_rows(spf_grower *g, uint32_t *rows, extent part, size_t candidate,
                          float threshold) {
    uint32_t count = part.end - part.begin, left = 0, right = 0;
    spf_project_rows(&g->candidates, candidate, g->columns, rows + part.begin, count, g->value);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = rows[part.begin + i];
        int goes_left = g->value[i] <= threshold;
        rows[part.begin + left] = row;
        g->spare[right] = row;
        left += goes_left;
        right += !goes_left;
    }
    memcpy(rows + part.begin + left, g->spare, right * sizeof *rows);
    return part.begin + left;
}

/* Whether both children have the class shares of their parent, in whole numbers: such a split gains
 * nothing, whatever the criterion's rounding says. */
static int gains_nothing(spf_grower *g, extent left) {
    uint64_t weight = 0;
    uint32_t *count = g->scratch.left;
    for (uint32_t i = left.begin; i < left.end; i++) {
        uint32_t row = g->row[i];
        count[g->plan->data->labels[row]] += g->bag_weight[row];
        weight += g->bag_weight[row];
    }
    int same = 1;
    for (size_t i = 0; i < g->present_count; i++) {
        uint32_t class = g->present[i];
        same &= count[class] * g->total == g->class_total[class] * weight;
        count[class] = 0;
    }
    return same;
}

static sporf_status add_projection(spf_grower *g, const sporf_projections *list, size_t index,
                                   uint32_t *number) {
    return spf_builder_add_projection(&g->builder, list->feature + list->start[index],
                                      list->weight + list->start[index],
                                      spf_projection_terms(list, index), number);
}

/* The candidate's number among the tree's projections; a direction of the basis is stored once. */
static sporf_status store_projection(spf_grower *g, size_t candidate, uint32_t *number) {
    if (!spf_basis_is_made(&g->basis)) return add_projection(g, &g->candidates, candidate, number);
    uint32_t direction = g->candidates.feature[g->candidates.start[candidate]];
    uint32_t *known = &g->basis.number[direction];
    if (*known == UINT32_MAX) SPF_TRY(add_projection(g, &g->basis.directions, direction, known));
    *number = *known;
    return SPORF_OK;
}

static sporf_status push(spf_grower *g, task node) {
    SPF_TRY(SPF_RESERVE(g->stack, g->stack_capacity, g->stack_count + 1));
    g->stack[g->stack_count++] = node;
    return SPORF_OK;
}

static sporf_status add_leaf(spf_grower *g, const task *node) {
    uint32_t leaf;
    spf_sort_numbers(g->present, g->present_count);
    SPF_TRY(spf_builder_add_leaf(&g->builder, g->present, g->present_count, g->class_total, &leaf));
    for (uint32_t i = node->oob.begin; i < node->oob.end; i++) g->oob_leaf[i] = leaf;
    return SPORF_OK;
}

/* Splits the open node if that gains anything; *done says whether it did. */
static sporf_status try_split(spf_grower *g, uint32_t tree, const task *node, int *done) {
    spf_split best;
    size_t winner = 0;
    *done = 0;
    SPF_TRY(check_interrupt(g->plan));
    SPF_TRY(draw_candidates(g, tree, node));
    SPF_TRY(find_split(g, node->bag, &best, &winner));
    if (!best.found) return SPORF_OK;
    uint32_t middle = part_rows(g, g->row, node->bag, winner, best.threshold);
    if (gains_nothing(g, (extent){node->bag.begin, middle})) return SPORF_OK;
    uint32_t oob_middle = part_rows(g, g->oob_row, node->oob, winner, best.threshold);
    uint32_t projection, number;
    SPF_TRY(store_projection(g, winner, &projection));
    SPF_TRY(spf_builder_add_split(&g->builder, projection, best.threshold, &number));
    task left = {{node->bag.begin, middle},
                 {node->oob.begin, oob_middle},
                 spf_child_key(g->key, node->key, 0),
                 node->depth + 1,
                 NO_PARENT};
    task right = {{middle, node->bag.end},
                  {oob_middle, node->oob.end},
                  spf_child_key(g->key, node->key, 1),
                  node->depth + 1,
                  number};
    *done = 1;
    SPF_TRY(push(g, right));
    return push(g, left);
}

static sporf_status grow_node(spf_grower *g, uint32_t tree, const task *node) {
    int split = 0;
    sporf_status status = SPORF_OK;
    if (node->parent != NO_PARENT)
        spf_builder_set_right(&g->builder, node->parent, (uint32_t)g->builder.nodes_count);
    open_node(g, node->bag);
    if (may_split(g, node)) status = try_split(g, tree, node, &split);
    if (status == SPORF_OK && !split) status = add_leaf(g, node);
    close_node(g);
    return status;
}

/* ---- one tree -------------------------------------------------------------------------------- */

static task fill_bag(spf_grower *g) {
    size_t rows = g->plan->data->rows;
    sporf_random random = spf_random_start(g->key, ROOT_KEY, SPF_USE_BAG);
    spf_bagger_draw(&g->plan->bagger, &random, g->bag_weight);
    task root = {.key = ROOT_KEY, .parent = NO_PARENT};
    for (size_t i = 0; i < rows; i++) {
        if (g->bag_weight[i] > 0)
            g->row[root.bag.end++] = (uint32_t)i;
        else
            g->oob_row[root.oob.end++] = (uint32_t)i;
    }
    return root;
}

static sporf_status prepare_sampler(spf_grower *g, uint32_t tree, const task *root) {
    const sporf_sampler *sampler = &g->plan->sampler;
    sporf_random random = spf_random_start(g->key, ROOT_KEY, SPF_USE_PREPARE);
    g->columns = g->plan->data->columns;
    g->features = g->plan->data->features;
    g->sampler_state = NULL;
    spf_basis_clear(&g->basis, g->plan->data, g->plan->scale);
    if (!sampler->prepare) return SPORF_OK;
    open_node(g, root->bag);
    sporf_view view = view_of(g, tree, 0, root->bag);
    close_node(g);
    unsigned raised = spf_raise_count();
    sporf_status status =
        sampler->prepare(sampler->payload, &view, &random, &g->basis.directions, &g->sampler_state);
    return speak_for_sampler(g, status, raised);
}

static sporf_status grow_nodes(spf_grower *g, uint32_t tree, task root) {
    if (spf_basis_is_made(&g->basis)) SPF_TRY(change_basis(g));
    SPF_TRY(push(g, root));
    while (g->stack_count > 0) {
        task node = g->stack[--g->stack_count];
        SPF_TRY(grow_node(g, tree, &node));
    }
    return SPORF_OK;
}

static sporf_status take_result(const spf_grower *g, const task *root, spf_grown *grown) {
    *grown = (spf_grown){.oob_count = root->oob.end};
    grown->oob_row = spf_alloc(grown->oob_count, sizeof *grown->oob_row);
    grown->oob_leaf = spf_alloc(grown->oob_count, sizeof *grown->oob_leaf);
    sporf_status status = grown->oob_row && grown->oob_leaf
                              ? spf_builder_finish(&g->builder, &grown->tree)
                              : spf_raise_memory();
    if (status != SPORF_OK) {
        spf_grown_free(grown);
        return status;
    }
    memcpy(grown->oob_row, g->oob_row, grown->oob_count * sizeof *grown->oob_row);
    memcpy(grown->oob_leaf, g->oob_leaf, grown->oob_count * sizeof *grown->oob_leaf);
    return SPORF_OK;
}

sporf_status spf_grow(spf_grower *g, uint32_t tree, spf_grown *grown) {
    const sporf_sampler *sampler = &g->plan->sampler;
    g->key = spf_tree_key(g->plan->seed, tree);
    g->stack_count = 0;
    spf_builder_clear(&g->builder);
    task root = fill_bag(g);
    SPF_TRY(prepare_sampler(g, tree, &root));
    sporf_status status = grow_nodes(g, tree, root);
    if (sampler->prepare && sampler->finish) sampler->finish(sampler->payload, g->sampler_state);
    return status == SPORF_OK ? take_result(g, &root, grown) : status;
}
