/* Grids from the sorted values of a column. */
#include "predict/grid.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The values that are not missing, sorted. */
static sporf_status sort_values(const float *column, size_t rows, spf_grid *sorted) {
    sorted->values = spf_alloc(rows, sizeof *sorted->values);
    sorted->count = 0;
    if (!sorted->values) return spf_raise_memory();
    for (size_t i = 0; i < rows; i++)
        if (!isnan(column[i])) sorted->values[sorted->count++] = (double)column[i];
    qsort(sorted->values, sorted->count, sizeof *sorted->values, by_value);
    return SPORF_OK;
}

/* Equal neighbours become one. */
static void drop_repeated(spf_grid *grid) {
    size_t kept = 0;
    for (size_t i = 0; i < grid->count; i++)
        if (i == 0 || grid->values[i] != grid->values[i - 1])
            grid->values[kept++] = grid->values[i];
    grid->count = kept;
}

static size_t count_different(const spf_grid *sorted) {
    size_t different = 0;
    for (size_t i = 0; i < sorted->count; i++)
        different += i == 0 || sorted->values[i] != sorted->values[i - 1];
    return different;
}

sporf_status spf_grid_of_values(const float *column, size_t rows, spf_grid *grid) {
    SPF_TRY(sort_values(column, rows, grid));
    drop_repeated(grid);
    return SPORF_OK;
}

/* A quantile by Cunnane's plotting positions, (i - 0.4) / (n + 0.2), as scikit-learn takes it. */
static double quantile(const spf_grid *sorted, double share) {
    double n = (double)sorted->count, place = n * share + 0.4 + 0.2 * share;
    if (sorted->count < 2) return sorted->values[0];
    double whole = floor(fmin(fmax(place, 1), n - 1));
    double rest = fmin(fmax(place - whole, 0), 1);
    const double *below = sorted->values + (size_t)whole - 1;
    return (1 - rest) * below[0] + rest * below[1];
}

/* If most values are the same, the whole range. */
static void fill_range(const spf_grid *sorted, double from, double to, spf_grid *grid) {
    double least = quantile(sorted, from), most = quantile(sorted, to);
    if (!(least < most)) {
        least = sorted->values[0];
        most = sorted->values[sorted->count - 1];
    }
    double step = (most - least) / (double)(grid->count - 1);
    for (size_t i = 0; i + 1 < grid->count; i++) grid->values[i] = (double)i * step + least;
    grid->values[grid->count - 1] = most;
}

sporf_status spf_grid_of_range(const float *column, size_t rows, size_t count, double from,
                               double to, spf_grid *grid) {
    spf_grid sorted;
    sporf_status status = sort_values(column, rows, &sorted);
    if (status == SPORF_OK && count_different(&sorted) < count) {
        drop_repeated(&sorted);
        *grid = sorted;
        return SPORF_OK;
    }
    *grid = (spf_grid){spf_alloc(count, sizeof *grid->values), count};
    if (status == SPORF_OK && !grid->values) status = spf_raise_memory();
    if (status == SPORF_OK) fill_range(&sorted, from, to, grid);
    free(sorted.values);
    return status;
}

sporf_status spf_grid_of_bins(const float *column, size_t rows, size_t bins, spf_grid *grid) {
    SPF_TRY(sort_values(column, rows, grid));
    size_t values = grid->count, kept = 0;
    if (values == 0) return SPORF_OK;
    if (bins > values) bins = values;
    for (size_t i = 0; i <= bins; i++) {
        double place = ceil((double)i * (double)values / (double)bins);
        size_t at = place < 1 ? 0 : (size_t)place - 1;
        double value = grid->values[at]; /* never before those kept */
        if (kept == 0 || value != grid->values[kept - 1]) grid->values[kept++] = value;
    }
    grid->count = kept;
    return SPORF_OK;
}
