/* Cuts of large nodes between bins of equal width. A bin that holds much of the node is looked at
 * again in bins of its own, so that a few far values do not hide the rest. The best cut of all is
 * then searched exactly in the two bins beside it. */
#include "learn/split_bins.h"
#include "learn/split_scan.h"

#include <string.h>

enum {
    HEAVY_SHARE = 8, /* a bin is looked at again when it holds more than one in so many */
    ZOOMS_MAX = 8,   /* so often, for one column */
    BINS_MIN = 64,
    CELLS_BY_ROW = 8, /* bins times classes, at most, for each row of the node */
};

typedef float f32x4 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));

/* Bins of values that all lie between low and high, four at a time. */
static inline i32x4 four_bins(const spf_bins *bins, const float *values) {
    f32x4 value;
    memcpy(&value, values, sizeof value);
    i32x4 bin = __builtin_convertvector((value - bins->low) * bins->per_unit, i32x4);
    i32x4 beyond = bin > (int32_t)bins->count - 1; /* -1 where so */
    return bin + beyond;
}

/* Fewer bins where there are so few rows that walking through the bins would take the time. */
static uint32_t bins_for(const spf_split_node *node) {
    size_t most = spf_split_is_pair(node) ? node->rows / 4 : 4 * node->rows / node->classes;
    return most >= SPF_BINS_MAX       ? SPF_BINS_MAX
           : most >= SPF_BINS_MAX / 2 ? SPF_BINS_MAX / 2
                                      : BINS_MIN;
}

/* Up to how many whole numbers each get a bin of their own. */
static size_t most_values(const spf_split_node *node) {
    size_t width = spf_split_is_pair(node) ? 1 : (node->classes + 3) / 4 * 4;
    size_t worth = CELLS_BY_ROW * node->rows / width;
    return worth < SPF_BINS_MAX ? SPF_BINS_MAX : worth < SPF_VALUES_MAX ? worth : SPF_VALUES_MAX;
}

static inline f32x4 either(i32x4 mask, f32x4 a, f32x4 b) {
    return (f32x4)((mask & (i32x4)a) | (~mask & (i32x4)b));
}

static inline f32x4 smaller(f32x4 a, f32x4 b) {
    return either(a < b, a, b);
}

/* The least and the largest value, four at a time: as a plain loop compilers leave it one by one.
 */
