/* Bins of features. */
#include "learn/boosting/feature_bins.h"

#include "base/parallel.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

enum {
    VALUE_BINS = 255,      /* one bin is left for missing values */
    SAMPLE_ROWS = 1 << 16, /* that choose the cuts of a feature */
    OWN_BINS = 254,        /* levels of a column, if they do not fit into one */
    COLUMNS_MOST = 16,     /* of a category */
};

typedef struct {
    const sporf_dataset *data;
    const spf_row_weights *weights;
    spf_binned *binned;
    uint64_t **keys; /* [workers]: for two samples */
    size_t *first;   /* [features]: the number of its first column */
} job;

/* ---- numbers --------------------------------------------------------------------------------- */

/* Values of rows at equal distances, in ascending order; returns how many there are. */
static size_t sort_sample(const job *j, const float *column, uint64_t *keys) {
    size_t rows = j->data->rows, wanted = rows < SAMPLE_ROWS ? rows : SAMPLE_ROWS, count = 0;
    for (size_t i = 0; i < wanted; i++) {
        size_t row = i * rows / wanted;
        if (isnan(column[row]) || spf_row_units(j->weights, row) == 0) continue;
        keys[count++] = (uint64_t)spf_float_order(column[row]) << 32;
    }
    spf_sort_keys(keys, keys + SAMPLE_ROWS, count);
    return count;
}

static float value_of(uint64_t key) {
    return spf_float_unorder((uint32_t)(key >> 32));
}

/* The end of the values equal to the one at `begin`. */
static size_t end_of_run(const uint64_t *keys, size_t begin, size_t count) {
    size_t end = begin + 1;
    while (end < count && keys[end] == keys[begin]) end++;
    return end;
}

static size_t count_runs(const uint64_t *keys, size_t count) {
    size_t runs = 0;
    for (size_t i = 0; i < count && runs <= VALUE_BINS; i = end_of_run(keys, i, count)) runs++;
    return runs;
}

/* A number from `low` on that is below `high`. */
static float between(float low, float high) {
    float middle = low + (high - low) / 2;
    return middle < high ? middle : low;
}

/* Cuts between different values: a bin ends when it has its share of the rows that are left. */
static size_t cut_values(const uint64_t *keys, size_t count, float *cuts) {
    size_t made = 0, in_bin = 0;
    int each = count_runs(keys, count) <= VALUE_BINS;
    for (size_t i = 0, end; (end = end_of_run(keys, i, count)) < count; i = end) {
        in_bin += end - i;
        size_t left = count - end + in_bin, bins = VALUE_BINS - made;
        if (!each && in_bin * bins < left) continue;
        cuts[made++] = between(value_of(keys[i]), value_of(keys[end]));
        in_bin = 0;
        if (made == VALUE_BINS - 1) break;
    }
    return made;
}

/* The number of cuts below a value. */
static unsigned bin_of(const float *cuts, unsigned count, float value) {
    unsigned low = 0;
    while (count > 0) {
        unsigned half = count / 2;
        int above = cuts[low + half] < value;
        low = above ? low + half + 1 : low;
        count = above ? count - half - 1 : half;
    }
    return low;
}

static void put_numbers(const job *j, size_t feature, size_t number) {
    const spf_bin_column *column = &j->binned->columns[number];
    const float *values = j->data->columns[feature];
    uint8_t *bytes = spf_bin_bytes(j->binned, number);
    size_t width = spf_bin_group_of(j->binned, number)->width;
    unsigned cuts = column->bins - 1u;
    for (size_t i = 0; i < j->data->rows; i++)
        bytes[i * width] =
            (uint8_t)(isnan(values[i]) ? column->bins : bin_of(column->threshold, cuts, values[i]));
}

static int has_missing(const float *values, size_t rows) {
    for (size_t i = 0; i < rows; i++)
        if (isnan(values[i])) return 1;
    return 0;
}

static sporf_status bin_numbers(const job *j, size_t feature, size_t number, uint64_t *keys) {
    spf_bin_column *column = &j->binned->columns[number];
    const float *values = j->data->columns[feature];
    float cuts[VALUE_BINS];
    size_t count = sort_sample(j, values, keys);
    size_t made = count > 0 ? cut_values(keys, count, cuts) : 0;
    column->bins = (uint16_t)(made + 1);
    column->missing = j->data->has_missing && has_missing(values, j->data->rows);
    column->threshold = spf_alloc(made, sizeof *column->threshold);
    if (!column->threshold) return spf_raise_memory();
    memcpy(column->threshold, cuts, made * sizeof *cuts);
    put_numbers(j, feature, number);
    return SPORF_OK;
}

/* ---- categories ------------------------------------------------------------------------------ */

/* A category with more levels than bins has several columns: each has bins for some of its levels,
 * the frequent ones first, and one for all others. */
static size_t columns_of(const sporf_dataset *data, size_t feature) {
    size_t levels = spf_schema_levels(&data->schema, feature);
    if (spf_schema_kind(&data->schema, feature) != SPORF_KIND_CATEGORY || levels <= VALUE_BINS)
        return 1;
    size_t columns = (levels + OWN_BINS - 1) / OWN_BINS;
    return columns < COLUMNS_MOST ? columns : COLUMNS_MOST;
}

