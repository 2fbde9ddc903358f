/* Branches as tasks of a pool, and how they are joined. */
#include "learn/growing/grow.h"

#include "base/parallel.h"
#include "learn/growing/branch.h"
#include "learn/growing/gathered.h"
#include "learn/growing/honest.h"
#include "learn/growing/node.h"

#include <stdatomic.h>
#include <stdlib.h>

/* A split with a branch on either side, or a subtree. */
typedef struct branch {
    spf_task task;
    spf_growing *growing;
    spf_waiting node;
    spf_builder builder; /* of a subtree; for a split only its projection */
    uint32_t projection;
    float threshold;
    int missing_left;
    struct branch *left, *right; /* of a split */
    struct branch *next;         /* on a stack while branches are joined */
    uint32_t parent; /* of a right child: its parent in the joined tree, or SPF_NO_PARENT */
} branch;

struct spf_growing {
    const spf_growth *growth;
    spf_tree_rows *tree_rows;
    branch *root;
    atomic_size_t pending; /* unfinished branches */
};

void spf_grown_free(spf_grown *grown) {
    spf_tree_free(&grown->tree);
    free(grown->oob_row);
    free(grown->oob_leaf);
    *grown = (spf_grown){0};
}

static sporf_status free_oob(void *context, size_t item, unsigned worker) {
    (void)worker;
    spf_grown *grown = (spf_grown *)context + item;
    free(grown->oob_row);
    free(grown->oob_leaf);
    grown->oob_row = grown->oob_leaf = NULL;
    return SPORF_OK;
}

void spf_grown_count(spf_grown *grown, spf_tally *tally, double *curve, size_t tree) {
    if (tally) curve[tree] = tally->add(tally, grown);
    free_oob(grown, 0, 0);
}

void spf_grown_count_all(spf_grown *grown, size_t count, unsigned threads, spf_tally *tally,
                         double *curve, size_t tree) {
    int added =
        !tally || (tally->add_all && tally->add_all(tally, grown, count, threads, curve + tree));
    for (size_t i = 0; !added && i < count; i++) curve[tree + i] = tally->add(tally, &grown[i]);
    if (spf_parallel(count, threads, free_oob, grown) != SPORF_OK)
        for (size_t i = 0; i < count; i++) free_oob(grown, i, 0);
}

void spf_grown_weigh(spf_grown *grown, double unit) {
    float *weight = (float *)grown->tree.leaf_weight; /* not yet shared */
    if (unit == 1) return;
    for (uint32_t i = 0; i < grown->tree.leaf_start[grown->tree.leaves_count]; i++)
        weight[i] = (float)(weight[i] / unit);
}

/* Frees a branch and all below, without recursion, since unbalanced trees are deep. */
static void free_branches(branch *top) {
    while (top) {
        branch *next = top->next;
        if (top->right) {
            top->right->next = next;
            next = top->right;
        }
        if (top->left) {
            top->left->next = next;
            next = top->left;
        }
        spf_builder_free(&top->builder);
        free(top);
        top = next;
    }
}

void spf_growing_free(spf_growing *growing) {
    if (!growing) return;
    free_branches(growing->root);
    spf_tree_rows_free(growing->tree_rows);
    free(growing);
}

/* If several threads grow a tree, its branches and the joined tree have arrays of their own. Then
 * every node is weighed to send missing values, and samples are gathered by leaf. */
static double tree_bytes(const spf_expected *e) {
    double leaves =
        e->honest ? spf_honest_bytes(e) : spf_alloc_bytes(e->tree.leaves, sizeof(spf_extent));
    return spf_tree_rows_bytes(e) + (e->shared ? 2 : 1) * spf_builder_bytes(&e->tree) + leaves +
           spf_alloc_bytes(2 * e->tree.leaves - 1, sizeof(double)) +
           spf_alloc_bytes(1, sizeof(branch));
}

double spf_growing_bytes(const spf_expected *e, double trees, double at_a_time) {
    return trees * spf_alloc_bytes(1, sizeof(spf_growing)) + at_a_time * tree_bytes(e);
}

/* ---- joining --------------------------------------------------------------------------------- */

/* The number of a direction among the tree's projections; it is stored on first use. */
static sporf_status number_direction(spf_tree_rows *s, spf_builder *tree, uint32_t *content) {
    const sporf_projections *list = &s->basis.directions;
    uint32_t direction = *content & ~SPF_MISSING_LEFT, start = list->start[direction];
    uint32_t *known = &s->basis.number[direction];
    if (*known == UINT32_MAX)
        SPF_TRY(spf_builder_add_projection(tree, list->feature + start, list->weight + start,
                                           spf_projection_terms(list, direction), NULL, known));
    *content = *known | (*content & SPF_MISSING_LEFT);
    return SPORF_OK;
}

