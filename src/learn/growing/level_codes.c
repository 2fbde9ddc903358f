/* Levels as bytes: 0 is every level that no candidate asks for, and a missing one. */
#include "learn/growing/level_codes.h"

#include "learn/rows/project.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { STORED_BYTES = 4 << 20 };

/* ---- memory ---------------------------------------------------------------------------------- */

/* Where each category's levels begin; returns how many levels there are in total. */
static size_t place_levels(const sporf_schema *schema, size_t features, uint32_t *first) {
    size_t levels = 0;
    for (size_t i = 0; i < features; i++) {
        first[i] = (uint32_t)levels;
        if (schema->kinds[i] == SPORF_KIND_CATEGORY) levels += spf_schema_levels(schema, i);
    }
    return levels;
}

sporf_status spf_level_codes_create(const sporf_schema *schema, size_t features,
                                    spf_level_codes *codes) {
    *codes = (spf_level_codes){.features = features};
    codes->first = spf_alloc(features, sizeof *codes->first);
    codes->last = spf_alloc_zero(features, sizeof *codes->last);
    codes->drawn = spf_alloc(features, sizeof *codes->drawn);
    codes->column = spf_alloc(features, sizeof *codes->column);
    if (codes->first)
        codes->code =
            spf_alloc_zero(place_levels(schema, features, codes->first), sizeof *codes->code);
    if (codes->code && codes->last && codes->drawn && codes->column) return SPORF_OK;
    spf_level_codes_free(codes);
    return spf_raise_memory();
}

void spf_level_codes_free(spf_level_codes *codes) {
    free(codes->first);
    free(codes->code);
    free(codes->last);
    free(codes->drawn);
    free(codes->place);
    free(codes->of_set);
    free(codes->column);
    free(codes->storage);
    *codes = (spf_level_codes){0};
}

double spf_level_codes_bytes(const spf_expected *e) {
    double terms = e->candidates * e->terms;
    return 2 * spf_alloc_bytes(e->features, sizeof(uint32_t)) + spf_alloc_bytes(e->features, 1) +
           spf_alloc_bytes(e->features, sizeof(uint8_t *)) + spf_alloc_bytes(e->all_levels, 1) +
           spf_reserve_bytes(fmin(terms, e->all_levels), sizeof(uint32_t)) +
           spf_reserve_bytes(terms, 1) +
           spf_reserve_bytes(fmin(e->categories * e->in_bag, STORED_BYTES), 1);
}

/* ---- the levels of a node -------------------------------------------------------------------- */

void spf_level_codes_clear(spf_level_codes *codes) {
    for (size_t i = 0; i < codes->place_count; i++) codes->code[codes->place[i]] = 0;
    for (size_t i = 0; i < codes->drawn_count; i++) codes->last[codes->drawn[i]] = 0;
    codes->place_count = codes->drawn_count = codes->sets_count = 0;
    codes->stored = 0;
}

static sporf_status number_level(spf_level_codes *codes, uint32_t feature, uint32_t place) {
    SPF_TRY(SPF_RESERVE(codes->place, codes->place_capacity, codes->place_count + 1));
    codes->place[codes->place_count++] = place;
    if (codes->last[feature] == 0) codes->drawn[codes->drawn_count++] = feature;
    codes->code[place] = ++codes->last[feature];
    return SPORF_OK;
}

sporf_status spf_level_codes_add(spf_level_codes *codes, uint32_t set, uint32_t feature,
                                 uint32_t level) {
    uint32_t place = codes->first[feature] + level;
    SPF_TRY(SPF_RESERVE(codes->of_set, codes->of_set_capacity, set + 1));
    if (codes->code[place] == 0 && codes->last[feature] < UINT8_MAX)
        SPF_TRY(number_level(codes, feature, place));
    codes->of_set[set] = codes->code[place];
    codes->sets_count = set + 1;
    return SPORF_OK;
}

/* The numbers of one category. */
static void store_column(const uint8_t *code, const spf_node_rows *rows, uint32_t feature,
                         uint8_t *column) {
    const size_t stride = rows->table->stride;
    if (rows->table->bytes) {
        const uint8_t *levels = rows->table->bytes[feature];
        for (size_t i = 0; i < rows->count; i++) column[i] = code[levels[rows->row[i] * stride]];
    } else {
        const float *levels = rows->table->columns[feature];
        for (size_t i = 0; i < rows->count; i++) {
            float level = levels[rows->row[i] * stride];
            column[i] = level == level ? code[(uint32_t)level] : 0;
        }
    }
}

int spf_level_codes_stores(const spf_level_codes *codes, size_t rows) {
    return rows <= STORED_BYTES / (codes->drawn_count + 1);
}

sporf_status spf_level_codes_store(spf_level_codes *codes, const spf_node_rows *rows) {
    if (!spf_level_codes_stores(codes, rows->count)) return SPORF_OK;
    SPF_TRY(SPF_RESERVE(codes->storage, codes->storage_capacity, codes->drawn_count * rows->count));
    for (size_t i = 0; i < codes->drawn_count; i++) {
        uint32_t feature = codes->drawn[i];
        uint8_t *column = codes->storage + i * rows->count;
        store_column(codes->code + codes->first[feature], rows, feature, column);
        codes->column[feature] = column;
    }
    codes->stored = 1;
    return SPORF_OK;
}

/* ---- projecting ------------------------------------------------------------------------------ */

