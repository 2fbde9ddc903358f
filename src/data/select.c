/* Some rows of a table as a table. Classes, levels and names stay those of the whole table, so that
 * numbers of classes and levels agree between parts. */
#include "data/dataset.h"

#include <stdlib.h>
#include <string.h>

static sporf_status check_rows(const sporf_dataset *data, const uint32_t *rows, size_t count) {
    if (count == 0) return spf_raise(SPORF_ERROR_ARGUMENT, "selecting: no rows are named");
    for (size_t i = 0; i < count; i++)
        if (rows[i] >= data->rows)
            return spf_raise(SPORF_ERROR_ARGUMENT,
                             "selecting: row %lu is asked for, but the data have the rows 0 to %zu",
                             (unsigned long)rows[i], data->rows - 1);
    return SPORF_OK;
}

/* Copies 32-bit words of any type. */
static void gather(const void *from, const uint32_t *rows, size_t count, void *to) {
    for (size_t i = 0; i < count; i++)
        memcpy((char *)to + i * sizeof *rows, (const char *)from + rows[i] * sizeof *rows,
               sizeof *rows);
}

static sporf_status gather_new(const void *from, const uint32_t *rows, size_t count, void *out) {
    if (!from) return SPORF_OK;
    void *copy = spf_alloc(count, sizeof *rows);
    if (!copy) return spf_raise_memory();
    gather(from, rows, count, copy);
    memcpy(out, &copy, sizeof copy);
    return SPORF_OK;
}

static sporf_status gather_targets(const sporf_dataset *data, const uint32_t *rows,
                                   sporf_dataset *part) {
    if (data->targets == 0) return SPORF_OK;
    part->target_storage = spf_alloc(part->rows, data->targets * sizeof *part->target_storage);
    if (!part->target_storage) return spf_raise_memory();
    part->targets = data->targets;
    for (size_t t = 0; t < data->targets; t++)
        gather(spf_target_of(data, t), rows, part->rows, part->target_storage + t * part->rows);
    return SPORF_OK;
}

sporf_status spf_select_outcomes(const sporf_dataset *data, const uint32_t *rows,
                                 sporf_dataset *part) {
    SPF_TRY(gather_new(data->labels, rows, part->rows, &part->labels));
    SPF_TRY(gather_new(data->weights, rows, part->rows, &part->weights));
    SPF_TRY(sporf_dataset_set_weight_name(part, data->weight_name));
    return gather_targets(data, rows, part);
}

static sporf_status fill(const sporf_dataset *data, const uint32_t *rows, sporf_dataset *part) {
    for (size_t j = 0; j < data->features; j++)
        gather(data->columns[j], rows, part->rows, spf_dataset_column(part, j));
    if (data->has_missing) SPF_TRY(spf_dataset_check_values(part));
    SPF_TRY(spf_select_outcomes(data, rows, part));
    return spf_schema_copy(&data->schema, &part->schema);
}

sporf_status sporf_dataset_select(const sporf_dataset *data, const uint32_t *rows, size_t count,
                                  sporf_dataset **out) {
    if (!data || !rows || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "selecting needs data, rows and a place for the new data");
    SPF_TRY(check_rows(data, rows, count));
    sporf_dataset *part = NULL;
    SPF_TRY(spf_dataset_create(count, data->features, &part));
    part->selected = 1;
    sporf_status status = fill(data, rows, part);
    if (status != SPORF_OK) {
        sporf_dataset_free(part);
        return status;
    }
    *out = part;
    return SPORF_OK;
}
