/* Transposes a table so that each row is contiguous. Columns are read in long pieces, for memory
 * bandwidth, and rows written in stripes of a cache line, for the cache. */
#include "predict/rows.h"

#include <string.h>

enum {
    STRIPE = 64,
    PIECE = 1024,
    PADDING = 64, /* otherwise all columns of a stripe would share cache lines */
    SAMPLE = 256,
};

static size_t at_most(size_t count, size_t limit) {
    return count < limit ? count : limit;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* A float of this size has no fraction bits: adding it rounds smaller numbers to integers. */
static const float whole_only = 0x1p23f;

static int are_bytes(const float *column, size_t count) {
    int32_t other = 0;
    for (size_t i = 0; i < count; i++) {
        float value = column[i], rounded = value + whole_only - whole_only;
        other |= (value < 0) | (value > 255) | (rounded != value);
    }
    return !other;
}

int spf_rows_look_like_bytes(const float *const *columns, size_t features, size_t rows) {
    for (size_t j = 0; j < features; j++)
        if (!are_bytes(columns[j], at_most(rows, SAMPLE))) return 0;
    return 1;
}

/* Exchanges the off-diagonal blocks of a 2 x 2 matrix of blocks of `width` bits. */
static inline void exchange(uint64_t *a, uint64_t *b, int width, uint64_t mask) {
    uint64_t moved = (*a >> width ^ *b) & mask;
    *a ^= moved << width;
    *b ^= moved;
}

/* Transposes eight by eight bytes. */
static inline void turn_square(const uint8_t *from, size_t from_stride, uint8_t *to,
                               size_t to_stride) {
    uint64_t line[8];
    for (int i = 0; i < 8; i++) memcpy(&line[i], from + i * from_stride, 8);
    for (int i = 0; i < 4; i++) exchange(&line[i], &line[i + 4], 32, 0x00000000ffffffffu);
    for (int i = 0; i < 8; i += 4)
        for (int k = i; k < i + 2; k++) exchange(&line[k], &line[k + 2], 16, 0x0000ffff0000ffffu);
    for (int i = 0; i < 8; i += 2) exchange(&line[i], &line[i + 1], 8, 0x00ff00ff00ff00ffu);
    for (int i = 0; i < 8; i++) memcpy(to + i * to_stride, &line[i], 8);
}

static void turn_bytes(const uint8_t *stripe, size_t width, size_t height, uint8_t *rows,
                       size_t features) {
    const size_t line = PIECE + PADDING;
    size_t wide = width / 8 * 8, high = height / 8 * 8;
    for (size_t i = 0; i < high; i += 8)
        for (size_t k = 0; k < wide; k += 8)
            turn_square(stripe + k * line + i, line, rows + i * features + k, features);
    for (size_t i = 0; i < height; i++)
        for (size_t k = i < high ? wide : 0; k < width; k++)
            rows[i * features + k] = stripe[k * line + i];
}

/* Returns 0 if not all values are bytes. */
static int fill_bytes(const float *const *columns, size_t features, size_t begin, size_t count,
                      uint8_t *rows) {
    uint8_t stripe[STRIPE][PIECE + PADDING];
    for (size_t first = 0; first < count; first += PIECE)
        for (size_t j = 0; j < features; j += STRIPE) {
            size_t height = at_most(count - first, PIECE), width = at_most(features - j, STRIPE);
            for (size_t k = 0; k < width; k++) {
                const float *column = columns[j + k] + begin + first;
                if (!are_bytes(column, height)) return 0;
                for (size_t i = 0; i < height; i++) stripe[k][i] = (uint8_t)(int32_t)column[i];
            }
            turn_bytes(stripe[0], width, height, rows + first * features + j, features);
        }
    return 1;
}

/* ---- floats ---------------------------------------------------------------------------------- */

static void fill_floats(const float *const *columns, size_t features, size_t begin, size_t count,
                        float *rows) {
    enum { LINE = STRIPE / sizeof(float) };
    for (size_t first = 0; first < count; first += PIECE)
        for (size_t j = 0; j < features; j += LINE) {
            size_t end = first + at_most(count - first, PIECE), width = at_most(features - j, LINE);
            for (size_t i = first; i < end; i++)
                for (size_t k = 0; k < width; k++)
                    rows[i * features + j + k] = columns[j + k][begin + i];
        }
}

spf_rows spf_rows_fill(spf_rows_kind kind, const float *const *columns, size_t features,
                       size_t begin, size_t count, void *buffer) {
    if (kind == SPF_ROWS_BYTES && fill_bytes(columns, features, begin, count, buffer))
        return (spf_rows){.kind = kind, .features = features, .stride = features, .bytes = buffer};
    if (kind != SPF_ROWS_FLOATS)
        return (spf_rows){.kind = SPF_ROWS_COLUMNS,
                          .features = features,
                          .stride = 1,
                          .first = begin,
                          .columns = columns};
    fill_floats(columns, features, begin, count, buffer);
    return (spf_rows){.kind = kind, .features = features, .stride = features, .floats = buffer};
}
