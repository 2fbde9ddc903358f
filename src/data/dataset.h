/* The table all else works on: single-precision columns, optional labels, optional names. */
#ifndef SPF_DATA_DATASET_H
#define SPF_DATA_DATASET_H

#include "base/strings.h"

/* Larger magnitudes are refused, so that no sum of features can overflow single precision. */
#define SPF_VALUE_MAX 1e30f

/* Rows are numbered in 32 bits throughout; so are features. */
#define SPF_ROWS_MAX ((size_t)UINT32_MAX - 1)

struct sporf_dataset {
    size_t rows, features;
    const float **columns;     /* [features], each of rows values; borrowed or inside storage */
    float *storage;            /* NULL where every column is borrowed */
    spf_strings feature_names; /* empty where the features have no names */
    uint32_t *labels;          /* [rows]: index into classes; NULL without labels */
    spf_strings classes;       /* sorted: numbers by value, otherwise by bytes */
    char *label_name;          /* NULL if unnamed */
};

/* A dataset with its columns allocated, one after the other, and not yet filled: write through
 * spf_dataset_column. */
sporf_status spf_dataset_create(size_t rows, size_t features, sporf_dataset **out);

static inline float *spf_dataset_column(sporf_dataset *data, size_t feature) {
    return data->storage + feature * data->rows;
}

/* Raises SPORF_ERROR_DATA for the first value, by column, that is not finite or too large. */
sporf_status spf_dataset_check_values(const sporf_dataset *data);

/* Whether one value can be used. */
static inline int spf_value_ok(float value) {
    return value >= -SPF_VALUE_MAX && value <= SPF_VALUE_MAX; /* false for NaN */
}

#endif
