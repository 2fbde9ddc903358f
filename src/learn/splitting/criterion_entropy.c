/* Entropy. The score of a cut is the sum over both children of (sum of c ln c) - n ln n, where c
 * are the class weights of the child and n is their sum. */
#include "learn/splitting/criterion_scans.h"

static void entropy_open(spf_split_node *node) {
    node->sums.xlogx = 0;
    for (size_t k = 0; k < node->classes; k++)
        node->sums.xlogx += spf_xlogx_at(node->xlogx, node->class_total[k]);
}

static double entropy_perfect(const spf_split_node *node) {
    (void)node;
    return 0;
}

static inline spf_sums entropy_start(const spf_split_node *node) {
    return (spf_sums){.xlogx_right = node->sums.xlogx};
}

static inline void entropy_move(const spf_split_node *node, spf_sums *sums, uint32_t k,
                                uint64_t left, uint64_t weight) {
    const spf_xlogx *xlogx = node->xlogx;
    uint64_t right = node->class_total[k] - left;
    sums->xlogx_left += spf_xlogx_at(xlogx, left + weight) - spf_xlogx_at(xlogx, left);
    sums->xlogx_right -= spf_xlogx_at(xlogx, right) - spf_xlogx_at(xlogx, right - weight);
}

static inline double entropy_score(const spf_split_node *node, const spf_sums *sums,
                                   const uint32_t *left) {
    (void)left;
    return (sums->xlogx_left - spf_xlogx_at(node->xlogx, sums->weight)) +
           (sums->xlogx_right - spf_xlogx_at(node->xlogx, node->total - sums->weight));
}

static const spf_rules entropy_rules = {entropy_start, entropy_move, entropy_score,
                                        spf_may_always_exceed};

static void entropy_scan_rows(const spf_split_node *node, const float *values,
                              const spf_order *order, uint32_t *left, spf_split *best) {
    spf_scan_rows(node, values, order, left, best, &entropy_rules);
}

static void entropy_scan_lane(const spf_split_node *node, const uint32_t *lane, size_t stride,
                              uint32_t mask, uint32_t *left, spf_lane_cut *cut) {
    spf_scan_lane(node, lane, stride, mask, left, cut, &entropy_rules);
}

static void entropy_walk_counts(spf_bin_walk *walk) {
    spf_walk_counts(walk, &entropy_rules);
}

static void entropy_walk_tags(spf_bin_walk *walk) {
    spf_walk_tags(walk, &entropy_rules);
}

const spf_criterion spf_criterion_entropy = {
    .name = "entropy",
    .logarithms = 1,
    .open = entropy_open,
    .perfect = entropy_perfect,
    .scan_rows = entropy_scan_rows,
    .scan_lane = entropy_scan_lane,
    .walk_counts = entropy_walk_counts,
    .walk_tags = entropy_walk_tags,
};
