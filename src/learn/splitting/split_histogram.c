/* Cuts of large nodes between bins of equal width. A heavy bin is searched again in finer bins, so
 * that a few outliers do not hide the rest. Then all cuts in the two bins beside the best one are
 * tried. */
#include "learn/splitting/histogram.h"
#include "learn/splitting/split_scan.h"

#include <math.h>

enum {
    ZOOMS_MAX = 8, /* heavy bins of a column that are searched again */
    BINS_MIN = 64,
};

/* Fewer bins if there are so few rows that a pass over the bins would dominate. */
uint32_t spf_split_bins(const spf_split_node *node) {
    size_t most = spf_histogram_counts(node) ? 4 * node->rows / node->classes : node->rows / 2;
    if (most >= SPF_BINS_MAX) return SPF_BINS_MAX;
    return most >= SPF_BINS_MAX / 2 ? SPF_BINS_MAX / 2 : BINS_MIN;
}

/* The most distinct integers that get a bin each. */
static size_t most_values(const spf_split_node *node) {
    size_t worth = node->rows;
    if (spf_split_is_pair(node)) worth = 8 * node->rows;
    if (spf_histogram_counts(node)) worth = 8 * node->rows / node->classes;
    return worth < SPF_VALUES_MAX ? worth : SPF_VALUES_MAX;
}

/* One bin for each integer, if there are not too many; returns whether it was done. */
static int bin_numbers(const spf_split_node *node, float low, float high, spf_bins *bins) {
    if (!(high - low < (float)most_values(node))) return 0;
    *bins = (spf_bins){
        .low = low, .high = high, .per_unit = 1, .count = (uint32_t)(high - low) + 1, .exact = 1};
    return 1;
}

static spf_bins make_bins(const spf_split_node *node, const float *values, const spf_whole *whole,
                          const spf_kernels *kernels) {
    spf_bins bins;
    if (whole && bin_numbers(node, whole->low, whole->high, &bins)) return bins;
    spf_range range = kernels->range(values, node->rows);
    if (whole && bin_numbers(node, range.low, range.high, &bins)) return bins;
    return spf_bins_over(range, spf_split_bins(node));
}

static inline spf_bin_range range_of(const spf_bins *bins, uint32_t first, uint32_t last) {
    float behind = last == bins->count - 1 ? INFINITY : (float)(last + 1);
    return (spf_bin_range){bins->low, bins->per_unit, (float)first, behind, bins->high};
}

/* Finer bins for a range of bins: low equals high if these hold a single value. */
static spf_bins zoom_in(const spf_split_node *node, const float *values, uint32_t count,
                        spf_bin_range w, const spf_kernels *kernels) {
    spf_range range = kernels->range_inside(values, node->rows, &w);
    spf_bins bins = spf_bins_over(range, count);
    bins.partial = 1;
    return bins;
}

/* One column of a node, searched for cuts between bins. */
typedef struct {
    const spf_split_node *node;
    const float *values;
    spf_split_scratch *scratch;
    spf_split *best;
    int zooms_left;
} bin_search;

/* Tries the cuts between the bins, and within heavy ones. */
static sporf_status search_bins(bin_search *s, const spf_bins *bins) {
    spf_histogram *histogram = &s->scratch->histogram;
    const spf_kernels *kernels = s->scratch->kernels;
    spf_heavy_bins heavy;
    SPF_TRY(spf_histogram_count(s->node, s->values, bins, kernels, histogram));
    spf_histogram_best(histogram, s->node, s->scratch->left, s->best, &heavy);
    for (size_t i = 0; i < heavy.count && s->zooms_left > 0; i++) {
        s->zooms_left--;
        spf_bin_range full = range_of(bins, heavy.run[i].first, heavy.run[i].last);
        spf_bins inner = zoom_in(s->node, s->values, bins->count, full, kernels);
        if (inner.low < inner.high && isfinite(inner.per_unit)) SPF_TRY(search_bins(s, &inner));
    }
    return SPORF_OK;
}

sporf_status spf_split_histogram(const spf_split_node *node, const float *values,
                                 const spf_whole *whole, spf_split_scratch *scratch,
                                 spf_split *best) {
    bin_search search = {node, values, scratch, best, ZOOMS_MAX};
    spf_bins bins = make_bins(node, values, whole, scratch->kernels);
    if (bins.low == bins.high) return SPORF_OK;
    if (!isfinite(bins.per_unit)) return spf_split_exact(node, values, scratch, best);
    return search_bins(&search, &bins);
}

/* ---- the exact search in the two bins beside the best cut ------------------------------------ */

static uint64_t sum_left_of(const spf_split_node *node, const float *values, spf_bin_range w) {
    uint64_t sum = 0;
    for (size_t i = 0; i < node->rows; i++)
        sum += node->pair[i] & -(uint64_t)(spf_place_of(&w, values[i]) < w.first);
    return sum;
}

/* The weights left of the range, with two classes. */
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

/* Collects the rows of the range as keys; they are few, so memory grows on the way. */
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
    spf_bin_range w = range_of(&best->bins, best->bin, best->next_bin);
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
