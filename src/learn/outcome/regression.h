/* Shared by the files of regression. */
#ifndef SPF_LEARN_OUTCOME_REGRESSION_H
#define SPF_LEARN_OUTCOME_REGRESSION_H

#include "learn/growing/tree_rows.h"

/* The state of the outcome. */
typedef struct spf_regression_state {
    const float *counts; /* [rows]: the given weights, if they are counts */
    double *scale;       /* [targets]: 1 / standard deviation */
    double *unit;        /* [targets]: factors of their squared errors */
} spf_regression_state;

/* Members of spf_outcome_kind; see there. */
void spf_values_open_node(spf_workspace *workspace, const spf_tree_rows *tree_rows,
                          const spf_waiting *node);
sporf_status spf_values_describe_node(spf_workspace *workspace, const spf_tree_rows *tree_rows,
                                      const spf_waiting *node, spf_split_node *split);
double spf_means_bytes(size_t rows, const spf_leaf_size *leaf, int calibrates);
sporf_status spf_means_create(const spf_outcome *outcome, spf_tally **tally);

#endif
