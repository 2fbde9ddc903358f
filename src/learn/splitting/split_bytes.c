/* A histogram with a bin for each value, counted from bytes. */
#include "learn/splitting/split_bytes.h"

#include "learn/splitting/histogram.h"

#include <string.h>

static spf_histogram *open_bins(const spf_split_node *node, uint32_t count, float low,
                                spf_split_scratch *scratch) {
    spf_histogram *h = &scratch->histogram;
    h->bins = (spf_bins){
        .low = low, .high = low + (float)(count - 1), .per_unit = 1, .count = count, .exact = 1};
    h->kernels = scratch->kernels;
    h->in_pairs = spf_split_is_pair(node);
    return h;
}

/* Four sums for each value, since the same one often comes again before it is stored. */
static sporf_status count_pairs(const spf_split_node *node, const uint8_t *byte, spf_histogram *h) {
    const uint32_t count = h->bins.count;
    const size_t rows = node->rows, whole = rows / 4 * 4;
    SPF_TRY(SPF_RESERVE(h->pairs, h->pairs_capacity, 4 * (size_t)count + 2));
    uint64_t *a = h->pairs + 1, *b = a + count, *c = b + count, *d = c + count;
    memset(h->pairs, 0, (4 * (size_t)count + 2) * sizeof *a);
    for (size_t i = 0; i < whole; i += 4) {
        a[byte[i]] += node->pair[i];
        b[byte[i + 1]] += node->pair[i + 1];
        c[byte[i + 2]] += node->pair[i + 2];
        d[byte[i + 3]] += node->pair[i + 3];
    }
    for (size_t i = whole; i < rows; i++) a[byte[i]] += node->pair[i];
    for (uint32_t k = 0; k < count; k++) a[k] += b[k] + c[k] + d[k];
    return SPORF_OK;
}

static sporf_status count_classes(const spf_split_node *node, const uint8_t *byte,
                                  spf_histogram *h) {
    const uint32_t weight_mask = (1u << node->weight_bits) - 1;
    const size_t width = h->width = (node->classes + 3) / 4 * 4;
    const size_t cells = spf_histogram_cells(&h->bins, width);
    SPF_TRY(SPF_RESERVE(h->counts, h->counts_capacity, cells));
    memset(h->counts, 0, cells * sizeof *h->counts);
    uint32_t *first = h->counts + width; /* after slot 0 */
    for (size_t i = 0; i < node->rows; i++)
        first[byte[i] * width + (node->tag[i] >> node->weight_bits)] += node->tag[i] & weight_mask;
    return SPORF_OK;
}

/* Sorts the rows' tags by value: see histogram.c. */
static sporf_status order_tags(const spf_split_node *node, const uint8_t *byte, spf_histogram *h) {
    const uint32_t slots = h->bins.count + 2;
    uint32_t begin = 0;
    h->width = 0;
    SPF_TRY(SPF_RESERVE(h->counts, h->counts_capacity, slots + node->rows));
    uint32_t *end = h->counts, *tags = end + slots;
    memset(end, 0, slots * sizeof *end);
    for (size_t i = 0; i < node->rows; i++) end[byte[i] + 1]++;
    for (uint32_t slot = 0; slot < slots; slot++) {
        uint32_t count = end[slot];
        end[slot] = begin;
        begin += count;
    }
    for (size_t i = 0; i < node->rows; i++) tags[end[byte[i] + 1]++] = node->tag[i];
    return SPORF_OK;
}

static sporf_status take_best(const spf_split_node *node, spf_split_scratch *scratch,
                              spf_split *best) {
    spf_heavy_bins heavy;
    spf_histogram_best(&scratch->histogram, node, scratch->left, best, &heavy);
    return SPORF_OK;
}

sporf_status spf_split_bytes(const spf_split_node *node, const uint8_t *byte, uint32_t count,
                             float low, spf_split_scratch *scratch, spf_split *best) {
    spf_histogram *h = open_bins(node, count, low, scratch);
    if (h->in_pairs)
        SPF_TRY(count_pairs(node, byte, h));
    else if (spf_histogram_counts(node))
        SPF_TRY(count_classes(node, byte, h));
    else
        SPF_TRY(order_tags(node, byte, h));
    return take_best(node, scratch, best);
}

sporf_status spf_split_sums(const spf_split_node *node, const uint64_t *sum, uint32_t count,
                            float low, spf_split_scratch *scratch, spf_split *best) {
    spf_histogram *h = open_bins(node, count, low, scratch);
    SPF_TRY(SPF_RESERVE(h->pairs, h->pairs_capacity, count + 2));
    h->pairs[0] = h->pairs[count + 1] = 0;
    memcpy(h->pairs + 1, sum, count * sizeof *sum);
    return take_best(node, scratch, best);
}
