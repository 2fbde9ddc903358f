/* The table: single-precision columns, optional labels, targets, weights and names. */
#ifndef SPF_DATA_DATASET_H
#define SPF_DATA_DATASET_H

#include "base/text.h"
#include "data/notes.h"
#include "data/schema.h"

/* Larger magnitudes are refused, so that no sum of features can overflow single precision. */
#define SPF_VALUE_MAX 1e30f

/* Rows and features are numbered in 32 bits, and a tree has up to two nodes for each row. */
#define SPF_ROWS_MAX ((size_t)INT32_MAX)

/* Cells of a feature whose level the schema does not have, and the first of these levels. */
typedef struct spf_unknown_levels {
    size_t cells;
    char example[SPF_EXCERPT_MAX];
} spf_unknown_levels;

struct sporf_dataset {
    size_t rows, features;
    const float **columns; /* [features], each of rows values; borrowed or inside storage. NaN is
                              missing; a category is stored as the number of its level */
    float *storage;        /* NULL if every column is borrowed */
    int borrows;           /* some columns may be borrowed */
    float **copies;        /* [features]: of borrowed columns that became categories; NULL: none */
    sporf_schema schema;   /* names, kinds and levels of the columns */
    int has_missing;       /* some value is missing */
    int selected;          /* some rows of another dataset, with that one's classes */
    uint32_t *labels;      /* [rows]: class number; NULL without labels */
    float *weights;        /* [rows]: row weights; NULL: all are equal */
    char *weight_name;     /* name of the weight column of the file; NULL without */
    size_t targets;        /* number of regression targets; 0 in classification */
    float *target_storage; /* [targets * rows], one target after the other */
    spf_notes notes;       /* columns of the file that are left out, and other notes */
    spf_unknown_levels *unknown; /* [features]; NULL: none */
    spf_strings kept_names;      /* columns that are copied to the output as text */
    spf_strings kept_fields;     /* [rows x kept columns], row by row */
};

/* A dataset with its columns allocated, one after the other, and not yet filled: write through
 * spf_dataset_column. features may be 0, for a file with labels only. */
sporf_status spf_dataset_create(size_t rows, size_t features, sporf_dataset **out);

/* The same without storage: columns[features] are NULL, to be set to the caller's memory. */
sporf_status spf_dataset_create_borrowing(size_t rows, size_t features, sporf_dataset **out);

static inline float *spf_dataset_column(sporf_dataset *data, size_t feature) {
    return data->storage + feature * data->rows;
}

/* Gives a table without outcomes those of some rows of another, one for each of its rows. */
sporf_status spf_select_outcomes(const sporf_dataset *data, const uint32_t *rows,
                                 sporf_dataset *part);

/* A column of another table: its rows are taken in the given order, or as they are for NULL. */
typedef struct spf_column_source {
    size_t feature;
    const uint32_t *rows; /* [rows] */
} spf_column_source;

/* A table of columns of another one, with its outcomes. Columns as they are are borrowed. */
sporf_status spf_dataset_of_columns(const sporf_dataset *data, const spf_column_source *columns,
                                    size_t count, sporf_dataset **out);

/* The values of a target, one for each row. */
static inline const float *spf_target_of(const sporf_dataset *data, size_t target) {
    return data->target_storage + target * data->rows;
}

/* Memory of a table with labels; UINT64_MAX if that is beyond 64 bits. */
uint64_t spf_dataset_bytes(size_t rows, size_t features);

/* Raises SPORF_ERROR_DATA for the first value, by column, that is infinite or too large, and notes
 * whether some are missing. */
sporf_status spf_dataset_check_values(sporf_dataset *data);

/* Checks borrowed columns again before they are used: raises SPORF_ERROR_DATA if the caller has
 * since changed a value to one that is refused, or to missing. */
sporf_status spf_dataset_check_borrowed(const sporf_dataset *data);

/* Copies a borrowed column, so that its owner can no longer change it. */
sporf_status spf_dataset_own_column(sporf_dataset *data, size_t feature);

/* Whether all values are integers from 0 to 255. */
sporf_status spf_dataset_holds_bytes(const sporf_dataset *data, unsigned threads, int *bytes);

/* Whether one value can be used. */
static inline int spf_value_ok(float value) {
    return value >= -SPF_VALUE_MAX && value <= SPF_VALUE_MAX; /* false for NaN */
}

/* The same before the conversion to single precision. */
static inline int spf_double_ok(double value) {
    return value >= -(double)SPF_VALUE_MAX && value <= (double)SPF_VALUE_MAX;
}

#endif
