/* The values that trees are grown on: the data's columns, those of a tree's basis, a copy of the
 * data by row, or a block. */
#ifndef SPF_LEARN_ROWS_TABLE_H
#define SPF_LEARN_ROWS_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Feature f of row r is columns[f][r * stride], or bytes[f][r * stride] if bytes is set. */
typedef struct spf_table {
    size_t rows, features, stride;
    const float *const *columns; /* [features] */
    const uint8_t *const *bytes; /* [features], or NULL */
} spf_table;

static inline size_t spf_table_width(const spf_table *table) {
    return table->bytes ? sizeof(uint8_t) : sizeof(float);
}

#endif
