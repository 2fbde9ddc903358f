/* The values of a feature at which a model is looked at. Missing values are left out. */
#ifndef SPF_PREDICT_GRID_H
#define SPF_PREDICT_GRID_H

#include "base/error.h"

/* Values in ascending order; free values with free(). */
typedef struct spf_grid {
    double *values;
    size_t count;
} spf_grid;

/* All different values of a column. */
sporf_status spf_grid_of_values(const float *column, size_t rows, spf_grid *grid);

/* All different values if there are fewer than `count`, otherwise `count` of them at equal
 * distances between the quantiles `from` and `to`. */
sporf_status spf_grid_of_range(const float *column, size_t rows, size_t count, double from,
                               double to, spf_grid *grid);

/* The ends of at most `bins` bins with about the same number of rows each, from the smallest value
 * to the largest; every end is a value of the column. */
sporf_status spf_grid_of_bins(const float *column, size_t rows, size_t bins, spf_grid *grid);

#endif
