/* The rows of a node in bins of one column. A histogram is counted from values, can be merged with
 * that of other rows of the node, and gives the best cut between its bins, which needs no rows. */
#ifndef SPF_LEARN_SPLITTING_HISTOGRAM_H
#define SPF_LEARN_SPLITTING_HISTOGRAM_H

#include "learn/splitting/kernels.h"

enum {
    SPF_HEAVY_SHARE = 8, /* a bin is heavy if it holds more than 1 / SPF_HEAVY_SHARE of the node */
    SPF_COUNTED_VECTORS = 8,
    SPF_COUNTED_CLASSES = 4 * SPF_COUNTED_VECTORS,
    SPF_SLOTS_TOGETHER = 8, /* slots are read that many at a time */
};

/* The counters of a histogram that counts each class; some slots may be read behind the last one.
 */
static inline size_t spf_histogram_cells(const spf_bins *bins, size_t width) {
    return (bins->count + (size_t)SPF_SLOTS_TOGETHER) * width;
}

/* Whether bins count each class; with more classes, rows are sorted by bin instead. */
static inline int spf_histogram_counts(const spf_split_node *node) {
    return !spf_split_is_pair(node) && node->classes <= SPF_COUNTED_CLASSES;
}

/* The bin of a value: 0 .. count-1, -1 left of all bins, count right of them. */
static inline int32_t spf_bin_of(const spf_bins *bins, float value) {
    float last = (float)(bins->count - 1), place = (value - bins->low) * bins->per_unit;
    place = place < last ? place : last;
    int32_t bin = (int32_t)(place > 0 ? place : 0);
    return value < bins->low ? -1 : value > bins->high ? (int32_t)bins->count : bin;
}

/* The range of both: parts of a node that are counted apart join their ranges first, so that they
 * have the same bins. */
static inline spf_range spf_range_join(spf_range a, spf_range b) {
    return (spf_range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

/* Bins of equal width over a range. */
spf_bins spf_bins_over(spf_range range, uint32_t count);

/* Where a value is in units of bins, and whether it is in some of them. */
static inline float spf_place_of(const spf_bin_range *range, float value) {
    return (value - range->low) * range->per_unit;
}

static inline int spf_is_inside(const spf_bin_range *range, float value) {
    float place = spf_place_of(range, value);
    return (place >= range->first) & (place < range->behind) & (value <= range->high);
}

sporf_status spf_histogram_count(const spf_split_node *node, const float *values,
                                 const spf_bins *bins, const spf_kernels *kernels,
                                 spf_histogram *histogram);

/* Adds the rows of another part of the node, which must be counted in the same bins. */
sporf_status spf_histogram_merge(spf_histogram *histogram, const spf_histogram *other);

void spf_histogram_free(spf_histogram *histogram);

/* Memory of histograms for nodes with at most that many rows and classes: bins times classes, or
 * rows sorted by bin. */
double spf_histogram_bytes(double rows, double classes);

/* Heavy bins; neighbours are joined. */
typedef struct spf_heavy_bins {
    size_t count;
    struct {
        uint32_t first, last;
    } run[SPF_HEAVY_SHARE];
} spf_heavy_bins;

/* Replaces *best by the best cut between bins if its score is higher, and lists heavy bins. `node`
 * has totals and bounds over all rows; left[classes] is all 0 between calls. */
void spf_histogram_best(const spf_histogram *histogram, const spf_split_node *node, uint32_t *left,
                        spf_split *best, spf_heavy_bins *heavy);

/* ---- for those who walk through the bins ----------------------------------------------------- */

struct spf_bin_walk {
    const spf_histogram *histogram;
    const spf_split_node *node;
    uint32_t *left;
    spf_split *best;
    int32_t last_bin; /* the last non-empty one; -1 before the first */
    spf_heavy_bins *heavy;
};

/* The rows' tags sorted by slot, if classes are not counted: those of a slot end at
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

/* Records a non-empty bin, and whether it is heavy. */
static inline void spf_walk_leave(spf_bin_walk *walk, uint32_t bin, uint64_t weight) {
    spf_heavy_bins *heavy = walk->heavy;
    walk->last_bin = (int32_t)bin;
    if (walk->histogram->bins.exact || weight <= walk->node->total / SPF_HEAVY_SHARE) return;
    if (heavy->count == 0 || bin > heavy->run[heavy->count - 1].last + 2)
        heavy->run[heavy->count++].first = bin;
    heavy->run[heavy->count - 1].last = bin;
}

#endif
