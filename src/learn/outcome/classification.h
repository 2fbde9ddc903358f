/* Shared by the files of classification. */
#ifndef SPF_LEARN_OUTCOME_CLASSIFICATION_H
#define SPF_LEARN_OUTCOME_CLASSIFICATION_H

#include "learn/growing/tree_rows.h"

/* Members of spf_outcome_kind; see there. */
void spf_classes_open_node(spf_workspace *workspace, const spf_tree_rows *tree_rows,
                           const spf_waiting *node);
sporf_status spf_classes_describe_node(spf_workspace *workspace, const spf_tree_rows *tree_rows,
                                       const spf_waiting *node, spf_split_node *split);

#endif
