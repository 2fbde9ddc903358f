/* Where the true values lie in what the trees that did not see them would predict, added up tree by
 * tree: the levels of quantiles that make intervals hold what they promise.
 *
 * The level of a row is the mean, over the trees it is out of bag in, of the share of samples below
 * its target and half of those equal to it. If predicted distributions were right, levels would be
 * spread evenly over 0 to 1; as it is, the level that a share p of the rows lies below is the one
 * to take for the quantile of p. A few thousand rows tell as much as millions: of more, some are
 * chosen at random. */
#ifndef SPF_LEARN_OUTCOME_REGRESSION_LEVELS_H
#define SPF_LEARN_OUTCOME_REGRESSION_LEVELS_H

#include "learn/growing/grow.h"

/* How many, give or take a few: the share that an interval holds is then known to a third of a
 * percent. */
enum { SPF_LEVEL_ROWS = 1 << 13 };

typedef struct spf_oob_levels {
    const spf_outcome *outcome;
    size_t count;           /* of rows chosen */
    uint32_t *number;       /* [rows]: which of them each row is, or UINT32_MAX */
    double *sums;           /* [targets x count] */
    uint32_t *trees;        /* [count]: how many each was out of bag in */
    uint64_t *keys, *spare; /* [count], to sort */
    double *below, *equal;  /* [count]: weights of samples */
} spf_oob_levels;

sporf_status spf_oob_levels_create(const spf_outcome *outcome, spf_oob_levels *tally);
void spf_oob_levels_free(spf_oob_levels *tally);
double spf_oob_levels_bytes(double rows, double targets);

/* Adds one tree. */
void spf_oob_levels_add(spf_oob_levels *tally, const spf_grown *grown);

/* The levels that 0, 1/1000, ... 1 of the rows lie at or below, by target: [targets x SPF_LEVELS],
 * to be freed with free(); NULL if no row was out of bag. */
sporf_status spf_oob_levels_result(spf_oob_levels *tally, float **levels);

#endif
