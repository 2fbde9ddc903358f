/* What the decreases of impurity add up to: for each feature, and for each projection. */
#ifndef SPF_MODEL_IMPORTANCE_H
#define SPF_MODEL_IMPORTANCE_H

#include "data/labels.h"
#include "model/forest.h"

/* What the splits that use a projection of a tree take away together, and how many they are. */
typedef struct spf_used_projection {
    double decrease;
    uint64_t splits;
} spf_used_projection;

/* All projections of a tree; reused from tree to tree, starts as zeros. */
typedef struct spf_used {
    spf_used_projection *projections;
    size_t capacity;
} spf_used;

/* decrease[nodes] is what each split takes away. Free used->projections with free(). */
sporf_status spf_used_find(const spf_tree *tree, const double *decrease, spf_used *used);

/* Adds the decreases of a tree to the features of its projections: to each in proportion to its
 * weight in the units that the projection was drawn in. */
void spf_share_decreases(const sporf_forest *forest, const spf_tree *tree, const spf_used *used,
                         double *features);

typedef struct spf_term {
    uint32_t feature;
    float weight;
} spf_term;

/* A projection that splits use, and what these take away. */
typedef struct spf_line {
    double importance;
    uint64_t splits;
    uint32_t number; /* in the order in which trees come to use it */
} spf_line;

/* The different projections of a forest. */
typedef struct spf_lines {
    spf_dictionary known; /* a line is the word that the bytes of its terms make up */
    spf_line *lines;      /* [known.words.count] */
    spf_term *terms;      /* scratch for one line */
    size_t lines_capacity, terms_capacity;
    uint32_t *set; /* for each set of levels of the forest the first that has the same levels */
} spf_lines;

/* Free with spf_lines_free. */
sporf_status spf_lines_create(const sporf_forest *forest, spf_lines *lines);
sporf_status spf_lines_add_tree(spf_lines *lines, const spf_tree *tree, const spf_used *used);
void spf_lines_free(spf_lines *lines);

/* Puts the most important first, in a tie the one that was used first. Nothing can be added
 * afterwards. */
void spf_lines_sort(spf_lines *lines);

static inline size_t spf_line_terms(const spf_lines *lines, const spf_line *line) {
    return spf_strings_length(&lines->known.words, line->number) / sizeof(spf_term);
}

/* Copies the terms of a line, as features and weights. */
void spf_line_read(const spf_lines *lines, const spf_line *line, uint32_t *features,
                   float *weights);

#endif
