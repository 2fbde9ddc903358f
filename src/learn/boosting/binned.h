/* Columns as numbers of bins, one byte for each row. Up to 16 columns form a group, whose bytes lie
 * row by row, so that the bins of a row are read together and the histograms of a group stay in the
 * cache. */
#ifndef SPF_LEARN_BOOSTING_BINNED_H
#define SPF_LEARN_BOOSTING_BINNED_H

#include "base/memory.h"

#include <stddef.h>
#include <stdint.h>

enum {
    SPF_GROUP_COLUMNS = 16,
    SPF_GROUP_PART = 4, /* columns of a part of a group, for loops over threads */
    SPF_BINS_MOST = 256,
};

/* Bins are ordered by value: a row is left of cut b if its bin is at most b. */
typedef struct spf_bin_column {
    uint32_t source;    /* a feature, or the number of a sum */
    uint16_t bins;      /* of values; 1: constant, and never split */
    uint8_t missing;    /* there is one bin more, for missing values */
    uint8_t category;   /* bins are levels, without an order */
    int8_t monotone;    /* predictions must not fall (1) or rise (-1) with it */
    float *threshold;   /* [bins - 1]: the values at the cuts; NULL for categories */
    uint16_t *of_level; /* [levels]: the bin of each level; NULL for numbers */
} spf_bin_column;

typedef struct spf_bin_group {
    uint8_t *bytes; /* [rows x width] */
    size_t first;   /* number of its first column */
    unsigned columns, width;
    unsigned bits; /* each column has 2^bits bins in a histogram */
} spf_bin_group;

typedef struct spf_binned {
    size_t rows, columns_count, groups_count;
    spf_bin_column *columns;
    spf_bin_group *groups;
} spf_binned;

/* Makes room for columns; their bins are unknown yet. */
sporf_status spf_binned_create(size_t rows, size_t columns, spf_binned *binned);
void spf_binned_free(spf_binned *binned);

/* Sets the sizes of histograms, once the number of bins of each column is known: they have room for
 * at least so many, since columns that are not used may keep older bins. */
void spf_binned_lay_out(spf_binned *binned, unsigned least);

static inline const spf_bin_group *spf_bin_group_of(const spf_binned *binned, size_t column) {
    return &binned->groups[column / SPF_GROUP_COLUMNS];
}

/* The bin of a row is at [row * width] from here. */
static inline uint8_t *spf_bin_bytes(const spf_binned *binned, size_t column) {
    return spf_bin_group_of(binned, column)->bytes + column % SPF_GROUP_COLUMNS;
}

/* All bins of a column: of values, and of missing ones. */
static inline unsigned spf_bins_of(const spf_bin_column *column) {
    return column->bins + column->missing;
}

#endif
