/* Columns are summed on all threads, and their sums in order. */
#include "data/table_checksum.h"

#include "base/checksum.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCK = 1024 };

static void add_values(spf_checksum *sum, const float *values, size_t count, int has_missing) {
    float block[BLOCK];
    if (!has_missing) {
        spf_checksum_add(sum, values, count * sizeof *values);
        return;
    }
    for (size_t i = 0; i < count; i += BLOCK) {
        size_t rows = count - i < BLOCK ? count - i : BLOCK;
        for (size_t k = 0; k < rows; k++)
            block[k] = isnan(values[i + k]) ? INFINITY : values[i + k]; /* which no value is */
        spf_checksum_add(sum, block, rows * sizeof *block);
    }
}

typedef struct {
    const sporf_dataset *data;
    uint64_t *sums; /* [features] */
} columns_job;

static sporf_status sum_column(void *context, size_t column, unsigned worker) {
    (void)worker;
    const columns_job *job = context;
    spf_checksum sum;
    spf_checksum_start(&sum);
    add_values(&sum, job->data->columns[column], job->data->rows, job->data->has_missing);
    job->sums[column] = spf_checksum_value(&sum);
    return SPORF_OK;
}

static void add_strings(spf_checksum *sum, const spf_strings *list) {
    spf_checksum_add(sum, &list->count, sizeof list->count);
    if (list->count > 0) spf_checksum_add(sum, list->bytes, list->offsets[list->count]);
}

static void add_schema(spf_checksum *sum, const sporf_dataset *data) {
    const sporf_schema *schema = &data->schema;
    add_strings(sum, &schema->names);
    add_strings(sum, &schema->classes);
    add_strings(sum, &schema->target_names);
    for (size_t j = 0; schema->kinds && j < schema->count; j++) {
        sporf_kind kind = spf_schema_kind(schema, j);
        spf_checksum_add(sum, &kind, sizeof kind);
        add_strings(sum, &schema->levels[j]);
    }
}

sporf_status spf_table_checksum(const sporf_dataset *data, unsigned threads, uint64_t *checksum) {
    columns_job job = {data, spf_alloc(data->features, sizeof *job.sums)};
    spf_checksum sum;
    if (!job.sums) return spf_raise_memory();
    sporf_status status = spf_parallel(data->features, spf_thread_count(threads), sum_column, &job);
    if (status == SPORF_OK) {
        spf_checksum_start(&sum);
        spf_checksum_add(&sum, &data->rows, sizeof data->rows);
        spf_checksum_add(&sum, job.sums, data->features * sizeof *job.sums);
        if (data->labels) spf_checksum_add(&sum, data->labels, data->rows * sizeof *data->labels);
        if (data->weights) add_values(&sum, data->weights, data->rows, 0);
        for (size_t t = 0; t < data->targets; t++)
            add_values(&sum, spf_target_of(data, t), data->rows, 0);
        add_schema(&sum, data);
        *checksum = spf_checksum_value(&sum);
    }
    free(job.sums);
    return status;
}
