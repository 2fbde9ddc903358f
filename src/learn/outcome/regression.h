/* Shared by the files of regression. */
#ifndef SPF_LEARN_OUTCOME_REGRESSION_H
#define SPF_LEARN_OUTCOME_REGRESSION_H

#include "learn/growing/tree_rows.h"

/* The state of the outcome. */
typedef struct spf_regression_state {
    const float *counts; /* [rows]: the given weights, if they are counts */
    double *scale;       /* [targets]: 1 / standard deviation; 0: splits do not look at it */
    double *unit;        /* [targets]: factors of their squared errors */
    int skips_constant;  /* nor at targets that are constant in a node */
} spf_regression_state;

/* The targets of a node as integers: see regression_nodes.c. */
typedef struct spf_target_steps {
    double low, scale, steps;
    int shares; /* weights are shares of the bag */
} spf_target_steps;

/* Of a node with that range of targets, weight and number of rows. */
spf_target_steps spf_target_steps_of(const spf_plan *plan, double low, double high, uint64_t total,
                                     size_t rows);

/* A row's weight and, in the upper half, its contribution to class 1. */
uint64_t spf_target_pair(const spf_target_steps *steps, float value, uint32_t weight);

/* Members of spf_outcome_kind; see there. */
void spf_values_open_node(spf_workspace *workspace, const spf_tree_rows *tree_rows,
                          const spf_waiting *node);
sporf_status spf_values_describe_node(spf_workspace *workspace, const spf_tree_rows *tree_rows,
                                      const spf_waiting *node, spf_split_node *split);
sporf_status spf_values_fill_leaf(spf_workspace *workspace, struct spf_builder *builder);
double spf_means_bytes(size_t rows, const spf_leaf_size *leaf, int calibrates);
sporf_status spf_means_create(const spf_outcome *outcome, spf_tally **tally);

/* The sums over trees of such a tally, [rows x targets], the trees of each row and its weight. */
typedef struct spf_means_view {
    const double *sums;
    const uint32_t *trees;
    const float *weights;
} spf_means_view;
spf_means_view spf_means_so_far(const spf_tally *tally);

#endif
