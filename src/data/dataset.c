/* The dataset itself: create, name, query, free. */
#include "data/dataset.h"

#include "base/number.h"
#include "base/parallel.h"
#include "base/text.h"
#include "data/cell.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t spf_dataset_bytes(size_t rows, size_t features) {
    uint64_t cells, values, pointers, labels, sum;
    if (__builtin_mul_overflow((uint64_t)rows, (uint64_t)features, &cells) ||
        __builtin_mul_overflow(cells, sizeof(float), &values) ||
        __builtin_mul_overflow((uint64_t)features, sizeof(float *), &pointers) ||
        __builtin_mul_overflow((uint64_t)rows, sizeof(uint32_t), &labels) ||
        __builtin_add_overflow(values, pointers, &sum) || __builtin_add_overflow(sum, labels, &sum))
        return UINT64_MAX;
    return sum;
}

static sporf_status check_shape(size_t rows, size_t features) {
    if (rows == 0) return spf_raise(SPORF_ERROR_DATA, "a table needs at least one row");
    if (rows > SPF_ROWS_MAX || features > SPF_ROWS_MAX)
        return spf_raise(SPORF_ERROR_DATA, "%zu rows x %zu features: at most %zu of each", rows,
                         features, SPF_ROWS_MAX);
    return SPORF_OK;
}

sporf_status spf_dataset_create_borrowing(size_t rows, size_t features, sporf_dataset **out) {
    SPF_TRY(check_shape(rows, features));
    sporf_dataset *data = spf_alloc_zero(1, sizeof *data);
    if (!data) return spf_raise_memory();
    data->rows = rows;
    data->features = features;
    data->borrows = 1;
    data->columns = spf_alloc_zero(features, sizeof *data->columns);
    if (!data->columns) {
        free(data);
        return spf_raise_memory();
    }
    *out = data;
    return SPORF_OK;
}

sporf_status spf_dataset_create(size_t rows, size_t features, sporf_dataset **out) {
    char size[SPF_BYTES_TEXT_MAX];
    sporf_dataset *data = NULL;
    SPF_TRY(spf_dataset_create_borrowing(rows, features, &data));
    size_t bytes;
    data->borrows = 0;
    if (!__builtin_mul_overflow(rows * features, sizeof *data->storage, &bytes))
        data->storage = spf_alloc_large(bytes);
    if (!data->storage) {
        sporf_dataset_free(data);
        return spf_raise(SPORF_ERROR_MEMORY,
                         "out of memory: a table of %zu rows x %zu features takes %s", rows,
                         features, spf_bytes_text(spf_dataset_bytes(rows, features), size));
    }
    for (size_t j = 0; j < features; j++) data->columns[j] = spf_dataset_column(data, j);
    *out = data;
    return SPORF_OK;
}

sporf_status sporf_dataset_of_outcomes(size_t rows, sporf_dataset **out) {
    if (!out || rows == 0 || rows > SPF_ROWS_MAX)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "a table of outcomes needs 1 to %zu rows and a place for it",
                         SPF_ROWS_MAX);
    return spf_dataset_create(rows, 0, out);
}

void sporf_dataset_free(sporf_dataset *data) {
    if (!data) return;
    for (size_t j = 0; data->copies && j < data->features; j++) free(data->copies[j]);
    free(data->copies);
    free(data->columns);
    free(data->storage);
    free(data->labels);
    free(data->weights);
    free(data->weight_name);
    free(data->target_storage);
    spf_notes_free(&data->notes);
    free(data->unknown);
    spf_strings_free(&data->kept_names);
    spf_strings_free(&data->kept_fields);
    spf_schema_free(&data->schema);
    free(data);
}

static sporf_status raise_value(const sporf_dataset *data, size_t row, size_t feature) {
    char place[SPF_PLACE_MAX], text[SPF_NUMBER_TEXT_MAX], name[SPF_EXCERPT_MAX];
    const char *given = sporf_schema_feature_name(&data->schema, feature);
    size_t length = spf_number_write_double(data->columns[feature][row], text);
    if (given)
        snprintf(place, sizeof place, SPF_CELL " ('%s')", row + 1, feature + 1,
                 spf_excerpt(given, strlen(given), name));
    else
        snprintf(place, sizeof place, SPF_CELL, row + 1, feature + 1);
    return spf_raise_cell(place, text, length);
}

