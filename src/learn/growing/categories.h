/* Categories in candidates. Samplers draw features and do not know their kinds. Afterwards a
 * category among several terms becomes one of its levels, and one that is the only term a set of
 * levels: the levels are sorted by their class shares, and a cut in that order is a set. */
#ifndef SPF_LEARN_GROWING_CATEGORIES_H
#define SPF_LEARN_GROWING_CATEGORIES_H

#include "base/rng.h"
#include "learn/growing/level_codes.h"
#include "learn/sampling/slots.h"
#include "learn/splitting/split.h"
#include "model/projection.h"
#include "model/sets.h"

/* Levels with fewer rows are rare: their order would be chance. */
enum { SPF_RARE_BELOW = 5 };

/* A row that a candidate looks at: the one with this unit of the node's weight, counted from 0 in
 * the order of rows. What is seen is its level of a category, or its class. */
typedef struct spf_look {
    uint32_t ticket, feature; /* SPF_LOOK_CLASS for the class */
} spf_look;

enum { SPF_LOOK_CLASS = UINT32_MAX };

/* All looks of a node's candidates, in the order in which they are resolved. They do not depend on
 * what is seen, so that they can be listed first, and resolved again with what was found. */
typedef struct spf_looks {
    spf_look *look;
    size_t count, capacity;
    const uint32_t *found; /* [count]: a level or a class; NULL while looks are only listed */
} spf_looks;

/* If a row has no level, others are tried: the tickets of all tries, the first one included. */
enum { SPF_LOOK_TRIES = 4 };
void spf_look_tickets(uint32_t ticket, uint32_t total, uint32_t tickets[SPF_LOOK_TRIES]);

/* A node's rows in parts of equal size, to find rows by weight. */
enum { SPF_LEVELS_PARTS = 64 };

/* Up to this weight every unit of a node has its row in a list. */
enum { SPF_LEVELS_UNITS = 1024 };

/* Memory of one thread; empty if the data have no categories. */
typedef struct spf_categories {
    size_t features;
    const sporf_schema *schema; /* of the data; NULL without categories */
    const float *fill;      /* [features]: replaces a missing value in sums of several terms; NULL
                               without missing values */
    uint32_t least;         /* levels with less weight in a node are rare */
    const spf_slots *slots; /* slots that candidates are drawn from */
    char *alone; /* [features]: whether the category is the only term of a candidate; all 0 between
                    nodes */
    sporf_projections resolved; /* candidates with levels in place of categories */
    spf_set_list sets;          /* the sets that they name */
    uint32_t *leading;          /* [candidates]: the class that orders the levels */
    size_t leading_capacity;
    uint64_t *sums; /* [most levels]: of a level in the node, its weight and, in the upper half, the
                       class's; otherwise 0 */
    uint32_t *found;           /* [most levels]: levels in the node, later sorted */
    uint64_t *keys;            /* [2 x most levels]: for sorting */
    float *rank;               /* [most levels]: the rank of a level in that order */
    size_t found_count, ranks; /* the levels in the node, and how many different ranks */
    uint32_t part_weight[SPF_LEVELS_PARTS]; /* of the current node */
    size_t part_rows;
    uint16_t row_of_unit[SPF_LEVELS_UNITS];
    spf_level_codes codes; /* of the levels in the candidates */
} spf_categories;

/* Allocates for the data's categories, if any. */
sporf_status spf_categories_create(const sporf_dataset *data, const spf_slots *slots,
                                   const float *fill, uint32_t least, spf_categories *levels);
void spf_categories_free(spf_categories *levels);
double spf_categories_bytes(const spf_expected *expected);

/* Replaces the categories of drawn candidates, except those that are the only term. */
sporf_status spf_categories_resolve(spf_categories *levels, const spf_split_node *node,
                                    const spf_node_rows *rows, sporf_random *random,
                                    sporf_projections *candidates);

/* Whether a candidate is a single category. */
static inline int spf_categories_alone(const spf_categories *levels,
                                       const sporf_projections *candidates, size_t candidate) {
    uint32_t feature = candidates->feature[candidates->start[candidate]];
    return levels->schema && feature < levels->schema->count &&
           levels->schema->kinds[feature] == SPORF_KIND_CATEGORY &&
           spf_projection_terms(candidates, candidate) == 1;
}

/* The values of such a candidate: ranks of levels in the order of a class's share in them. The
 * class is the one in `owner`, which drew the candidates. */
void spf_categories_order(spf_categories *levels, const spf_categories *owner,
                          const spf_split_node *node, const spf_node_rows *rows,
                          const sporf_projections *candidates, size_t candidate, float *values);

/* The same without values: sums[1 + rank] becomes the sum of pairs of the levels with that rank,
 * for nodes with two classes, and *missing that of rows without a level; returns the number of
 * ranks. sums[0] and the one behind the last rank are free. */
size_t spf_categories_add_up(spf_categories *levels, const spf_node_rows *rows,
                             const spf_split_node *node, uint32_t feature, uint64_t **sums,
                             uint64_t *missing);

/* Makes the candidate just sorted the set of the levels on the lighter side of a threshold, so that
 * levels the node has not seen go to the heavier side. *exchanged tells whether the set holds the
 * left side: then it is right of any threshold between 0 and 1. */
sporf_status spf_categories_take_set(spf_categories *levels, sporf_projections *candidates,
                                     size_t candidate, float threshold, int *exchanged);

#endif