/* A winning category becomes a set that has no number. */
static uint8_t code_of(const spf_level_codes *codes, uint32_t set) {
    return set < codes->sets_count ? codes->of_set[set] : 0;
}

/* One term that names a set: a numbered level, or a number whose missing values are filled in. */
typedef struct {
    const uint8_t *column; /* NULL for a number */
    uint8_t code;
    const float *number;
    float fill;
} level_term;

/* Returns 0 if the set's level is not numbered. */
static int find_term(const spf_level_codes *codes, const sporf_projections *list, uint32_t feature,
                     const spf_table *table, level_term *term) {
    uint32_t number = feature - (uint32_t)codes->features;
    const spf_set *set = &list->sets->sets[number];
    if (set->words == 0) {
        *term = (level_term){.number = table->columns[set->feature], .fill = set->fill};
        return 1;
    }
    *term = (level_term){.column = codes->column[set->feature], .code = code_of(codes, number)};
    return term->code != 0;
}

/* Adds a level: the products are those of spf_project_rows, to the sign of a zero. `onto` is a
 * compile-time constant. */
INLINE void add_level(const level_term *term, float weight, size_t count, float *restrict value,
                      const int onto) {
    const float inside = weight * 1.0f, outside = weight * 0.0f;
    const uint8_t *column = term->column, code = term->code;
    for (size_t i = 0; i < count; i++) {
        float product = column[i] == code ? inside : outside;
        value[i] = onto ? value[i] + product : product;
    }
}

INLINE void add_number(const level_term *term, float weight, const spf_node_rows *rows,
                       float *restrict value, const int onto) {
    const size_t stride = rows->table->stride;
    for (size_t i = 0; i < rows->count; i++) {
        float number = term->number[rows->row[i] * stride];
        float product = weight * (number == number ? number : term->fill);
        value[i] = onto ? value[i] + product : product;
    }
}

INLINE void add_term(const level_term *term, float weight, const spf_node_rows *rows, float *value,
                     const int onto) {
    if (term->column)
        add_level(term, weight, rows->count, value, onto);
    else
        add_number(term, weight, rows, value, onto);
}

/* The terms that name features; they come first. */
static void project_features(const sporf_projections *list, uint32_t begin, uint32_t end,
                             const spf_node_rows *rows, float *value) {
    uint32_t range[2] = {begin, end};
    float weight = list->weight[begin];
    sporf_projections part = {
        .count = 1, .start = range, .feature = list->feature, .weight = list->weight};
    spf_project_rows(&part, 0, rows->table, rows->row, rows->count, value);
    if (end - begin == 1 && weight != 1)
        for (size_t i = 0; i < rows->count; i++) value[i] *= weight;
}

int spf_level_codes_project(const spf_level_codes *codes, const sporf_projections *list,
                            size_t candidate, const spf_node_rows *rows, float *value) {
    uint32_t begin = list->start[candidate], end = list->start[candidate + 1], t = begin;
    level_term term;
    if (!codes->stored || list->feature[end - 1] < codes->features) return 0;
    while (list->feature[t] < codes->features) t++;
    if (t > begin) project_features(list, begin, t, rows, value);
    for (; t < end; t++) {
        if (!find_term(codes, list, list->feature[t], rows->table, &term)) return 0;
        if (t == begin)
            add_term(&term, list->weight[t], rows, value, 0);
        else
            add_term(&term, list->weight[t], rows, value, 1);
    }
    return 1;
}

/* ---- counting -------------------------------------------------------------------------------- */

int spf_level_codes_countable(const spf_level_codes *codes, const sporf_projections *list,
                              size_t candidate) {
    return codes->stored && spf_level_codes_are_summed(codes, list, candidate);
}

int spf_level_codes_are_summed(const spf_level_codes *codes, const sporf_projections *list,
                               size_t candidate) {
    enum { MOST_TERMS = 100 }; /* sums stay bytes */
    uint32_t begin = list->start[candidate], end = list->start[candidate + 1];
    if (list->feature[begin] < codes->features || end - begin > MOST_TERMS) return 0;
    for (uint32_t t = begin; t < end; t++) {
        if (list->weight[t] != 1 && list->weight[t] != -1) return 0;
        uint32_t set = list->feature[t] - (uint32_t)codes->features;
        if (list->sets->sets[set].words == 0 || code_of(codes, set) == 0) return 0;
    }
    return 1;
}

/* Adds or subtracts a level. */
static void count_level(const uint8_t *column, uint8_t code, int is_negative, size_t count,
                        uint8_t *restrict byte) {
    if (is_negative)
        for (size_t i = 0; i < count; i++) byte[i] -= column[i] == code;
    else
        for (size_t i = 0; i < count; i++) byte[i] += column[i] == code;
}

uint32_t spf_level_codes_count(const spf_level_codes *codes, const sporf_projections *list,
                               size_t candidate, size_t rows, uint8_t *byte, float *low) {
    uint32_t begin = list->start[candidate], end = list->start[candidate + 1];
    uint8_t negative = 0;
    for (uint32_t t = begin; t < end; t++) negative += list->weight[t] < 0;
    memset(byte, negative, rows);
    for (uint32_t t = begin; t < end; t++) {
        uint32_t set = list->feature[t] - (uint32_t)codes->features;
        count_level(codes->column[list->sets->sets[set].feature], codes->of_set[set],
                    list->weight[t] < 0, rows, byte);
    }
    *low = -(float)negative;
    return end - begin + 1;
}
