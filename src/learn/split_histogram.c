/* Cuts of large nodes between bins of equal width. A bin that holds much of the node is looked at
 * again in bins of its own, so that a few far values do not hide the rest. The best cut of all is
 * then searched exactly in the two bins beside it. */
#include "learn/split_bins.h"
#include "learn/split_scan.h"
#include "learn/vectors.h"

#include <string.h>

enum {
    HEAVY_SHARE = 8, /* a bin is looked at again when it holds more than one in so many */
    ZOOMS_MAX = 8,   /* so often, for one column */
    BINS_MIN = 64,
    NARROW_VECTORS = 8, /* of four classes each */
};

static inline f32x4 either(i32x4 mask, f32x4 a, f32x4 b) {
    return (f32x4)((mask & (i32x4)a) | (~mask & (i32x4)b));
}

static inline f32x4 smaller(f32x4 a, f32x4 b) {
    return either(a < b, a, b);
}

/* spf_bin_of four values at a time; `partial` is a constant. */
static inline __attribute__((always_inline)) i32x4
four_bins(const spf_bins *bins, const float *values, const int partial) {
    f32x4 value, count = (f32x4){0} + (float)bins->count;
    memcpy(&value, values, sizeof value);
    f32x4 place = (value - bins->low) * bins->per_unit;
    if (partial) place = smaller(-smaller(-place, (f32x4){0} + 1), count);
    i32x4 bin = __builtin_convertvector(place, i32x4);
    bin += bin > (int32_t)bins->count - 1; /* true is -1 */
    if (!partial) return bin;
    i32x4 below = value<bins->low, above = value> bins->high;
    bin = (~above & bin) | (above & (int32_t)bins->count);
    return bin | below;
}

/* Up to how many counters, bins times classes, take less time than sorting the node. */
static size_t most_cells(const spf_split_node *node) {
    return node->rows * (node->classes <= 4 * NARROW_VECTORS ? 8 : 1);
}

/* Fewer bins where there are so few rows that walking through the bins would take the time. */
static uint32_t bins_for(const spf_split_node *node) {
    size_t most = spf_split_is_pair(node) ? node->rows / 4 : most_cells(node) / 2 / node->classes;
    if (most >= SPF_BINS_MAX) return SPF_BINS_MAX;
    return most >= SPF_BINS_MAX / 2 ? SPF_BINS_MAX / 2 : BINS_MIN;
}

/* Up to how many whole numbers each get a bin of their own. */
static size_t most_values(const spf_split_node *node) {
    size_t worth = most_cells(node) / (spf_split_is_pair(node) ? 1 : node->classes);
    return worth < SPF_VALUES_MAX ? worth : SPF_VALUES_MAX;
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
        uint32_t first, last;
        uint64_t pair;    /* what lies left of them, with two classes */
    } heavy[HEAVY_SHARE]; /* bins to be looked at again, those close together as one */
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
    if (s->heavy_count > 0 && bin <= s->heavy[s->heavy_count - 1].last + 2) {
        s->heavy[s->heavy_count - 1].last = bin;
        return;
    }
    s->heavy[s->heavy_count].first = s->heavy[s->heavy_count].last = bin;
    s->heavy[s->heavy_count++].pair = pair_left;
}

