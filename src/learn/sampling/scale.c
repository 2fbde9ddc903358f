/* Measures of a column's spread. */
#include "learn/sampling/scale.h"

#include "base/exact_sum.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "learn/sampling/near_deviation.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    const sporf_dataset *data;
    const spf_row_weights *weights;
    sporf_scale kind;
    float *factors;
    uint64_t **keys; /* IQR: [workers], each for two arrays of keys */
} scale_job;

static size_t first_row(const spf_row_weights *weights) {
    size_t first = 0;
    while (spf_row_units(weights, first) == 0) first++;
    return first;
}

/* A column without any value counts as constant: every sum with it would be missing. */
static int is_constant(const float *column, const spf_row_weights *weights, size_t rows) {
    size_t first = first_row(weights);
    int missing = isnan(column[first]);
    for (size_t i = first + 1; i < rows; i++)
        if (column[i] != column[first] && !(missing && isnan(column[i])) &&
            spf_row_units(weights, i) > 0)
            return 0;
    return 1;
}

int spf_has_constant(const sporf_dataset *data, const spf_row_weights *weights) {
    for (size_t i = 0; i < data->features; i++)
        if (is_constant(data->columns[i], weights, data->rows)) return 1;
    return 0;
}

/* The weight of a row in a column; 0 for a missing value. */
static uint32_t counted(const spf_row_weights *weights, const float *column, size_t row) {
    return isnan(column[row]) ? 0 : spf_row_units(weights, row);
}

/* Sums are exact, so that they do not depend on the order of the rows, nor on who has which. */
double spf_mean_of(const float *column, const spf_row_weights *weights, size_t rows) {
    spf_exact_sum sum = {0};
    uint64_t total = 0;
    for (size_t i = 0; i < rows; i++) {
        uint32_t units = counted(weights, column, i);
        if (units > 0) spf_exact_sum_add(&sum, units * (double)column[i]);
        total += units;
    }
    return total > 0 ? spf_exact_sum_value(&sum) / (double)total : 0;
}

static double standard_deviation(const float *column, const spf_row_weights *weights, size_t rows) {
    double mean = spf_mean_of(column, weights, rows);
    spf_exact_sum squares = {0};
    uint64_t total = 0;
    for (size_t i = 0; i < rows; i++) {
        uint32_t units = counted(weights, column, i);
        double apart = column[i] - mean;
        if (units > 0) spf_exact_sum_add(&squares, units * (apart * apart));
        total += units;
    }
    return total > 0 ? sqrt(spf_exact_sum_value(&squares) / (double)total) : 0;
}

double spf_spread_of(const float *column, const spf_row_weights *weights, size_t rows) {
    return standard_deviation(column, weights, rows);
}

static double range(const float *column, const spf_row_weights *weights, size_t rows) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < rows; i++) {
        if (counted(weights, column, i) == 0) continue;
        if (column[i] < low) low = column[i];
        if (column[i] > high) high = column[i];
    }
    return high > low ? high - low : 0;
}

/* The quantile at a share of the sorted values, each repeated as often as the lower half of its key
 * says, with linear interpolation. */
static double quantile(const uint64_t *sorted, uint64_t total, double share) {
    double place = share * (double)(total - 1);
    uint64_t below = (uint64_t)place, end = (uint32_t)*sorted;
    while (end <= below) end += (uint32_t) * ++sorted;
    double low = spf_float_unorder((uint32_t)(*sorted >> 32));
    if (end == below + 1 && end < total) sorted++;
    double high = spf_float_unorder((uint32_t)(*sorted >> 32));
    return low + (place - (double)below) * (high - low);
}

static double interquartile_range(const float *column, const spf_row_weights *weights, size_t rows,
                                  uint64_t *keys) {
    size_t count = 0;
    uint64_t total = 0;
    for (size_t i = 0; i < rows; i++) {
        uint32_t units = counted(weights, column, i);
        if (units > 0) keys[count++] = (uint64_t)spf_float_order(column[i]) << 32 | units;
        total += units;
    }
    if (count == 0) return 0;
    spf_sort_keys(keys, keys + rows, count);
    return quantile(keys, total, .75) - quantile(keys, total, .25);
}

