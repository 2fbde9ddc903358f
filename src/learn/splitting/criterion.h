/* Splitting criteria. A criterion keeps sums while rows move from right to left, turns them into a
 * score, excludes cuts that cannot win at low cost, and knows the score of a perfect cut. Each is
 * in a file of its own, criterion_NAME.c, which compiles the scans of criterion_scans.h with its
 * arithmetic. */
#ifndef SPF_LEARN_SPLITTING_CRITERION_H
#define SPF_LEARN_SPLITTING_CRITERION_H

#include "base/memory.h"
#include "base/portable_math.h"

#include <math.h>

typedef struct spf_split_node spf_split_node;
typedef struct spf_split spf_split;
typedef struct spf_order spf_order;
typedef struct spf_lane_cut spf_lane_cut;
typedef struct spf_bin_walk spf_bin_walk;

/* Sums over the classes of a node. */
typedef struct spf_class_sums {
    uint64_t squares; /* of squared weights: Gini */
    double xlogx;     /* of x ln x: entropy */
} spf_class_sums;

/* Sums over the classes of the left side, and for the right side. */
typedef struct spf_sums {
    uint64_t weight;         /* on the left */
    uint64_t squares, cross; /* Gini: squares of left weights; left weights times all weights */
    double xlogx_left, xlogx_right; /* entropy */
} spf_sums;

typedef struct spf_criterion {
    const char *name;
    int pairs;   /* two classes have scans of their own, which regression uses, too: see split.h */
    int squares; /* several classes are scored by sums of squares, which kernels can */
    int logarithms;                                /* nodes need a table of x ln x */
    void (*open)(spf_split_node *node);            /* sets node->sums */
    double (*perfect)(const spf_split_node *node); /* the score of pure children */
    /* The scans of criterion_scans.h. `left` is what is left of the first row; all 0 afterwards. */
    void (*scan_rows)(const spf_split_node *node, const float *values, const spf_order *order,
                      uint32_t *left, spf_split *best);
    void (*scan_lane)(const spf_split_node *node, const uint32_t *lane, size_t stride,
                      uint32_t mask, uint32_t *left, spf_lane_cut *cut);
    void (*walk_counts)(spf_bin_walk *walk);
    void (*walk_tags)(spf_bin_walk *walk);
} spf_criterion;

/* Each is defined in criterion_NAME.c. */
extern const spf_criterion spf_criterion_gini;
extern const spf_criterion spf_criterion_entropy;

/* A row for each, in the order of sporf_criterion; names are those of the option. */
#define SPF_CRITERIA(ROW)                                                                          \
    ROW(SPORF_GINI, gini)                                                                          \
    ROW(SPORF_ENTROPY, entropy)

const spf_criterion *spf_criterion_of(sporf_criterion criterion);

/* x ln x for integers, from a table for small ones. Values are rounded to multiples of `unit`, so
 * coarse that their sums are exact: children with equal counts then have equal scores, whatever the
 * order of their rows. */
typedef struct spf_xlogx {
    double *table;
    uint64_t size;
    double unit;
} spf_xlogx;

/* For nodes with weights up to `largest`. */
sporf_status spf_xlogx_create(uint64_t largest, spf_xlogx *xlogx);
void spf_xlogx_free(spf_xlogx *xlogx);
double spf_xlogx_bytes(double largest);

/* The same without the table. */
static inline double spf_xlogx_of(uint64_t number, double unit) {
    return number < 2 ? 0 : rint((double)number * spf_log((double)number) / unit) * unit;
}

static inline double spf_xlogx_at(const spf_xlogx *xlogx, uint64_t number) {
    return number < xlogx->size ? xlogx->table[number] : spf_xlogx_of(number, xlogx->unit);
}

#endif
