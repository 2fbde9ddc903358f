/* The table all else works on: single-precision columns, optional labels, optional names. */
#ifndef SPF_DATA_DATASET_H
#define SPF_DATA_DATASET_H

#include "data/notes.h"
#include "data/schema.h"

/* Larger magnitudes are refused, so that no sum of features can overflow single precision. */
#define SPF_VALUE_MAX 1e30f

/* Rows and features are numbered in 32 bits, and a tree has up to two nodes for each row. */
#define SPF_ROWS_MAX ((size_t)INT32_MAX)

struct sporf_dataset {
    size_t rows, features;
    const float **columns;  /* [features], each of rows values; borrowed or inside storage. NaN is a
                               missing value; that of a category is the number of its level */
    float *storage;         /* NULL where every column is borrowed */
    int borrows;            /* some may be */
    float **copies;         /* [features]: of borrowed ones that became categories; NULL: none */
    sporf_schema schema;    /* what the columns are */
    int has_missing;        /* some value is missing */
    int selected;           /* a part of another, whose classes it has */
    uint32_t *labels;       /* [rows]: index into the classes of the schema; NULL without labels */
    float *weights;         /* [rows]: how much each counts; NULL: all alike */
    char *weight_name;      /* of the column they were read from; NULL without */
    size_t targets;         /* numbers to be predicted for each row, instead of a class */
    float *target_storage;  /* [targets * rows], one target after the other */
    spf_notes notes;        /* columns of the file that are left out, and what else to know */
    size_t *unknown;        /* [features]: cells whose level the schema does not have; NULL: none */
    spf_strings kept_names; /* columns that are kept as they were written */
    spf_strings kept_fields; /* [rows x kept columns], row by row */
};

/* A dataset with its columns allocated, one after the other, and not yet filled: write through
 * spf_dataset_column. No features are allowed, for a file that holds nothing but labels. */
sporf_status spf_dataset_create(size_t rows, size_t features, sporf_dataset **out);

/* The same without storage: columns[features] are NULL, to be pointed at the caller's memory. */
sporf_status spf_dataset_create_borrowing(size_t rows, size_t features, sporf_dataset **out);

static inline float *spf_dataset_column(sporf_dataset *data, size_t feature) {
    return data->storage + feature * data->rows;
}

/* The values of a target, one for each row. */
static inline const float *spf_target_of(const sporf_dataset *data, size_t target) {
    return data->target_storage + target * data->rows;
}

/* What a table takes, labels included; UINT64_MAX where that is beyond 64 bits. */
uint64_t spf_dataset_bytes(size_t rows, size_t features);

/* Raises SPORF_ERROR_DATA for the first value, by column, that is infinite or too large, and notes
 * whether some are missing. */
sporf_status spf_dataset_check_values(sporf_dataset *data);

/* Looks at borrowed columns again, before values are relied on: raises SPORF_ERROR_DATA where one
 * has changed into what would have been refused, or missing. */
sporf_status spf_dataset_check_borrowed(const sporf_dataset *data);

/* Makes a borrowed column the dataset's own, so that whoever lent it cannot change it any more. */
sporf_status spf_dataset_own_column(sporf_dataset *data, size_t feature);

/* Whether all values are whole numbers from 0 to 255. */
sporf_status spf_dataset_holds_bytes(const sporf_dataset *data, unsigned threads, int *bytes);

/* Whether one value can be used. */
static inline int spf_value_ok(float value) {
    return value >= -SPF_VALUE_MAX && value <= SPF_VALUE_MAX; /* false for NaN */
}

/* The same before it is made single. */
static inline int spf_double_ok(double value) {
    return value >= -(double)SPF_VALUE_MAX && value <= (double)SPF_VALUE_MAX;
}

#endif
