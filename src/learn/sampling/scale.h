/* Linear scaling of features, so that sums of them are meaningful. */
#ifndef SPF_LEARN_SAMPLING_SCALE_H
#define SPF_LEARN_SAMPLING_SCALE_H

#include "learn/rows/row_weights.h"

/* factors[features]: 1 / standard deviation, range or interquartile range of each column, or 1 for
 * SPORF_SCALE_NONE. A constant column has the factor 0, which leaves it out of every projection: it
 * can split nothing, and a large constant would dominate the other terms of a sum. Rows are
 * weighted; those of weight 0 are ignored. */
sporf_status spf_scale_factors(const sporf_dataset *data, const spf_row_weights *weights,
                               sporf_scale kind, unsigned threads, float *factors);

/* The spread of a category, in any measure: that of a level which half of the rows have. */
#define SPF_LEVEL_SPREAD 0.5

/* The factor of one column. */
float spf_scale_factor(double spread, int is_constant);

double spf_scale_bytes(const sporf_dataset *data, sporf_scale kind, unsigned threads);

/* Whether some column has the same value in all rows. */
int spf_has_constant(const sporf_dataset *data, const spf_row_weights *weights);

/* Mean and standard deviation of the values that are not missing; 0 if there are none. */
double spf_mean_of(const float *column, const spf_row_weights *weights, size_t rows);
double spf_spread_of(const float *column, const spf_row_weights *weights, size_t rows);

#endif
