/* The best cut of projected columns. A splitter sees only numbers: values, classes, weights. */
#ifndef SPF_LEARN_SPLITTING_SPLIT_H
#define SPF_LEARN_SPLITTING_SPLIT_H

#include "base/memory.h"
#include "learn/splitting/criterion.h"
#include "learn/splitting/missing.h"

typedef struct spf_kernels spf_kernels;

/* The most columns that are sorted side by side; how many are depends on the processor. */
enum { SPF_LANES_MAX = 8 };

/* A node for the splitters; arrays over its rows are in the node's order. Classes are numbered
 * within the node, and each has a positive weight. */
struct spf_split_node {
    size_t rows, classes;
    size_t stands_for;   /* how many rows these stand for, if they are sums of others; 0 if not */
    const uint32_t *tag; /* of a row: its class above weight_bits bits of (positive) weight */
    unsigned weight_bits;
    const uint64_t *pair; /* spf_row_pair of each row; for two classes in bins, and regression */
    const uint32_t *class_total; /* [classes]: weight of each class */
    uint64_t total;              /* of all rows, below 2^32 */
    uint32_t min_leaf;           /* least weight of a child */
    const spf_criterion *criterion;
    const spf_xlogx *xlogx; /* for criteria with logarithms */
    /* Regression with one target: there are two classes, no tags, and the upper half of a pair is a
     * share of the row's weight (learn/outcome/regression_nodes.c). */
    int numeric;
    size_t targets;
    const float *value; /* [targets x rows], if there are several targets */
    /* If children need several draws of rows and weights do not show them: how often each row is in
     * the bag, all of them together, and how many draws a child needs. Otherwise NULL. */
    const uint32_t *draws;
    uint64_t drawn;
    uint32_t least_draws;
    int numbered;        /* there are pairs, and lanes may look rows up by number */
    spf_class_sums sums; /* set by criterion->open, after the fields above */
};

static inline uint32_t spf_tag_class(const spf_split_node *node, size_t row) {
    return node->tag[row] >> node->weight_bits;
}

static inline uint32_t spf_tag_weight(const spf_split_node *node, size_t row) {
    return node->tag[row] & ((1u << node->weight_bits) - 1);
}

/* Weight, plus 2^32 times the weight in class 1. */
static inline uint64_t spf_tag_pair(const spf_split_node *node, size_t row) {
    uint32_t weight = spf_tag_weight(node, row);
    return (uint64_t)(weight & -spf_tag_class(node, row)) << 32 | weight;
}

/* The same for a row of any node, for a scan of two classes. */
static inline uint64_t spf_row_pair(const spf_split_node *node, size_t row) {
    return node->numeric ? node->pair[row] : spf_tag_pair(node, row);
}

static inline uint32_t spf_row_weight(const spf_split_node *node, size_t row) {
    return node->numeric ? (uint32_t)node->pair[row] : spf_tag_weight(node, row);
}

/* Whether the node is scanned as pairs. */
static inline int spf_split_is_pair(const spf_split_node *node) {
    return node->classes == 2 && node->criterion->pairs;
}

/* A column's range, or a part of it, in equal bins. */
typedef struct spf_bins {
    float low, high, per_unit;
    uint32_t count;
    int exact;   /* each bin holds one value */
    int partial; /* some values are below low or above high */
} spf_bins;

/* score: for pairs (c N - C n)^2 / (n (N - n)), where n of the total weight N and c of the weight C
 * of class 1 go left; otherwise the criterion's. Larger is better; terms that are the same for all
 * cuts of the node are left out. */
struct spf_split {
    int found;
    double score;
    float threshold;
    spf_missing_side missing_side; /* the side of missing values; unknown to splitters */
    /* If not 0, the threshold is not known yet: the cut is behind bin `bin` of `bins`, and
     * spf_split_refine finds it. */
    int coarse;
    spf_bins bins;
    uint32_t bin, next_bin; /* and before the next non-empty bin */
};

