/* Lists of sets of levels. */
#include "model/sets.h"

#include <stdlib.h>
#include <string.h>

void spf_set_list_clear(spf_set_list *list) {
    list->count = list->words_count = 0;
}

void spf_set_list_free(spf_set_list *list) {
    free(list->sets);
    free(list->words);
    *list = (spf_set_list){0};
}

static sporf_status add(spf_set_list *list, uint32_t feature, uint32_t first, uint32_t words,
                        float fill, uint32_t *number) {
    if (list->words_count + words > UINT32_MAX || list->count >= UINT32_MAX)
        return spf_raise(SPORF_ERROR_DATA, "a tree has too many sets of levels" SPF_HINT
                                           "limit the depth (" SPF_OPTION(
                                               "max-depth") ") or raise " SPF_OPTION("min-leaf"));
    SPF_TRY(SPF_RESERVE(list->sets, list->sets_capacity, list->count + 1));
    SPF_TRY(SPF_RESERVE(list->words, list->words_capacity, list->words_count + words));
    *number = (uint32_t)list->count;
    list->sets[list->count++] = (spf_set){feature, first, (uint32_t)list->words_count, words, fill};
    if (words > 0) memset(list->words + list->words_count, 0, words * sizeof *list->words);
    list->words_count += words;
    return SPORF_OK;
}

void spf_set_list_put(spf_set_list *list, uint32_t level) {
    const spf_set *set = &list->sets[list->count - 1];
    uint32_t place = level - set->first;
    list->words[set->start + place / 32] |= 1u << place % 32;
}

sporf_status spf_set_list_open(spf_set_list *list, uint32_t feature, uint32_t first, uint32_t last,
                               uint32_t *number) {
    return add(list, feature, first, (last - first) / 32 + 1, NAN, number);
}

sporf_status spf_set_list_add_level(spf_set_list *list, uint32_t feature, uint32_t level,
                                    uint32_t *number) {
    SPF_TRY(add(list, feature, level, 1, 0, number));
    spf_set_list_put(list, level);
    return SPORF_OK;
}

sporf_status spf_set_list_add_filled(spf_set_list *list, uint32_t feature, float fill,
                                     uint32_t *number) {
    return add(list, feature, 0, 0, fill, number);
}

sporf_status spf_set_list_copy(spf_set_list *list, const spf_sets *from, uint32_t set,
                               uint32_t *number) {
    const spf_set *source = &from->sets[set];
    SPF_TRY(add(list, source->feature, source->first, source->words, source->fill, number));
    if (source->words > 0)
        memcpy(list->words + list->words_count - source->words, from->words + source->start,
               source->words * sizeof *list->words);
    return SPORF_OK;
}

static uint64_t hash_set(const spf_sets *sets, const spf_set *set) {
    const uint64_t prime = 0x100000001b3u; /* FNV-1a over words */
    uint32_t fill;
    memcpy(&fill, &set->fill, sizeof fill);
    uint64_t hash = (0xcbf29ce484222325u ^ set->feature) * prime;
    hash = ((hash ^ set->first) * prime ^ fill) * prime;
    for (uint32_t i = 0; i < set->words; i++) hash = (hash ^ sets->words[set->start + i]) * prime;
    return hash ^ hash >> 32;
}

static int are_equal(const spf_sets *sets, const spf_set *a, const spf_sets *others,
                     const spf_set *b) {
    return a->feature == b->feature && a->first == b->first && a->words == b->words &&
           memcmp(&a->fill, &b->fill, sizeof a->fill) == 0 &&
           (a->words == 0 || memcmp(sets->words + a->start, others->words + b->start,
                                    a->words * sizeof *sets->words) == 0);
}

/* The slot of a set, or the free one where it belongs. */
static size_t find_slot(const spf_set_list *list, const spf_set_index *index, const spf_sets *from,
                        const spf_set *set) {
    spf_sets own = spf_set_list_view(list);
    size_t at = hash_set(from, set) % index->slots_count;
    while (index->slots[at] != 0 && !are_equal(&own, &own.sets[index->slots[at] - 1], from, set))
        at = at + 1 < index->slots_count ? at + 1 : 0;
    return at;
}

/* At least half of the slots stay free. */
static sporf_status make_slots(const spf_set_list *list, spf_set_index *index) {
    if (2 * (list->count + 1) <= index->slots_count) return SPORF_OK;
    spf_sets own = spf_set_list_view(list);
    spf_set_index larger = {.slots_count = 4 * (list->count + 16)};
    larger.slots = spf_alloc_zero(larger.slots_count, sizeof *larger.slots);
    if (!larger.slots) return spf_raise_memory();
    for (uint32_t i = 0; i < list->count; i++)
        larger.slots[find_slot(list, &larger, &own, &own.sets[i])] = i + 1;
    free(index->slots);
    *index = larger;
    return SPORF_OK;
}

sporf_status spf_set_list_intern(spf_set_list *list, spf_set_index *index, const spf_sets *from,
                                 uint32_t set, uint32_t *number) {
    SPF_TRY(make_slots(list, index));
    size_t slot = find_slot(list, index, from, &from->sets[set]);
    if (index->slots[slot] == 0) {
        SPF_TRY(spf_set_list_copy(list, from, set, number));
        index->slots[slot] = *number + 1;
    }
    *number = index->slots[slot] - 1;
    return SPORF_OK;
}
