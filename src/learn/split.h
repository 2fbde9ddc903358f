/* The best cut of one projected column. A split sees numbers only: values, classes, weights. */
#ifndef SPF_LEARN_SPLIT_H
#define SPF_LEARN_SPLIT_H

#include "base/memory.h"

/* x ln x for whole numbers, from a table while they are small. Values are rounded to multiples of
 * `unit`, so coarse that sums of them carry no rounding: children of equal counts then have equal
 * scores, whatever the order in which their rows came. */
typedef struct spf_xlogx {
    double *table;
    uint64_t size;
    double unit;
} spf_xlogx;

/* For nodes of weight up to `largest`. */
sporf_status spf_xlogx_create(uint64_t largest, spf_xlogx *xlogx);
void spf_xlogx_free(spf_xlogx *xlogx);

/* A node as the splitter sees it; arrays over its rows are in the node's own order. */
typedef struct spf_split_node {
    size_t rows;
    const uint32_t *label;
    const uint32_t *weight;
    const uint32_t *class_total; /* [classes of the forest]: weight of each class */
    const uint32_t *present;     /* classes of the node */
    size_t present_count;
    uint64_t total; /* weight of all rows */
    uint32_t min_leaf;
    sporf_criterion criterion;
    const spf_xlogx *xlogx; /* for entropy */
} spf_split_node;

/* Scratch for one thread, for nodes of up to the number of rows it was made for. */
typedef struct spf_split_scratch {
    uint64_t *keys, *spare;
    uint32_t *left; /* [classes], all 0 between calls */
} spf_split_scratch;

sporf_status spf_split_scratch_create(size_t rows, size_t classes, spf_split_scratch *scratch);
void spf_split_scratch_free(spf_split_scratch *scratch);

/* score: sum over both children of (sum of squared class weights / weight) for Gini, of
 * (sum of c ln c) - n ln n for entropy. Larger is better; the node's own impurity is the same for
 * all cuts and left out. */
typedef struct spf_split {
    int found;
    double score;
    float threshold;
} spf_split;

/* The score no cut can exceed: both children pure. */
double spf_split_perfect(const spf_split_node *node);

/* Tries every cut between adjacent distinct values and replaces *best by the first one with a
 * higher score. The threshold t between values a < b satisfies a <= t < b, so that `<= t` leaves no
 * child empty. */
void spf_split_exact(const spf_split_node *node, const float *values, spf_split_scratch *scratch,
                     spf_split *best);

#endif
