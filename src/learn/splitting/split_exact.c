/* Exact cuts: sort the projected values, then scan. The plain twin of the faster splitters. */
#include "learn/splitting/split_scan.h"

#include <stdlib.h>

enum { XLOGX_TABLE_MAX = 1 << 16, XLOGX_BITS = 51 };

sporf_status spf_xlogx_create(uint64_t largest, spf_xlogx *xlogx) {
    xlogx->size = (largest < XLOGX_TABLE_MAX ? largest : XLOGX_TABLE_MAX) + 1;
    xlogx->table = spf_alloc(xlogx->size, sizeof *xlogx->table);
    if (!xlogx->table) return spf_raise_memory();
    int exponent;
    frexp((double)largest * spf_log((double)largest), &exponent);
    xlogx->unit = ldexp(1, exponent - XLOGX_BITS);
    for (uint64_t i = 0; i < xlogx->size; i++) xlogx->table[i] = spf_xlogx_of(i, xlogx->unit);
    return SPORF_OK;
}

void spf_xlogx_free(spf_xlogx *xlogx) {
    free(xlogx->table);
    *xlogx = (spf_xlogx){0};
}

sporf_status spf_split_scratch_create(size_t classes, spf_split_scratch *scratch) {
    *scratch = (spf_split_scratch){0};
    size_t width = classes + 3;
    scratch->left = spf_alloc_zero(width, sizeof *scratch->left);
    scratch->lanes = spf_alloc(SPF_LANES * SPF_LANES_ROWS, sizeof *scratch->lanes);
    scratch->numbers = spf_alloc(SPF_LANES_ROWS, sizeof *scratch->numbers);
    scratch->pairs = spf_alloc(SPF_VALUES_MAX + 2, sizeof *scratch->pairs);
    if (scratch->left && scratch->lanes && scratch->numbers && scratch->pairs) {
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
    free(scratch->pairs);
    free(scratch->counts);
    free(scratch->sums);
    *scratch = (spf_split_scratch){0};
}

void spf_split_sum_classes(spf_split_node *node) {
    node->squares = 0;
    node->xlogx_sum = 0;
    for (size_t k = 0; k < node->classes; k++) {
        uint64_t weight = node->class_total[k];
        node->squares += weight * weight;
        if (node->criterion == SPORF_ENTROPY) node->xlogx_sum += spf_xlogx_at(node->xlogx, weight);
    }
}

double spf_split_perfect(const spf_split_node *node) {
    if (node->numeric) return INFINITY;
    if (spf_split_is_pair(node)) return (double)node->class_total[0] * (double)node->class_total[1];
    return node->criterion == SPORF_GINI ? (double)node->total : 0;
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
