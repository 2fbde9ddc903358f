/* Sums of pairs by bin. The loop is compiled for each width and number of bins. */
#include "learn/boosting/gradient_bins.h"

#include <string.h>

enum { AHEAD = 16 }; /* rows that are fetched before they are needed */

static inline void add_rows(const uint8_t *bytes, size_t stride, const uint32_t *rows, size_t count,
                            const uint64_t *pair, uint64_t *bins, const unsigned width,
                            const unsigned bits) {
    for (size_t i = 0; i < count; i++) {
        const uint8_t *own = bytes + (size_t)rows[i] * stride;
        uint64_t value = pair[rows[i]];
        if (i + AHEAD < count) {
            __builtin_prefetch(bytes + (size_t)rows[i + AHEAD] * stride);
            __builtin_prefetch(pair + rows[i + AHEAD]);
        }
#pragma GCC unroll 16
        for (unsigned c = 0; c < width; c++) bins[((size_t)c << bits) + own[c]] += value;
    }
}

#define ADD(width, bits)                                                                           \
    case bits:                                                                                     \
        add_rows(bytes, stride, rows, count, pair, bins, width, bits);                             \
        break

#define ADD_OF_WIDTH(width)                                                                        \
    static void add_##width(const uint8_t *bytes, size_t stride, const uint32_t *rows,             \
                            size_t count, const uint64_t *pair, uint64_t *bins, unsigned bits) {   \
        switch (bits) {                                                                            \
            ADD(width, 4);                                                                         \
            ADD(width, 5);                                                                         \
            ADD(width, 6);                                                                         \
            ADD(width, 7);                                                                         \
        default:                                                                                   \
            add_rows(bytes, stride, rows, count, pair, bins, width, 8);                            \
        }                                                                                          \
    }

ADD_OF_WIDTH(4)
ADD_OF_WIDTH(8)
ADD_OF_WIDTH(16)

void spf_gradient_bins_fill(const spf_bin_part *part, const uint32_t *rows, size_t count,
                            const uint64_t *pair, uint64_t *bins) {
    const spf_bin_group *group = part->group;
    const uint8_t *bytes = group->bytes + part->first;
    memset(bins, 0, spf_part_bins(part) * sizeof *bins);
    (part->width == 4   ? add_4
     : part->width == 8 ? add_8
                        : add_16)(bytes, group->width, rows, count, pair, bins, group->bits);
}

void spf_gradient_bins_subtract(uint64_t *bins, const uint64_t *less, size_t count) {
    for (size_t i = 0; i < count; i++) bins[i] -= less[i];
}