static sporf_status join_split(spf_tree_rows *s, const branch *b, spf_builder *tree,
                               uint32_t *number) {
    const spf_builder *from = &b->builder;
    spf_sets sets = spf_set_list_view(&from->sets);
    uint32_t projection = b->projection;
    if (spf_basis_is_made(&s->basis))
        SPF_TRY(number_direction(s, tree, &projection));
    else
        SPF_TRY(spf_builder_add_projection(tree, from->term_feature, from->term_weight,
                                           from->terms_count, &sets, &projection));
    return spf_builder_add_split(tree, projection, b->threshold, b->missing_left, number);
}

static sporf_status join_subtree(spf_tree_rows *s, branch *b, spf_builder *tree) {
    uint32_t leaves = (uint32_t)tree->leaves_count;
    for (uint32_t i = b->node.oob.begin; i < b->node.oob.end; i++) s->oob_place[i] += leaves;
    if (s->plan->outcome.samples)
        for (uint32_t i = b->node.bag.begin; i < b->node.bag.end; i++) s->row[i] += leaves;
    if (spf_basis_is_made(&s->basis))
        for (size_t i = 0; i < b->builder.nodes_count; i++)
            if (b->builder.nodes[i].right != 0)
                SPF_TRY(number_direction(s, tree, &b->builder.nodes[i].content));
    return spf_builder_append(tree, &b->builder, spf_basis_is_made(&s->basis));
}

static sporf_status join_branches(spf_tree_rows *s, branch *root, spf_builder *tree) {
    branch *stack = root;
    root->next = NULL;
    while (stack) {
        branch *b = stack;
        stack = b->next;
        if (b->parent != SPF_NO_PARENT)
            spf_builder_set_right(tree, b->parent, (uint32_t)tree->nodes_count);
        if (!b->left) {
            SPF_TRY(join_subtree(s, b, tree));
            continue;
        }
        SPF_TRY(join_split(s, b, tree, &b->right->parent));
        b->right->next = stack;
        b->left->next = b->right;
        stack = b->left;
    }
    return SPORF_OK;
}

/* Rows were partitioned in place: they are in leaf order, and `row` holds their leaf numbers. */
static sporf_status find_leaves(const spf_tree_rows *s, size_t leaves, spf_extent **of_leaf) {
    *of_leaf = spf_alloc_zero(leaves, sizeof **of_leaf);
    if (!*of_leaf) return spf_raise_memory();
    for (uint32_t i = 0; i < s->bag_count; i++) {
        spf_extent *rows = &(*of_leaf)[s->row[i]];
        if (rows->end == 0) rows->begin = i;
        rows->end = i + 1;
    }
    return SPORF_OK;
}

/* Stores the targets of each leaf's rows. */
static sporf_status gather_samples(const spf_tree_rows *s, size_t leaves, const spf_extent *of_leaf,
                                   spf_gathered *samples) {
    return spf_samples_gather(&(spf_leaf_rows){.outcome = &s->plan->outcome,
                                               .leaves = leaves,
                                               .of_leaf = of_leaf,
                                               .row = s->tag,
                                               .units = s->units,
                                               .unit_of_leaf = s->plan->bagger.unit_of_leaf},
                              samples);
}

/* Fills in what was not counted while leaves grew. The sides of missing values are set before,
 * since rows that only fill leaves must not influence splits, and some leaves will get an
 * ancestor's rows. */
static sporf_status fill_leaves(spf_tree_rows *s, spf_workspace *w, spf_builder *tree,
                                spf_gathered *samples) {
    spf_extent *of_leaf = NULL;
    sporf_status status = SPORF_OK;
    if (!s->plan->outcome.samples || s->estimation) spf_tree_rows_drop_bag(s);
    if (!s->plan->has_missing) SPF_TRY(spf_builder_send_missing(tree));
    if (s->estimation)
        status = spf_honest_fill(w, s, tree, &of_leaf);
    else if (s->plan->outcome.samples)
        status = find_leaves(s, tree->leaves_count, &of_leaf);
    if (status == SPORF_OK && s->plan->outcome.samples)
        status = gather_samples(s, tree->leaves_count, of_leaf, samples);
    free(of_leaf);
    return status;
}

