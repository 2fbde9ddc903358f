/* Datasets and targets from matrices in the caller's memory. */
#include "read/typed.h"

#include "base/text.h"
#include "data/targets.h"

#include <stdlib.h>
#include <string.h>

static sporf_status check_matrix(const sporf_matrix *matrix) {
    if (!matrix || !matrix->values)
        return spf_raise(SPORF_ERROR_ARGUMENT, "matrix and its values must not be NULL");
    if (matrix->type != SPORF_FLOAT32 && matrix->type != SPORF_FLOAT64)
        return spf_raise(SPORF_ERROR_ARGUMENT, "matrix: type %d is not known", (int)matrix->type);
    if (matrix->rows == 0 || matrix->columns == 0)
        return spf_raise(SPORF_ERROR_DATA,
                         "a matrix of %zu rows x %zu columns; at least one of each is needed",
                         matrix->rows, matrix->columns);
    if (matrix->row_stride == 0 && matrix->column_stride == 0 && matrix->rows * matrix->columns > 1)
        return spf_raise(SPORF_ERROR_ARGUMENT, "matrix: both strides are 0" SPF_HINT
                                               "(columns, 1) is row-major, (1, rows) column-major");
    return SPORF_OK;
}

static int can_borrow(const sporf_matrix *matrix) {
    return matrix->type == SPORF_FLOAT32 && matrix->row_stride == 1 &&
           (uintptr_t)matrix->values % _Alignof(float) == 0;
}

static sporf_status borrow(const sporf_matrix *matrix, sporf_dataset **out) {
    SPF_TRY(spf_dataset_create_borrowing(matrix->rows, matrix->columns, out));
    for (size_t j = 0; j < matrix->columns; j++)
        (*out)->columns[j] = (const float *)matrix->values + j * matrix->column_stride;
    return spf_dataset_check_values(*out);
}

sporf_status spf_typed_matrix(const sporf_matrix *matrix, spf_typed *typed) {
    SPF_TRY(check_matrix(matrix));
    size_t size = matrix->type == SPORF_FLOAT32 ? sizeof(float) : sizeof(double);
    *typed = (spf_typed){.bytes = matrix->values,
                         .type = matrix->type == SPORF_FLOAT32 ? SPF_F32 : SPF_F64,
                         .rows = matrix->rows,
                         .columns = matrix->columns,
                         .row_stride = matrix->row_stride * size,
                         .column_stride = matrix->column_stride * size};
    return SPORF_OK;
}

static sporf_status copy(const sporf_matrix *matrix, sporf_dataset **out) {
    spf_typed typed;
    SPF_TRY(spf_typed_matrix(matrix, &typed));
    sporf_read_options options;
    sporf_read_options_init(&options);
    options.threads = 1;
    return spf_typed_read(&typed, &options, out);
}

sporf_status sporf_dataset_from_matrix(const sporf_matrix *matrix, sporf_dataset **out) {
    if (!out) return spf_raise(SPORF_ERROR_ARGUMENT, "out must not be NULL");
    SPF_TRY(check_matrix(matrix));
    sporf_dataset *data = NULL;
    *out = NULL;
    sporf_status status = can_borrow(matrix) ? borrow(matrix, &data) : copy(matrix, &data);
    if (status != SPORF_OK)
        sporf_dataset_free(data);
    else
        *out = data;
    return status;
}

/* Targets are found again by their names, which must be distinct. */
static sporf_status copy_names(const char *const *names, size_t count, spf_strings *copy) {
    char shown[SPF_NAME_TEXT_MAX];
    for (size_t t = 0; names && t < count; t++) {
        if (!names[t])
            return spf_raise(SPORF_ERROR_ARGUMENT, "the name of target %zu is NULL", t + 1);
        for (size_t k = 0; k < t; k++)
            if (strcmp(names[k], names[t]) == 0)
                return spf_raise(SPORF_ERROR_ARGUMENT, "the targets %zu and %zu are both '%s'",
                                 k + 1, t + 1, spf_name_text(names[t], shown));
        SPF_TRY(spf_strings_add(copy, names[t], strlen(names[t])));
    }
    return SPORF_OK;
}

static sporf_status set_targets(sporf_dataset *data, const spf_typed *values,
                                const char *const *names) {
    spf_strings copy = {0};
    int has_missing = 0;
    float *storage = spf_alloc(values->columns * values->rows, sizeof *storage);
    sporf_status status = storage ? SPORF_OK : spf_raise_memory();
    if (status == SPORF_OK)
        status = spf_typed_load(values, SPF_NO_COLUMN, 1, storage, &has_missing);
    if (status == SPORF_OK) status = copy_names(names, values->columns, &copy);
    if (status == SPORF_OK) status = spf_targets_take(data, values->columns, storage, &copy);
    if (status == SPORF_OK) return SPORF_OK;
    free(storage);
    spf_strings_free(&copy);
    return status;
}

sporf_status sporf_dataset_set_targets(sporf_dataset *data, const sporf_matrix *targets,
                                       const char *const *names) {
    if (!data) return spf_raise(SPORF_ERROR_ARGUMENT, "targets: data is NULL");
    if (!targets) return spf_targets_take(data, 0, NULL, &(spf_strings){0});
    spf_typed values;
    SPF_TRY(spf_typed_matrix(targets, &values));
    values.name = "targets";
    if (values.rows != data->rows)
        return spf_raise(SPORF_ERROR_ARGUMENT, "targets for %zu rows, but the data have %zu",
                         values.rows, data->rows);
    return set_targets(data, &values, names);
}
