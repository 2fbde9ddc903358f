/* What the decreases of impurity add up to: for each feature, and for each projection. */
#ifndef SPF_MODEL_IMPORTANCE_H
#define SPF_MODEL_IMPORTANCE_H

#include "model/forest.h"

/* Adds the decrease of each split of a tree to the features of its projection: to each in
 * proportion to its weight in the units that the projection was drawn in. */
void spf_share_decreases(const sporf_forest *forest, const spf_tree *tree, const double *decrease,
                         double *features);

/* A projection that splits use: its terms, from start on, and what its splits take away. */
typedef struct spf_line {
    double importance;
    uint64_t splits;
    size_t start, terms;
} spf_line;

/* The different projections of a forest in the order in which trees come to use them. */
typedef struct spf_lines {
    size_t count, terms_count;
    spf_line *lines;
    uint32_t *feature;
    float *weight;
    uint32_t *slots; /* open addressing: 1 + number of a line, 0 for free */
    size_t slots_count, lines_capacity, feature_capacity, weight_capacity;
    uint32_t *set; /* for each set of levels of the forest the first that has the same levels */
} spf_lines;

/* Free with spf_lines_free. */
sporf_status spf_lines_create(const sporf_forest *forest, spf_lines *lines);
sporf_status spf_lines_add_tree(spf_lines *lines, const spf_tree *tree, const double *decrease);
void spf_lines_free(spf_lines *lines);

/* Puts the most important first, in a tie the one that was used first. Nothing can be added
 * afterwards. */
void spf_lines_sort(spf_lines *lines);

#endif
