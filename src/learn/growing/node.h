/* One node: count its classes, draw candidates, find the best cut, partition the rows. */
#ifndef SPF_LEARN_GROWING_NODE_H
#define SPF_LEARN_GROWING_NODE_H

#include "learn/growing/best_split.h"
#include "learn/growing/tree_rows.h"

/* How a node was split: what goes left, and which candidate of the workspace won. */
typedef struct spf_cut {
    int found;
    size_t candidate;
    float threshold;
    int missing_left; /* rows with a missing value go left */
    uint32_t bag_middle, oob_middle;
} spf_cut;

/* Counts the node's classes into the workspace: class_total, present, total. */
void spf_node_open(spf_workspace *workspace, const spf_tree_rows *tree_rows,
                   const spf_waiting *node);
void spf_node_close(spf_workspace *workspace);

/* Splits the open node, whose rows are row numbers of `table`, if that gains anything. */
sporf_status spf_node_split(spf_workspace *workspace, spf_tree_rows *tree_rows,
                            const spf_table *table, const spf_waiting *node,
                            const spf_helpers *helpers, spf_cut *cut);

/* ---- the steps of it, for nodes whose rows are on several machines ----------------------------
 */

/* Whether a node of that weight, and with that many draws, may be split if its outcomes differ. */
int spf_node_may_split(const spf_tree_rows *tree_rows, uint32_t depth, uint64_t total,
                       uint64_t drawn);

/* Draws the node's candidates into the workspace. Rows are read only for categories and by samplers
 * that look at them. */
sporf_status spf_node_candidates(spf_workspace *workspace, const spf_tree_rows *tree_rows,
                                 const spf_waiting *node, const spf_split_node *split,
                                 const spf_node_rows *rows);

/* Partition the rows of the bag, whose values are given, and the other rows. */
sporf_status spf_node_part_bag(spf_workspace *workspace, spf_tree_rows *tree_rows,
                               const spf_waiting *node, const float *value, spf_cut *cut);
sporf_status spf_node_part_oob(spf_workspace *workspace, spf_tree_rows *tree_rows,
                               const sporf_projections *candidates, const spf_table *table,
                               const spf_waiting *node, spf_cut *cut);

/* The children of a split node; their parent is not set. */
void spf_node_children(const spf_tree_rows *tree_rows, const spf_waiting *node, const spf_cut *cut,
                       spf_waiting *left, spf_waiting *right);

#endif