static void find_range(const float *values, size_t rows, float *low, float *high) {
    f32x4 least = {values[0], values[0], values[0], values[0]}, most = -least, next;
    size_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        memcpy(&next, values + i, sizeof next);
        least = smaller(next, least);
        most = smaller(-next, most);
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

/* Bins of width 1 where the values are whole numbers that allow it. */
static spf_bins make_bins(const spf_split_node *node, const float *values, int whole) {
    float low, high;
    find_range(values, node->rows, &low, &high);
    spf_bins bins = {.low = low, .high = high, .count = bins_for(node)};
    if (whole && high - low < (float)most_values(node)) {
        bins.exact = 1;
        bins.per_unit = 1;
        bins.count = (uint32_t)(high - low) + 1;
        return bins;
    }
    bins.per_unit = (float)bins.count / (high - low);
    return bins;
}

/* ---- cuts between bins ----------------------------------------------------------------------- */

/* A search among the cuts between bins. */
typedef struct {
    const spf_split_node *node;
    const float *values;
    spf_split_scratch *scratch;
    spf_split *best;
    spf_bins bins;
    int32_t last_bin; /* the last one that was not empty */
    int zooms_left;
    size_t heavy_count;
    struct {
        uint32_t bin;
        uint64_t pair;    /* what lies left of it, with two classes */
    } heavy[HEAVY_SHARE]; /* bins to be looked at again */
} sweep;

static inline void offer(sweep *s, double score, uint32_t next_bin) {
    if (s->best->found && !(score > s->best->score)) return;
    *s->best = (spf_split){.found = 1, .score = score};
    if (s->bins.exact) {
        s->best->threshold =
            spf_threshold_between(s->bins.low + (float)s->last_bin, s->bins.low + (float)next_bin);
        return;
    }
    s->best->coarse = 1;
    s->best->bins = s->bins;
    s->best->bin = (uint32_t)s->last_bin;
    s->best->next_bin = next_bin;
}

static inline void note_weight(sweep *s, uint32_t bin, uint64_t weight, uint64_t pair_left) {
    if (s->bins.exact || weight <= s->node->total / HEAVY_SHARE) return;
    s->heavy[s->heavy_count].bin = bin;
    s->heavy[s->heavy_count++].pair = pair_left;
}

static void count_pairs(const spf_split_node *node, const float *values, const spf_bins *bins,
                        uint64_t *pairs) {
    const spf_bins b = *bins;
    const uint64_t *pair = node->pair;
    const size_t rows = node->rows;
    size_t i = 0;
    for (; !b.partial && i + 4 <= rows; i += 4) {
        i32x4 bin = four_bins(&b, values + i);
        pairs[bin[0]] += pair[i];
        pairs[bin[1]] += pair[i + 1];
        pairs[bin[2]] += pair[i + 2];
        pairs[bin[3]] += pair[i + 3];
    }
    for (; i < rows; i++) pairs[spf_bin_of(&b, values[i])] += pair[i];
}

/* Two classes; `left` lies left of all bins. A product tells the cuts that cannot win from those
 * that are worth the division of a score. */
static void sweep_pairs(sweep *s, uint64_t left) {
    const spf_split_node *node = s->node;
    uint64_t *pairs = s->scratch->pairs + 1; /* with a place for what lies left of the bins */
    const double total = (double)node->total;
    double best = s->best->found ? s->best->score : -1;
    memset(pairs - 1, 0, (s->bins.count + 2) * sizeof *pairs);
    count_pairs(node, s->values, &s->bins, pairs);
    int begun = 0;
    for (uint32_t b = 0; b < s->bins.count; b++) {
        uint64_t pair = pairs[b];
        if (pair == 0) continue;
        double excess = spf_excess(node, left), weight = (uint32_t)left;
        if (begun && excess * excess >= best * weight * (total - weight) &&
            spf_leaves_allow(node, (uint32_t)left)) {
            offer(s, spf_score_pair(node, left), b);
            best = s->best->score;
        }
        note_weight(s, b, (uint32_t)pair, left);
        left += pair;
        s->last_bin = (int32_t)b;
        begun = 1;
    }
}

/* Any classes: counts the rows of each bin and class, beginning with what lies left of the bins. */
static void count_classes(const sweep *s, size_t width) {
    const spf_bins bins = s->bins;
    const uint32_t *tag = s->node->tag;
    const unsigned weight_bits = s->node->weight_bits;
    const uint32_t weight_mask = (1u << weight_bits) - 1;
    const size_t rows = s->node->rows;
    uint32_t *counts = s->scratch->counts + width;
    memset(counts - width, 0, (bins.count + 2) * width * sizeof *counts);
    size_t i = 0;
    for (; !bins.partial && i + 4 <= rows; i += 4) {
        i32x4 bin = four_bins(&bins, s->values + i);
        for (int j = 0; j < 4; j++) {
            uint32_t row_tag = tag[i + (size_t)j];
            counts[(size_t)bin[j] * width + (row_tag >> weight_bits)] += row_tag & weight_mask;
        }
    }
    for (; i < rows; i++)
        counts[spf_bin_of(&bins, s->values[i]) * (ptrdiff_t)width + (tag[i] >> weight_bits)] +=
            tag[i] & weight_mask;
}

/* Adds a bin's counts to the left side. `width` is the number of classes, or a little more, so that
 * compilers can use vectors; sums stay below 2^32. */
static inline __attribute__((always_inline)) void add_counts(const uint32_t *counts,
                                                             const uint32_t *totals, uint32_t *left,
                                                             const size_t width, spf_sums *sums) {
    uint32_t squares = 0, cross = 0;
    for (size_t k = 0; k < width; k++) {
        uint32_t now = left[k] += counts[k];
        squares += now * now;
        cross += now * totals[k];
    }
    sums->squares = squares;
    sums->cross = cross;
}

static inline __attribute__((always_inline)) uint32_t weight_of(const uint32_t *counts,
                                                                const size_t width) {
    uint32_t weight = 0;
    for (size_t k = 0; k < width; k++) weight += counts[k];
    return weight;
}

static inline __attribute__((always_inline)) void sweep_counts(sweep *s, const size_t width,
                                                               const int narrow) {
    const spf_split_node *node = s->node;
    const uint32_t *counts = s->scratch->counts, *totals = s->scratch->totals;
    uint32_t *left = s->scratch->left;
    int entropy = node->criterion == SPORF_ENTROPY, begun = 0;
    spf_sums sums = spf_sums_start(node);
    for (uint32_t b = 0; b < s->bins.count + 1; b++, counts += width) {
        uint32_t weight = weight_of(counts, width);
        if (weight == 0) continue;
        if (begun && spf_leaves_allow(node, sums.weight))
            offer(s, spf_score_sums(node, &sums, entropy), b - 1);
        if (narrow) {
            add_counts(counts, totals, left, width, &sums);
            sums.weight += weight;
        } else {
            for (uint32_t k = 0; k < node->classes; k++) {
                if (counts[k] == 0) continue;
                spf_sums_move(node, &sums, k, left[k], counts[k], entropy);
                left[k] += counts[k];
            }
        }
        if (b == 0) continue; /* what lies left of the bins */
        note_weight(s, b - 1, weight, 0);
        s->last_bin = (int32_t)b - 1;
        begun = 1;
    }
}

static sporf_status sweep_classes(sweep *s) {
    const spf_split_node *node = s->node;
    size_t width = (node->classes + 3) / 4 * 4;
    uint32_t *totals = s->scratch->totals;
    for (size_t k = 0; k < width; k++) totals[k] = k < node->classes ? node->class_total[k] : 0;
    SPF_TRY(
        SPF_RESERVE(s->scratch->counts, s->scratch->counts_capacity, (s->bins.count + 2) * width));
    count_classes(s, width);
    if (node->criterion == SPORF_ENTROPY || node->total >= 1 << 16)
        sweep_counts(s, width, 0);
    else if (width == 4)
        sweep_counts(s, 4, 1);
    else if (width == 8)
        sweep_counts(s, 8, 1);
    else if (width == 12)
        sweep_counts(s, 12, 1);
    else
        sweep_counts(s, width, 1);
    memset(s->scratch->left, 0, width * sizeof *s->scratch->left);
    return SPORF_OK;
}

/* The bins of one bin: low equals high where it holds one value alone. */
static spf_bins zoom_in(const sweep *s, const spf_bins *bins, uint32_t bin) {
    spf_window w = spf_window_of(bins, bin, bin);
    f32x4 least = {INFINITY, INFINITY, INFINITY, INFINITY}, most = least, value;
    for (size_t i = 0; i + 4 <= s->node->rows; i += 4) {
        memcpy(&value, s->values + i, sizeof value);
        f32x4 place = (value - w.low) * w.per_unit;
        i32x4 inside = (place >= w.first) & (place < w.behind) & (value <= w.high);
        least = smaller(either(inside, value, least), least);
        most = smaller(either(inside, -value, most), most);
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
static sporf_status sweep_bins(sweep *s, uint64_t pair_left) {
    s->heavy_count = 0;
    if (spf_split_is_pair(s->node))
        sweep_pairs(s, pair_left);
    else
        SPF_TRY(sweep_classes(s));
    const sweep outer = *s;
    for (size_t i = 0; i < outer.heavy_count && s->zooms_left > 0; i++) {
        s->zooms_left--;
        s->bins = zoom_in(s, &outer.bins, outer.heavy[i].bin);
        if (s->bins.low < s->bins.high && isfinite(s->bins.per_unit))
            SPF_TRY(sweep_bins(s, outer.heavy[i].pair));
    }
    return SPORF_OK;
}

sporf_status spf_split_histogram(const spf_split_node *node, const float *values, int whole,
                                 spf_split_scratch *scratch, spf_split *best) {
    sweep s = {
        .node = node, .values = values, .scratch = scratch, .best = best, .zooms_left = ZOOMS_MAX};
    if (node->classes * BINS_MIN > CELLS_BY_ROW * node->rows)
        return spf_split_exact(node, values, scratch, best); /* bins would be more than rows */
    s.bins = make_bins(node, values, whole);
    if (s.bins.low == s.bins.high) return SPORF_OK;
    if (!isfinite(s.bins.per_unit)) return spf_split_exact(node, values, scratch, best);
    return sweep_bins(&s, 0);
}
