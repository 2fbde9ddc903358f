/* The scan that all exact splitters share: rows move from right to left in the order of their
 * values, and running sums give the score of each cut. Class weights are whole numbers and x ln x a
 * multiple of one unit, so the sums carry no rounding. */
#ifndef SPF_LEARN_SPLITTING_SPLIT_SCAN_H
#define SPF_LEARN_SPLITTING_SPLIT_SCAN_H

#include "base/portable_math.h"
#include "base/sort.h"
#include "learn/splitting/split.h"

#include <math.h>

static inline double spf_xlogx_of(uint64_t number, double unit) {
    return number < 2 ? 0 : rint((double)number * spf_log((double)number) / unit) * unit;
}

static inline double spf_xlogx_at(const spf_xlogx *xlogx, uint64_t number) {
    return number < xlogx->size ? xlogx->table[number] : spf_xlogx_of(number, xlogx->unit);
}

/* The midpoint of a < b in single precision, but never b itself. */
static inline float spf_threshold_between(float a, float b) {
    float middle = (float)(((double)a + (double)b) * 0.5);
    return middle < b ? middle : a;
}

/* ---- two classes, Gini ----------------------------------------------------------------------- */

/* By how much the share of class 1 among the pair `left` exceeds that of the node, times both
 * weights. */
static inline double spf_excess(const spf_split_node *node, uint64_t left) {
    int64_t weight = (uint32_t)left, ones = (int64_t)(left >> 32);
    return (double)(ones * (int64_t)node->total - (int64_t)node->class_total[1] * weight);
}

/* The score when the pair `left` goes left. */
static inline double spf_score_pair(const spf_split_node *node, uint64_t left) {
    double excess = spf_excess(node, left), weight = (uint32_t)left;
    return excess * excess / (weight * ((double)node->total - weight));
}

static inline int spf_leaves_allow(const spf_split_node *node, uint64_t weight_left) {
    return weight_left >= node->min_leaf && node->total - weight_left >= node->min_leaf;
}

/* Draws on the left, where these are counted: `counted` is a constant. */
static inline int spf_draws_allow(const spf_split_node *node, uint64_t left, const int counted) {
    return !counted || (left >= node->least_draws && node->drawn - left >= node->least_draws);
}

/* ---- any number of classes ------------------------------------------------------------------- */

/* Running sums over the classes of the left side, and what the right side needs. */
typedef struct spf_sums {
    uint64_t weight;                /* on the left */
    uint64_t squares, cross;        /* Gini: of left weights; of left weights times all weights */
    double xlogx_left, xlogx_right; /* entropy */
} spf_sums;

static inline spf_sums spf_sums_start(const spf_split_node *node) {
    return (spf_sums){.xlogx_right = node->xlogx_sum};
}

/* Moves `weight` of class k, of which `left` is on the left already. */
static inline void spf_sums_move(const spf_split_node *node, spf_sums *s, uint32_t k, uint64_t left,
                                 uint64_t weight, const int entropy) {
    uint64_t all = node->class_total[k];
    if (entropy) {
        uint64_t right = all - left;
        s->xlogx_left += spf_xlogx_at(node->xlogx, left + weight) - spf_xlogx_at(node->xlogx, left);
        s->xlogx_right -=
            spf_xlogx_at(node->xlogx, right) - spf_xlogx_at(node->xlogx, right - weight);
    } else {
        s->squares += weight * (2 * left + weight);
        s->cross += weight * all;
    }
    s->weight += weight;
}

static inline double spf_score_sums(const spf_split_node *node, const spf_sums *s,
                                    const int entropy) {
    uint64_t right = node->total - s->weight;
    if (entropy)
        return (s->xlogx_left - spf_xlogx_at(node->xlogx, s->weight)) +
               (s->xlogx_right - spf_xlogx_at(node->xlogx, right));
    uint64_t squares_right = node->squares - 2 * s->cross + s->squares;
    return ((double)s->squares * (double)right + (double)squares_right * (double)s->weight) /
           ((double)s->weight * (double)right);
}

/* ---- the scan -------------------------------------------------------------------------------- */

/* Rows in the order of their values. */
typedef struct spf_order {
    const uint32_t *row;
    size_t rows;
} spf_order;

static inline void spf_improve(spf_split *best, double score, float a, float b) {
    if (best->found && !(score > best->score)) return;
    *best = (spf_split){.found = 1, .score = score, .threshold = spf_threshold_between(a, b)};
}

/* `start` lies left of all rows of the order. */
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

static inline __attribute__((always_inline)) void
spf_scan_classes(const spf_split_node *node, const float *values, const spf_order *order,
                 spf_sums sums, uint32_t *left, spf_split *best, const int entropy,
                 const int counted) {
    uint32_t row = order->row[0];
    float value = values[row];
    uint64_t drawn = 0;
    for (size_t i = 1; i < order->rows; i++) {
        uint32_t k = spf_tag_class(node, row), weight = spf_tag_weight(node, row);
        spf_sums_move(node, &sums, k, left[k], weight, entropy);
        left[k] += weight;
        if (counted) drawn += node->draws[row];
        row = order->row[i];
        float next = values[row];
        if (value < next && spf_leaves_allow(node, sums.weight) &&
            spf_draws_allow(node, drawn, counted))
            spf_improve(best, spf_score_sums(node, &sums, entropy), value, next);
        value = next;
    }
}

/* Scans some rows of a node; all of them where draws are counted. What lies left of them all is
 * `pair` with two classes, and otherwise left[classes], which is all 0 afterwards. */
static inline void spf_scan_from(const spf_split_node *node, const float *values,
                                 const spf_order *order, uint64_t pair, uint32_t *left,
                                 spf_split *best) {
    if (spf_split_is_pair(node)) {
        if (node->draws)
            spf_scan_pair(node, values, order, pair, best, 1);
        else
            spf_scan_pair(node, values, order, pair, best, 0);
        return;
    }
    const int entropy = node->criterion == SPORF_ENTROPY;
    spf_sums sums = spf_sums_start(node);
    for (uint32_t k = 0; k < node->classes; k++)
        if (left[k] > 0) spf_sums_move(node, &sums, k, 0, left[k], entropy);
    if (node->draws && entropy)
        spf_scan_classes(node, values, order, sums, left, best, 1, 1);
    else if (node->draws)
        spf_scan_classes(node, values, order, sums, left, best, 0, 1);
    else if (entropy)
        spf_scan_classes(node, values, order, sums, left, best, 1, 0);
    else
        spf_scan_classes(node, values, order, sums, left, best, 0, 0);
    for (size_t k = 0; k < node->classes; k++) left[k] = 0;
}

/* A row as a key that sorts by its value. */
static inline uint64_t spf_scan_key(const float *values, size_t row) {
    return (uint64_t)spf_float_order(values[row]) << 32 | row;
}

/* Sorts the first keys of the scratch and scans their rows, as above. */
sporf_status spf_scan_keys(const spf_split_node *node, const float *values, size_t count,
                           uint64_t pair, spf_split_scratch *scratch, spf_split *best);

#endif
