/* Cuts of large nodes between bins of equal width. A heavy bin is searched again in finer bins, so
 * that a few outliers do not hide the rest. Then all cuts in the two bins beside the best one are
 * tried. */
#include "base/vectors.h"
#include "learn/splitting/bin_column.h"
#include "learn/splitting/histogram.h"
#include "learn/splitting/split_scan.h"

#include <math.h>

enum {
    ZOOMS_MAX = 8, /* heavy bins of a column that are searched again */
    BINS_MIN = 64,
};

/* Fewer bins if there are so few rows that a pass over the bins would dominate. */
uint32_t spf_split_bins(const spf_split_node *node) {
    size_t rows = node->stands_for > 0 ? node->stands_for : node->rows;
    size_t most = spf_histogram_counts(node) ? 4 * rows / node->classes : rows / 2;
    if (most >= SPF_BINS_MAX) return SPF_BINS_MAX;
    return most >= SPF_BINS_MAX / 2 ? SPF_BINS_MAX / 2 : BINS_MIN;
}

size_t spf_split_values(const spf_split_node *node) {
    size_t worth = node->rows;
    if (spf_split_is_pair(node)) worth = 8 * node->rows;
    if (spf_histogram_counts(node)) worth = 8 * node->rows / node->classes;
    return worth < SPF_VALUES_MAX ? worth : SPF_VALUES_MAX;
}

/* One bin for each integer, if there are not too many; returns whether it was done. */
static int bin_numbers(const spf_split_node *node, float low, float high, spf_bins *bins) {
    if (!(high - low < (float)spf_split_values(node))) return 0;
    *bins = (spf_bins){
        .low = low, .high = high, .per_unit = 1, .count = (uint32_t)(high - low) + 1, .exact = 1};
    return 1;
}

/* The bins that a column starts with; *known is 0 if its range is not known. */
static sporf_status make_bins(const spf_split_node *node, const spf_bin_column *column,
                              const spf_whole *whole, spf_bins *bins, int *known) {
    spf_range range;
    *known = 1;
    if (whole && bin_numbers(node, whole->low, whole->high, bins)) return SPORF_OK;
    SPF_TRY(column->range(column->context, NULL, &range, known));
    if (*known && !(whole && bin_numbers(node, range.low, range.high, bins)))
        *bins = spf_bins_over(range, spf_split_bins(node));
    return SPORF_OK;
}

spf_bin_range spf_bins_between(const spf_bins *bins, uint32_t first, uint32_t last) {
    float behind = last == bins->count - 1 ? INFINITY : (float)(last + 1);
    return (spf_bin_range){bins->low, bins->per_unit, (float)first, behind, bins->high};
}

/* One column of a node, searched for cuts between bins. */
typedef struct {
    const spf_split_node *node;
    const spf_bin_column *column;
    uint32_t *left;
    spf_split *best;
    int zooms_left;
    int complete; /* everything that was asked was known */
} bin_search;

static sporf_status search_bins(bin_search *s, const spf_bins *bins);

/* Finer bins for a heavy one; without effect if it holds a single value. */
static sporf_status zoom_in(bin_search *s, const spf_bins *bins, uint32_t first, uint32_t last) {
    spf_bin_range full = spf_bins_between(bins, first, last);
    spf_range range;
    int known;
    SPF_TRY(s->column->range(s->column->context, &full, &range, &known));
    s->complete &= known;
    if (!known) return SPORF_OK;
    spf_bins inner = spf_bins_over(range, bins->count);
    inner.partial = 1;
    return inner.low < inner.high && isfinite(inner.per_unit) ? search_bins(s, &inner) : SPORF_OK;
}

/* Tries the cuts between the bins, and within heavy ones. */
static sporf_status search_bins(bin_search *s, const spf_bins *bins) {
    const spf_histogram *histogram = NULL;
    spf_heavy_bins heavy;
    SPF_TRY(s->column->count(s->column->context, bins, &histogram));
    if (!histogram) {
        s->complete = 0;
        return SPORF_OK;
    }
    spf_histogram_best(histogram, s->node, s->left, s->best, &heavy);
    for (size_t i = 0; i < heavy.count && s->zooms_left > 0; i++) {
        s->zooms_left--;
        SPF_TRY(zoom_in(s, bins, heavy.run[i].first, heavy.run[i].last));
    }
    return SPORF_OK;
}

