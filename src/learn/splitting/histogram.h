/* The rows of a node in bins of one column. A histogram is counted from values, merged with that of
 * other rows of the node, and asked for the best cut between its bins, which needs no rows. */
#ifndef SPF_LEARN_SPLITTING_HISTOGRAM_H
#define SPF_LEARN_SPLITTING_HISTOGRAM_H

#include "learn/splitting/split.h"

enum {
    SPF_HEAVY_SHARE = 8, /* a bin is heavy when it holds more than one in so many */
    SPF_COUNTED_VECTORS = 8,
    SPF_COUNTED_CLASSES = 4 * SPF_COUNTED_VECTORS,
};

/* Whether bins count each class; with more of them rows are put in the order of their bins. */
static inline int spf_histogram_counts(const spf_split_node *node) {
    return !spf_split_is_pair(node) && node->classes <= SPF_COUNTED_CLASSES;
}

/* Where a value lies: 0 .. count-1, -1 left of all bins, count right of them. */
static inline int32_t spf_bin_of(const spf_bins *bins, float value) {
    float last = (float)(bins->count - 1), place = (value - bins->low) * bins->per_unit;
    place = place < last ? place : last;
    int32_t bin = (int32_t)(place > 0 ? place : 0);
    return value < bins->low ? -1 : value > bins->high ? (int32_t)bins->count : bin;
}

sporf_status spf_histogram_count(const spf_split_node *node, const float *values,
                                 const spf_bins *bins, spf_histogram *histogram);

/* Adds the rows of another part of the node, in the same bins. */
sporf_status spf_histogram_merge(spf_histogram *histogram, const spf_histogram *other);

void spf_histogram_free(spf_histogram *histogram);

/* What histograms of nodes of up to so many rows and classes take: bins times classes, or rows in
 * the order of bins. */
double spf_histogram_bytes(double rows, double classes);

/* Bins that hold much of the node, those close together as one. */
typedef struct spf_heavy_bins {
    size_t count;
    struct {
        uint32_t first, last;
    } run[SPF_HEAVY_SHARE];
} spf_heavy_bins;

/* Replaces *best by the best cut between bins if that has a higher score, and lists heavy bins. Of
 * the node it takes totals and bounds over all rows; left[classes] is all 0 between calls. */
void spf_histogram_best(const spf_histogram *histogram, const spf_split_node *node, uint32_t *left,
                        spf_split *best, spf_heavy_bins *heavy);

/* ---- for those who walk through the bins ----------------------------------------------------- */

struct spf_bin_walk {
    const spf_histogram *histogram;
    const spf_split_node *node;
    uint32_t *left;
    spf_split *best;
    int32_t last_bin; /* the last one that was not empty; -1 before the first */
    spf_heavy_bins *heavy;
};

/* The rows' tags in the order of their slots, where classes are not counted: those of a slot end at
 * counts[slot]. */
static inline const uint32_t *spf_histogram_tags(const spf_histogram *histogram) {
    return histogram->counts + histogram->bins.count + 2;
}

/* The cut between the last bin and a later one. */
static inline void spf_walk_offer(spf_bin_walk *walk, double score, uint32_t next_bin) {
    const spf_bins *bins = &walk->histogram->bins;
    if (walk->best->found && !(score > walk->best->score)) return;
    *walk->best = (spf_split){.found = 1, .score = score};
    if (bins->exact) {
        walk->best->threshold =
            spf_threshold_between(bins->low + (float)walk->last_bin, bins->low + (float)next_bin);
        return;
    }
    walk->best->coarse = 1;
    walk->best->bins = *bins;
    walk->best->bin = (uint32_t)walk->last_bin;
    walk->best->next_bin = next_bin;
}

/* Notes a bin that was not empty, and whether it is heavy. */
static inline void spf_walk_leave(spf_bin_walk *walk, uint32_t bin, uint64_t weight) {
    spf_heavy_bins *heavy = walk->heavy;
    walk->last_bin = (int32_t)bin;
    if (walk->histogram->bins.exact || weight <= walk->node->total / SPF_HEAVY_SHARE) return;
    if (heavy->count == 0 || bin > heavy->run[heavy->count - 1].last + 2)
        heavy->run[heavy->count++].first = bin;
    heavy->run[heavy->count - 1].last = bin;
}

#endif
