/* The impurity decrease of each split of a tree, computed from its leaves. */
#ifndef SPF_MODEL_DECREASE_H
#define SPF_MODEL_DECREASE_H

#include "model/forest.h"

/* The sum of a class's weights, or of a target's weighted values, below a node. */
typedef struct spf_part {
    uint32_t which;
    double sum;
} spf_part;

/* A subtree whose sums are known: its weight, and the start of its parts. */
typedef struct spf_below {
    size_t start;
    double weight;
} spf_below;

/* Reused from tree to tree; starts as zeros. */
typedef struct spf_decreases {
    double *decrease; /* [nodes]: the result; 0 for a leaf */
    double *unit;     /* [targets]: factor of the values */
    spf_part *parts, *joined;
    spf_below *open; /* subtrees that wait for their parent; its left child is on top */
    size_t parts_count, open_count;
    size_t decrease_capacity, unit_capacity, parts_capacity, joined_capacity, open_capacity;
} spf_decreases;

/* Finds for each split the weight of its node times the decrease of the Gini impurity or, in
 * regression, of the variance: W_l W_r / W sum (m_l - m_r)^2 over the class shares or means of
 * its two sides. Several targets are divided by their standard deviation over the leaves of the
 * tree, unless they are class shares. */
sporf_status spf_tree_decreases(const spf_tree *tree, size_t targets, int are_shares,
                                spf_decreases *d);

void spf_decreases_free(spf_decreases *d);

#endif
