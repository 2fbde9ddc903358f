/* What a forest predicts for a row: the probability of each class, or the value of each target. The
 * outputs of trees are added in tree order; how sums start and finish is defined only here. */
#ifndef SPF_MODEL_COMBINE_H
#define SPF_MODEL_COMBINE_H

#include "model/forest.h"

#include <string.h>

/* What a leaf adds to the outputs of a row. */
typedef enum spf_leaf_adds {
    SPF_LEAF_VOTE,   /* 1 to its largest class */
    SPF_LEAF_SHARES, /* its share of the leaf to each class */
    SPF_LEAF_VALUES, /* its value to each target */
} spf_leaf_adds;

static inline int spf_is_regression(const sporf_forest *forest) {
    return forest->targets > 0;
}

/* How many outputs a row has. */
static inline size_t spf_outputs(const sporf_forest *forest) {
    return spf_is_regression(forest) ? forest->targets : forest->classes;
}

static inline spf_leaf_adds spf_leaf_adds_of(const sporf_forest *forest, sporf_combine combine) {
    if (spf_is_regression(forest)) return SPF_LEAF_VALUES;
    return combine == SPORF_COMBINE_VOTES ? SPF_LEAF_VOTE : SPF_LEAF_SHARES;
}

/* The outputs of `rows` rows before the first tree. */
static inline void spf_outputs_start(const sporf_forest *forest, size_t rows, double *sums) {
    memset(sums, 0, rows * spf_outputs(forest) * sizeof *sums);
}

/* An output from the sum over some trees: the mean. Training uses it for out-of-bag rows, whose
 * trees are those that did not see them. */
static inline double spf_combined(double sum, double trees) {
    return sum / trees;
}

/* The outputs after the last tree. */
static inline void spf_outputs_finish(const sporf_forest *forest, size_t rows, double *sums) {
    double trees = (double)forest->trees_count;
    for (size_t i = 0; i < rows * spf_outputs(forest); i++) sums[i] = spf_combined(sums[i], trees);
}

#endif
