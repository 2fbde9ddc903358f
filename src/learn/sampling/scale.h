/* Linear scaling of features, so that a sum of two of them means something. */
#ifndef SPF_LEARN_SAMPLING_SCALE_H
#define SPF_LEARN_SAMPLING_SCALE_H

#include "learn/rows/row_weights.h"

/* factors[features]: one over each column's standard deviation, range or interquartile range, or 1
 * for SPORF_SCALE_NONE. A constant column has the factor 0, which leaves it out of every
 * projection: it can split nothing, and a large constant would drown the other terms of a sum.
 * Rows count as they weigh, and those that weigh nothing are not looked at. */
sporf_status spf_scale_factors(const sporf_dataset *data, const spf_row_weights *weights,
                               sporf_scale kind, unsigned threads, float *factors);

/* Whether some column has the same value in all rows. */
int spf_has_constant(const sporf_dataset *data, const spf_row_weights *weights);

/* Mean and standard deviation of what is not missing in a column; 0 if there is nothing. */
double spf_mean_of(const float *column, const spf_row_weights *weights, size_t rows);
double spf_spread_of(const float *column, const spf_row_weights *weights, size_t rows);

#endif
