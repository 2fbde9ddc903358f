/* Shared by the exact splitters: rows sorted by value, and the scan of two classes as pairs. More
 * classes are scanned by their criterion. */
#ifndef SPF_LEARN_SPLITTING_SPLIT_SCAN_H
#define SPF_LEARN_SPLITTING_SPLIT_SCAN_H

#include "base/sort.h"
#include "learn/splitting/split.h"

/* ---- pairs ----------------------------------------------------------------------------------- */

/* The share of class 1 in the pair `left` minus that of the node, times both weights. */
static inline double spf_excess(const spf_split_node *node, uint64_t left) {
    int64_t weight = (uint32_t)left, ones = (int64_t)(left >> 32);
    return (double)(ones * (int64_t)node->total - (int64_t)node->class_total[1] * weight);
}

/* The score if the pair `left` goes left. */
static inline double spf_score_pair(const spf_split_node *node, uint64_t left) {
    double excess = spf_excess(node, left), weight = (uint32_t)left;
    return excess * excess / (weight * ((double)node->total - weight));
}

static inline int spf_leaves_allow(const spf_split_node *node, uint64_t weight_left) {
    return weight_left >= node->min_leaf && node->total - weight_left >= node->min_leaf;
}

/* Whether there are enough draws on either side, if they are counted; `counted` is a compile-time
 * constant. */
static inline int spf_draws_allow(const spf_split_node *node, uint64_t left, const int counted) {
    return !counted || (left >= node->least_draws && node->drawn - left >= node->least_draws);
}

/* ---- the scan -------------------------------------------------------------------------------- */

/* Rows sorted by value. */
struct spf_order {
    const uint32_t *row;
    size_t rows;
};

static inline void spf_improve(spf_split *best, double score, float a, float b) {
    if (best->found && !(score > best->score)) return;
    *best = (spf_split){.found = 1, .score = score, .threshold = spf_threshold_between(a, b)};
}

/* `start` is everything left of the order's rows. */
static inline __attribute__((always_inline)) void
spf_scan_pair(const spf_split_node *node, const float *values, const spf_order *order,
              uint64_t start, spf_split *best, const int counted) {
    uint32_t row = order->row[0];
    float value = values[row];
    uint64_t left = start, drawn = 0;
    for (size_t i = 1; i < order->rows; i++) {
        left += spf_row_pair(node, row);
        if (counted) drawn += node->draws[row];
        row = order->row[i];
        float next = values[row];
        if (value < next && spf_leaves_allow(node, (uint32_t)left) &&
            spf_draws_allow(node, drawn, counted))
            spf_improve(best, spf_score_pair(node, left), value, next);
        value = next;
    }
}

/* Scans some rows of a node; all of them if draws are counted. What is left of them is `pair` with
 * two classes, and otherwise left[classes], which is all 0 afterwards. */
static inline void spf_scan_from(const spf_split_node *node, const float *values,
                                 const spf_order *order, uint64_t pair, uint32_t *left,
                                 spf_split *best) {
    if (!spf_split_is_pair(node))
        node->criterion->scan_rows(node, values, order, left, best);
    else if (node->draws)
        spf_scan_pair(node, values, order, pair, best, 1);
    else
        spf_scan_pair(node, values, order, pair, best, 0);
}

/* A row as a key that sorts by its value. */
static inline uint64_t spf_scan_key(const float *values, size_t row) {
    return (uint64_t)spf_float_order(values[row]) << 32 | row;
}

/* Sorts the first keys of the scratch memory and scans their rows, as above. */
sporf_status spf_scan_keys(const spf_split_node *node, const float *values, size_t count,
                           uint64_t pair, spf_split_scratch *scratch, spf_split *best);

#endif
