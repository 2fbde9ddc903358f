/* The sums of features that are candidates of the trees of a round: drawn by the sampler, and put
 * into bins once for all nodes of these trees. Single features are candidates anyway
 * (feature_bins.h), so that projections with one term are left out here.
 *
 * The bins of a sum are unions of many narrow cells of equal width, chosen by a sample of the rows
 * so that each has about as many of them. Finding a cell takes one multiplication, and every cut is
 * a number, so that bins and thresholds send rows the same way. */
#ifndef SPF_LEARN_BOOSTING_SUMS_H
#define SPF_LEARN_BOOSTING_SUMS_H

#include "base/pool.h"
#include "data/dataset.h"
#include "learn/boosting/binned.h"
#include "learn/sampling/slots.h"
#include "learn/settings/settings.h"
#include "model/projection.h"

enum { SPF_SUM_BINS = 64, SPF_SUM_CELLS = 1024 };

/* The cells of a sum. */
typedef struct spf_sum_cells {
    float low, inverse;         /* where they begin, and how many there are in a unit */
    uint8_t bin[SPF_SUM_CELLS]; /* ascending */
} spf_sum_cells;

typedef struct spf_sums {
    const spf_settings *settings;
    const int8_t *monotone; /* [features]: 1, -1 or 0; NULL: no constraints */
    const float *scale;     /* [features]; NULL for none */
    float *fill;            /* [features]: in place of missing values; NULL if there are none */
    spf_slots slots;
    sporf_projections drawn, basis; /* as the sampler gives them */
    sporf_projections list; /* those with several terms, with levels in place of categories */
    spf_set_list sets;      /* that these name */
    uint8_t *single;        /* [features]: drawn as the only term */
    double *dense;          /* [features]: for sums of directions of a basis */
    spf_sum_cells *cells;   /* [columns] */
    spf_binned binned;      /* of the first list.count columns */
} spf_sums;

/* scale and monotone must live as long. */
sporf_status spf_sums_create(const spf_settings *settings, const float *scale,
                             const int8_t *monotone, spf_sums *sums);
void spf_sums_free(spf_sums *sums);

/* Draws the sums of a round and puts all rows into their bins. */
sporf_status spf_sums_draw(spf_sums *sums, uint32_t round, spf_pool *pool, unsigned worker);

/* The threshold of a cut: the largest number in bins up to `cut`. */
float spf_sums_threshold(const spf_sums *sums, size_t sum, unsigned cut);

#endif