static inline __attribute__((always_inline)) void count_pairs(const spf_split_node *node,
                                                              const float *values,
                                                              const spf_bins *bins, uint64_t *pairs,
                                                              const int partial) {
    const spf_bins b = *bins;
    const uint64_t *pair = node->pair;
    const size_t rows = node->rows;
    size_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        i32x4 bin = four_bins(&b, values + i, partial);
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
    if (s->bins.partial)
        count_pairs(node, s->values, &s->bins, pairs, 1);
    else
        count_pairs(node, s->values, &s->bins, pairs, 0);
    int begun = 0;
    for (uint32_t b = 0; b < s->bins.count; b++) {
        uint64_t pair = pairs[b];
        if (pair == 0) continue;
        double excess = spf_excess(node, left), weight = (uint32_t)left;
        if (begun && excess * excess >= best * weight * (total - weight) * (1 - 0x1p-50) &&
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

/* Whether a cut may be better than the best: a product tells, without the division of a score, and
 * with a little room for its rounding. */
static inline int may_win(const spf_split_node *node, const spf_sums *sums, const spf_split *best) {
    double right = (double)(node->total - sums->weight), weight = (double)sums->weight;
    double squares_right = (double)(sums->squares_all - 2 * sums->cross + sums->squares);
    double top = (double)sums->squares * right + squares_right * weight;
    return !best->found || top >= best->score * weight * right * (1 - 0x1p-50);
}

/* Any classes: counts the rows of each bin and class, beginning with what lies left of the bins. */
static inline __attribute__((always_inline)) void count_classes(const sweep *s, size_t width,
                                                                const int partial) {
    const spf_bins bins = s->bins;
    const uint32_t *tag = s->node->tag;
    const unsigned weight_bits = s->node->weight_bits;
    const uint32_t weight_mask = (1u << weight_bits) - 1;
    const size_t rows = s->node->rows;
    uint32_t *counts = s->scratch->counts + width;
    memset(counts - width, 0, (bins.count + 2) * width * sizeof *counts);
    size_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        u32x4 tags;
        memcpy(&tags, tag + i, sizeof tags);
        i32x4 place = four_bins(&bins, s->values + i, partial) * (int32_t)width +
                      (i32x4)(tags >> weight_bits);
        tags &= weight_mask;
        counts[place[0]] += tags[0];
        counts[place[1]] += tags[1];
        counts[place[2]] += tags[2];
        counts[place[3]] += tags[3];
    }
    for (; i < rows; i++)
        counts[spf_bin_of(&bins, s->values[i]) * (ptrdiff_t)width + (tag[i] >> weight_bits)] +=
            tag[i] & weight_mask;
}

static uint32_t weight_of(const uint32_t *counts, size_t width) {
    uint32_t weight = 0;
    for (size_t k = 0; k < width; k++) weight += counts[k];
    return weight;
}

/* Goes through the bins of any number of classes, with any criterion. */
static void sweep_counts(sweep *s, size_t width) {
    const spf_split_node *node = s->node;
    const uint32_t *counts = s->scratch->counts;
    uint32_t *left = s->scratch->left;
    int entropy = node->criterion == SPORF_ENTROPY, begun = 0;
    spf_sums sums = spf_sums_start(node);
    for (uint32_t b = 0; b < s->bins.count + 1; b++, counts += width) {
        uint32_t weight = weight_of(counts, width);
        if (weight == 0) continue;
        if (begun && spf_leaves_allow(node, sums.weight))
            offer(s, spf_score_sums(node, &sums, entropy), b - 1);
        for (uint32_t k = 0; k < node->classes; k++) {
            if (counts[k] == 0) continue;
            spf_sums_move(node, &sums, k, left[k], counts[k], entropy);
            left[k] += counts[k];
        }
        if (b == 0) continue; /* what lies left of the bins */
        note_weight(s, b - 1, weight, 0);
        s->last_bin = (int32_t)b - 1;
        begun = 1;
    }
    memset(left, 0, width * sizeof *left);
}

static inline uint32_t add_up(u32x4 numbers) {
    numbers += SPF_SHUFFLE(numbers, numbers, 2, 3, 0, 1);
    return numbers[0] + numbers[1];
}

/* The same for Gini while sums stay below 2^32, four classes at a time; `vectors` is a constant. */
static inline __attribute__((always_inline)) void sweep_narrow(sweep *s, const size_t vectors) {
    const spf_split_node *node = s->node;
    const uint32_t *counts = s->scratch->counts;
    u32x4 left[NARROW_VECTORS], totals[NARROW_VECTORS], bin[NARROW_VECTORS];
    uint32_t padded[4 * NARROW_VECTORS] = {0};
    spf_sums sums = spf_sums_start(node);
    int begun = 0;
    memcpy(padded, node->class_total, node->classes * sizeof *padded);
    for (size_t v = 0; v < vectors; v++) {
        memcpy(&totals[v], padded + 4 * v, sizeof *totals);
        left[v] = (u32x4){0};
    }
    for (uint32_t b = 0; b < s->bins.count + 1; b++, counts += 4 * vectors) {
        u32x4 all = {0}, squares = {0}, cross = {0};
        for (size_t v = 0; v < vectors; v++) {
            memcpy(&bin[v], counts + 4 * v, sizeof *bin);
            all += bin[v];
        }
        uint32_t weight = add_up(all);
        if (weight == 0) continue;
        if (begun && spf_leaves_allow(node, sums.weight) && may_win(node, &sums, s->best))
            offer(s, spf_score_sums(node, &sums, 0), b - 1);
        for (size_t v = 0; v < vectors; v++) {
            left[v] += bin[v];
            squares += left[v] * left[v];
            cross += left[v] * totals[v];
        }
        sums.squares = add_up(squares);
        sums.cross = add_up(cross);
        sums.weight += weight;
        if (b == 0) continue; /* what lies left of the bins */
        note_weight(s, b - 1, weight, 0);
        s->last_bin = (int32_t)b - 1;
        begun = 1;
    }
}

static sporf_status sweep_classes(sweep *s) {
    const spf_split_node *node = s->node;
    size_t vectors = (node->classes + 3) / 4, width = 4 * vectors;
    SPF_TRY(
        SPF_RESERVE(s->scratch->counts, s->scratch->counts_capacity, (s->bins.count + 2) * width));
    if (s->bins.partial)
        count_classes(s, width, 1);
    else
        count_classes(s, width, 0);
    int narrow = node->criterion == SPORF_GINI && node->total < 1 << 16;
    if (narrow && vectors == 1)
        sweep_narrow(s, 1);
    else if (narrow && vectors == 2)
        sweep_narrow(s, 2);
    else if (narrow && vectors == 3)
        sweep_narrow(s, 3);
    else if (narrow && vectors <= NARROW_VECTORS)
        sweep_narrow(s, vectors);
    else
        sweep_counts(s, width);
    return SPORF_OK;
}

/* The bins of some bins: low equals high where these hold one value alone. */
static spf_bins zoom_in(const sweep *s, const spf_bins *bins, uint32_t first, uint32_t last) {
    spf_window w = spf_window_of(bins, first, last);
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
        s->bins = zoom_in(s, &outer.bins, outer.heavy[i].first, outer.heavy[i].last);
        if (s->bins.low < s->bins.high && isfinite(s->bins.per_unit))
            SPF_TRY(sweep_bins(s, outer.heavy[i].pair));
    }
    return SPORF_OK;
}

sporf_status spf_split_histogram(const spf_split_node *node, const float *values,
                                 const spf_whole *whole, spf_split_scratch *scratch,
                                 spf_split *best) {
    sweep s = {
        .node = node, .values = values, .scratch = scratch, .best = best, .zooms_left = ZOOMS_MAX};
    if (node->classes * BINS_MIN > most_cells(node))
        return spf_split_exact(node, values, scratch, best);
    s.bins = make_bins(node, values, whole);
    if (s.bins.low == s.bins.high) return SPORF_OK;
    if (!isfinite(s.bins.per_unit)) return spf_split_exact(node, values, scratch, best);
    return sweep_bins(&s, 0);
}
