/* The Gini impurity. Two classes are scanned as pairs instead: see split_scan.h. */
#include "learn/splitting/gini.h"
#include "learn/splitting/kernels.h"

static void gini_open(spf_split_node *node) {
    node->sums.squares = 0;
    for (size_t k = 0; k < node->classes; k++)
        node->sums.squares += (uint64_t)node->class_total[k] * node->class_total[k];
}

static double gini_perfect(const spf_split_node *node) {
    if (!spf_split_is_pair(node)) return (double)node->total;
    return (double)node->class_total[0] * (double)node->class_total[1];
}

static void gini_scan_rows(const spf_split_node *node, const float *values, const spf_order *order,
                           uint32_t *left, spf_split *best) {
    spf_scan_rows(node, values, order, left, best, &spf_gini_rules);
}

static void gini_scan_lane(const spf_split_node *node, const uint32_t *lane, size_t stride,
                           uint32_t mask, uint32_t *left, spf_lane_cut *cut) {
    spf_scan_lane(node, lane, stride, mask, left, cut, &spf_gini_rules);
}

static void gini_walk_tags(spf_bin_walk *walk) {
    spf_walk_tags(walk, &spf_gini_rules);
}

static void gini_walk_counts(spf_bin_walk *walk) {
    if (walk->node->total < 1 << 16 && walk->histogram->width <= SPF_COUNTED_CLASSES)
        walk->histogram->kernels->walk_squares(walk);
    else
        spf_walk_counts(walk, &spf_gini_rules);
}

const spf_criterion spf_criterion_gini = {
    .name = "gini",
    .pairs = 1,
    .squares = 1,
    .open = gini_open,
    .perfect = gini_perfect,
    .scan_rows = gini_scan_rows,
    .scan_lane = gini_scan_lane,
    .walk_counts = gini_walk_counts,
    .walk_tags = gini_walk_tags,
};
