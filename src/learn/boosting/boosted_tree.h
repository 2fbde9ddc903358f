/* One tree of a boosted model, grown on gradients: level by level, or, with a limit of leaves,
 * always where it gains most. Histograms of a node's larger child are those of the node less those
 * of the smaller child. */
#ifndef SPF_LEARN_BOOSTING_BOOSTED_TREE_H
#define SPF_LEARN_BOOSTING_BOOSTED_TREE_H

#include "base/pool.h"
#include "learn/boosting/cut.h"
#include "learn/boosting/gradient_bins.h"
#include "learn/boosting/round_features.h"
#include "learn/boosting/sums.h"
#include "learn/growing/builder.h"

/* A side with less has hardly anything left to learn, and without l2 its step would be endless. */
#define SPF_LEAST_HESSIAN 1e-3

enum { SPF_SCRATCH_BINS = 2 * SPF_GROUP_COLUMNS * SPF_BINS_MOST };

/* What all trees share. */
typedef struct spf_tree_rules {
    const spf_binned *features;
    const spf_sums *sums;
    const spf_round_features *chosen; /* features that may be candidates */
    int all_features; /* all of these are candidates; otherwise those that were drawn alone */
    uint32_t max_depth, max_leaves, min_leaf; /* 0: no limit */
    double l2;
    int bounded;
    size_t histogram_bytes;   /* for the histograms of one tree, at most */
    uint64_t *const *scratch; /* [workers]: the histograms of two parts; SPF_SCRATCH_BINS each */
} spf_tree_rules;

typedef struct spf_grown_node {
    size_t begin, end; /* of its rows */
    uint32_t depth;
    uint32_t left, right; /* children; 0 for a leaf */
    uint64_t total;       /* of pairs */
    double low, high;     /* bounds of its value */
    int32_t slot;         /* of its histograms; -1: none */
    spf_cut cut;          /* the best one, if it was searched */
    double value;         /* of a leaf, with the rate */
    double hessian;       /* of its rows */
} spf_grown_node;

/* A tree while it grows, with memory that is used again for the next one. */
typedef struct spf_boosted_tree {
    const spf_tree_rules *rules;
    spf_gradients gradients;
    uint32_t *rows, *spare; /* [rows of the table]: the rows of node n are rows[begin .. end-1] */
    size_t rows_count;
    spf_grown_node *nodes;
    size_t nodes_count, nodes_capacity, leaves;
    uint64_t *histograms; /* [slots x bins of all columns] */
    size_t histograms_capacity;
    size_t bins, slots, slots_used;
    int32_t *free_slots;
    size_t free_count, free_capacity;
    unsigned workers;
    struct spf_search *search; /* of the nodes that were made last */
} spf_boosted_tree;

sporf_status spf_boosted_tree_create(const spf_tree_rules *rules, size_t rows, unsigned workers,
                                     spf_boosted_tree *tree);
void spf_boosted_tree_free(spf_boosted_tree *tree);

/* Grows a tree on tree->rows[rows_count], whose gradients are filled. Leaves have no value yet. */
sporf_status spf_boosted_tree_grow(spf_boosted_tree *tree, spf_pool *pool, unsigned worker);

/* Sets the bounds of a node's children by those of the node and the values of both sides: with a
 * monotone cut, no leaf of one side may pass the middle. */
void spf_boosted_tree_bound(const spf_boosted_tree *tree, const spf_grown_node *node,
                            double left_value, double right_value);

/* The leaf that a row of the table ends in. */
uint32_t spf_boosted_tree_leaf(const spf_boosted_tree *tree, uint32_t row);

/* Makes the plain tree, once all leaves have values. */
sporf_status spf_boosted_tree_finish(const spf_boosted_tree *tree, spf_tree *out);

/* Columns are numbered: features first, then sums. */
static inline size_t spf_tree_features(const spf_boosted_tree *tree) {
    return tree->rules->features->columns_count;
}

static inline const spf_bin_column *spf_tree_column(const spf_boosted_tree *tree, size_t column) {
    size_t features = spf_tree_features(tree);
    return column < features ? &tree->rules->features->columns[column]
                             : &tree->rules->sums->binned.columns[column - features];
}

static inline const uint8_t *spf_tree_bins(const spf_boosted_tree *tree, size_t column,
                                           size_t *stride) {
    size_t features = spf_tree_features(tree);
    const spf_binned *binned =
        column < features ? tree->rules->features : &tree->rules->sums->binned;
    size_t own = column < features ? column : column - features;
    *stride = spf_bin_group_of(binned, own)->width;
    return spf_bin_bytes(binned, own);
}

#endif
