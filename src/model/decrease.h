/* How much impurity the splits of a tree take away, found from what is in its leaves. */
#ifndef SPF_MODEL_DECREASE_H
#define SPF_MODEL_DECREASE_H

#include "model/forest.h"

/* The sum of a class's weights, or of a target's weighted values, below a node. */
typedef struct spf_part {
    uint32_t which;
    double sum;
} spf_part;

/* A subtree whose sum is known: its weight, and where its parts start. */
typedef struct spf_below {
    size_t start;
    double weight;
} spf_below;

/* Reused from tree to tree; starts as zeros. */
typedef struct spf_decreases {
    double *decrease; /* [nodes]: what is asked for; 0 for a leaf */
    double *unit;     /* [targets]: what values are multiplied with */
    spf_part *parts, *joined;
    spf_below *open; /* the subtrees that wait for their parent, the left one of it on top */
    size_t parts_count, open_count;
    size_t decrease_capacity, unit_capacity, parts_capacity, joined_capacity, open_capacity;
} spf_decreases;

/* Finds for each split the weight of its node times the decrease of the Gini impurity or, where
 * numbers are predicted, of the variance: W_l W_r / W sum (m_l - m_r)^2 over the class shares, or
 * the means, of its two sides. Several targets are taken in units of their spread over the leaves
 * of the tree. */
sporf_status spf_tree_decreases(const spf_tree *tree, size_t targets, spf_decreases *d);

void spf_decreases_free(spf_decreases *d);

#endif
