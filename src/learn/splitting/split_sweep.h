/* Goes once through the cuts between bins: counts, then adds up from left to right. */
#ifndef SPF_LEARN_SPLITTING_SPLIT_SWEEP_H
#define SPF_LEARN_SPLITTING_SPLIT_SWEEP_H

#include "learn/splitting/split.h"

enum {
    SPF_HEAVY_SHARE = 8, /* a bin is heavy when it holds more than one in so many */
    SPF_COUNTED_VECTORS = 8,
    SPF_COUNTED_CLASSES = 4 * SPF_COUNTED_VECTORS,
};

typedef struct spf_sweep {
    const spf_split_node *node;
    const float *values;
    spf_split_scratch *scratch;
    spf_split *best;
    spf_bins bins;
    uint64_t pair_left; /* what lies left of all bins, with two classes */
    int32_t last_bin;   /* the last one that was not empty; -1 before the first */
    size_t heavy_count;
    struct {
        uint32_t first, last;
        uint64_t pair;        /* what lies left of them, with two classes */
    } heavy[SPF_HEAVY_SHARE]; /* heavy bins, those close together as one */
} spf_sweep;

/* Whether bins count each class; with more of them rows are put in the order of their bins. */
static inline int spf_sweep_counts(const spf_split_node *node) {
    return !spf_split_is_pair(node) && node->classes <= SPF_COUNTED_CLASSES;
}

/* Replaces *best by the best cut between bins if that has a higher score, and notes heavy bins. */
sporf_status spf_sweep_bins(spf_sweep *sweep);

#endif
