/* Exact cuts for several targets at once. Values are less their node's means, so that what goes
 * left says it all: the gain is the sum over targets of S^2 W / (n (W - n)), where S is the sum of
 * the values that go left, n their weight and W that of the node. */
#include "learn/splitting/split_scan.h"

static double score_of(const spf_split_node *node, const double *sum, double weight) {
    double squares = 0, total = (double)node->total;
    for (size_t t = 0; t < node->targets; t++) squares += sum[t] * sum[t];
    return squares * total / (weight * (total - weight));
}

static void scan(const spf_split_node *node, const float *values, const uint32_t *row, double *sum,
                 spf_split *best) {
    const int counted = node->draws != NULL;
    uint64_t weight = 0, drawn = 0;
    for (size_t t = 0; t < node->targets; t++) sum[t] = 0;
    for (size_t i = 0; i + 1 < node->rows; i++) {
        uint32_t at = row[i], units = (uint32_t)node->pair[at];
        for (size_t t = 0; t < node->targets; t++)
            sum[t] += units * (double)node->value[t * node->rows + at];
        weight += units;
        if (counted) drawn += node->draws[at];
        float value = values[at], next = values[row[i + 1]];
        if (value < next && spf_leaves_allow(node, weight) && spf_draws_allow(node, drawn, counted))
            spf_improve(best, score_of(node, sum, (double)weight), value, next);
    }
}

sporf_status spf_split_targets(const spf_split_node *node, const float *values,
                               spf_split_scratch *scratch, spf_split *best) {
    size_t rows = node->rows;
    SPF_TRY(SPF_RESERVE(scratch->keys, scratch->keys_capacity, rows));
    SPF_TRY(SPF_RESERVE(scratch->spare, scratch->spare_capacity, rows));
    SPF_TRY(SPF_RESERVE(scratch->sums, scratch->sums_capacity, node->targets));
    for (size_t i = 0; i < rows; i++) scratch->keys[i] = spf_scan_key(values, i);
    spf_sort_keys(scratch->keys, scratch->spare, rows);
    uint32_t *row = (uint32_t *)(void *)scratch->spare; /* sorted: the room is free again */
    for (size_t i = 0; i < rows; i++) row[i] = (uint32_t)scratch->keys[i];
    scan(node, values, row, scratch->sums, best);
    return SPORF_OK;
}
