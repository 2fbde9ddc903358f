/* Categories in candidates. Samplers draw features and know nothing of kinds. Afterwards a category
 * among several terms becomes one of its levels, and one that stands alone a set of them: its
 * levels are put in the order of their classes, and a cut of that order is a set. */
#ifndef SPF_LEARN_GROWING_CATEGORIES_H
#define SPF_LEARN_GROWING_CATEGORIES_H

#include "base/rng.h"
#include "learn/rows/table.h"
#include "learn/sampling/slots.h"
#include "learn/splitting/split.h"
#include "model/projection.h"
#include "model/sets.h"

/* Levels of fewer rows are rare: their order would be that of chance. */
enum { SPF_RARE_BELOW = 5 };

/* A node's rows in parts of equal number, to find rows by weight. */
enum { SPF_LEVELS_PARTS = 64 };

/* What one thread needs for them; all empty if the data have no categories. */
typedef struct spf_categories {
    size_t features;
    const sporf_schema *schema; /* of the data; NULL without categories */
    const float *fill;      /* [features]: what several terms take for a missing value; NULL without
                               missing values */
    uint32_t least;         /* levels that weigh less in a node are rare there */
    const spf_slots *slots; /* that candidates are drawn from */
    char *alone;            /* [features]: whether one of the candidates is this category; all 0
                               between nodes */
    sporf_projections settled; /* candidates with levels in the place of categories */
    spf_set_list sets;         /* which they name */
    uint32_t *leading;         /* [candidates]: the class that orders the levels of one */
    size_t leading_capacity;
    uint64_t *sums;  /* [most levels]: of a level that was found, its weight and above that the
                        class's; 0 for others */
    uint32_t *found; /* [most levels]: levels of the node, in order once they are put in order */
    uint64_t *keys;  /* [2 x most levels]: to sort them */
    float *rank;     /* [most levels]: the place of a level of the node in that order */
    size_t found_count;
    uint32_t part_weight[SPF_LEVELS_PARTS]; /* of the node that is being settled */
    size_t part_rows;
} spf_categories;

/* Room for the data's categories, if it has any. */
sporf_status spf_categories_create(const sporf_dataset *data, const spf_slots *slots,
                                   const float *fill, uint32_t least, spf_categories *levels);
void spf_categories_free(spf_categories *levels);
/* What they take with so many levels at most, and candidates of a node with so many terms. */
double spf_categories_bytes(double levels, double features, double candidates, double terms);

/* The rows of a node, and where their values are. */
typedef struct spf_node_rows {
    const spf_table *table;
    const uint32_t *row;
    size_t count;
} spf_node_rows;

/* Replaces drawn candidates by ones without categories but those that stand alone. */
sporf_status spf_categories_settle(spf_categories *levels, const spf_split_node *node,
                                   const spf_node_rows *rows, sporf_random *random,
                                   sporf_projections *candidates);

/* Whether a candidate is a category that stands alone. */
static inline int spf_categories_alone(const spf_categories *levels,
                                       const sporf_projections *candidates, size_t candidate) {
    uint32_t feature = candidates->feature[candidates->start[candidate]];
    return levels->schema && feature < levels->schema->count &&
           levels->schema->kinds[feature] == SPORF_KIND_CATEGORY &&
           spf_projection_terms(candidates, candidate) == 1;
}

/* The values of such a candidate: places of levels in the order of the share that a class has in
 * them. The class is that of `owner`, whose candidates they are. */
void spf_categories_order(spf_categories *levels, const spf_categories *owner,
                          const spf_split_node *node, const spf_node_rows *rows,
                          const sporf_projections *candidates, size_t candidate, float *values);

/* Makes the candidate, which was just put in order, the set of the levels on the lighter side of a
 * threshold, so that levels which the node has never seen go with the heavier one. Returns in
 * *exchanged whether the set holds what was left: it is right of any threshold between 0 and 1. */
sporf_status spf_categories_take_set(spf_categories *levels, sporf_projections *candidates,
                                     size_t candidate, float threshold, int *exchanged);

#endif
