/* Writing a dataset as CSV. */
#include "base/system.h"
#include "data/dataset.h"
#include "data/output.h"

#include <math.h>

/* Targets without names are y1, y2, ...; a single one is y. */
static void put_target_name(FILE *file, const sporf_dataset *data, size_t target) {
    spf_system_put(',', file);
    if (data->schema.target_names.count > 0)
        spf_output_text(file, spf_strings_at(&data->schema.target_names, target));
    else if (data->targets > 1)
        fprintf(file, "y%zu", target + 1);
    else
        spf_system_put('y', file);
}

static void put_header(FILE *file, const sporf_dataset *data) {
    for (size_t j = 0; j < data->features; j++) {
        if (j > 0) spf_system_put(',', file);
        if (data->schema.names.count > 0)
            spf_output_text(file, spf_strings_at(&data->schema.names, j));
        else
            fprintf(file, "x%zu", j + 1);
    }
    if (data->labels) {
        spf_system_put(',', file);
        spf_output_text(file, data->schema.label_name ? data->schema.label_name : "class");
    }
    const spf_strings *labels = &data->schema.label_columns;
    for (size_t i = 0; i < labels->count; i++) {
        spf_system_put(',', file);
        spf_output_text(file, spf_strings_at(labels, i));
    }
    for (size_t t = 0; labels->count == 0 && t < data->targets; t++) put_target_name(file, data, t);
    spf_system_put('\n', file);
}

/* A missing value is an empty cell, unless the line would then be blank. */
static void put_cell(FILE *file, const sporf_dataset *data, size_t row, size_t feature) {
    float value = data->columns[feature][row];
    if (isnan(value)) {
        if (data->features == 1 && !data->labels && data->targets == 0) fputs("NA", file);
    } else if (spf_schema_kind(&data->schema, feature) != SPORF_KIND_NUMBER) {
        spf_output_text(file, spf_strings_at(&data->schema.levels[feature], (size_t)value));
    } else {
        spf_output_float(file, value);
    }
}

/* The class whose indicator is 1. */
static void put_label(FILE *file, const sporf_dataset *data, size_t row, size_t column) {
    const spf_label_targets targets = spf_schema_label_targets(&data->schema, column);
    size_t target = targets.begin;
    while (target + 1 < targets.end && spf_target_of(data, target)[row] == 0) target++;
    spf_system_put(',', file);
    spf_output_text(file,
                    sporf_schema_label_column_class(&data->schema, column, target - targets.begin));
}

static void put_row(FILE *file, const sporf_dataset *data, size_t row) {
    for (size_t j = 0; j < data->features; j++) {
        if (j > 0) spf_system_put(',', file);
        put_cell(file, data, row, j);
    }
    if (data->labels) {
        spf_system_put(',', file);
        spf_output_text(file, spf_strings_at(&data->schema.classes, data->labels[row]));
    }
    size_t labels = data->schema.label_columns.count;
    for (size_t i = 0; i < labels; i++) put_label(file, data, row, i);
    for (size_t t = 0; labels == 0 && t < data->targets; t++) {
        spf_system_put(',', file);
        spf_output_float(file, data->target_storage[t * data->rows + row]);
    }
    spf_system_put('\n', file);
}

static sporf_status put_table(const spf_output *output, const sporf_dataset *data) {
    put_header(output->file, data);
    for (size_t i = 0; i < data->rows; i++) {
        put_row(output->file, data, i);
        if (ferror(output->file)) return spf_output_raise(output);
    }
    return SPORF_OK;
}

sporf_status sporf_dataset_write_csv(const sporf_dataset *data, const char *path) {
    if (!data || !path)
        return spf_raise(SPORF_ERROR_ARGUMENT, "writing: data and path must not be NULL");
    spf_output output;
    SPF_TRY(spf_output_open(path, &output));
    return spf_output_close(&output, put_table(&output, data));
}
