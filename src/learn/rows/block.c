/* Copies into memory that is reused from block to block: column by column, or from a table by row
 * in strips of rows that stay in the cache. */
#include "learn/rows/block.h"

#include "base/vectors.h"

#include <stdlib.h>

enum { STRIP_ROWS = 32, SIDE = 4 };

void spf_block_free(spf_block *block) {
    free(block->storage);
    free(block->columns);
    free(block->bytes);
    *block = (spf_block){0};
}

/* Not by doubling, and without keeping the content: blocks are large. */
static sporf_status make_room(spf_block *block, size_t bytes) {
    if (bytes <= block->storage_capacity) return SPORF_OK;
    free(block->storage);
    block->storage = spf_alloc(bytes, 1);
    block->storage_capacity = block->storage ? bytes : 0;
    return block->storage ? SPORF_OK : spf_raise_memory();
}

sporf_status spf_block_open(spf_block *block, const spf_table *from, size_t rows) {
    size_t features = from->features, width = spf_table_width(from);
    SPF_TRY(make_room(block, rows * features * width));
    block->table = (spf_table){.rows = rows, .features = features, .stride = 1};
    if (from->bytes) {
        SPF_TRY(SPF_RESERVE(block->bytes, block->bytes_capacity, features));
        for (size_t f = 0; f < features; f++) block->bytes[f] = block->storage + f * rows;
        block->table.bytes = block->bytes;
    } else {
        SPF_TRY(SPF_RESERVE(block->columns, block->columns_capacity, features));
        for (size_t f = 0; f < features; f++)
            block->columns[f] = (float *)(void *)block->storage + f * rows;
        block->table.columns = block->columns;
    }
    return SPORF_OK;
}

/* One column of a strip of rows. */
static inline void copy_column(spf_block *block, const spf_table *from, size_t f, size_t first,
                               const uint32_t *row, size_t rows) {
    size_t stride = from->stride;
    if (from->bytes) {
        const uint8_t *source = from->bytes[f];
        uint8_t *column = block->storage + f * block->table.rows + first;
        for (size_t i = 0; i < rows; i++) column[i] = source[row[i] * stride];
    } else {
        const float *source = from->columns[f];
        float *column = (float *)(void *)block->storage + f * block->table.rows + first;
        for (size_t i = 0; i < rows; i++) column[i] = source[row[i] * stride];
    }
}

/* Four floats of four rows, which become four rows of four columns. */
static inline void turn(const float *from, const uint32_t *row, size_t stride, float *column,
                        size_t rows) {
    u32x4 square[SIDE];
    for (size_t k = 0; k < SIDE; k++) memcpy(&square[k], from + row[k] * stride, sizeof square[k]);
    spf_transpose(square);
    for (size_t k = 0; k < SIDE; k++) memcpy(column + k * rows, &square[k], sizeof square[k]);
}

/* Whether four columns of floats are neighbours in each row. */
static int are_neighbours(const spf_table *from, size_t f) {
    if (from->stride == 1 || from->bytes || f + SIDE > from->features) return 0;
    int neighbours = 1;
    for (size_t k = 1; k < SIDE; k++) neighbours &= from->columns[f + k] == from->columns[f] + k;
    return neighbours;
}

/* Four columns of a strip. */
static void turn_columns(spf_block *block, const spf_table *from, size_t f, size_t first,
                         const uint32_t *row, size_t rows) {
    float *column = (float *)(void *)block->storage + f * block->table.rows + first;
    size_t turned = rows / SIDE * SIDE;
    for (size_t i = 0; i < turned; i += SIDE)
        turn(from->columns[f], row + i, from->stride, column + i, block->table.rows);
    for (size_t k = 0; k < SIDE; k++)
        copy_column(block, from, f + k, first + turned, row + turned, rows - turned);
}

void spf_block_copy(spf_block *block, const spf_table *from, size_t first, uint32_t *row,
                    size_t rows) {
    size_t strip = from->stride == 1 ? rows : STRIP_ROWS;
    for (size_t begin = 0; begin < rows; begin += strip) {
        size_t count = rows - begin < strip ? rows - begin : strip;
        for (size_t f = 0; f < from->features;)
            if (are_neighbours(from, f)) {
                turn_columns(block, from, f, first + begin, row + begin, count);
                f += SIDE;
            } else {
                copy_column(block, from, f++, first + begin, row + begin, count);
            }
    }
    for (size_t i = 0; i < rows; i++) row[i] = (uint32_t)(first + i);
}