sporf_status spf_dataset_check_values(sporf_dataset *data) {
    for (size_t j = 0; j < data->features; j++) {
        const float *column = data->columns[j];
        int good = 1, known = 1;
        for (size_t i = 0; i < data->rows; i++) {
            int missing = column[i] != column[i];
            good &= spf_value_ok(column[i]) | missing;
            known &= !missing;
        }
        data->has_missing |= !known;
        if (good) continue;
        size_t i = 0;
        while (spf_value_ok(column[i]) || isnan(column[i])) i++;
        return raise_value(data, i, j);
    }
    return SPORF_OK;
}

sporf_status spf_dataset_check_borrowed(const sporf_dataset *data) {
    for (size_t j = 0; data->borrows && j < data->features; j++) {
        const float *column = data->columns[j];
        int good = 1;
        for (size_t i = 0; i < data->rows; i++)
            good &= spf_value_ok(column[i]) | (data->has_missing & (column[i] != column[i]));
        if (!good)
            return spf_raise(
                SPORF_ERROR_DATA,
                SPF_FEATURE
                " has changed since the dataset was made of it: borrowed columns must not change",
                j + 1);
    }
    return SPORF_OK;
}

sporf_status spf_dataset_own_column(sporf_dataset *data, size_t feature) {
    if (!data->borrows || (data->copies && data->copies[feature])) return SPORF_OK;
    if (!data->copies) data->copies = spf_alloc_zero(data->features, sizeof *data->copies);
    float *copy = data->copies ? spf_alloc(data->rows, sizeof *copy) : NULL;
    if (!copy) return spf_raise_memory();
    memcpy(copy, data->columns[feature], data->rows * sizeof *copy);
    data->columns[feature] = data->copies[feature] = copy;
    return SPORF_OK;
}

/* An empty name counts as no name, as in a header. */
sporf_status sporf_dataset_set_label_name(sporf_dataset *data, const char *name) {
    if (!data) return spf_raise(SPORF_ERROR_ARGUMENT, "label name: data is NULL");
    char *copy = name && *name ? spf_strdup(name) : NULL;
    if (name && *name && !copy) return spf_raise_memory();
    free(data->schema.label_name);
    data->schema.label_name = copy;
    return SPORF_OK;
}

size_t sporf_dataset_rows(const sporf_dataset *data) {
    return data->rows;
}

size_t sporf_dataset_features(const sporf_dataset *data) {
    return data->features;
}

size_t sporf_dataset_classes(const sporf_dataset *data) {
    return data->schema.classes.count;
}

const float *sporf_dataset_feature(const sporf_dataset *data, size_t feature) {
    return feature < data->features ? data->columns[feature] : NULL;
}

const uint32_t *sporf_dataset_labels(const sporf_dataset *data) {
    return data->labels;
}

typedef struct {
    const sporf_dataset *data;
    atomic_int refused;
} byte_check;

static sporf_status check_bytes(void *context, size_t feature, unsigned worker) {
    (void)worker;
    enum { AT_ONCE = 1024 };
    const float no_fraction = 0x1p23f; /* there is none in single precision from here on */
    byte_check *check = context;
    const float *column = check->data->columns[feature];
    for (size_t begin = 0; begin < check->data->rows; begin += AT_ONCE) {
        size_t rest = check->data->rows - begin, end = begin + (rest < AT_ONCE ? rest : AT_ONCE);
        int whole = 1;
        if (atomic_load_explicit(&check->refused, memory_order_relaxed)) break;
        for (size_t i = begin; i < end; i++)
            whole &= (column[i] >= 0) & (column[i] <= UINT8_MAX) &
                     ((column[i] + no_fraction) - no_fraction == column[i]);
        if (!whole) atomic_store_explicit(&check->refused, 1, memory_order_relaxed);
    }
    return SPORF_OK;
}

sporf_status spf_dataset_holds_bytes(const sporf_dataset *data, unsigned threads, int *bytes) {
    byte_check check = {.data = data};
    SPF_TRY(spf_parallel(data->features, spf_thread_count(threads), check_bytes, &check));
    *bytes = !atomic_load(&check.refused);
    return SPORF_OK;
}
