/* Where the true values lie in what the trees that did not see them would predict, added up tree by
 * tree: the levels of quantiles that make intervals hold what they promise.
 *
 * The level of a row is the mean, over the trees it is out of bag in, of the share of samples below
 * its target and half of those equal to it. If predicted distributions were right, levels would be
 * spread evenly over 0 to 1; as it is, the level that a share p of the rows lies below is the one
 * to take for the quantile of p. */
#ifndef SPF_LEARN_OOB_LEVELS_H
#define SPF_LEARN_OOB_LEVELS_H

#include "learn/grow.h"

typedef struct spf_oob_levels {
    const sporf_dataset *data;
    const spf_row_weights *weights;
    double *sums;           /* [targets x rows] */
    uint64_t *keys, *spare; /* [rows], to sort */
} spf_oob_levels;

sporf_status spf_oob_levels_create(const sporf_dataset *data, const spf_row_weights *weights,
                                   spf_oob_levels *tally);
void spf_oob_levels_free(spf_oob_levels *tally);

/* Adds one tree. */
void spf_oob_levels_add(spf_oob_levels *tally, const spf_grown *grown);

/* The levels that 0, 1/1000, ... 1 of the rows lie at or below, by target: [targets x SPF_LEVELS],
 * to be freed with free(). trees[rows] says how many trees each row was out of bag in; *levels is
 * NULL where that is none for all. */
sporf_status spf_oob_levels_result(spf_oob_levels *tally, const uint32_t *trees, float **levels);

#endif
