/* Exact cuts: sort the projected values, then scan. The reference for the faster splitters. */
#include "learn/splitting/histogram.h"
#include "learn/splitting/kernels.h"
#include "learn/splitting/split_scan.h"

#include <math.h>
#include <stdlib.h>

enum { LANES_WORDS = SPF_LANES_MAX * SPF_LANES_ROWS, LINE_WORDS = 16 };

sporf_status spf_split_scratch_create(size_t classes, spf_split_scratch *scratch) {
    *scratch = (spf_split_scratch){0};
    size_t width = classes + 3;
    scratch->left = spf_alloc_zero(width, sizeof *scratch->left);
    scratch->lanes_storage = spf_alloc(LANES_WORDS + LINE_WORDS, sizeof *scratch->lanes);
    scratch->numbers = spf_alloc(SPF_LANES_ROWS, sizeof *scratch->numbers);
    scratch->kernels = spf_kernels_best();
    if (scratch->left && scratch->lanes_storage && scratch->numbers) {
        size_t beyond = (uintptr_t)scratch->lanes_storage / sizeof *scratch->lanes % LINE_WORDS;
        scratch->lanes = (uint32_t *)scratch->lanes_storage + (LINE_WORDS - beyond);
        for (uint32_t i = 0; i < SPF_LANES_ROWS; i++) scratch->numbers[i] = i;
        return SPORF_OK;
    }
    spf_split_scratch_free(scratch);
    return spf_raise_memory();
}

void spf_split_scratch_free(spf_split_scratch *scratch) {
    free(scratch->keys);
    free(scratch->spare);
    free(scratch->left);
    free(scratch->lanes_storage);
    free(scratch->numbers);
    free(scratch->sums);
    spf_histogram_free(&scratch->histogram);
    *scratch = (spf_split_scratch){0};
}

double spf_split_scratch_bytes(double rows, double classes, double targets) {
    const size_t word = sizeof(uint32_t);
    return 2 * spf_reserve_bytes(rows, sizeof(uint64_t)) + spf_alloc_bytes(classes + 3, word) +
           spf_alloc_bytes(LANES_WORDS + LINE_WORDS, word) + spf_alloc_bytes(SPF_LANES_ROWS, word) +
           spf_reserve_bytes(targets, sizeof(double)) + spf_histogram_bytes(rows, classes);
}

double spf_split_perfect(const spf_split_node *node) {
    return node->numeric ? INFINITY : node->criterion->perfect(node);
}

/* Sorts the first keys of the scratch memory; the order is in its spare part. */
static sporf_status sort_rows(spf_split_scratch *scratch, size_t count, spf_order *order) {
    SPF_TRY(SPF_RESERVE(scratch->spare, scratch->spare_capacity, count));
    spf_sort_keys(scratch->keys, scratch->spare, count);
    uint32_t *row = (uint32_t *)(void *)scratch->spare; /* free again after sorting */
    for (size_t i = 0; i < count; i++) row[i] = (uint32_t)scratch->keys[i];
    *order = (spf_order){row, count};
    return SPORF_OK;
}

static sporf_status make_keys(const float *values, size_t rows, spf_split_scratch *scratch) {
    SPF_TRY(SPF_RESERVE(scratch->keys, scratch->keys_capacity, rows));
    for (size_t i = 0; i < rows; i++) scratch->keys[i] = spf_scan_key(values, i);
    return SPORF_OK;
}

sporf_status spf_scan_keys(const spf_split_node *node, const float *values, size_t count,
                           uint64_t pair, spf_split_scratch *scratch, spf_split *best) {
    spf_order order;
    SPF_TRY(sort_rows(scratch, count, &order));
    spf_scan_from(node, values, &order, pair, scratch->left, best);
    return SPORF_OK;
}

sporf_status spf_split_exact(const spf_split_node *node, const float *values,
                             spf_split_scratch *scratch, spf_split *best) {
    SPF_TRY(make_keys(values, node->rows, scratch));
    return spf_scan_keys(node, values, node->rows, 0, scratch, best);
}

/* ---- several targets ----------------------------------------------------------------------------
 */

/* Values have the mean of the node subtracted, so that the left side suffices: the gain is the sum
 * over targets of S^2 W / (n (W - n)), where S is the sum of the values that go left, n their
 * weight and W that of the node. */
static double score_targets(const spf_split_node *node, const double *sum, double weight) {
    double squares = 0, total = (double)node->total;
    for (size_t t = 0; t < node->targets; t++) squares += sum[t] * sum[t];
    return squares * total / (weight * (total - weight));
}

static void scan_targets(const spf_split_node *node, const float *values, const uint32_t *row,
                         double *sum, spf_split *best) {
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
            spf_improve(best, score_targets(node, sum, (double)weight), value, next);
    }
}

sporf_status spf_split_targets(const spf_split_node *node, const float *values,
                               spf_split_scratch *scratch, spf_split *best) {
    spf_order order;
    SPF_TRY(SPF_RESERVE(scratch->sums, scratch->sums_capacity, node->targets));
    SPF_TRY(make_keys(values, node->rows, scratch));
    SPF_TRY(sort_rows(scratch, node->rows, &order));
    scan_targets(node, values, order.row, scratch->sums, best);
    return SPORF_OK;
}