/* The midpoint of a < b in single precision, but never b itself. */
static inline float spf_threshold_between(float a, float b) {
    float middle = (float)(((double)a + (double)b) * 0.5);
    return middle < b ? middle : a;
}

/* Rows in bins: see histogram.h. */
typedef struct spf_histogram {
    const spf_kernels *kernels; /* that counted it */
    spf_bins bins;
    int in_pairs;
    size_t width;     /* counters per slot; 0 if rows are sorted instead */
    uint64_t *pairs;  /* [slots] */
    uint32_t *counts; /* [slots and two more] x [width]; or [slots], the end of each, and tags */
    size_t pairs_capacity, counts_capacity;
} spf_histogram;

/* Scratch memory of one thread, for nodes with at most that many classes; it grows with the nodes'
 * rows. */
typedef struct spf_split_scratch {
    uint64_t *keys, *spare; /* for sorting */
    size_t keys_capacity, spare_capacity;
    uint32_t *left; /* [classes and some more], all 0 between calls */
    const spf_kernels *kernels;
    uint32_t *lanes; /* [SPF_LANES_MAX x SPF_LANES_ROWS], at the start of a cache line */
    void *lanes_storage;
    uint32_t *numbers; /* [SPF_LANES_ROWS]: 0, 1, 2, ... */
    double *sums;      /* [targets] */
    size_t sums_capacity;
    spf_histogram histogram;
} spf_split_scratch;

sporf_status spf_split_scratch_create(size_t classes, spf_split_scratch *scratch);
void spf_split_scratch_free(spf_split_scratch *scratch);
/* Its memory for nodes with up to that many rows and targets. */
double spf_split_scratch_bytes(double rows, double classes, double targets);

/* The score of pure children, which no cut can exceed. */
double spf_split_perfect(const spf_split_node *node);

/* Tries every cut between adjacent distinct values and replaces *best by the first one with a
 * higher score. The threshold t between values a < b satisfies a <= t < b, so that `<= t` leaves no
 * child empty. */
sporf_status spf_split_exact(const spf_split_node *node, const float *values,
                             spf_split_scratch *scratch, spf_split *best);

/* The same for up to scratch->kernels->lanes columns at once, in nodes with up to SPF_LANES_ROWS
 * rows: values[c * SPF_LANES_ROWS + i] is row i of column c, padded with up to three zeros to a
 * multiple of four. *winner is set to the column that replaced *best, if one did. */
enum {
    SPF_LANES_ROWS = 512,
    SPF_LANES_ROWS_BINNED = 128, /* counting in bins is faster from here on */
};
sporf_status spf_split_lanes(const spf_split_node *node, const float *values, size_t columns,
                             spf_split_scratch *scratch, spf_split *best, size_t *winner);

/* The same as spf_split_exact for a node with several targets. */
sporf_status spf_split_targets(const spf_split_node *node, const float *values,
                               spf_split_scratch *scratch, spf_split *best);

/* Bounds of a column of integers. */
typedef struct spf_whole {
    float low, high;
} spf_whole;

/* Tries the cuts between bins of equal width, and those within heavy bins. Such a cut replaces
 * *best as a coarse one. `whole` is NULL unless the values are integers; with few distinct ones the
 * search is exact. */
enum { SPF_BINS_MAX = 256, SPF_VALUES_MAX = 1536 };
uint32_t spf_split_bins(const spf_split_node *node); /* how many bins a column gets */
sporf_status spf_split_histogram(const spf_split_node *node, const float *values,
                                 const spf_whole *whole, spf_split_scratch *scratch,
                                 spf_split *best);

/* Finds the best cut within the two bins of a coarse cut, exactly. */
sporf_status spf_split_refine(const spf_split_node *node, const float *values,
                              spf_split_scratch *scratch, spf_split *best);

#endif
