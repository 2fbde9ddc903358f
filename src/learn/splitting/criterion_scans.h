/* The scans for any number of classes, with the arithmetic of a criterion: rows move from right to
 * left in the order of their values, and running sums give the score of each cut. Class weights are
 * integers and x ln x is a multiple of one unit, so the sums are exact. The rules are a
 * compile-time constant in each instance, so that their functions are inlined. */
#ifndef SPF_LEARN_SPLITTING_CRITERION_SCANS_H
#define SPF_LEARN_SPLITTING_CRITERION_SCANS_H

#include "learn/splitting/histogram.h"
#include "learn/splitting/lane_scan.h"
#include "learn/splitting/split_scan.h"

#include <string.h>

#define SPF_INSTANCE inline __attribute__((always_inline))

typedef struct spf_rules {
    /* with nothing on the left */
    spf_sums (*start)(const spf_split_node *node);
    /* moves `weight` of class k, of which `left` is already on the left; does not change
     * sums->weight */
    void (*move)(const spf_split_node *node, spf_sums *sums, uint32_t k, uint64_t left,
                 uint64_t weight);
    /* of the cut with left[classes] on the left */
    double (*score)(const spf_split_node *node, const spf_sums *sums, const uint32_t *left);
    /* 0 if a cheap bound shows that the score cannot exceed `best` */
    int (*may_exceed)(const spf_split_node *node, const spf_sums *sums, double best);
} spf_rules;

/* If nothing is cheaper than the score itself. */
static inline int spf_may_always_exceed(const spf_split_node *node, const spf_sums *sums,
                                        double best) {
    (void)node, (void)sums, (void)best;
    return 1;
}

static SPF_INSTANCE void spf_sums_move(const spf_split_node *node, spf_sums *sums, uint32_t k,
                                       uint32_t *left, uint32_t weight, const spf_rules *rules) {
    rules->move(node, sums, k, left[k], weight);
    sums->weight += weight;
    left[k] += weight;
}

/* ---- rows in order --------------------------------------------------------------------------- */

static SPF_INSTANCE void spf_scan_classes(const spf_split_node *node, const float *values,
                                          const spf_order *order, spf_sums sums, uint32_t *left,
                                          spf_split *best, const spf_rules *rules,
                                          const int counted) {
    uint32_t row = order->row[0];
    float value = values[row];
    uint64_t drawn = 0;
    for (size_t i = 1; i < order->rows; i++) {
        spf_sums_move(node, &sums, spf_tag_class(node, row), left, spf_tag_weight(node, row),
                      rules);
        if (counted) drawn += node->draws[row];
        row = order->row[i];
        float next = values[row];
        if (value < next && spf_leaves_allow(node, sums.weight) &&
            spf_draws_allow(node, drawn, counted))
            spf_improve(best, rules->score(node, &sums, left), value, next);
        value = next;
    }
}

static SPF_INSTANCE void spf_scan_rows(const spf_split_node *node, const float *values,
                                       const spf_order *order, uint32_t *left, spf_split *best,
                                       const spf_rules *rules) {
    spf_sums sums = rules->start(node);
    for (uint32_t k = 0; k < node->classes; k++) {
        if (left[k] == 0) continue;
        rules->move(node, &sums, k, 0, left[k]);
        sums.weight += left[k];
    }
    if (node->draws)
        spf_scan_classes(node, values, order, sums, left, best, rules, 1);
    else
        spf_scan_classes(node, values, order, sums, left, best, rules, 0);
    for (size_t k = 0; k < node->classes; k++) left[k] = 0;
}

/* ---- one lane -------------------------------------------------------------------------------- */

static SPF_INSTANCE void spf_scan_lane(const spf_split_node *node, const uint32_t *lane,
                                       size_t stride, uint32_t mask, uint32_t *left,
                                       spf_lane_cut *cut, const spf_rules *rules) {
    spf_sums sums = rules->start(node);
    uint32_t weight_mask = (1u << node->weight_bits) - 1;
    *cut = (spf_lane_cut){.line = SPF_NOWHERE, .bottom = 1};
    for (size_t i = 0; i + 1 < node->rows; i++) {
        uint32_t key = lane[i * stride], next = lane[(i + 1) * stride];
        spf_sums_move(node, &sums, (key & mask) >> node->weight_bits, left, key & weight_mask,
                      rules);
        int tied = (key ^ next) <= mask;
        cut->tied |= tied;
        if (tied || !spf_leaves_allow(node, sums.weight)) continue;
        double score = rules->score(node, &sums, left);
        if (cut->line != SPF_NOWHERE && !(score > cut->top)) continue;
        cut->line = (uint32_t)i;
        cut->top = score;
    }
    memset(left, 0, node->classes * sizeof *left);
}

/* ---- bins ------------------------------------------------------------------------------------ */

/* Tries the cut before a slot that is not empty. */
static SPF_INSTANCE void spf_walk_try(spf_bin_walk *walk, const spf_sums *sums, uint32_t slot,
                                      const spf_rules *rules) {
    const spf_split *best = walk->best;
    if (walk->last_bin >= 0 && spf_leaves_allow(walk->node, sums->weight) &&
        (!best->found || rules->may_exceed(walk->node, sums, best->score)))
        spf_walk_offer(walk, rules->score(walk->node, sums, walk->left), slot - 1);
}

static SPF_INSTANCE void spf_walk_counts(spf_bin_walk *walk, const spf_rules *rules) {
    const spf_split_node *node = walk->node;
    const size_t width = walk->histogram->width;
    const uint32_t *counts = walk->histogram->counts;
    spf_sums sums = rules->start(node);
    for (uint32_t slot = 0; slot < walk->histogram->bins.count + 1; slot++, counts += width) {
        uint32_t weight = 0;
        for (size_t k = 0; k < width; k++) weight += counts[k];
        if (weight == 0) continue;
        spf_walk_try(walk, &sums, slot, rules);
        for (uint32_t k = 0; k < node->classes; k++)
            if (counts[k] > 0) spf_sums_move(node, &sums, k, walk->left, counts[k], rules);
        if (slot > 0) spf_walk_leave(walk, slot - 1, weight);
    }
    memset(walk->left, 0, node->classes * sizeof *walk->left);
}

static SPF_INSTANCE void spf_walk_tags(spf_bin_walk *walk, const spf_rules *rules) {
    const spf_split_node *node = walk->node;
    const uint32_t *end = walk->histogram->counts, *tags = spf_histogram_tags(walk->histogram);
    const uint32_t weight_mask = (1u << node->weight_bits) - 1;
    spf_sums sums = rules->start(node);
    uint32_t i = 0;
    for (uint32_t slot = 0; slot < walk->histogram->bins.count + 1; slot++) {
        if (i == end[slot]) continue;
        spf_walk_try(walk, &sums, slot, rules);
        uint64_t before = sums.weight;
        for (; i < end[slot]; i++)
            spf_sums_move(node, &sums, tags[i] >> node->weight_bits, walk->left,
                          tags[i] & weight_mask, rules);
        if (slot > 0) spf_walk_leave(walk, slot - 1, sums.weight - before);
    }
    memset(walk->left, 0, node->classes * sizeof *walk->left);
}

#endif
