/* Nodes of trees that predict numbers. With one target, the share of its range that a row's value
 * makes up is that row's weight in "class 1": the Gini gain of two classes, (c N - C n)^2 / (n (N -
 * n)), is then the reduction of variance, and all splitters for two classes do. With several
 * targets, their reductions are added, each in units of its own spread. */
#ifndef SPF_LEARN_GROWING_REGRESSION_H
#define SPF_LEARN_GROWING_REGRESSION_H

#include "learn/growing/tree_rows.h"

/* Weight, range and mean of the node's rows. Returns whether some target varies. */
int spf_regression_open(spf_regression *targets, const spf_tree_rows *tree_rows,
                        const spf_waiting *node, uint64_t *total);

/* The open node as splitters see it: fills pair[rows] and the fields that classes have otherwise.
 * class_total has room for two. */
sporf_status spf_regression_describe(spf_regression *targets, const spf_tree_rows *tree_rows,
                                     const spf_waiting *node, uint64_t *pair, uint32_t *class_total,
                                     spf_split_node *split);

#endif
