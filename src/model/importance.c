/* Projections are stored in a normal form, so that equal splits have equal bits (projection.c); a
 * dictionary numbers them. */
#include "model/importance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- features -------------------------------------------------------------------------------- */

/* Samplers draw in scaled units; the factor of a feature is part of its weight. */
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
        all += size_of(forest, spf_term_feature(tree, tree->term_feature[i]), tree->term_weight[i]);
    for (uint32_t i = first; i < end; i++) {
        uint32_t feature = spf_term_feature(tree, tree->term_feature[i]);
        features[feature] += decrease * (size_of(forest, feature, tree->term_weight[i]) / all);
    }
}

/* Splits that share a projection are added first, so that its terms are visited once. */
sporf_status spf_used_find(const spf_tree *tree, const double *decrease, spf_used *used) {
    SPF_TRY(SPF_RESERVE(used->projections, used->capacity, tree->projections_count));
    for (uint32_t p = 0; p < tree->projections_count; p++)
        used->projections[p] = (spf_used_projection){0};
    for (uint32_t i = 0; i < tree->nodes_count; i++) {
        if (tree->nodes[i].right == 0) continue;
        spf_used_projection *own = &used->projections[spf_split_projection(&tree->nodes[i])];
        own->decrease += decrease[i];
        own->splits++;
    }
    return SPORF_OK;
}

void spf_share_decreases(const sporf_forest *forest, const spf_tree *tree, const spf_used *used,
                         double *features) {
    for (uint32_t p = 0; p < tree->projections_count; p++)
        share(forest, tree, p, used->projections[p].decrease, features);
}

/* ---- projections ----------------------------------------------------------------------------- */

/* Sets of the same levels are equal, wherever rows with a missing level go. */
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
    spf_dictionary_free(&lines->known);
    free(lines->lines);
    free(lines->terms);
    free(lines->set);
    *lines = (spf_lines){0};
}

/* The word of a projection is in lines->terms. */
static sporf_status spell(spf_lines *lines, const spf_tree *tree, uint32_t projection,
                          size_t *length) {
    uint32_t first = tree->projection_start[projection];
    size_t count = tree->projection_start[projection + 1] - first;
    SPF_TRY(SPF_RESERVE(lines->terms, lines->terms_capacity, count));
    for (size_t i = 0; i < count; i++) {
        uint32_t feature = tree->term_feature[first + i];
        if (feature >= tree->features)
            feature = (uint32_t)tree->features + lines->set[feature - tree->features];
        lines->terms[i] = (spf_term){feature, tree->term_weight[first + i]};
    }
    *length = count * sizeof *lines->terms;
    return SPORF_OK;
}

sporf_status spf_lines_add_terms(spf_lines *lines, size_t terms, const uint32_t *features,
                                 const float *weights) {
    uint32_t number;
    SPF_TRY(SPF_RESERVE(lines->terms, lines->terms_capacity, terms));
    for (size_t i = 0; i < terms; i++) lines->terms[i] = (spf_term){features[i], weights[i]};
    return spf_dictionary_add(&lines->known, (const char *)lines->terms,
                              terms * sizeof *lines->terms, &number);
}

sporf_status spf_lines_number(spf_lines *lines, const spf_tree *tree, uint32_t projection,
                              uint32_t *number) {
    size_t length;
    SPF_TRY(spell(lines, tree, projection, &length));
    return spf_dictionary_add(&lines->known, (const char *)lines->terms, length, number);
}

static sporf_status add_projection(spf_lines *lines, const spf_tree *tree, uint32_t projection,
                                   const spf_used_projection *used) {
    size_t before = lines->known.words.count;
    uint32_t number;
    SPF_TRY(spf_lines_number(lines, tree, projection, &number));
    SPF_TRY(SPF_RESERVE(lines->lines, lines->lines_capacity, (size_t)number + 1));
    if (number == before) lines->lines[number] = (spf_line){.number = number};
    lines->lines[number].importance += used->decrease;
    lines->lines[number].splits += used->splits;
    return SPORF_OK;
}

sporf_status spf_lines_add_tree(spf_lines *lines, const spf_tree *tree, const spf_used *used) {
    for (uint32_t p = 0; p < tree->projections_count; p++)
        SPF_TRY(add_projection(lines, tree, p, &used->projections[p]));
    return SPORF_OK;
}

static int compare_lines(const void *a, const void *b) {
    const spf_line *left = a, *right = b;
    if (left->importance != right->importance) return left->importance > right->importance ? -1 : 1;
    return left->number < right->number ? -1 : left->number > right->number;
}

void spf_lines_sort(spf_lines *lines) {
    size_t count = lines->known.words.count;
    if (count > 0) qsort(lines->lines, count, sizeof *lines->lines, compare_lines);
}

void spf_line_read(const spf_lines *lines, const spf_line *line, uint32_t *features,
                   float *weights) {
    const char *bytes = spf_strings_at(&lines->known.words, line->number);
    for (size_t i = 0; i < spf_line_terms(lines, line); i++) {
        spf_term term;
        memcpy(&term, bytes + i * sizeof term, sizeof term);
        features[i] = term.feature;
        weights[i] = term.weight;
    }
}
