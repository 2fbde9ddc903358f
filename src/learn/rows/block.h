/* A compact copy of some rows of a table: while a subtree grows in a block, its rows stay in the
 * cache. */
#ifndef SPF_LEARN_ROWS_BLOCK_H
#define SPF_LEARN_ROWS_BLOCK_H

#include "base/memory.h"
#include "learn/rows/table.h"

typedef struct spf_block {
    spf_table table;
    unsigned char *storage;
    const float **columns;
    const uint8_t **bytes;
    size_t storage_capacity, columns_capacity, bytes_capacity;
} spf_block;

/* Makes room for that many rows of a table like `from`; then copies rows: row[i] of the table,
 * which may be another block, becomes row first + i of the block. */
sporf_status spf_block_open(spf_block *block, const spf_table *from, size_t rows);
void spf_block_copy(spf_block *block, const spf_table *from, size_t first, uint32_t *row,
                    size_t rows);
void spf_block_free(spf_block *block);

#endif
