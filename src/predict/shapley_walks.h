/* Shapley values of one tree by permutation walks, for where the exact ones take too many steps.
 * Players take the row's values one after the other in a random order, and each is given the change
 * that it makes; then in the reverse order. The values of a walk add up to the difference between
 * row and background row. */
#ifndef SPF_PREDICT_SHAPLEY_WALKS_H
#define SPF_PREDICT_SHAPLEY_WALKS_H

#include "predict/shapley.h"

/* Buffers; reused, start as zeros. */
typedef struct spf_shapley_walks {
    uint32_t *order;  /* [players] */
    uint32_t *met;    /* [players]: the last step whose path had a split with the player */
    double *change;   /* [players x outputs]: of a pair of walks */
    double *sum;      /* of the pairs of a background row */
    double *square;   /* and of their squares */
    double *variance; /* [players x outputs]: of the values of the block */
    size_t capacity[6];
} spf_shapley_walks;

void spf_shapley_walks_free(spf_shapley_walks *walks);

/* Estimates the values that spf_shapley_exact computes, and their variances, from `pairs` pairs of
 * walks, at least 2, for each background row. Background row i takes random numbers from stream
 * `first` + i of a key. */
sporf_status spf_shapley_sample(spf_shapley *game, spf_shapley_walks *walks, size_t pairs,
                                uint64_t key, uint64_t first);

#endif
