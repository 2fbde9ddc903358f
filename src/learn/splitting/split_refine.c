/* The exact search in the two bins beside the best cut between bins. */
#include "learn/splitting/split_bins.h"
#include "learn/splitting/split_scan.h"

static uint64_t sum_left_of(const spf_split_node *node, const float *values, spf_bin_range w) {
    uint64_t sum = 0;
    for (size_t i = 0; i < node->rows; i++)
        sum += node->pair[i] & -(uint64_t)(spf_place_of(&w, values[i]) < w.first);
    return sum;
}

/* What lies left of the window, with two classes. */
static uint64_t pair_left_of(const spf_split_node *node, const float *values, spf_bin_range w) {
    if (node->numeric) return sum_left_of(node, values, w);
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

static void count_left_of(const spf_split_node *node, const float *values, spf_bin_range w,
                          uint32_t *left) {
    for (size_t i = 0; i < node->rows; i++)
        left[spf_tag_class(node, i)] +=
            spf_place_of(&w, values[i]) < w.first ? spf_tag_weight(node, i) : 0;
}

/* Collects the rows of the window as keys; they are few, so room is made as they come. */
static sporf_status collect(const spf_split_node *node, const float *values, spf_bin_range w,
                            spf_split_scratch *scratch, size_t *count) {
    enum { AT_A_TIME = 1024 };
    size_t inside = 0;
    for (size_t begin = 0; begin < node->rows; begin += AT_A_TIME) {
        size_t end = node->rows - begin < AT_A_TIME ? node->rows : begin + AT_A_TIME;
        SPF_TRY(SPF_RESERVE(scratch->keys, scratch->keys_capacity, inside + AT_A_TIME));
        for (size_t i = begin; i < end; i++)
            if (spf_is_inside(&w, values[i])) scratch->keys[inside++] = spf_scan_key(values, i);
    }
    *count = inside;
    return SPORF_OK;
}

sporf_status spf_split_refine(const spf_split_node *node, const float *values,
                              spf_split_scratch *scratch, spf_split *best) {
    spf_bin_range w = spf_window_of(&best->bins, best->bin, best->next_bin);
    uint64_t pair = 0;
    size_t inside;
    SPF_TRY(collect(node, values, w, scratch, &inside));
    if (spf_split_is_pair(node))
        pair = pair_left_of(node, values, w);
    else
        count_left_of(node, values, w, scratch->left);
    *best = (spf_split){0};
    return spf_scan_keys(node, values, inside, pair, scratch, best);
}
