/* A block of a table's rows, turned so that each lies in one piece. Rows are written in stripes of
 * columns, few enough for the lines they touch to stay in the cache. */
#include "predict/rows.h"

enum { STRIPE = 16, PIECE = 512 };

/* Whole numbers from 0 to 255 as bytes. Returns 0 where there is anything else. */
static int narrow(const float *column, size_t count, uint8_t *bytes) {
    int whole = 1;
    for (size_t i = 0; i < count; i++) {
        float value = column[i] >= 0 && column[i] <= 255 ? column[i] : 0;
        bytes[i] = (uint8_t)value;
        whole &= (float)bytes[i] == column[i];
    }
    return whole;
}

static int fill_bytes(const float *const *columns, size_t features, size_t begin, size_t count,
                      uint8_t *rows) {
    uint8_t stripe[STRIPE][PIECE];
    for (size_t first = 0; first < count; first += PIECE) {
        size_t piece = count - first < PIECE ? count - first : PIECE;
        for (size_t j = 0; j < features; j += STRIPE) {
            size_t width = features - j < STRIPE ? features - j : STRIPE;
            for (size_t k = 0; k < width; k++)
                if (!narrow(columns[j + k] + begin + first, piece, stripe[k])) return 0;
            for (size_t i = 0; i < piece; i++)
                for (size_t k = 0; k < width; k++)
                    rows[(first + i) * features + j + k] = stripe[k][i];
        }
    }
    return 1;
}

static void fill_floats(const float *const *columns, size_t features, size_t begin, size_t count,
                        float *rows) {
    for (size_t first = 0; first < count; first += PIECE) {
        size_t end = count - first < PIECE ? count : first + PIECE;
        for (size_t j = 0; j < features; j += STRIPE) {
            size_t width = features - j < STRIPE ? features - j : STRIPE;
            for (size_t i = first; i < end; i++)
                for (size_t k = 0; k < width; k++)
                    rows[i * features + j + k] = columns[j + k][begin + i];
        }
    }
}

spf_rows spf_rows_fill(const float *const *columns, size_t features, size_t begin, size_t count,
                       void *buffer) {
    if (fill_bytes(columns, features, begin, count, buffer))
        return (spf_rows){.kind = SPF_ROWS_BYTES, .stride = features, .bytes = buffer};
    fill_floats(columns, features, begin, count, buffer);
    return (spf_rows){.kind = SPF_ROWS_FLOATS, .stride = features, .floats = buffer};
}
