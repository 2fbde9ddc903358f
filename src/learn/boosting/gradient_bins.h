/* Histograms of gradients: for each bin of a column the sum of the pairs of its rows. */
#ifndef SPF_LEARN_BOOSTING_GRADIENT_BINS_H
#define SPF_LEARN_BOOSTING_GRADIENT_BINS_H

#include "learn/boosting/binned.h"

/* Some neighbouring columns of a group. */
typedef struct spf_bin_part {
    const spf_bin_group *group;
    unsigned first, width; /* multiples of SPF_GROUP_PART, within the width of the group */
    size_t column;         /* number of the first one, among the candidates of a tree */
    size_t start;          /* of its bins in the histogram of all candidates */
} spf_bin_part;

static inline size_t spf_part_bins(const spf_bin_part *part) {
    return (size_t)part->width << part->group->bits;
}

/* bins[spf_part_bins] becomes the histogram of some rows. */
void spf_gradient_bins_fill(const spf_bin_part *part, const uint32_t *rows, size_t count,
                            const uint64_t *pair, uint64_t *bins);

/* Subtracts one histogram from another. */
void spf_gradient_bins_subtract(uint64_t *bins, const uint64_t *less, size_t count);

#endif
