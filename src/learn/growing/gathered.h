/* Leaf samples, gathered when a tree is grown, for quantiles (Meinshausen 2006). model/samples.h
 * reads them. */
#ifndef SPF_LEARN_GROWING_GATHERED_H
#define SPF_LEARN_GROWING_GATHERED_H

#include "learn/growing/workspace.h"
#include "model/forest.h"

/* The rows that fill each leaf; some may fill several. */
typedef struct spf_leaf_rows {
    const spf_outcome *outcome;
    size_t leaves;
    const spf_extent *of_leaf; /* [leaves]: ranges of row */
    const uint32_t *row;
    const uint32_t *units; /* [rows of the data]: weights in units */
    double unit_of_leaf;   /* units with weight 1 in a leaf */
} spf_leaf_rows;

/* The samples in the form of a tree's arrays. */
typedef struct spf_gathered {
    uint32_t *end;         /* [leaves]; NULL if no leaf has samples */
    float *value, *weight; /* weight is NULL if all are equal */
} spf_gathered;

sporf_status spf_samples_gather(const spf_leaf_rows *rows, spf_gathered *out);
void spf_gathered_free(spf_gathered *gathered);

/* Moves them to a tree. */
void spf_gathered_hand_over(spf_gathered *gathered, spf_tree *tree);

#endif
