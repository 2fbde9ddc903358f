/* Two classes are counted as pairs in one number, a few classes by counters for each bin and class.
 * With very many classes most of these would be 0: then rows are put in the order of their bins. */
#include "learn/splitting/split_sweep.h"

#include "base/vectors.h"
#include "learn/splitting/split_bins.h"
#include "learn/splitting/split_scan.h"

#include <string.h>

/* spf_bin_of four values at a time; `partial` is a constant. */
static inline __attribute__((always_inline)) i32x4
four_bins(const spf_bins *bins, const float *values, const int partial) {
    f32x4 value, count = (f32x4){0} + (float)bins->count;
    memcpy(&value, values, sizeof value);
    f32x4 place = (value - bins->low) * bins->per_unit;
    if (partial) place = spf_smaller(-spf_smaller(-place, (f32x4){0} + 1), count);
    i32x4 bin = __builtin_convertvector(place, i32x4);
    bin += bin > (int32_t)bins->count - 1; /* true is -1 */
    if (!partial) return bin;
    i32x4 below = value<bins->low, above = value> bins->high;
    bin = (~above & bin) | (above & (int32_t)bins->count);
    return bin | below;
}

/* ---- cuts ------------------------------------------------------------------------------------ */

static inline void offer(spf_sweep *s, double score, uint32_t next_bin) {
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

/* Notes a bin that was not empty, and whether it is heavy. */
static inline void leave_bin(spf_sweep *s, uint32_t bin, uint64_t weight, uint64_t pair_left) {
    s->last_bin = (int32_t)bin;
    if (s->bins.exact || weight <= s->node->total / SPF_HEAVY_SHARE) return;
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

/* Two classes. A product tells the cuts that cannot win from those that are worth the division of a
 * score. */
static void sweep_pairs(spf_sweep *s) {
    const spf_split_node *node = s->node;
    uint64_t *pairs = s->scratch->pairs + 1; /* with a place for what lies left of the bins */
    const double total = (double)node->total;
    uint64_t left = s->pair_left;
    double best = s->best->found ? s->best->score : -1;
    memset(pairs - 1, 0, (s->bins.count + 2) * sizeof *pairs);
    if (s->bins.partial)
        count_pairs(node, s->values, &s->bins, pairs, 1);
    else
        count_pairs(node, s->values, &s->bins, pairs, 0);
    for (uint32_t b = 0; b < s->bins.count; b++) {
        uint64_t pair = pairs[b];
        if (pair == 0) continue;
        double excess = spf_excess(node, left), weight = (uint32_t)left;
        if (s->last_bin >= 0 &&
            excess * excess >= best * weight * (total - weight) * (1 - 0x1p-50) &&
            spf_leaves_allow(node, (uint32_t)left)) {
            offer(s, spf_score_pair(node, left), b);
            best = s->best->score;
        }
        leave_bin(s, b, (uint32_t)pair, left);
        left += pair;
    }
}

/* Whether a cut may be better than the best: a product tells, without the division of a score, and
 * with a little room for its rounding. */
static inline int may_win(const spf_split_node *node, const spf_sums *sums, const spf_split *best) {
    double right = (double)(node->total - sums->weight), weight = (double)sums->weight;
    double squares_right = (double)(node->squares - 2 * sums->cross + sums->squares);
    double top = (double)sums->squares * right + squares_right * weight;
    return !best->found || top >= best->score * weight * right * (1 - 0x1p-50);
}

/* Any classes: counts the rows of each bin and class, beginning with what lies left of the bins. */
static inline __attribute__((always_inline)) void count_classes(const spf_sweep *s, size_t width,
                                                                const int partial) {
    const spf_bins bins = s->bins;
    const uint32_t *tag = s->node->tag;
    const unsigned weight_bits = s->node->weight_bits;
    const uint32_t weight_mask = (1u << weight_bits) - 1;
    const size_t rows = s->node->rows;
    uint32_t *counts = s->scratch->counts + width;
    memset(counts - width, 0, (bins.count + 4) * width * sizeof *counts);
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
static void sweep_counts(spf_sweep *s, size_t width) {
    const spf_split_node *node = s->node;
    const uint32_t *counts = s->scratch->counts;
    uint32_t *left = s->scratch->left;
    int entropy = node->criterion == SPORF_ENTROPY;
    spf_sums sums = spf_sums_start(node);
    for (uint32_t b = 0; b < s->bins.count + 1; b++, counts += width) {
        uint32_t weight = weight_of(counts, width);
        if (weight == 0) continue;
        if (s->last_bin >= 0 && spf_leaves_allow(node, sums.weight))
            offer(s, spf_score_sums(node, &sums, entropy), b - 1);
        for (uint32_t k = 0; k < node->classes; k++) {
            if (counts[k] == 0) continue;
            spf_sums_move(node, &sums, k, left[k], counts[k], entropy);
            left[k] += counts[k];
        }
        if (b > 0) leave_bin(s, b - 1, weight, 0); /* slot 0 lies left of the bins */
    }
    memset(left, 0, width * sizeof *left);
}

/* The sums of neighbours: a[0] + a[1], a[2] + a[3], and those of b. */
static inline u32x4 add_neighbours(u32x4 a, u32x4 b) {
    return SPF_SHUFFLE(a, b, 0, 2, 4, 6) + SPF_SHUFFLE(a, b, 1, 3, 5, 7);
}

/* Lists the slots that are not empty, without a branch that nobody could foretell, and their
 * weights; returns how many. Slots are read by fours. */
static inline __attribute__((always_inline)) uint32_t list_slots(const uint32_t *counts,
                                                                 uint32_t slots, uint16_t *slot,
                                                                 uint32_t *weight,
                                                                 const size_t vectors) {
    uint32_t listed = 0;
    for (uint32_t first = 0; first < slots; first += 4) {
        u32x4 all[4] = {{0}}, next;
        for (size_t i = 0; i < 4; i++)
            for (size_t v = 0; v < vectors; v++, counts += 4) {
                memcpy(&next, counts, sizeof next);
                all[i] += next;
            }
        u32x4 weights =
            add_neighbours(add_neighbours(all[0], all[1]), add_neighbours(all[2], all[3]));
        for (uint32_t i = 0; i < 4; i++) {
            slot[listed] = (uint16_t)(first + i);
            weight[listed] = weights[i];
            listed += (weights[i] > 0) & (first + i < slots);
        }
    }
    return listed;
}

/* The same for Gini while sums stay below 2^32, four classes at a time; `vectors` is a constant. */
static inline __attribute__((always_inline)) void sweep_narrow(spf_sweep *s, const size_t vectors) {
    const spf_split_node *node = s->node;
    const uint32_t *counts = s->scratch->counts;
    u32x4 left[SPF_COUNTED_VECTORS], totals[SPF_COUNTED_VECTORS], bin;
    uint32_t padded[4 * SPF_COUNTED_VECTORS] = {0}, weight[SPF_VALUES_MAX + 5];
    uint16_t slot[SPF_VALUES_MAX + 5];
    uint32_t listed = list_slots(counts, s->bins.count + 1, slot, weight, vectors);
    spf_sums sums = spf_sums_start(node);
    memcpy(padded, node->class_total, node->classes * sizeof *padded);
    for (size_t v = 0; v < vectors; v++) {
        memcpy(&totals[v], padded + 4 * v, sizeof *totals);
        left[v] = (u32x4){0};
    }
    for (uint32_t i = 0; i < listed; i++) {
        const uint32_t b = slot[i], *own = counts + b * 4 * vectors;
        u32x4 squares = {0}, cross = {0};
        if (s->last_bin >= 0 && spf_leaves_allow(node, sums.weight) &&
            may_win(node, &sums, s->best))
            offer(s, spf_score_sums(node, &sums, 0), b - 1);
        for (size_t v = 0; v < vectors; v++) {
            memcpy(&bin, own + 4 * v, sizeof bin);
            left[v] += bin;
            squares += left[v] * left[v];
            cross += left[v] * totals[v];
        }
        u32x4 pairs = add_neighbours(squares, cross);
        sums.squares = pairs[0] + pairs[1];
        sums.cross = pairs[2] + pairs[3];
        sums.weight += weight[i];
        if (b > 0) leave_bin(s, b - 1, weight[i], 0); /* slot 0 lies left of the bins */
    }
}

/* Puts the rows' tags in the order of their slots: slot 0 is what lies left of all bins, slot b + 1
 * bin b. place[slot] becomes where the slot ends. */
static inline __attribute__((always_inline)) void order_tags(const spf_sweep *s, uint32_t *place,
                                                             uint32_t *tags, const int partial) {
    const spf_bins bins = s->bins;
    const size_t rows = s->node->rows, whole = rows / 4 * 4;
    uint32_t begin = 0;
    memset(place, 0, (bins.count + 2) * sizeof *place);
    for (size_t i = 0; i < whole; i += 4) {
        i32x4 bin = four_bins(&bins, s->values + i, partial) + 1;
        for (int lane = 0; lane < 4; lane++) place[bin[lane]]++;
    }
    for (size_t i = whole; i < rows; i++) place[spf_bin_of(&bins, s->values[i]) + 1]++;
    for (uint32_t b = 0; b < bins.count + 2; b++) {
        uint32_t count = place[b];
        place[b] = begin;
        begin += count;
    }
    for (size_t i = 0; i < whole; i += 4) {
        i32x4 bin = four_bins(&bins, s->values + i, partial) + 1;
        for (int lane = 0; lane < 4; lane++)
            tags[place[bin[lane]]++] = s->node->tag[i + (size_t)lane];
    }
    for (size_t i = whole; i < rows; i++)
        tags[place[spf_bin_of(&bins, s->values[i]) + 1]++] = s->node->tag[i];
}

/* Very many classes, with any criterion: instead of counters for each bin and class, most of them
 * 0, the rows in the order of their bins. */
static sporf_status sweep_tags(spf_sweep *s) {
    const spf_split_node *node = s->node;
    spf_split_scratch *scratch = s->scratch;
    SPF_TRY(SPF_RESERVE(scratch->counts, scratch->counts_capacity, s->bins.count + 2 + node->rows));
    uint32_t *end = scratch->counts, *tags = end + s->bins.count + 2, *left = scratch->left;
    if (s->bins.partial)
        order_tags(s, end, tags, 1);
    else
        order_tags(s, end, tags, 0);
    const int entropy = node->criterion == SPORF_ENTROPY;
    const uint32_t weight_mask = (1u << node->weight_bits) - 1;
    spf_sums sums = spf_sums_start(node);
    uint32_t i = 0;
    for (uint32_t b = 0; b < s->bins.count + 1; b++) {
        if (i == end[b]) continue;
        if (s->last_bin >= 0 && spf_leaves_allow(node, sums.weight))
            offer(s, spf_score_sums(node, &sums, entropy), b - 1);
        uint64_t before = sums.weight;
        for (; i < end[b]; i++) {
            uint32_t k = tags[i] >> node->weight_bits, weight = tags[i] & weight_mask;
            spf_sums_move(node, &sums, k, left[k], weight, entropy);
            left[k] += weight;
        }
        if (b > 0) leave_bin(s, b - 1, sums.weight - before, 0); /* slot 0 lies left of the bins */
    }
    memset(left, 0, node->classes * sizeof *left);
    return SPORF_OK;
}

static sporf_status sweep_classes(spf_sweep *s) {
    const spf_split_node *node = s->node;
    size_t vectors = (node->classes + 3) / 4, width = 4 * vectors;
    SPF_TRY(
        SPF_RESERVE(s->scratch->counts, s->scratch->counts_capacity, (s->bins.count + 4) * width));
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
    else if (narrow)
        sweep_narrow(s, vectors);
    else
        sweep_counts(s, width);
    return SPORF_OK;
}

sporf_status spf_sweep_bins(spf_sweep *s) {
    s->heavy_count = 0;
    s->last_bin = -1;
    if (spf_sweep_counts(s->node)) return sweep_classes(s);
    if (!spf_split_is_pair(s->node)) return sweep_tags(s);
    sweep_pairs(s);
    return SPORF_OK;
}
