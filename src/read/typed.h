/* Matrices of any number type, byte order and layout: shared by .npy and idx files, Arrow columns
 * and the caller's arrays. */
#ifndef SPF_READ_TYPED_H
#define SPF_READ_TYPED_H

#include "data/labels.h"
#include "read/recode.h"

typedef enum spf_type {
    SPF_I8,
    SPF_U8,
    SPF_I16,
    SPF_U16,
    SPF_I32,
    SPF_U32,
    SPF_I64,
    SPF_U64,
    SPF_F16,
    SPF_F32,
    SPF_F64,
} spf_type;

/* Value (i, j) is at bytes + i * row_stride + j * column_stride, aligned or not. */
typedef struct spf_typed {
    const unsigned char *bytes;
    spf_type type;
    int big_endian;
    int complete; /* NaN is a fault, not a missing value */
    size_t rows, columns;
    size_t row_stride, column_stride; /* in bytes */
    size_t first_row;                 /* if this is a part of a file's rows */
    const char *name;                 /* for messages: a file or a column; NULL for none */
    const struct spf_source *source;  /* the owner of the bytes; NULL for the caller's memory */
} spf_typed;

size_t spf_type_size(spf_type type);

/* Checks a caller's matrix, except for its values. */
sporf_status spf_typed_matrix(const sporf_matrix *matrix, spf_typed *typed);

/* A value of an integer type; one of SPF_U64 wraps around. */
int64_t spf_typed_integer(const spf_typed *matrix, size_t row, size_t column);

/* Copies the columns except `label`, which may be SPF_NO_COLUMN, into columns 0, 1, ... of storage,
 * `rows` values each; *has_missing tells whether a value is missing (NaN). Raises SPORF_ERROR_DATA
 * for a value that is infinite or too large. */
sporf_status spf_typed_load(const spf_typed *matrix, int64_t label, unsigned threads,
                            float *storage, int *has_missing);

/* The values of one column as labels of the dataset. Integers are written without a point: 3, not
 * 3.0. */
sporf_status spf_typed_load_labels(const spf_typed *matrix, size_t column, sporf_dataset *data);

/* A dataset from a matrix, with the options applied. */
sporf_status spf_typed_read(const spf_typed *matrix, const sporf_read_options *options,
                            sporf_dataset **out);

#endif
