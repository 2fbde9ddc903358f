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
    SPF_LEAF_VALUES, /* its value to each target; in a boosted model to the output of its tree */
} spf_leaf_adds;

static inline int spf_is_regression(const sporf_forest *forest) {
    return forest->targets > 0;
}

/* How many outputs a row has. */
static inline size_t spf_outputs(const sporf_forest *forest) {
    return spf_is_regression(forest) ? forest->targets : forest->classes;
}

/* How the outputs of trees become those of a forest. */
typedef struct spf_combining {
    spf_leaf_adds adds;
    const spf_trust *trust; /* NULL: the mean over the trees is the output */
} spf_combining;

static inline spf_combining spf_combining_of(const sporf_forest *forest, sporf_combine combine,
                                             sporf_calibrate calibration) {
    if (spf_leaf_width(forest) > 0) return (spf_combining){SPF_LEAF_VALUES, NULL};
    const spf_trust *trust = &forest->trust[combine];
    int believed = calibration == SPORF_CALIBRATE_NONE || !trust->weight;
    return (spf_combining){combine == SPORF_COMBINE_VOTES ? SPF_LEAF_VOTE : SPF_LEAF_SHARES,
                           believed ? NULL : trust};
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

/* The outputs after the last tree, of which a boosted model has sums for the first ones of a row.
 */
static inline void spf_outputs_finish(const sporf_forest *forest, const spf_combining *how,
                                      size_t rows, double *sums) {
    size_t trees = forest->trees_count, outputs = spf_outputs(forest);
    if (spf_is_boosted(forest)) {
        for (size_t i = 0; i < rows; i++)
            spf_boosting_finish(&forest->boosting, sums + i * outputs);
        return;
    }
    if (!how->trust) {
        for (size_t i = 0; i < rows * outputs; i++) sums[i] = spf_combined(sums[i], (double)trees);
        return;
    }
    for (size_t i = 0; i < rows; i++, sums += outputs)
        if (how->adds == SPF_LEAF_VOTE)
            spf_trust_apply_votes(how->trust, trees, sums, outputs);
        else
            spf_trust_apply_shares(how->trust, trees, sums, outputs);
}

#endif
