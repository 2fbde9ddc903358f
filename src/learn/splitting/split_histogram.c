/* Cuts of large nodes between bins of equal width. A bin that holds much of the node is looked at
 * again in bins of its own, so that a few far values do not hide the rest. The best cut of all is
 * then searched exactly in the two bins beside it. */
#include "base/vectors.h"
#include "learn/splitting/split_bins.h"
#include "learn/splitting/split_sweep.h"

#include <string.h>

enum {
    ZOOMS_MAX = 8, /* bins of a column that are looked at again */
    BINS_MIN = 64,
};

/* Fewer bins where there are so few rows that walking through the bins would take the time. */
static uint32_t bins_for(const spf_split_node *node) {
    size_t most = spf_sweep_counts(node) ? 4 * node->rows / node->classes : node->rows / 2;
    if (most >= SPF_BINS_MAX) return SPF_BINS_MAX;
    return most >= SPF_BINS_MAX / 2 ? SPF_BINS_MAX / 2 : BINS_MIN;
}

/* Up to how many whole numbers each get a bin of their own. */
static size_t most_values(const spf_split_node *node) {
    size_t worth = node->rows;
    if (spf_split_is_pair(node)) worth = 8 * node->rows;
    if (spf_sweep_counts(node)) worth = 8 * node->rows / node->classes;
    return worth < SPF_VALUES_MAX ? worth : SPF_VALUES_MAX;
}

/* The least and the largest value, four at a time: as a plain loop compilers leave it one by one.
 */
static void find_range(const float *values, size_t rows, float *low, float *high) {
    f32x4 least = {values[0], values[0], values[0], values[0]}, most = -least, next;
    size_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        memcpy(&next, values + i, sizeof next);
        least = spf_smaller(next, least);
        most = spf_smaller(-next, most);
    }
    *low = least[0];
    *high = -most[0];
    for (int lane = 1; lane < 4; lane++) {
        *low = least[lane] < *low ? least[lane] : *low;
        *high = -most[lane] > *high ? -most[lane] : *high;
    }
    for (; i < rows; i++) {
        *low = values[i] < *low ? values[i] : *low;
        *high = values[i] > *high ? values[i] : *high;
    }
}

/* A bin for each whole number, where these are not too many; whether it was done. */
static int bin_numbers(const spf_split_node *node, float low, float high, spf_bins *bins) {
    if (!(high - low < (float)most_values(node))) return 0;
    *bins = (spf_bins){
        .low = low, .high = high, .per_unit = 1, .count = (uint32_t)(high - low) + 1, .exact = 1};
    return 1;
}

static spf_bins make_bins(const spf_split_node *node, const float *values, const spf_whole *whole) {
    spf_bins bins;
    if (whole && bin_numbers(node, whole->low, whole->high, &bins)) return bins;
    float low, high;
    find_range(values, node->rows, &low, &high);
    if (whole && bin_numbers(node, low, high, &bins)) return bins;
    bins = (spf_bins){.low = low, .high = high, .count = bins_for(node)};
    bins.per_unit = (float)bins.count / (high - low);
    return bins;
}

/* The bins of some bins: low equals high where these hold one value alone. */
static spf_bins zoom_in(const spf_sweep *s, const spf_bins *bins, uint32_t first, uint32_t last) {
    spf_bin_range w = spf_window_of(bins, first, last);
    f32x4 least = {INFINITY, INFINITY, INFINITY, INFINITY}, most = least, value;
    for (size_t i = 0; i + 4 <= s->node->rows; i += 4) {
        memcpy(&value, s->values + i, sizeof value);
        f32x4 place = (value - w.low) * w.per_unit;
        i32x4 inside = (place >= w.first) & (place < w.behind) & (value <= w.high);
        least = spf_smaller(spf_either(inside, value, least), least);
        most = spf_smaller(spf_either(inside, -value, most), most);
    }
    float low = INFINITY, high = -INFINITY;
    for (int lane = 0; lane < 4; lane++) {
        low = least[lane] < low ? least[lane] : low;
        high = -most[lane] > high ? -most[lane] : high;
    }
    for (size_t i = s->node->rows / 4 * 4; i < s->node->rows; i++) {
        if (!spf_is_inside(&w, s->values[i])) continue;
        low = s->values[i] < low ? s->values[i] : low;
        high = s->values[i] > high ? s->values[i] : high;
    }
    return (spf_bins){.low = low,
                      .high = high,
                      .per_unit = (float)bins->count / (high - low),
                      .count = bins->count,
                      .partial = 1};
}

/* Tries the cuts between s->bins, and within those that are too full. */
static sporf_status search_bins(spf_sweep *s, int *zooms_left) {
    SPF_TRY(spf_sweep_bins(s));
    const spf_sweep outer = *s;
    for (size_t i = 0; i<outer.heavy_count && * zooms_left> 0; i++) {
        (*zooms_left)--;
        s->bins = zoom_in(s, &outer.bins, outer.heavy[i].first, outer.heavy[i].last);
        s->pair_left = outer.heavy[i].pair;
        if (s->bins.low < s->bins.high && isfinite(s->bins.per_unit))
            SPF_TRY(search_bins(s, zooms_left));
    }
    return SPORF_OK;
}

sporf_status spf_split_histogram(const spf_split_node *node, const float *values,
                                 const spf_whole *whole, spf_split_scratch *scratch,
                                 spf_split *best) {
    spf_sweep s = {.node = node, .values = values, .scratch = scratch, .best = best};
    int zooms_left = ZOOMS_MAX;
    s.bins = make_bins(node, values, whole);
    if (s.bins.low == s.bins.high) return SPORF_OK;
    if (!isfinite(s.bins.per_unit)) return spf_split_exact(node, values, scratch, best);
    return search_bins(&s, &zooms_left);
}