static double spread(const scale_job *job, size_t feature, unsigned worker) {
    size_t rows = job->data->rows;
    const float *column = job->data->columns[feature];
    if (spf_schema_kind(&job->data->schema, feature) == SPORF_KIND_CATEGORY)
        return SPF_LEVEL_SPREAD;
    if (job->kind == SPORF_SCALE_RANGE) return range(column, job->weights, rows);
    double middle = job->kind == SPORF_SCALE_IQR
                        ? interquartile_range(column, job->weights, rows, job->keys[worker])
                        : 0;
    /* a column may vary although more than half of its values are equal */
    return middle > 0 ? middle : standard_deviation(column, job->weights, rows);
}

float spf_scale_factor(double spread, int is_constant) {
    enum { LARGEST_EXPONENT = 60 }; /* keeps factors far from overflow */
    double factor = spread > 0 ? 1 / spread : 1, limit = ldexp(1, LARGEST_EXPONENT);
    if (is_constant) return 0;
    return (float)(factor > limit ? limit : factor < 1 / limit ? 1 / limit : factor);
}

/* The factor if both bounds of the spread give the same: they are close to each other, and factors
 * have half of the digits of sums. */
static int find_by_bounds(const scale_job *job, size_t feature, float *factor) {
    if (job->kind != SPORF_SCALE_SD ||
        spf_schema_kind(&job->data->schema, feature) == SPORF_KIND_CATEGORY)
        return 0;
    spf_bounds spread =
        spf_near_deviation(job->data->columns[feature], job->weights, job->data->rows);
    *factor = spf_scale_factor(spread.low, 0);
    return spread.low > 0 && *factor == spf_scale_factor(spread.high, 0);
}

static sporf_status scale_column(void *context, size_t feature, unsigned worker) {
    const scale_job *job = context;
    const float *column = job->data->columns[feature];
    float *factor = &job->factors[feature];
    if (is_constant(column, job->weights, job->data->rows))
        *factor = 0;
    else if (!find_by_bounds(job, feature, factor))
        *factor =
            spf_scale_factor(job->kind == SPORF_SCALE_NONE ? 1 : spread(job, feature, worker), 0);
    return SPORF_OK;
}

static unsigned workers_for(const sporf_dataset *data, unsigned threads) {
    unsigned workers = spf_thread_count(threads);
    return workers > data->features ? (unsigned)data->features : workers;
}

sporf_status spf_scale_factors(const sporf_dataset *data, const spf_row_weights *weights,
                               sporf_scale kind, unsigned threads, float *factors) {
    unsigned workers = workers_for(data, threads);
    scale_job job = {.data = data, .weights = weights, .kind = kind, .factors = factors};
    sporf_status status = SPORF_OK;
    job.keys = spf_alloc_zero(workers, sizeof *job.keys);
    if (!job.keys) return spf_raise_memory();
    for (unsigned i = 0; kind == SPORF_SCALE_IQR && i < workers; i++)
        if (!(job.keys[i] = spf_alloc(2 * data->rows, sizeof **job.keys))) {
            status = spf_raise_memory();
            goto out;
        }
    status = spf_parallel(data->features, workers, scale_column, &job);
out:
    for (unsigned i = 0; i < workers; i++) free(job.keys[i]);
    free(job.keys);
    return status;
}

double spf_scale_bytes(const sporf_dataset *data, sporf_scale kind, unsigned threads) {
    double keys =
        kind == SPORF_SCALE_IQR ? spf_alloc_bytes(2 * (double)data->rows, sizeof(uint64_t)) : 0;
    return workers_for(data, threads) * (keys + sizeof(uint64_t *)) + SPF_ALLOCATION_BYTES;
}
