/* A forest as the flat tables in exported source. */
#ifndef SPORF_CLI_EXPORT_TABLES_H
#define SPORF_CLI_EXPORT_TABLES_H

#include "sporf.h"

/* A child below `leaves` of the tables is a leaf: the class that it votes for or, in regression and
 * boosting, its number in the tree. Any other, minus `leaves`, is a split of the same tree, counted
 * from the tree's first. */
typedef struct export_split {
    float threshold;
    uint32_t projection;
    int missing_left;  /* a missing value takes the first child, too */
    uint32_t child[2]; /* if the projected value is at most the threshold, and otherwise */
} export_split;

typedef struct export_tree {
    size_t first;  /* its first split */
    uint32_t root; /* as a child */
} export_tree;

typedef struct export_term {
    uint32_t feature;
    float weight;
} export_term;

/* A set of levels, as bits in `words` words of 32 from level `first` on. */
typedef struct export_set {
    size_t feature, first;
    size_t start, words; /* in the words of all sets */
} export_set;

typedef struct export_tables {
    size_t trees, splits, projections, terms, sets, words, means;
    size_t leaves;   /* every child below is a leaf */
    size_t children; /* every child is below */
    int whole;       /* all weights are integers from -127 to 127 */
    export_tree *tree;
    export_split *split;
    size_t *start; /* [projections + 1] into the terms; projections are distinct */
    export_term *term;
    export_set *set; /* [sets]: the meaning of features beyond the forest's own */
    float *mean;     /* [means]: the values of each leaf, unless leaves vote; tree by tree */
} export_tables;

/* Fills the tables, to be freed in either case. Returns 0, or an exit code after a message. */
int export_tables_fill(export_tables *tables, const sporf_forest *forest, const char *verb);
void export_tables_free(export_tables *tables);

#endif
