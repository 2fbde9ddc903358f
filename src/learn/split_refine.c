/* The exact search in the two bins beside the best cut between bins. */
#include "base/sort.h"
#include "learn/split_bins.h"
#include "learn/split_scan.h"

/* What lies left of the window, with two classes. */
static uint64_t pair_left_of(const spf_split_node *node, const float *values, spf_window w) {
    const uint32_t weight_mask = (1u << node->weight_bits) - 1;
    uint32_t all = 0, ones = 0;
    for (size_t i = 0; i < node->rows; i++) {
        uint32_t is_left = spf_place_of(&w, values[i]) < w.first ? UINT32_MAX : 0;
        uint32_t weight = node->tag[i] & weight_mask & is_left;
        all += weight;
        ones += weight & -(node->tag[i] >> node->weight_bits);
    }
    return (uint64_t)ones << 32 | all;
}

static void count_left_of(const spf_split_node *node, const float *values, spf_window w,
                          uint32_t *left) {
    for (size_t i = 0; i < node->rows; i++)
        left[spf_tag_class(node, i)] +=
            spf_place_of(&w, values[i]) < w.first ? spf_tag_weight(node, i) : 0;
}

/* Collects the rows of the window as keys; they are few. */
static size_t collect(const spf_split_node *node, const float *values, spf_window w,
                      uint64_t *keys) {
    size_t inside = 0;
    for (size_t i = 0; i < node->rows; i++)
        if (spf_is_inside(&w, values[i]))
            keys[inside++] = (uint64_t)spf_float_order(values[i]) << 32 | i;
    return inside;
}

sporf_status spf_split_refine(const spf_split_node *node, const float *values,
                              spf_split_scratch *scratch, spf_split *best) {
    spf_window w = spf_window_of(&best->bins, best->bin, best->next_bin);
    uint64_t pair = 0;
    SPF_TRY(SPF_RESERVE(scratch->keys, scratch->keys_capacity, node->rows));
    size_t inside = collect(node, values, w, scratch->keys);
    if (spf_split_is_pair(node))
        pair = pair_left_of(node, values, w);
    else
        count_left_of(node, values, w, scratch->left);
    SPF_TRY(SPF_RESERVE(scratch->spare, scratch->spare_capacity, inside));
    SPF_TRY(SPF_RESERVE(scratch->order, scratch->order_capacity, inside));
    spf_sort_keys(scratch->keys, scratch->spare, inside);
    for (size_t i = 0; i < inside; i++) scratch->order[i] = (uint32_t)scratch->keys[i];
    spf_order order = {scratch->order, inside};
    *best = (spf_split){0};
    spf_scan_from(node, values, &order, pair, scratch->left, best);
    return SPORF_OK;
}