sporf_status spf_search_column(const spf_split_node *node, const spf_bin_column *column,
                               const spf_whole *whole, uint32_t *left, spf_split *best,
                               int *complete) {
    bin_search search = {node, column, left, best, ZOOMS_MAX, 1};
    spf_bins bins = {0};
    SPF_TRY(make_bins(node, column, whole, &bins, complete));
    if (!*complete || bins.low == bins.high) return SPORF_OK;
    if (!isfinite(bins.per_unit)) return column->scan(column->context, best, complete);
    SPF_TRY(search_bins(&search, &bins));
    *complete = search.complete;
    return SPORF_OK;
}

/* ---- a column in memory ---------------------------------------------------------------------- */

typedef struct {
    const spf_split_node *node;
    const float *values;
    spf_split_scratch *scratch;
} held_column;

static sporf_status range_of_held(void *context, const spf_bin_range *inside, spf_range *range,
                                  int *known) {
    const held_column *c = context;
    const spf_kernels *kernels = c->scratch->kernels;
    *range = inside ? kernels->range_inside(c->values, c->node->rows, inside)
                    : kernels->range(c->values, c->node->rows);
    *known = 1;
    return SPORF_OK;
}

static sporf_status count_held(void *context, const spf_bins *bins,
                               const spf_histogram **histogram) {
    held_column *c = context;
    *histogram = &c->scratch->histogram;
    return spf_histogram_count(c->node, c->values, bins, c->scratch->kernels,
                               &c->scratch->histogram);
}

static sporf_status scan_held(void *context, spf_split *best, int *complete) {
    held_column *c = context;
    *complete = 1;
    return spf_split_exact(c->node, c->values, c->scratch, best);
}

sporf_status spf_split_histogram(const spf_split_node *node, const float *values,
                                 const spf_whole *whole, spf_split_scratch *scratch,
                                 spf_split *best) {
    held_column held = {node, values, scratch};
    spf_bin_column column = {&held, range_of_held, count_held, scan_held};
    int complete;
    return spf_search_column(node, &column, whole, scratch->left, best, &complete);
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

enum { SIDE_BY_SIDE = 8 };

static inline i32x4 are_inside(const spf_bin_range *range, const float *values) {
    f32x4 value, place;
    memcpy(&value, values, sizeof value);
    place = (value - range->low) * range->per_unit;
    return (place >= range->first) & (place < range->behind) & (value <= range->high);
}

/* Whether any of eight values is inside. */
static inline int any_inside(const spf_bin_range *range, const float *values) {
    i64x2 found = (i64x2)(are_inside(range, values) | are_inside(range, values + 4));
    return (found[0] | found[1]) != 0;
}

/* They are few, so memory grows on the way, and most values are passed by eight at a time. */
sporf_status spf_collect_inside(const spf_split_node *node, const float *values,
                                const spf_bin_range *inside_of, spf_split_scratch *scratch,
                                size_t *count) {
    enum { AT_A_TIME = 1024 };
    size_t inside = 0;
    for (size_t begin = 0; begin < node->rows; begin += AT_A_TIME) {
        size_t end = node->rows - begin < AT_A_TIME ? node->rows : begin + AT_A_TIME;
        SPF_TRY(SPF_RESERVE(scratch->keys, scratch->keys_capacity, inside + AT_A_TIME));
        for (size_t i = begin, next; i < end; i = next) {
            int eight = i + SIDE_BY_SIDE <= end;
            next = eight ? i + SIDE_BY_SIDE : end;
            if (eight && !any_inside(inside_of, values + i)) continue;
            for (size_t j = i; j < next; j++)
                if (spf_is_inside(inside_of, values[j]))
                    scratch->keys[inside++] = spf_scan_key(values, j);
        }
    }
    *count = inside;
    return SPORF_OK;
}

sporf_status spf_split_refine(const spf_split_node *node, const float *values,
                              spf_split_scratch *scratch, spf_split *best) {
    spf_bin_range w = spf_bins_between(&best->bins, best->bin, best->next_bin);
    uint64_t pair = 0;
    size_t inside;
    SPF_TRY(spf_collect_inside(node, values, &w, scratch, &inside));
    if (spf_split_is_pair(node))
        pair = pair_left_of(node, values, w);
    else
        count_left_of(node, values, w, scratch->left);
    *best = (spf_split){0};
    return spf_scan_keys(node, values, inside, pair, scratch, best);
}
