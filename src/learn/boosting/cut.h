/* The best cut of a column from its histogram. A cut gains
 *
 *     GL^2 / (HL + l2) + GR^2 / (HR + l2) - G^2 / (H + l2)
 *
 * where G and H are the sums of gradients and hessians left, right and of the node: twice what the
 * loss falls, up to second order, if both sides get the best values (Chen and Guestrin 2016). */
#ifndef SPF_LEARN_BOOSTING_CUT_H
#define SPF_LEARN_BOOSTING_CUT_H

#include "learn/boosting/binned.h"
#include "learn/boosting/gradients.h"

typedef struct spf_cut {
    double gain; /* in the units of the pairs; 0: no cut */
    uint32_t column;
    uint16_t after; /* the last bin on the left; of categories: 0 */
    uint8_t missing_left;
    uint64_t left;                    /* sum of the pairs on the left */
    uint32_t set[SPF_BINS_MOST / 32]; /* of categories: bits of the bins on the left */
} spf_cut;

/* What a cut has to keep to. */
typedef struct spf_cut_rules {
    double l2, least_hessian; /* in units of hessians */
    uint32_t min_leaf;        /* rows of a side */
    const spf_gradients *gradients;
    int bounded; /* some feature is monotone */
} spf_cut_rules;

/* A node, for those who search its cuts. */
typedef struct spf_cut_node {
    const uint32_t *rows;
    size_t count;
    uint64_t total;   /* sum of pairs */
    double low, high; /* bounds of its value, before the rate; infinite without */
} spf_cut_node;

/* The value of a side, within bounds. */
double spf_cut_value(const spf_cut_rules *rules, const spf_cut_node *node, uint64_t pair);

/* Replaces *best if the column has a better cut. bins is its histogram; bytes[row * stride] its
 * bin of a row. */
void spf_cut_search(const spf_cut_rules *rules, const spf_cut_node *node,
                    const spf_bin_column *column, uint32_t number, const uint64_t *bins,
                    const uint8_t *bytes, size_t stride, spf_cut *best);

/* Whether a row with this bin goes left. */
static inline int spf_cut_is_left(const spf_cut *cut, const spf_bin_column *column, unsigned bin) {
    if (bin >= column->bins) return cut->missing_left;
    if (column->category) return (int)(cut->set[bin / 32] >> bin % 32 & 1);
    return bin <= cut->after;
}

#endif
