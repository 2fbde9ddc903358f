/* The innermost loops of splitting, compiled once for each width of vectors from one source
 * (kernels.inc.h) and chosen by what the processor has. All widths give the same bits. */
#ifndef SPF_LEARN_SPLITTING_KERNELS_H
#define SPF_LEARN_SPLITTING_KERNELS_H

#include "base/platform.h"
#include "learn/splitting/lane_scan.h"

/* The smallest and the largest value of a column. */
typedef struct spf_range {
    float low, high;
} spf_range;

/* Consecutive bins, as bounds in units of bins. A bin number is a position rounded down, so
 * positions are not rounded here. */
typedef struct spf_bin_range {
    float low, per_unit, first, behind, high;
} spf_bin_range;

enum { SPF_LANES_FEW = 16 }; /* lines that are sorted in registers */

typedef struct spf_kernels {
    size_t lanes; /* 32-bit numbers in a vector, and columns that are sorted side by side */

    /* Writes keys[rows x lanes] of up to so many columns, values[c * SPF_LANES_ROWS + i], with a
     * tag in the bits of the mask; the lanes that are left repeat columns. lossy[c] tells
     * whether a value of column c has bits that its key lacks. Rows are read in groups of four. */
    void (*fill)(const float *values, size_t columns, const uint32_t *tags, size_t rows,
                 uint32_t mask, uint32_t *keys, int *lossy);
    /* Sorts each column of keys[lines x lanes] ascending. Lines behind may change, up to a multiple
     * of SPF_LANES_FEW. */
    void (*sort)(uint32_t *keys, size_t lines);
    /* agree[c] tells whether sorted keys of column c differ, but only in the bits of the mask. */
    void (*agree_above)(const uint32_t *keys, size_t lines, uint32_t mask, int *agree);

    /* The best cut of each column of sorted keys: of two classes in nodes up to SPF_LANES_TOTAL, of
     * any classes by Gini in nodes up to SPF_SQUARES_TOTAL, and of pairs up to SPF_NUMBERS_TOTAL.
     */
    void (*scan_pairs)(const spf_split_node *node, const uint32_t *keys, uint32_t mask,
                       spf_lane_cut *cuts);
    void (*scan_squares)(const spf_split_node *node, const uint32_t *keys, uint32_t mask,
                         spf_lane_cut *cuts);
    void (*scan_numbers)(const spf_split_node *node, const uint32_t *keys, uint32_t mask,
                         spf_lane_cut *cuts);

    /* The range of a column, and of its values in some bins; that of no rows is empty. */
    spf_range (*range)(const float *values, size_t rows);
    spf_range (*range_inside)(const float *values, size_t rows, const spf_bin_range *bins);

    /* Count the rows of a node in bins: see histogram.c. Every other row is counted in `odd`, which
     * may be the same table. */
    void (*count_pairs)(const spf_split_node *node, const float *values, const spf_bins *bins,
                        uint64_t *pairs, uint64_t *odd);
    void (*count_classes)(const spf_split_node *node, const float *values, const spf_bins *bins,
                          size_t width, uint32_t *counts, uint32_t *odd);
    void (*order_tags)(const spf_split_node *node, const float *values, const spf_bins *bins,
                       uint32_t *end, uint32_t *tags);

    /* Walk through the bins of two classes, and of several by Gini in nodes of a weight below
     * 2^16. */
    void (*walk_pairs)(spf_bin_walk *walk);
    void (*walk_squares)(spf_bin_walk *walk);

    /* Divides two arrays over the same rows: those of values up to the threshold come first, in the
     * same order as before, then the others. Returns how many come first. */
    size_t (*partition)(uint32_t *a, uint32_t *b, size_t rows, const float *value, float threshold,
                        uint32_t *spare /* [2 x rows] */);
} spf_kernels;

/* The widest vectors that this processor has and that are used. */
const spf_kernels *spf_kernels_best(void);

/* Those of one width; NULL if the processor does not have it. */
const spf_kernels *spf_kernels_of(size_t lanes);

extern const spf_kernels spf_kernels_4;
#ifdef SPF_WIDE_VECTORS
extern const spf_kernels spf_kernels_8;
#endif

#endif
