/* Counts and sums of all shards are no more than those of the node. */
#include "learn/apart/heard.h"

#include "learn/splitting/ends.h"
#include "learn/splitting/split_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void spf_heard_forget(spf_heard_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        spf_heard *heard = &list->answers[i];
        spf_histogram_free(&heard->histogram);
        free(heard->left);
        free(heard->values);
        for (int side = 0; side < 2; side++) {
            free(heard->end[side]);
            free(heard->end_draws[side]);
        }
    }
    free(list->answers);
    *list = (spf_heard_list){0};
}

spf_heard *spf_heard_find(const spf_heard_list *list, const spf_ask *ask) {
    for (size_t i = 0; i < list->count; i++)
        if (memcmp(&list->answers[i].ask, ask, sizeof *ask) == 0) return &list->answers[i];
    return NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

sporf_status spf_heard_range(spf_reader *reader, spf_range *range) {
    SPF_TRY(spf_read(reader, range, sizeof *range));
    int empty = range->low == INFINITY && range->high == -INFINITY;
    int good = isfinite(range->low) && isfinite(range->high) && range->low <= range->high;
    return empty || good ? SPORF_OK : spf_raise_message();
}

static sporf_status open_counts(const spf_split_node *node, const spf_bins *bins,
                                spf_histogram *h) {
    size_t slots = bins->count + 2;
    *h = (spf_histogram){
        .kernels = spf_kernels_best(), .bins = *bins, .in_pairs = spf_split_is_pair(node)};
    if (h->in_pairs) {
        h->pairs = spf_alloc_zero(slots, sizeof *h->pairs);
        return h->pairs ? SPORF_OK : spf_raise_memory();
    }
    h->width = (node->classes + 3) / 4 * 4;
    h->counts = spf_alloc_zero(spf_histogram_cells(&h->bins, h->width), sizeof *h->counts);
    return h->counts ? SPORF_OK : spf_raise_memory();
}

static sporf_status read_pair(const spf_split_node *node, uint64_t *cell, spf_reader *reader) {
    uint64_t pair;
    SPF_TRY(spf_read(reader, &pair, sizeof pair));
    if ((uint32_t)pair > node->total - (uint32_t)*cell || pair >> 32 > UINT32_MAX - (*cell >> 32))
        return spf_raise_message();
    *cell += pair;
    return SPORF_OK;
}

static sporf_status read_counts(const spf_split_node *node, spf_histogram *h, spf_reader *reader) {
    size_t slots = h->bins.count + 2;
    for (size_t slot = 0; slot < slots; slot++) {
        if (h->in_pairs) {
            SPF_TRY(read_pair(node, &h->pairs[slot], reader));
            continue;
        }
        for (size_t k = 0; k < node->classes; k++) {
            uint32_t weight;
            uint32_t *cell = &h->counts[slot * h->width + k];
            SPF_TRY(spf_read_number(reader, &weight));
            if (weight > node->class_total[k] - *cell) return spf_raise_message();
            *cell += weight;
        }
    }
    return SPORF_OK;
}

/* The most that can go left. */
static uint64_t most_left(const spf_split_node *node, size_t k) {
    return spf_split_is_pair(node) && k == 0 ? node->total : node->class_total[k];
}

static sporf_status read_left(const spf_split_node *node, uint32_t *left, spf_reader *reader) {
    for (size_t k = 0; k < node->classes; k++) {
        uint32_t weight;
        SPF_TRY(spf_read_number(reader, &weight));
        if (weight > most_left(node, k) - left[k]) return spf_raise_message();
        left[k] += weight;
    }
    return SPORF_OK;
}

static sporf_status read_ends(spf_heard *heard, spf_reader *reader) {
    for (int side = 0; side < 2; side++) {
        uint32_t ends;
        SPF_TRY(spf_read_number(reader, &ends));
        if (ends > reader->left / sizeof(spf_end)) return spf_raise_message();
        size_t all = heard->ends[side] + ends;
        SPF_TRY(SPF_RESERVE(heard->end[side], heard->end_capacity[side], all));
        SPF_TRY(SPF_RESERVE(heard->end_draws[side], heard->end_draws_capacity[side], all));
        for (; heard->ends[side] < all; heard->ends[side]++) {
            spf_end end;
            SPF_TRY(spf_read(reader, &end, sizeof end));
            if (!isfinite(end.value)) return spf_raise_message();
            heard->end[side][heard->ends[side]] = end.value;
            heard->end_draws[side][heard->ends[side]] = end.draws;
        }
    }
    return SPORF_OK;
}

static sporf_status read_draws(const spf_split_node *node, spf_heard *heard, spf_reader *reader) {
    uint64_t draws;
    SPF_TRY(spf_read(reader, &draws, sizeof draws));
    if (draws > node->drawn - heard->draws) return spf_raise_message();
    heard->draws += draws;
    return SPORF_OK;
}

static sporf_status read_values(const spf_split_node *node, spf_heard *heard, spf_reader *reader) {
    uint32_t values;
    SPF_TRY(spf_read_number(reader, &values));
    if (values > reader->left / sizeof *heard->values) return spf_raise_message();
    SPF_TRY(SPF_RESERVE(heard->values, heard->values_capacity, heard->values_count + values));
    for (uint32_t i = 0; i < values; i++) {
        spf_apart_value *value = &heard->values[heard->values_count];
        SPF_TRY(spf_read(reader, value, sizeof *value));
        if (!spf_split_is_pair(node) && value->part >= node->classes) return spf_raise_message();
        heard->values_count++;
    }
    return SPORF_OK;
}

/* The place for the answers of all shards. */
static sporf_status open_heard(spf_heard_list *list, const spf_split_node *node, const spf_ask *ask,
                               spf_heard **out) {
    *out = spf_heard_find(list, ask);
    if (*out) return SPORF_OK;
    SPF_TRY(SPF_RESERVE(list->answers, list->capacity, list->count + 1));
    spf_heard *heard = *out = &list->answers[list->count++];
    *heard = (spf_heard){.ask = *ask, .range = {INFINITY, -INFINITY}};
    if (ask->kind == SPF_ASK_COUNT) return open_counts(node, &ask->bins, &heard->histogram);
    heard->left = spf_alloc_zero(node->classes, sizeof *heard->left);
    return heard->left ? SPORF_OK : spf_raise_memory();
}

sporf_status spf_heard_read(spf_heard_list *list, const spf_split_node *node, const spf_ask *ask,
                            spf_reader *reader) {
    spf_heard *heard;
    spf_range some;
    SPF_TRY(open_heard(list, node, ask, &heard));
    switch (ask->kind) {
    case SPF_ASK_RANGE_INSIDE:
        SPF_TRY(spf_heard_range(reader, &some));
        heard->range = spf_range_join(heard->range, some);
        return SPORF_OK;
    case SPF_ASK_COUNT:
        return read_counts(node, &heard->histogram, reader);
    case SPF_ASK_LEFT:
        return read_left(node, heard->left, reader);
    case SPF_ASK_ENDS:
        return read_ends(heard, reader);
    case SPF_ASK_DRAWS:
        return read_draws(node, heard, reader);
    default:
        SPF_TRY(read_left(node, heard->left, reader));
        return read_values(node, heard, reader);
    }
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* Every row is in one slot, and beyond the bins only if they are a part. */
static int holds_pairs(const spf_split_node *node, const spf_histogram *h) {
    uint32_t last = h->bins.count + 1;
    uint64_t weight = 0, ones = 0;
    for (uint32_t slot = 0; slot <= last; slot++) {
        if (!node->numeric && h->pairs[slot] >> 32 > (uint32_t)h->pairs[slot]) return 0;
        if (h->pairs[slot] > 0 && (uint32_t)h->pairs[slot] == 0) return 0;
        weight += (uint32_t)h->pairs[slot];
        ones += h->pairs[slot] >> 32;
    }
    int beyond = h->pairs[0] != 0 || h->pairs[last] != 0;
    return weight == node->total && ones == node->class_total[1] && (h->bins.partial || !beyond);
}

static int holds_class(const spf_split_node *node, const spf_histogram *h, size_t k) {
    uint32_t last = h->bins.count + 1;
    uint64_t weight = 0;
    for (uint32_t slot = 0; slot <= last; slot++) weight += h->counts[slot * h->width + k];
    int beyond = h->counts[k] != 0 || h->counts[last * h->width + k] != 0;
    return weight == node->class_total[k] && (h->bins.partial || !beyond);
}

sporf_status spf_heard_check_counts(const spf_split_node *node, spf_heard *heard) {
    const spf_histogram *h = &heard->histogram;
    if (heard->is_checked) return SPORF_OK;
    int good = h->in_pairs ? holds_pairs(node, h) : 1;
    for (size_t k = 0; !h->in_pairs && k < node->classes; k++) good &= holds_class(node, h, k);
    heard->is_checked = 1;
    return good ? SPORF_OK : spf_raise_message();
}

/* ---- values near a cut ----------------------------------------------------------------------- */

/* Values with their weights, as rows of a node. */
typedef struct {
    uint32_t *tag;
    uint64_t *pair;
    float *value;
    size_t count, tag_capacity, pair_capacity, value_capacity;
    unsigned weight_bits;
} cut_rows;

static sporf_status add_pair(const spf_apart_value *from, cut_rows *rows) {
    SPF_TRY(SPF_RESERVE(rows->pair, rows->pair_capacity, rows->count + 1));
    SPF_TRY(SPF_RESERVE(rows->value, rows->value_capacity, rows->count + 1));
    rows->pair[rows->count] = (uint64_t)from->part << 32 | from->weight;
    rows->value[rows->count++] = from->value;
    return SPORF_OK;
}

/* A weight that does not fit beside its class becomes several rows. */
static sporf_status add_tags(const spf_apart_value *from, cut_rows *rows) {
    const uint32_t most = (uint32_t)((UINT64_C(1) << rows->weight_bits) - 1);
    for (uint32_t left = from->weight; left > 0;) {
        uint32_t weight = left < most ? left : most;
        SPF_TRY(SPF_RESERVE(rows->tag, rows->tag_capacity, rows->count + 1));
        SPF_TRY(SPF_RESERVE(rows->value, rows->value_capacity, rows->count + 1));
        rows->tag[rows->count] = from->part << rows->weight_bits | weight;
        rows->value[rows->count++] = from->value;
        left -= weight;
    }
    return SPORF_OK;
}

static sporf_status scan_rows(const spf_split_node *all, const spf_heard *cut, const cut_rows *rows,
                              spf_split_scratch *scratch, spf_split *best) {
    spf_split_node node = *all;
    uint64_t pair = 0;
    node.rows = rows->count;
    node.tag = rows->tag;
    node.weight_bits = rows->weight_bits;
    node.pair = rows->pair;
    node.numeric = spf_split_is_pair(all); /* pairs are there already */
    SPF_TRY(SPF_RESERVE(scratch->keys, scratch->keys_capacity, rows->count));
    for (size_t i = 0; i < rows->count; i++) scratch->keys[i] = spf_scan_key(rows->value, i);
    if (spf_split_is_pair(all))
        pair = (uint64_t)cut->left[1] << 32 | cut->left[0];
    else
        memcpy(scratch->left, cut->left, node.classes * sizeof *cut->left);
    return spf_scan_keys(&node, rows->value, rows->count, pair, scratch, best);
}

/* Adds the weights of a value to sums[classes of the node]. */
static void add_value(const spf_split_node *node, const spf_apart_value *value, uint32_t *sums) {
    if (!spf_split_is_pair(node)) {
        sums[value->part] += value->weight;
        return;
    }
    sums[0] += value->weight;
    sums[1] += value->part;
}

static int has_room(const spf_split_node *node, const spf_heard *cut, const uint32_t *sums,
                    size_t k, uint32_t more) {
    return more <= most_left(node, k) - cut->left[k] - sums[k];
}

/* The weights of a cut are no more than those of the node. sums[classes] is all 0 between calls. */
static sporf_status check_cut(const spf_split_node *node, const spf_heard *cut, uint32_t *sums) {
    int good = 1, is_pair = spf_split_is_pair(node);
    for (size_t i = 0; good && i < cut->values_count; i++) {
        const spf_apart_value *value = &cut->values[i];
        good = isfinite(value->value) &&
               (is_pair ? has_room(node, cut, sums, 0, value->weight) &&
                              has_room(node, cut, sums, 1, value->part)
                        : has_room(node, cut, sums, value->part, value->weight));
        if (good) add_value(node, value, sums);
    }
    memset(sums, 0, node->classes * sizeof *sums);
    return good ? SPORF_OK : spf_raise_message();
}

unsigned spf_bits_beside(const spf_split_node *node) {
    unsigned class_bits = 0;
    for (size_t classes = node->classes - 1; classes > 0; classes /= 2) class_bits++;
    return 32 - class_bits;
}

sporf_status spf_heard_scan(const spf_split_node *node, const spf_heard *cut,
                            spf_split_scratch *scratch, spf_split *best) {
    SPF_TRY(check_cut(node, cut, scratch->left));
    cut_rows rows = {.weight_bits = spf_bits_beside(node)};
    sporf_status status = SPORF_OK;
    for (size_t i = 0; status == SPORF_OK && i < cut->values_count; i++)
        status = (spf_split_is_pair(node) ? add_pair : add_tags)(&cut->values[i], &rows);
    if (status == SPORF_OK && rows.count > 0) status = scan_rows(node, cut, &rows, scratch, best);
    free(rows.tag);
    free(rows.pair);
    free(rows.value);
    return status;
}

void spf_heard_left_of(const spf_split_node *node, const spf_heard *cut, float threshold,
                       uint32_t *left) {
    memcpy(left, cut->left, node->classes * sizeof *left);
    for (size_t i = 0; i < cut->values_count; i++)
        if (cut->values[i].value <= threshold) add_value(node, &cut->values[i], left);
}

uint64_t spf_heard_weight(const spf_split_node *node, const uint32_t *left) {
    uint64_t weight = left[0];
    for (size_t k = 1; !spf_split_is_pair(node) && k < node->classes; k++) weight += left[k];
    return weight;
}
