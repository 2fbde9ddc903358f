/* The sizes that growing is expected to meet, from which its memory is estimated. Sizes that depend
 * on chance, such as the rows in a bag or the terms of winning projections, are bounds that hold on
 * average over a tree's nodes. learn/memory_estimate.c makes them. */
#ifndef SPF_LEARN_GROWING_EXPECTED_H
#define SPF_LEARN_GROWING_EXPECTED_H

#include "model/tree_size.h"

typedef struct spf_expected {
    double rows, features;         /* of the data */
    double classes;                /* counted in leaves: 1 in regression */
    double targets;                /* number of regression targets */
    double levels;                 /* of the category with most levels; 0 without categories */
    double categories, all_levels; /* how many categories, and their levels together */
    double in_bag;                 /* distinct rows that choose the splits of a tree */
    double weight;                 /* rows of a bag with repeats */
    int honest;                    /* other rows fill the leaves */
    double candidates;             /* per node */
    double drawn, terms;           /* terms of a candidate, in slots and in features */
    double basis;                  /* terms of a direction of the tree's basis; 0 without a basis */
    int relative;                  /* weights are relative: draws of rows are counted separately */
    double counted;    /* minimum draws in a leaf if weights do not give them; otherwise 0 */
    int looks_at_rows; /* the sampler reads the rows of nodes, with classes and weights */
    int shared;        /* several threads may grow one tree */
    spf_tree_size tree;
} spf_expected;

/* The most rows that one split divides: those in the bag, or all others. */
static inline double spf_expected_most(const spf_expected *expected) {
    double others = expected->rows - expected->in_bag;
    return others > expected->in_bag ? others : expected->in_bag;
}

/* The number of classes in splits. */
static inline double spf_expected_split_classes(const spf_expected *expected) {
    return expected->classes > 2 ? expected->classes : 2;
}

#endif
