/* A part of a tree that one thread grows. */
#ifndef SPF_LEARN_GROWING_BRANCH_H
#define SPF_LEARN_GROWING_BRANCH_H

#include "learn/growing/builder.h"
#include "learn/growing/tree_rows.h"

/* Grows the node to its leaves. With a basis, a split's content is the number of its direction. */
sporf_status spf_branch_grow(spf_workspace *workspace, spf_tree_rows *tree_rows, spf_waiting node,
                             spf_builder *builder);

/* Adds the winning candidate to the builder; directions of a basis are not stored here. */
sporf_status spf_branch_store(const spf_workspace *workspace, const spf_tree_rows *tree_rows,
                              size_t candidate, spf_builder *builder, uint32_t *projection);

/* Adds the open node as a leaf. */
sporf_status spf_branch_add_leaf(spf_workspace *workspace, spf_tree_rows *tree_rows,
                                 const spf_waiting *node, spf_builder *builder);

#endif
