/* Calibration of intervals: the quantile level of each true value in its out-of-bag prediction,
 * added tree by tree.
 *
 * The level of a row is the mean, over the trees in which it is out of bag, of the share of samples
 * below its target plus half of those equal to it. If predicted distributions were right, levels
 * would be uniform on 0 to 1; otherwise, for the quantile p, the level is used below which a share
 * p of the rows is. A few thousand rows suffice: of more, some are chosen at random. */
#ifndef SPF_LEARN_OUTCOME_REGRESSION_LEVELS_H
#define SPF_LEARN_OUTCOME_REGRESSION_LEVELS_H

#include "learn/growing/grow.h"

/* How many rows are chosen, approximately: the coverage of an interval is then known to a third of
 * a percent. */
enum { SPF_LEVEL_ROWS = 1 << 13 };

typedef struct spf_oob_levels {
    const spf_outcome *outcome;
    size_t count;           /* number of chosen rows */
    uint32_t *number;       /* [rows]: number among the chosen rows, or UINT32_MAX */
    double *sums;           /* [targets x count] */
    uint32_t *trees;        /* [count]: trees in which each was out of bag */
    uint64_t *keys, *spare; /* [count], for sorting */
    double *below, *equal;  /* [count]: weights of samples */
} spf_oob_levels;

sporf_status spf_oob_levels_create(const spf_outcome *outcome, spf_oob_levels *tally);
void spf_oob_levels_free(spf_oob_levels *tally);
double spf_oob_levels_bytes(double rows, double targets);

/* Adds one tree. */
void spf_oob_levels_add(spf_oob_levels *tally, const spf_grown *grown);

/* The levels at or below which 0, 1/1000, ... 1 of the rows are, by target: [targets x SPF_LEVELS],
 * to be freed with free(); NULL if no row was out of bag. */
sporf_status spf_oob_levels_result(spf_oob_levels *tally, float **levels);

#endif
