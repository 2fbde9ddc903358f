/* Projections are kept as lines, so that those which split alike have equal bits (projection.c): a
 * hash table finds them. */
#include "model/importance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- features -------------------------------------------------------------------------------- */

static uint32_t feature_of(const spf_tree *tree, uint32_t term) {
    return term < tree->features ? term : tree->sets.sets[term - tree->features].feature;
}

/* Samplers draw in scaled units, and the factor of a feature was multiplied into its weight. */
static double size_of(const sporf_forest *forest, uint32_t feature, float weight) {
    float scale = forest->scale ? forest->scale[feature] : 1;
    return fabs(scale != 0 ? (double)weight / scale : (double)weight);
}

static void share(const sporf_forest *forest, const spf_tree *tree, uint32_t projection,
                  double decrease, double *features) {
    uint32_t first = tree->projection_start[projection];
    uint32_t end = tree->projection_start[projection + 1];
    double all = 0;
    for (uint32_t i = first; i < end; i++)
        all += size_of(forest, feature_of(tree, tree->term_feature[i]), tree->term_weight[i]);
    for (uint32_t i = first; i < end; i++) {
        uint32_t feature = feature_of(tree, tree->term_feature[i]);
        features[feature] += decrease * (size_of(forest, feature, tree->term_weight[i]) / all);
    }
}

void spf_share_decreases(const sporf_forest *forest, const spf_tree *tree, const double *decrease,
                         double *features) {
    for (uint32_t i = 0; i < tree->nodes_count; i++)
        if (tree->nodes[i].right != 0)
            share(forest, tree, spf_split_projection(&tree->nodes[i]), decrease[i], features);
}

/* ---- projections ----------------------------------------------------------------------------- */

/* Sets of the same levels are one, wherever rows go whose level is missing. */
static sporf_status match_sets(const spf_sets *sets, spf_set_list *found, spf_set_index *index,
                               uint32_t *first, uint32_t *set) {
    for (uint32_t i = 0; i < sets->count; i++) {
        spf_set one = sets->sets[i];
        uint32_t number;
        if (one.words > 0) one.fill = 0;
        size_t before = found->count;
        spf_sets alone = {1, sets->words_count, &one, sets->words};
        SPF_TRY(spf_set_list_intern(found, index, &alone, 0, &number));
        if (number == before) first[number] = i;
        set[i] = first[number];
    }
    return SPORF_OK;
}

sporf_status spf_lines_create(const sporf_forest *forest, spf_lines *lines) {
    const spf_sets *sets = &forest->packed.sets;
    spf_set_list found = {0};
    spf_set_index index = {0};
    uint32_t *first = spf_alloc(sets->count, sizeof *first);
    *lines = (spf_lines){.set = spf_alloc(sets->count, sizeof *lines->set)};
    sporf_status status = first && lines->set ? match_sets(sets, &found, &index, first, lines->set)
                                              : spf_raise_memory();
    spf_set_list_free(&found);
    free(index.slots);
    free(first);
    if (status != SPORF_OK) spf_lines_free(lines);
    return status;
}

void spf_lines_free(spf_lines *lines) {
    free(lines->lines);
    free(lines->feature);
    free(lines->weight);
    free(lines->slots);
    free(lines->set);
    *lines = (spf_lines){0};
}

static uint64_t hash_line(const uint32_t *feature, const float *weight, size_t terms) {
    const uint64_t prime = 0x100000001b3u; /* FNV-1a over words */
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < terms; i++) {
        uint32_t bits;
        memcpy(&bits, &weight[i], sizeof bits);
        hash = ((hash ^ feature[i]) * prime ^ bits) * prime;
    }
    return hash ^ hash >> 32;
}

static int is_line(const spf_lines *lines, const spf_line *line, const uint32_t *feature,
                   const float *weight, size_t terms) {
    return line->terms == terms &&
           memcmp(lines->feature + line->start, feature, terms * sizeof *feature) == 0 &&
           memcmp(lines->weight + line->start, weight, terms * sizeof *weight) == 0;
}

