/* The values of a block of rows, in the form that walks read. */
#ifndef SPF_PREDICT_ROWS_H
#define SPF_PREDICT_ROWS_H

#include <stddef.h>
#include <stdint.h>

typedef enum spf_rows_kind {
    SPF_ROWS_FLOATS,  /* row by row */
    SPF_ROWS_BYTES,   /* row by row, if all are integers from 0 to 255 */
    SPF_ROWS_COLUMNS, /* in place, in the columns of the table */
} spf_rows_kind;

typedef struct spf_rows {
    spf_rows_kind kind;
    size_t stride;   /* from one row to the next */
    size_t first;    /* for columns: the number of row 0 */
    size_t features; /* terms with higher numbers name sets of levels */
    int mixed;       /* some terms do, or values may be missing */
    const float *floats;
    const uint8_t *bytes;
    const float *const *columns;
} spf_rows;

/* Whether the first values of all columns are integers from 0 to 255. */
int spf_rows_look_like_bytes(const float *const *columns, size_t features, size_t rows);

/* Copies rows [begin, begin + count) into buffer, row by row, as floats or bytes. If they are not
 * bytes after all, or the kind is columns, they are read in place. `mixed` is not set; callers set
 * it. */
spf_rows spf_rows_fill(spf_rows_kind kind, const float *const *columns, size_t features,
                       size_t begin, size_t count, void *buffer);

/* A row as walks name it: its address, or its number for columns. kind is rows->kind, a
 * compile-time constant in each walk. */
static inline uintptr_t spf_row_handle(const spf_rows *rows, spf_rows_kind kind, size_t row) {
    switch (kind) {
    case SPF_ROWS_FLOATS:
        return (uintptr_t)(rows->floats + row * rows->stride);
    case SPF_ROWS_BYTES:
        return (uintptr_t)(rows->bytes + row * rows->stride);
    default:
        return rows->first + row;
    }
}

static inline float spf_row_value(const spf_rows *rows, spf_rows_kind kind, uintptr_t handle,
                                  uint32_t feature) {
    switch (kind) {
    case SPF_ROWS_FLOATS:
        return ((const float *)handle)[feature];
    case SPF_ROWS_BYTES:
        return ((const uint8_t *)handle)[feature];
    default:
        return rows->columns[feature][handle];
    }
}

#endif
