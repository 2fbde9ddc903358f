/* Sums of impurity decreases, by feature and by projection. */
#ifndef SPF_MODEL_IMPORTANCE_H
#define SPF_MODEL_IMPORTANCE_H

#include "data/labels.h"
#include "model/forest.h"

/* The total decrease of the splits that use a projection of a tree, and their number. */
typedef struct spf_used_projection {
    double decrease;
    uint64_t splits;
} spf_used_projection;

/* All projections of a tree; reused from tree to tree, starts as zeros. */
typedef struct spf_used {
    spf_used_projection *projections;
    size_t capacity;
} spf_used;

/* decrease[nodes] is the impurity decrease of each split. Free used->projections with free(). */
sporf_status spf_used_find(const spf_tree *tree, const double *decrease, spf_used *used);

/* Distributes the decreases of a tree over the features of its projections: in proportion to their
 * weights, in the units in which the projection was drawn. */
void spf_share_decreases(const sporf_forest *forest, const spf_tree *tree, const spf_used *used,
                         double *features);

typedef struct spf_term {
    uint32_t feature;
    float weight;
} spf_term;

/* A projection, and the total decrease of its splits. */
typedef struct spf_line {
    double importance;
    uint64_t splits;
    uint32_t number; /* in order of first use */
} spf_line;

/* The distinct projections of a forest. */
typedef struct spf_lines {
    spf_dictionary known; /* the bytes of a line's terms are its word */
    spf_line *lines;      /* [known.words.count] */
    spf_term *terms;      /* scratch for one line */
    size_t lines_capacity, terms_capacity;
    uint32_t *set; /* for each set of levels of the forest, the first one with the same levels */
} spf_lines;

/* Free with spf_lines_free. */
sporf_status spf_lines_create(const sporf_forest *forest, spf_lines *lines);
sporf_status spf_lines_add_tree(spf_lines *lines, const spf_tree *tree, const spf_used *used);
void spf_lines_free(spf_lines *lines);

/* Without decreases: adds a projection, whose terms are those of a ranking; and finds the number of
 * one of a tree's, which is added if it is not known yet. */
sporf_status spf_lines_add_terms(spf_lines *lines, size_t terms, const uint32_t *features,
                                 const float *weights);
sporf_status spf_lines_number(spf_lines *lines, const spf_tree *tree, uint32_t projection,
                              uint32_t *number);

/* Sorts the most important first, in a tie the one used first. Nothing can be added afterwards. */
void spf_lines_sort(spf_lines *lines);

static inline size_t spf_line_terms(const spf_lines *lines, const spf_line *line) {
    return spf_strings_length(&lines->known.words, line->number) / sizeof(spf_term);
}

/* Copies the terms of a line as features and weights. */
void spf_line_read(const spf_lines *lines, const spf_line *line, uint32_t *features,
                   float *weights);

#endif
