/* What a part of a forest has beside its trees: which of the forest's trees they are, and what
 * joining needs of the training table, so that the table itself is not needed there. */
#ifndef SPF_MODEL_PART_H
#define SPF_MODEL_PART_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SPF_PART_VERSION_MAX = 24 };

typedef struct spf_forest_part {
    uint32_t first, whole; /* number of the first tree; trees of the whole forest, 0: no part */
    char version[SPF_PART_VERSION_MAX]; /* of the library that grew it */
    uint64_t table;                     /* checksum of the training table */
    size_t rows;                        /* of that table */
    uint32_t *labels;                   /* [rows]; NULL in regression */
    float *values;                      /* [targets x rows]; NULL in classification */
    float *weights;                     /* [rows]; NULL: all are equal */
    /* The out-of-bag rows of tree t, from out_of_bag[starts[t]] to out_of_bag[starts[t + 1]]: a bit
     * for each row, then the leaves of those whose bit is set, in numbers of spf_part_width bytes.
     * NULL if trees have no bags. */
    uint64_t *starts; /* [trees + 1] */
    uint8_t *out_of_bag;
} spf_forest_part;

void spf_part_free(spf_forest_part *part);

/* The bytes of the bits of all rows. */
static inline size_t spf_part_bits(size_t rows) {
    return (rows + 7) / 8;
}

/* The bits of 64 rows from byte `at` on; those beyond the last row are 0. */
static inline uint64_t spf_part_word(const uint8_t *bits, size_t rows, size_t at) {
    size_t left = spf_part_bits(rows) - at;
    uint64_t word = 0;
    if (left >= sizeof word)
        memcpy(&word, bits + at, sizeof word);
    else
        memcpy(&word, bits + at, left);
    return word;
}

/* The bytes of the number of a leaf, in a tree of that many leaves. */
static inline size_t spf_part_width(uint32_t leaves) {
    uint32_t last = leaves - 1;
    return last < 1u << 8 ? 1 : last < 1u << 16 ? 2 : last < 1u << 24 ? 3 : 4;
}

/* Number i of a list of such numbers. */
static inline uint32_t spf_part_leaf(const uint8_t *leaves, size_t width, size_t i) {
    uint32_t leaf = 0;
    for (size_t k = 0; k < width; k++) leaf |= (uint32_t)leaves[i * width + k] << 8 * k;
    return leaf;
}

static inline void spf_part_put_leaf(uint8_t *leaves, size_t width, size_t i, uint32_t leaf) {
    for (size_t k = 0; k < width; k++) leaves[i * width + k] = (uint8_t)(leaf >> 8 * k);
}

#endif
