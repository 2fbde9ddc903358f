/* Some columns of a table as a table, some of them with their rows in another order. */
#include "data/dataset.h"

#include <stdlib.h>
#include <string.h>

static sporf_status copy_outcomes(const sporf_dataset *data, sporf_dataset *part) {
    uint32_t *rows = spf_alloc(data->rows, sizeof *rows);
    if (!rows) return spf_raise_memory();
    for (uint32_t i = 0; i < data->rows; i++) rows[i] = i;
    sporf_status status = spf_select_outcomes(data, rows, part);
    free(rows);
    SPF_TRY(status);
    return spf_schema_copy_outcome(&data->schema, &part->schema);
}

static sporf_status copy_kind(const sporf_schema *from, size_t feature, size_t columns,
                              size_t column, sporf_schema *to) {
    if (spf_schema_kind(from, feature) == SPORF_KIND_NUMBER) return SPORF_OK;
    spf_strings levels = {0};
    SPF_TRY(spf_strings_copy(&from->levels[feature], &levels));
    sporf_status status = spf_schema_set_levels(to, columns, column, from->kinds[feature], &levels);
    spf_strings_free(&levels);
    return status;
}

/* A column in another order has another name. */
static sporf_status copy_name(const spf_strings *from, const spf_column_source *column,
                              spf_strings *to) {
    static const char moved[] = " (shuffled)";
    const char *name = spf_strings_at(from, column->feature);
    size_t length = spf_strings_length(from, column->feature);
    if (!column->rows) return spf_strings_add(to, name, length);
    char *longer = spf_alloc(length + sizeof moved, 1);
    if (!longer) return spf_raise_memory();
    memcpy(longer, name, length);
    memcpy(longer + length, moved, sizeof moved);
    sporf_status status = spf_strings_add(to, longer, length + strlen(moved));
    free(longer);
    return status;
}

static sporf_status copy_schema(const sporf_dataset *data, const spf_column_source *columns,
                                sporf_dataset *part) {
    const sporf_schema *from = &data->schema;
    for (size_t j = 0; j < part->features; j++) {
        size_t feature = columns[j].feature;
        SPF_TRY(copy_kind(from, feature, part->features, j, &part->schema));
        if (from->names.count > 0)
            SPF_TRY(copy_name(&from->names, &columns[j], &part->schema.names));
    }
    return SPORF_OK;
}

static sporf_status fill_columns(const sporf_dataset *data, const spf_column_source *columns,
                                 sporf_dataset *part) {
    size_t rows = data->rows, moved = 0;
    for (size_t j = 0; j < part->features; j++) moved += columns[j].rows != NULL;
    part->storage = spf_alloc(rows, moved * sizeof *part->storage);
    if (!part->storage) return spf_raise_memory();
    float *to = part->storage;
    for (size_t j = 0; j < part->features; j++) {
        const float *from = data->columns[columns[j].feature];
        part->columns[j] = columns[j].rows ? to : from;
        if (!columns[j].rows) continue;
        for (size_t i = 0; i < rows; i++) to[i] = from[columns[j].rows[i]];
        to += rows;
    }
    return SPORF_OK;
}

static sporf_status fill(const sporf_dataset *data, const spf_column_source *columns,
                         sporf_dataset *part) {
    part->selected = data->selected;
    SPF_TRY(fill_columns(data, columns, part));
    SPF_TRY(copy_schema(data, columns, part));
    SPF_TRY(copy_outcomes(data, part));
    return spf_dataset_check_values(part);
}

sporf_status spf_dataset_of_columns(const sporf_dataset *data, const spf_column_source *columns,
                                    size_t count, sporf_dataset **out) {
    sporf_dataset *part = NULL;
    SPF_TRY(spf_dataset_create_borrowing(data->rows, count, &part));
    sporf_status status = fill(data, columns, part);
    if (status == SPORF_OK)
        *out = part;
    else
        sporf_dataset_free(part);
    return status;
}
