/* Nodes of regression, or with two classes and large weights, are scanned in two lanes at once,
 * without a branch: in small nodes every other cut is the best so far. Scores are those of
 * spf_score_pair to the last bit: sums of shares are below 2^32, and those of a class at most the
 * node's weight, so that products with that weight are integers up to 2^53. */
#include "base/vectors.h"
#include "learn/splitting/lane_scan.h"

/* Constants of all cuts of a node. */
typedef struct {
    const uint64_t *pair;
    double total, ones, least;
    const uint32_t *draws; /* or NULL */
    u64x2 drawn, least_draws;
} constants;

/* Two lanes: the sums on the left, and the best cut so far. */
typedef struct {
    u64x2 left;
    f64x2 score;
    i64x2 line, tied;
    u64x2 drawn;
} progress;

/* Integers below 2^32 as doubles: put behind the exponent of 2^52. */
static inline f64x2 to_doubles(u64x2 numbers) {
    return (f64x2)(numbers | 0x4330000000000000u) - 0x1p52;
}

/* Moves one line to the left and tries the cut behind it; `counted` is a compile-time constant. */
static inline __attribute__((always_inline)) void advance(const constants *node,
                                                          const uint32_t *keys, uint32_t mask,
                                                          int64_t line, progress *p,
                                                          const int counted) {
    u64x2 key = {keys[0], keys[1]}, next = {keys[SPF_LANES], keys[SPF_LANES + 1]};
    p->left += (u64x2){node->pair[keys[0] & mask], node->pair[keys[1] & mask]};
    f64x2 weight = to_doubles(p->left & UINT32_MAX), ones = to_doubles(p->left >> 32);
    f64x2 rest = node->total - weight, excess = ones * node->total - node->ones * weight;
    f64x2 score = excess * excess / (weight * rest);
    i64x2 apart = (key ^ next) > mask;
    i64x2 better = apart & (weight >= node->least) & (rest >= node->least) & (score > p->score);
    if (counted) {
        p->drawn += (u64x2){node->draws[keys[0] & mask], node->draws[keys[1] & mask]};
        better &= (i64x2)(p->drawn >= node->least_draws) &
                  (i64x2)(node->drawn - p->drawn >= node->least_draws);
    }
    p->tied |= ~apart;
    p->score = spf_either_double(better, score, p->score);
    p->line = (better & line) | (~better & p->line);
}

static spf_lane_cut cut_of(const progress *p, size_t lane) {
    return (spf_lane_cut){(uint32_t)p->line[lane], p->score[lane], 1, p->tied[lane] != 0};
}

static inline __attribute__((always_inline)) void scan(const spf_split_node *node,
                                                       const uint32_t *lanes, uint32_t mask,
                                                       spf_lane_cut *cuts, const int counted) {
    const progress start = {{0}, {-1, -1}, {SPF_NOWHERE, SPF_NOWHERE}, {0}, {0}};
    const uint64_t drawn = node->drawn, least = node->least_draws;
    constants known = {node->pair,  (double)node->total, node->class_total[1], node->min_leaf,
                       node->draws, {drawn, drawn},      {least, least}};
    progress a = start, b = start;
    for (size_t i = 0; i + 1 < node->rows; i++) {
        const uint32_t *line = lanes + i * SPF_LANES;
        advance(&known, line, mask, (int64_t)i, &a, counted);
        advance(&known, line + 2, mask, (int64_t)i, &b, counted);
    }
    cuts[0] = cut_of(&a, 0);
    cuts[1] = cut_of(&a, 1);
    cuts[2] = cut_of(&b, 0);
    cuts[3] = cut_of(&b, 1);
}

void spf_scan_numbers(const spf_split_node *node, const uint32_t *lanes, uint32_t mask,
                      spf_lane_cut *cuts) {
    if (node->draws)
        scan(node, lanes, mask, cuts, 1);
    else
        scan(node, lanes, mask, cuts, 0);
}