/* rank[levels] becomes the place of each level by the weight of its rows, the heaviest first. */
static sporf_status rank_levels(const job *j, size_t feature, size_t levels, uint32_t *rank) {
    const float *values = j->data->columns[feature];
    uint64_t *keys = spf_alloc_zero(levels, 2 * sizeof *keys);
    if (!keys) return spf_raise_memory();
    for (size_t i = 0; i < j->data->rows; i++)
        if (!isnan(values[i])) keys[(size_t)values[i]] += spf_row_units(j->weights, i);
    for (size_t k = 0; k < levels; k++) keys[k] = (UINT32_MAX - keys[k]) << 32 | k;
    spf_sort_keys(keys, keys + levels, levels);
    for (size_t k = 0; k < levels; k++) rank[(uint32_t)keys[k]] = (uint32_t)k;
    free(keys);
    return SPORF_OK;
}

/* The bins of part `part` of a category's levels. */
static sporf_status number_levels(const job *j, size_t feature, size_t part,
                                  spf_bin_column *column) {
    size_t levels = spf_schema_levels(&j->data->schema, feature), used = 0;
    uint32_t *rank = spf_alloc(levels, sizeof *rank);
    column->of_level = spf_alloc(levels, sizeof *column->of_level);
    sporf_status status =
        rank && column->of_level ? rank_levels(j, feature, levels, rank) : spf_raise_memory();
    size_t own = levels <= VALUE_BINS ? levels : OWN_BINS, first = part * own;
    for (size_t k = 0; status == SPORF_OK && k < levels; k++) {
        int is_own = rank[k] >= first && rank[k] - first < own;
        column->of_level[k] = (uint16_t)(is_own ? used++ : own);
    }
    for (size_t k = 0; status == SPORF_OK && used < levels && k < levels; k++)
        if (column->of_level[k] == own) column->of_level[k] = (uint16_t)used;
    column->bins = (uint16_t)(used + (used < levels));
    free(rank);
    return status;
}

static void put_levels(const job *j, size_t feature, size_t number) {
    spf_bin_column *column = &j->binned->columns[number];
    const float *values = j->data->columns[feature];
    uint8_t *bytes = spf_bin_bytes(j->binned, number);
    size_t width = spf_bin_group_of(j->binned, number)->width;
    for (size_t i = 0; i < j->data->rows; i++) {
        int missing = isnan(values[i]);
        column->missing |= (uint8_t)missing;
        bytes[i * width] = (uint8_t)(missing ? column->bins : column->of_level[(size_t)values[i]]);
    }
}

static sporf_status bin_levels(const job *j, size_t feature, size_t number) {
    spf_bin_column *column = &j->binned->columns[number];
    column->category = 1;
    SPF_TRY(number_levels(j, feature, number - j->first[feature], column));
    put_levels(j, feature, number);
    return SPORF_OK;
}

/* ---- all features ---------------------------------------------------------------------------- */

static sporf_status bin_column(void *context, size_t number, unsigned worker) {
    const job *j = context;
    size_t feature = j->binned->columns[number].source;
    return spf_schema_kind(&j->data->schema, feature) == SPORF_KIND_CATEGORY
               ? bin_levels(j, feature, number)
               : bin_numbers(j, feature, number, j->keys[worker]);
}

static sporf_status run(job *j, unsigned workers) {
    for (unsigned i = 0; i < workers; i++)
        if (!(j->keys[i] = spf_alloc(2 * (size_t)SAMPLE_ROWS, sizeof **j->keys)))
            return spf_raise_memory();
    SPF_TRY(spf_parallel(j->binned->columns_count, workers, bin_column, j));
    spf_binned_lay_out(j->binned, 1);
    return SPORF_OK;
}

/* Numbers the columns: those of a feature follow each other. */
static sporf_status list_columns(const sporf_dataset *data, size_t *first, spf_binned *binned) {
    size_t count = 0;
    for (size_t f = 0; f < data->features; f++) {
        first[f] = count;
        count += columns_of(data, f);
    }
    SPF_TRY(spf_binned_create(data->rows, count, binned));
    for (size_t f = 0, c = 0; f < data->features; f++)
        for (size_t end = c + columns_of(data, f); c < end; c++)
            binned->columns[c].source = (uint32_t)f;
    return SPORF_OK;
}

sporf_status spf_feature_bins_create(const sporf_dataset *data, const spf_row_weights *weights,
                                     unsigned threads, spf_binned *binned) {
    unsigned workers = spf_thread_count(threads);
    job j = {.data = data, .weights = weights, .binned = binned};
    *binned = (spf_binned){0};
    j.keys = spf_alloc_zero(workers, sizeof *j.keys);
    j.first = spf_alloc(data->features, sizeof *j.first);
    sporf_status status =
        j.keys && j.first ? list_columns(data, j.first, binned) : spf_raise_memory();
    if (status == SPORF_OK) status = run(&j, workers);
    for (unsigned i = 0; j.keys && i < workers; i++) free(j.keys[i]);
    free(j.keys);
    free(j.first);
    return status;
}
