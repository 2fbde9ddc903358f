/* The training values of each leaf, gathered when a tree is grown: what quantiles are taken from
 * (Meinshausen 2006). model/samples.h reads them. */
#ifndef SPF_LEARN_GROWING_GATHERED_H
#define SPF_LEARN_GROWING_GATHERED_H

#include "learn/growing/workspace.h"
#include "model/forest.h"

/* The rows that fill each leaf; some may fill several. */
typedef struct spf_leaf_rows {
    const spf_outcome *outcome;
    size_t leaves;
    const spf_extent *of_leaf; /* [leaves]: parts of row */
    const uint32_t *row;
    const uint32_t *units; /* [rows of the data]: how much each counts */
    double unit_of_leaf;   /* units that weigh 1 there */
} spf_leaf_rows;

/* As a tree has them. */
typedef struct spf_gathered {
    uint32_t *end;         /* [leaves]; NULL if no leaf has samples of its own */
    float *value, *weight; /* weight is NULL if all are the same */
} spf_gathered;

sporf_status spf_samples_gather(const spf_leaf_rows *rows, spf_gathered *out);
void spf_gathered_free(spf_gathered *gathered);

/* Gives them to a tree. */
void spf_gathered_hand_over(spf_gathered *gathered, spf_tree *tree);

#endif
