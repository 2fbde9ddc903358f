/* The standard deviation of a column by sums that are rounded, with bounds of what exact ones give:
 * a twentieth of their time. */
#ifndef SPF_LEARN_SAMPLING_NEAR_DEVIATION_H
#define SPF_LEARN_SAMPLING_NEAR_DEVIATION_H

#include "learn/rows/row_weights.h"

typedef struct {
    double low, high;
} spf_bounds;

/* What spf_spread_of returns lies between these; 0 and infinity where they say nothing. */
spf_bounds spf_near_deviation(const float *column, const spf_row_weights *weights, size_t rows);

#endif