/* Returns the finished tree and frees what growing needed. */
static sporf_status finish_tree(spf_growing *growing, spf_workspace *w) {
    spf_tree_rows *s = growing->tree_rows;
    spf_builder tree = {.features = s->plan->data->features};
    spf_grown grown = {0};
    spf_gathered samples = {0};
    sporf_status status = join_branches(s, growing->root, &tree);
    spf_workspace_trim_blocks(w);
    if (status == SPORF_OK) status = fill_leaves(s, w, &tree, &samples);
    spf_tree_rows_drop_bag(s);
    if (status == SPORF_OK) status = spf_builder_finish(&tree, &grown.tree);
    spf_builder_free(&tree);
    if (status == SPORF_OK) spf_gathered_hand_over(&samples, &grown.tree);
    spf_gathered_free(&samples);
    if (status != SPORF_OK) return status;
    uint32_t number = s->tree;
    grown.oob_count = s->oob_count;
    grown.oob_row = s->oob_row;
    grown.oob_leaf = s->oob_place;
    s->oob_row = s->oob_place = NULL;
    free_branches(growing->root);
    spf_tree_rows_free(s);
    growing->root = NULL;
    growing->tree_rows = NULL;
    growing->growth->done(growing->growth->context, number, &grown);
    return SPORF_OK;
}

/* ---- growing --------------------------------------------------------------------------------- */

static sporf_status run_branch(spf_task *task, spf_pool *pool, unsigned worker);

static branch *new_branch(spf_growing *growing, const spf_waiting *node) {
    branch *b = spf_alloc_zero(1, sizeof *b);
    if (!b) return NULL;
    *b = (branch){
        .task.run = run_branch, .growing = growing, .node = *node, .parent = SPF_NO_PARENT};
    b->builder.features = growing->growth->plan->data->features;
    return b;
}

static spf_searcher *searcher_of(void *workspaces, unsigned worker) {
    return &((spf_workspace *)workspaces)[worker].searcher;
}

/* Splits the node and pushes its right side, then its left, which is taken first. */
static sporf_status split_open_node(branch *b, spf_workspace *w, spf_pool *pool, unsigned worker) {
    spf_growing *growing = b->growing;
    spf_tree_rows *s = growing->tree_rows;
    spf_helpers helpers = {pool, worker, searcher_of, growing->growth->workspaces};
    spf_cut cut;
    SPF_TRY(spf_node_split(w, s, &s->table, &b->node, &helpers, &cut));
    if (!cut.found) return spf_branch_add_leaf(w, s, &b->node, &b->builder);
    spf_waiting left, right;
    spf_node_children(s, &b->node, &cut, &left, &right);
    SPF_TRY(spf_branch_store(w, s, cut.candidate, &b->builder, &b->projection));
    b->threshold = cut.threshold;
    b->missing_left = cut.missing_left;
    b->left = new_branch(growing, &left);
    b->right = new_branch(growing, &right);
    if (!b->left || !b->right) return spf_raise_memory();
    atomic_fetch_add(&growing->pending, 2);
    spf_pool_push(pool, worker, &b->right->task);
    spf_pool_push(pool, worker, &b->left->task);
    return SPORF_OK;
}

static sporf_status grow_branch(branch *b, spf_workspace *w, spf_pool *pool, unsigned worker) {
    spf_tree_rows *s = b->growing->tree_rows;
    if (b->node.bag.end - b->node.bag.begin <= w->plan->branch_rows)
        return spf_branch_grow(w, s, b->node, &b->builder);
    spf_profile_begin(&w->searcher.profile, b->node.bag.end - b->node.bag.begin);
    spf_node_open(w, s, &b->node);
    sporf_status status = split_open_node(b, w, pool, worker);
    spf_node_close(w);
    spf_profile_lap(&w->searcher.profile, SPORF_PHASE_OTHER);
    return status;
}

static sporf_status run_branch(spf_task *task, spf_pool *pool, unsigned worker) {
    branch *b = (branch *)(void *)task;
    spf_growing *growing = b->growing;
    spf_workspace *w = &growing->growth->workspaces[worker];
    SPF_TRY(spf_tree_rows_join(growing->tree_rows, w));
    SPF_TRY(grow_branch(b, w, pool, worker));
    return atomic_fetch_sub(&growing->pending, 1) == 1 ? finish_tree(growing, w) : SPORF_OK;
}

sporf_status spf_grow(const spf_growth *growth, uint32_t tree, spf_pool *pool, unsigned worker,
                      spf_growing **out) {
    spf_growing *growing = spf_alloc_zero(1, sizeof *growing);
    if (!growing) return spf_raise_memory();
    *out = growing;
    growing->growth = growth;
    SPF_TRY(spf_tree_rows_create(growth->plan, tree, &growing->tree_rows));
    SPF_TRY(spf_tree_rows_prepare(growing->tree_rows, &growth->workspaces[worker]));
    spf_waiting root = spf_tree_rows_root(growing->tree_rows);
    growing->root = new_branch(growing, &root);
    if (!growing->root) return spf_raise_memory();
    atomic_store(&growing->pending, 1);
    return run_branch(&growing->root->task, pool, worker);
}
