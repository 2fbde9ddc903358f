/* Exact cuts: sort the projected values, then scan. The plain twin of the faster splitters. */
#include "learn/splitting/histogram.h"
#include "learn/splitting/split_scan.h"

#include <math.h>
#include <stdlib.h>

sporf_status spf_split_scratch_create(size_t classes, spf_split_scratch *scratch) {
    *scratch = (spf_split_scratch){0};
    size_t width = classes + 3;
    scratch->left = spf_alloc_zero(width, sizeof *scratch->left);
    scratch->lanes = spf_alloc(SPF_LANES * SPF_LANES_ROWS, sizeof *scratch->lanes);
    scratch->numbers = spf_alloc(SPF_LANES_ROWS, sizeof *scratch->numbers);
    if (scratch->left && scratch->lanes && scratch->numbers) {
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
    free(scratch->lanes);
    free(scratch->numbers);
    free(scratch->sums);
    spf_histogram_free(&scratch->histogram);
    *scratch = (spf_split_scratch){0};
}

double spf_split_perfect(const spf_split_node *node) {
    return node->numeric ? INFINITY : node->criterion->perfect(node);
}

sporf_status spf_scan_keys(const spf_split_node *node, const float *values, size_t count,
                           uint64_t pair, spf_split_scratch *scratch, spf_split *best) {
    SPF_TRY(SPF_RESERVE(scratch->spare, scratch->spare_capacity, count));
    spf_sort_keys(scratch->keys, scratch->spare, count);
    uint32_t *row = (uint32_t *)(void *)scratch->spare; /* sorted: the room is free again */
    for (size_t i = 0; i < count; i++) row[i] = (uint32_t)scratch->keys[i];
    spf_order order = {row, count};
    spf_scan_from(node, values, &order, pair, scratch->left, best);
    return SPORF_OK;
}

sporf_status spf_split_exact(const spf_split_node *node, const float *values,
                             spf_split_scratch *scratch, spf_split *best) {
    SPF_TRY(SPF_RESERVE(scratch->keys, scratch->keys_capacity, node->rows));
    for (size_t i = 0; i < node->rows; i++) scratch->keys[i] = spf_scan_key(values, i);
    return spf_scan_keys(node, values, node->rows, 0, scratch, best);
}