/* The slot of a line, or the free one where it belongs. */
static size_t find_slot(const spf_lines *lines, const uint32_t *slots, size_t slots_count,
                        const uint32_t *feature, const float *weight, size_t terms) {
    size_t at = hash_line(feature, weight, terms) % slots_count;
    while (slots[at] != 0 && !is_line(lines, &lines->lines[slots[at] - 1], feature, weight, terms))
        at = at + 1 < slots_count ? at + 1 : 0;
    return at;
}

/* At least half of the slots stay free. */
static sporf_status make_slots(spf_lines *lines) {
    if (2 * (lines->count + 1) <= lines->slots_count) return SPORF_OK;
    size_t slots_count = 4 * (lines->count + 16);
    uint32_t *slots = spf_alloc_zero(slots_count, sizeof *slots);
    if (!slots) return spf_raise_memory();
    for (size_t i = 0; i < lines->count; i++) {
        const spf_line *line = &lines->lines[i];
        slots[find_slot(lines, slots, slots_count, lines->feature + line->start,
                        lines->weight + line->start, line->terms)] = (uint32_t)i + 1;
    }
    free(lines->slots);
    lines->slots = slots;
    lines->slots_count = slots_count;
    return SPORF_OK;
}

/* Copies a projection behind the terms of all lines. */
static sporf_status put_terms(spf_lines *lines, const spf_tree *tree, uint32_t projection,
                              size_t *terms) {
    uint32_t first = tree->projection_start[projection];
    size_t start = lines->terms_count;
    *terms = tree->projection_start[projection + 1] - first;
    SPF_TRY(SPF_RESERVE(lines->feature, lines->feature_capacity, start + *terms));
    SPF_TRY(SPF_RESERVE(lines->weight, lines->weight_capacity, start + *terms));
    for (size_t i = 0; i < *terms; i++) {
        uint32_t term = tree->term_feature[first + i];
        if (term >= tree->features)
            term = (uint32_t)tree->features + lines->set[term - tree->features];
        lines->feature[start + i] = term;
        lines->weight[start + i] = tree->term_weight[first + i];
    }
    return SPORF_OK;
}

static sporf_status add_line(spf_lines *lines, const spf_tree *tree, uint32_t projection,
                             double decrease) {
    size_t start = lines->terms_count, terms;
    SPF_TRY(put_terms(lines, tree, projection, &terms));
    SPF_TRY(make_slots(lines));
    size_t slot = find_slot(lines, lines->slots, lines->slots_count, lines->feature + start,
                            lines->weight + start, terms);
    if (lines->slots[slot] == 0) {
        if (lines->count >= UINT32_MAX - 1)
            return spf_raise(SPORF_ERROR_MODEL, "the forest has more than 2^32 projections");
        SPF_TRY(SPF_RESERVE(lines->lines, lines->lines_capacity, lines->count + 1));
        lines->lines[lines->count++] = (spf_line){.start = start, .terms = terms};
        lines->terms_count += terms;
        lines->slots[slot] = (uint32_t)lines->count;
    }
    spf_line *line = &lines->lines[lines->slots[slot] - 1];
    line->importance += decrease;
    line->splits++;
    return SPORF_OK;
}

sporf_status spf_lines_add_tree(spf_lines *lines, const spf_tree *tree, const double *decrease) {
    for (uint32_t i = 0; i < tree->nodes_count; i++)
        if (tree->nodes[i].right != 0)
            SPF_TRY(add_line(lines, tree, spf_split_projection(&tree->nodes[i]), decrease[i]));
    return SPORF_OK;
}

static int compare_lines(const void *a, const void *b) {
    const spf_line *left = a, *right = b;
    if (left->importance != right->importance) return left->importance > right->importance ? -1 : 1;
    return left->start < right->start ? -1 : left->start > right->start;
}

void spf_lines_sort(spf_lines *lines) {
    if (lines->count > 0) qsort(lines->lines, lines->count, sizeof *lines->lines, compare_lines);
}
