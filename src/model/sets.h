/* Sets of levels. A term with a number beyond the features names a set of levels of one category:
 * it is 1 if a row's level is in the set, otherwise 0. Or it names a feature whose missing values
 * are filled in. */
#ifndef SPF_MODEL_SETS_H
#define SPF_MODEL_SETS_H

#include "base/memory.h"
#include "data/schema.h"

#include <math.h>

/* Bit b of word w stands for level first + 32 w + b; other levels are not in the set. Without words
 * the term is the feature's own value. */
typedef struct spf_set {
    uint32_t feature;
    uint32_t first;
    uint32_t start, words; /* in the words of all sets */
    float fill;            /* value of the term if the feature is missing; NaN: missing */
} spf_set;

typedef struct spf_sets {
    uint64_t count, words_count;
    const spf_set *sets;
    const uint32_t *words;
} spf_sets;

/* The value of a term that names a set, for the feature's value `level`. An invalid level is
 * missing. */
static inline float spf_set_value(const spf_sets *sets, const spf_set *set, float level) {
    if (set->words == 0) return isnan(level) ? set->fill : level;
    if (!(level >= 0 && level < (float)SPF_LEVELS_MAX)) return set->fill;
    uint32_t place = (uint32_t)level - set->first;
    if (place / 32 >= set->words) return 0;
    return (float)(sets->words[set->start + place / 32] >> place % 32 & 1);
}

/* A growing list of sets. */
typedef struct spf_set_list {
    spf_set *sets;
    uint32_t *words;
    size_t count, words_count, sets_capacity, words_capacity;
} spf_set_list;

void spf_set_list_clear(spf_set_list *list);
void spf_set_list_free(spf_set_list *list);

/* Adds the set of one level, which a missing level is not in. */
sporf_status spf_set_list_add_level(spf_set_list *list, uint32_t feature, uint32_t level,
                                    uint32_t *number);

/* Adds a feature with a number in place of missing values. */
sporf_status spf_set_list_add_filled(spf_set_list *list, uint32_t feature, float fill,
                                     uint32_t *number);

/* Adds an empty set with room for the levels from `first` to `last`; spf_set_list_put adds levels
 * to the last set of the list. */
sporf_status spf_set_list_open(spf_set_list *list, uint32_t feature, uint32_t first, uint32_t last,
                               uint32_t *number);
void spf_set_list_put(spf_set_list *list, uint32_t level);

/* Adds a copy of a set. */
sporf_status spf_set_list_copy(spf_set_list *list, const spf_sets *from, uint32_t set,
                               uint32_t *number);

/* Finds the sets of a list by their content. */
typedef struct spf_set_index {
    uint32_t *slots; /* open addressing: 1 + number of a set, 0 for free */
    size_t slots_count;
} spf_set_index;

/* The number of an equal set of the list; a copy is added if there is none. All sets of the list
 * must have been added in this way. Free index->slots with free(). */
sporf_status spf_set_list_intern(spf_set_list *list, spf_set_index *index, const spf_sets *from,
                                 uint32_t set, uint32_t *number);

static inline spf_sets spf_set_list_view(const spf_set_list *list) {
    return (spf_sets){list->count, list->words_count, list->sets, list->words};
}

#endif
