/* Finds equal projections with a hash table over their terms, at most half full. */
#include "learn/sampling/repeats.h"

#include <stdlib.h>
#include <string.h>

void spf_repeats_free(spf_repeats *repeats) {
    free(repeats->place);
    *repeats = (spf_repeats){0};
}

static size_t table_size(size_t candidates) {
    size_t size = 16;
    while (size < 2 * candidates) size *= 2;
    return size;
}

double spf_repeats_bytes(double candidates) {
    return spf_reserve_bytes(2 * candidates, sizeof(uint32_t));
}

static uint64_t hash(const sporf_projections *list, uint32_t from, uint32_t to) {
    uint64_t state = to - from;
    for (uint32_t i = from; i < to; i++) {
        uint32_t bits;
        memcpy(&bits, &list->weight[i], sizeof bits);
        state = (state ^ ((uint64_t)list->feature[i] << 32 | bits)) * 0x9e3779b97f4a7c15u;
        state ^= state >> 32;
    }
    return state;
}

static int is_equal(const sporf_projections *list, uint32_t from, uint32_t to, size_t other) {
    size_t terms = to - from;
    uint32_t start = list->start[other];
    return terms == spf_projection_terms(list, other) &&
           memcmp(list->feature + start, list->feature + from, terms * sizeof *list->feature) ==
               0 &&
           memcmp(list->weight + start, list->weight + from, terms * sizeof *list->weight) == 0;
}

/* The place of these terms in the table; it is empty if they are new. */
static uint32_t *find(const spf_repeats *repeats, size_t size, const sporf_projections *list,
                      uint32_t from, uint32_t to) {
    for (size_t at = hash(list, from, to);; at++) {
        uint32_t *place = &repeats->place[at & (size - 1)];
        if (*place == 0 || is_equal(list, from, to, *place - 1)) return place;
    }
}

/* Moves terms down to the end of the list. */
static void append(sporf_projections *list, uint32_t from, uint32_t to) {
    if (list->terms != from) {
        memmove(list->feature + list->terms, list->feature + from, (to - from) * sizeof(uint32_t));
        memmove(list->weight + list->terms, list->weight + from, (to - from) * sizeof(float));
    }
    list->terms += to - from;
    list->start[++list->count] = (uint32_t)list->terms;
}

sporf_status spf_repeats_drop(spf_repeats *repeats, sporf_projections *list) {
    size_t count = list->count, size = table_size(count);
    SPF_TRY(SPF_RESERVE(repeats->place, repeats->capacity, size));
    memset(repeats->place, 0, size * sizeof *repeats->place);
    spf_projections_clear(list);
    for (size_t i = 0, from = 0; i < count; i++) {
        uint32_t to = list->start[i + 1];
        uint32_t *place = find(repeats, size, list, (uint32_t)from, to);
        if (*place == 0) {
            append(list, (uint32_t)from, to);
            *place = (uint32_t)list->count;
        }
        from = to;
    }
    return SPORF_OK;
}
