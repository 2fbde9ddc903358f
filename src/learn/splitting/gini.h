/* The arithmetic of the Gini impurity. The score of a cut is the sum over both children of (sum of
 * squared class weights / weight). */
#ifndef SPF_LEARN_SPLITTING_GINI_H
#define SPF_LEARN_SPLITTING_GINI_H

#include "learn/splitting/criterion_scans.h"

static inline spf_sums spf_gini_start(const spf_split_node *node) {
    (void)node;
    return (spf_sums){0};
}

static inline void spf_gini_move(const spf_split_node *node, spf_sums *sums, uint32_t k,
                                 uint64_t left, uint64_t weight) {
    sums->squares += weight * (2 * left + weight);
    sums->cross += weight * node->class_total[k];
}

/* A sum as a double. Signed numbers are converted faster; `narrow` is a compile-time constant. */
static SPF_INSTANCE double spf_gini_double(uint64_t sum, const int narrow) {
    return narrow ? (double)(int64_t)sum : (double)sum;
}

/* The score times the weights of both children. */
static SPF_INSTANCE double spf_gini_top(const spf_split_node *node, const spf_sums *sums,
                                        const int narrow) {
    uint64_t squares_right = node->sums.squares - 2 * sums->cross + sums->squares;
    return spf_gini_double(sums->squares, narrow) * spf_gini_double(node->total - sums->weight, 1) +
           spf_gini_double(squares_right, narrow) * spf_gini_double(sums->weight, 1);
}

static SPF_INSTANCE double spf_gini_bottom(const spf_split_node *node, const spf_sums *sums) {
    return spf_gini_double(sums->weight, 1) * spf_gini_double(node->total - sums->weight, 1);
}

static inline double spf_gini_score(const spf_split_node *node, const spf_sums *sums,
                                    const uint32_t *left) {
    (void)left;
    return spf_gini_top(node, sums, 0) / spf_gini_bottom(node, sums);
}

/* A product decides, without the division of a score and with a margin for its rounding. */
static inline int spf_gini_may_exceed(const spf_split_node *node, const spf_sums *sums,
                                      double best) {
    return spf_gini_top(node, sums, 0) >= best * spf_gini_bottom(node, sums) * (1 - 0x1p-50);
}

/* The same for sums below 2^63. */
static inline double spf_gini_score_narrow(const spf_split_node *node, const spf_sums *sums,
                                           const uint32_t *left) {
    (void)left;
    return spf_gini_top(node, sums, 1) / spf_gini_bottom(node, sums);
}

static inline int spf_gini_may_exceed_narrow(const spf_split_node *node, const spf_sums *sums,
                                             double best) {
    return spf_gini_top(node, sums, 1) >= best * spf_gini_bottom(node, sums) * (1 - 0x1p-50);
}

static const spf_rules spf_gini_rules = {spf_gini_start, spf_gini_move, spf_gini_score,
                                         spf_gini_may_exceed};
static const spf_rules spf_gini_narrow_rules = {spf_gini_start, spf_gini_move,
                                                spf_gini_score_narrow, spf_gini_may_exceed_narrow};

#endif
