/* Slot 0 of a histogram is everything left of its bins, slot b + 1 is bin b, and the last one is
 * everything right of them. Two classes are counted as pairs in one number, a few classes with a
 * counter for each slot and class. With very many classes most counters would be 0: then the tags
 * of rows are sorted by slot. */
#include "learn/splitting/histogram.h"

#include "learn/splitting/split_scan.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- counting -------------------------------------------------------------------------------- */

spf_bins spf_bins_over(spf_range range, uint32_t count) {
    return (spf_bins){.low = range.low,
                      .high = range.high,
                      .per_unit = (float)count / (range.high - range.low),
                      .count = count};
}

/* A counter has to wait for its last change, which takes long where most rows have the same value.
 * With this many rows for each cell, every other row is counted in a second table. */
enum { ROWS_FOR_TWO_TABLES = 4 };

static int has_two_tables(const spf_split_node *node, size_t cells) {
    return node->rows / ROWS_FOR_TWO_TABLES >= cells;
}

static sporf_status count_into_pairs(const spf_split_node *node, const float *values,
                                     spf_histogram *h) {
    const size_t slots = h->bins.count + 2, second = has_two_tables(node, slots) ? slots : 0;
    SPF_TRY(SPF_RESERVE(h->pairs, h->pairs_capacity, slots + second));
    uint64_t *first = h->pairs + 1; /* after slot 0 */
    memset(h->pairs, 0, (slots + second) * sizeof *first);
    h->kernels->count_pairs(node, values, &h->bins, first, first + second);
    for (size_t i = 0; i < second; i++) h->pairs[i] += h->pairs[second + i];
    return SPORF_OK;
}

static sporf_status count_into_classes(const spf_split_node *node, const float *values,
                                       spf_histogram *h) {
    h->width = (node->classes + 3) / 4 * 4;
    const size_t cells = spf_histogram_cells(&h->bins, h->width);
    const size_t second = has_two_tables(node, cells) ? cells : 0;
    SPF_TRY(SPF_RESERVE(h->counts, h->counts_capacity, cells + second));
    uint32_t *first = h->counts + h->width; /* after slot 0 */
    memset(h->counts, 0, (cells + second) * sizeof *first);
    h->kernels->count_classes(node, values, &h->bins, h->width, first, first + second);
    for (size_t i = 0; i < second; i++) h->counts[i] += h->counts[second + i];
    return SPORF_OK;
}

static sporf_status order_rows(const spf_split_node *node, const float *values, spf_histogram *h) {
    const uint32_t slots = h->bins.count + 2;
    h->width = 0;
    SPF_TRY(SPF_RESERVE(h->counts, h->counts_capacity, slots + node->rows));
    h->kernels->order_tags(node, values, &h->bins, h->counts, h->counts + slots);
    return SPORF_OK;
}

sporf_status spf_histogram_count(const spf_split_node *node, const float *values,
                                 const spf_bins *bins, const spf_kernels *kernels,
                                 spf_histogram *h) {
    h->bins = *bins;
    h->kernels = kernels;
    h->in_pairs = spf_split_is_pair(node);
    if (h->in_pairs) return count_into_pairs(node, values, h);
    return spf_histogram_counts(node) ? count_into_classes(node, values, h)
                                      : order_rows(node, values, h);
}

/* ---- merging --------------------------------------------------------------------------------- */

/* Starts with the last slot, so that nothing is overwritten before it is moved. */
static sporf_status merge_tags(spf_histogram *h, const spf_histogram *other) {
    const uint32_t slots = h->bins.count + 2, *other_end = other->counts;
    const size_t rows = h->counts[slots - 1] + (size_t)other_end[slots - 1];
    SPF_TRY(SPF_RESERVE(h->counts, h->counts_capacity, slots + rows));
    uint32_t *end = h->counts, *tags = end + slots;
    for (uint32_t slot = slots; slot-- > 0;) {
        uint32_t begin = slot > 0 ? end[slot - 1] : 0, count = end[slot] - begin;
        uint32_t other_begin = slot > 0 ? other_end[slot - 1] : 0;
        memmove(tags + begin + other_begin, tags + begin, count * sizeof *tags);
        memcpy(tags + begin + other_begin + count, other_end + slots + other_begin,
               (other_end[slot] - other_begin) * sizeof *tags);
        end[slot] += other_end[slot];
    }
    return SPORF_OK;
}

sporf_status spf_histogram_merge(spf_histogram *h, const spf_histogram *other) {
    assert(h->bins.low == other->bins.low && h->bins.high == other->bins.high);
    assert(h->bins.per_unit == other->bins.per_unit && h->bins.count == other->bins.count);
    assert(h->bins.partial == other->bins.partial && h->in_pairs == other->in_pairs);
    assert(h->in_pairs || h->width == other->width);
    const size_t slots = h->bins.count + 2;
    if (h->in_pairs)
        for (size_t i = 0; i < slots; i++) h->pairs[i] += other->pairs[i];
    else if (h->width == 0)
        return merge_tags(h, other);
    else
        for (size_t i = 0; i < slots * h->width; i++) h->counts[i] += other->counts[i];
    return SPORF_OK;
}

void spf_histogram_free(spf_histogram *h) {
    free(h->pairs);
    free(h->counts);
    *h = (spf_histogram){0};
}

/* ---- the best cut ---------------------------------------------------------------------------- */

void spf_histogram_best(const spf_histogram *h, const spf_split_node *node, uint32_t *left,
                        spf_split *best, spf_heavy_bins *heavy) {
    spf_bin_walk walk = {h, node, left, best, -1, heavy};
    heavy->count = 0;
    if (h->in_pairs)
        h->kernels->walk_pairs(&walk);
    else if (h->width > 0)
        node->criterion->walk_counts(&walk);
    else
        node->criterion->walk_tags(&walk);
}

double spf_histogram_bytes(double rows, double classes) {
    double counted = fmin(classes + 3, SPF_COUNTED_CLASSES);
    double behind = SPF_SLOTS_TOGETHER * counted;
    double cells = fmin(SPF_VALUES_MAX * counted, 16 * rows) + behind;
    cells += fmin(cells, rows / ROWS_FOR_TWO_TABLES);
    double ordered = classes > SPF_COUNTED_CLASSES ? rows + SPF_VALUES_MAX + 2 : 0;
    return spf_reserve_bytes(fmax(cells, ordered), sizeof(uint32_t)) +
           spf_reserve_bytes(2 * (SPF_VALUES_MAX + 2), sizeof(uint64_t));
}
