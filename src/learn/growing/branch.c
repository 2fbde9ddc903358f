/* A branch is grown depth first, left first, so that its nodes are in preorder. Rows that will be
 * read often are first copied into a block. */
#include "learn/growing/branch.h"

#include "learn/growing/node.h"

sporf_status spf_branch_store(const spf_workspace *w, const spf_tree_rows *s, size_t candidate,
                              spf_builder *builder, uint32_t *projection) {
    const sporf_projections *list = &w->candidates;
    uint32_t start = list->start[candidate];
    if (spf_basis_is_made(&s->basis)) {
        *projection = list->feature[start];
        return SPORF_OK;
    }
    spf_sets sets = spf_set_list_view(&w->searcher.levels.sets);
    return spf_builder_add_projection(builder, list->feature + start, list->weight + start,
                                      spf_projection_terms(list, candidate), &sets, projection);
}

sporf_status spf_branch_add_leaf(spf_workspace *w, spf_tree_rows *s, const spf_waiting *node,
                                 spf_builder *builder) {
    uint32_t leaf;
    SPF_TRY(spf_builder_add_leaf(builder, &leaf));
    SPF_TRY(w->plan->outcome.kind->fill_leaf(w, builder));
    for (uint32_t i = node->oob.begin; i < node->oob.end; i++) s->oob_place[i] = leaf;
    if (s->plan->outcome.samples)
        for (uint32_t i = node->bag.begin; i < node->bag.end; i++) s->row[i] = leaf;
    return SPORF_OK;
}

/* Whether a subtree with that many rows should get a block. */
static int wants_block(const spf_plan *plan, const spf_table *table, size_t rows, unsigned level) {
    if (rows > plan->block_rows || rows < plan->block_least || level + 1 >= SPF_BLOCK_LEVELS)
        return 0;
    if (table->rows <= plan->cached_rows) return 0;
    return rows <= plan->cached_rows || rows <= table->rows / plan->block_shrink;
}

/* The table with a node's rows: its block, or the tree's table, row by row if there are few. */
static const spf_table *table_of(const spf_workspace *w, const spf_tree_rows *s,
                                 const spf_waiting *node) {
    const spf_plan *plan = w->plan;
    size_t rows = node->bag.end - node->bag.begin;
    if (node->level > 0) return &w->blocks[node->level].table;
    return rows < plan->by_row_below ? &plan->by_row : &s->table;
}

static sporf_status enter_block(spf_workspace *w, spf_tree_rows *s, spf_waiting *node) {
    const spf_table *table =
        w->plan->by_row.rows > 0 && node->level == 0 ? &w->plan->by_row : table_of(w, s, node);
    size_t rows = node->bag.end - node->bag.begin, oob_rows = node->oob.end - node->oob.begin;
    size_t all = rows + oob_rows;
    if (!w->varies || !wants_block(w->plan, table, all, node->level)) return SPORF_OK;
    if (node->level == 0) spf_workspace_trim(w); /* blocks take their place */
    spf_block *block = &w->blocks[++node->level];
    SPF_TRY(spf_block_open(block, table, all));
    spf_block_copy(block, table, 0, s->row + node->bag.begin, rows);
    spf_block_copy(block, table, rows, s->oob_place + node->oob.begin, oob_rows);
    return SPORF_OK;
}

static sporf_status push_children(spf_workspace *w, spf_tree_rows *s, const spf_waiting *node,
                                  const spf_cut *cut, spf_builder *builder, size_t *waiting) {
    uint32_t projection, number;
    SPF_TRY(spf_branch_store(w, s, cut->candidate, builder, &projection));
    SPF_TRY(spf_builder_add_split(builder, projection, cut->threshold, cut->missing_left, &number));
    SPF_TRY(SPF_RESERVE(w->stack, w->stack_capacity, *waiting + 2));
    spf_waiting *right = &w->stack[(*waiting)++], *left = &w->stack[(*waiting)++];
    spf_node_children(s, node, cut, left, right);
    right->parent = number;
    return SPORF_OK;
}

static sporf_status grow_node(spf_workspace *w, spf_tree_rows *s, spf_waiting *node,
                              spf_builder *builder, size_t *waiting) {
    spf_cut cut;
    if (node->parent != SPF_NO_PARENT)
        spf_builder_set_right(builder, node->parent, (uint32_t)builder->nodes_count);
    SPF_TRY(enter_block(w, s, node));
    SPF_TRY(spf_node_split(w, s, table_of(w, s, node), node, NULL, &cut));
    return cut.found ? push_children(w, s, node, &cut, builder, waiting)
                     : spf_branch_add_leaf(w, s, node, builder);
}

sporf_status spf_branch_grow(spf_workspace *w, spf_tree_rows *s, spf_waiting root,
                             spf_builder *builder) {
    size_t waiting = 1;
    root.parent = SPF_NO_PARENT;
    SPF_TRY(SPF_RESERVE(w->stack, w->stack_capacity, waiting));
    w->stack[0] = root;
    while (waiting > 0) {
        spf_waiting node = w->stack[--waiting];
        spf_profile_begin(&w->searcher.profile, node.bag.end - node.bag.begin);
        spf_node_open(w, s, &node);
        sporf_status status = grow_node(w, s, &node, builder, &waiting);
        spf_node_close(w);
        spf_profile_lap(&w->searcher.profile, SPORF_PHASE_OTHER);
        if (status != SPORF_OK) return status;
    }
    return SPORF_OK;
}
