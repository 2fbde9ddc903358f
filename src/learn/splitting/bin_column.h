/* The search for a column's best cut between bins, wherever its rows are: in memory, or on several
 * machines that answer what is asked in the next round. */
#ifndef SPF_LEARN_SPLITTING_BIN_COLUMN_H
#define SPF_LEARN_SPLITTING_BIN_COLUMN_H

#include "learn/splitting/histogram.h"

typedef struct spf_bin_column {
    void *context;
    /* The range of all values or, unless `inside` is NULL, of those in some bins; *known: it is. */
    sporf_status (*range)(void *context, const spf_bin_range *inside, spf_range *range, int *known);
    /* The rows in bins; *histogram stays NULL if they are not known. It is valid until the next
     * call. */
    sporf_status (*count)(void *context, const spf_bins *bins, const spf_histogram **histogram);
    /* Tries every cut between values that are too close for bins; *complete: they are known. */
    sporf_status (*scan)(void *context, spf_split *best, int *complete);
} spf_bin_column;

/* Tries the cuts between bins of equal width, and those within heavy bins, like
 * spf_split_histogram. If *complete is 0, something was not known and *best is of no use;
 * everything that could be missing was asked. left[classes] is all 0 between calls. */
sporf_status spf_search_column(const spf_split_node *node, const spf_bin_column *column,
                               const spf_whole *whole, uint32_t *left, spf_split *best,
                               int *complete);

/* The most distinct integers that get a bin each. */
size_t spf_split_values(const spf_split_node *node);

/* Consecutive bins; the last one of all is open. */
spf_bin_range spf_bins_between(const spf_bins *bins, uint32_t first, uint32_t last);

/* The rows with values in some bins become the first keys of the scratch memory. */
sporf_status spf_collect_inside(const spf_split_node *node, const float *values,
                                const spf_bin_range *bins, spf_split_scratch *scratch,
                                size_t *count);

#endif
