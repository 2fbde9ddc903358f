/* A forest as data. learn/ grows plain trees, predict/ packs them and predicts with the packed form
 * (packed.h), io/ stores that.
 *
 * Plain trees are in preorder: a split's left child is the next node, its right child is named.
 * That makes cycles impossible by a simple check, and a subtree a contiguous block. */
#ifndef SPF_MODEL_FOREST_H
#define SPF_MODEL_FOREST_H

#include "data/schema.h"
#include "model/boosting.h"
#include "model/decision.h"
#include "model/packed.h"
#include "model/part.h"
#include "model/trust.h"

typedef struct spf_node {
    float threshold;  /* of a split: projected value <= threshold goes left; of a leaf: 0 */
    uint32_t right;   /* right child; 0 marks a leaf */
    uint32_t content; /* of a split: its projection and SPF_MISSING_LEFT; of a leaf: its number */
} spf_node;

/* A missing projected value goes left with this bit, otherwise right. */
#define SPF_MISSING_LEFT 0x80000000u

static inline uint32_t spf_split_projection(const spf_node *node) {
    return node->content & ~SPF_MISSING_LEFT;
}

/* All offsets and indices are local to the tree. */
typedef struct spf_tree {
    uint32_t nodes_count, projections_count, leaves_count;
    const spf_node *nodes;
    const uint32_t *projection_start; /* [projections_count + 1] into the terms */
    const uint32_t *term_feature;     /* ascending within a projection */
    const float *term_weight;         /* in raw units */
    const uint32_t *leaf_start;       /* [leaves_count + 1] into the leaf entries */
    const uint32_t *leaf_class;       /* ascending within a leaf */
    const float *leaf_weight;         /* training weight of the class in the leaf, > 0 */
    const float *leaf_value;    /* [leaves_count x spf_leaf_width]: what the leaves predict; NULL if
                                   they hold classes */
    const uint32_t *sample_end; /* [leaves_count]: see samples.h; NULL if no leaf has any */
    const float *sample_value, *sample_weight;
    size_t features; /* a term with a higher number names a set: that number minus features */
    spf_sets sets;
    int borrows; /* sets, leaf_value and samples are the forest's */
} spf_tree;

/* The feature of a term, also if it names a set of levels. */
static inline uint32_t spf_term_feature(const spf_tree *tree, uint32_t term) {
    return term < tree->features ? term : tree->sets.sets[term - tree->features].feature;
}

/* Quantile levels for 0, 1/1000, ... 1. */
enum { SPF_LEVELS = 1001 };

/* The memory of a forest's arrays. */
typedef struct spf_storage {
    void *base;    /* NULL: each array was allocated separately */
    size_t mapped; /* length of a mapped file; 0: base was allocated */
} spf_storage;

/* A setting that only exists, as "comma", if numbers were read with decimal commas. */
#define SPF_DECIMAL_SETTING "decimal"
#define SPF_DECIMAL_COMMA_VALUE "comma"

/* A setting that only exists if training ended before all trees were grown, and why. After an
 * interrupt the file is that of a training with fewer trees. */
#define SPF_STOPPED_SETTING "stopped"
#define SPF_STOPPED_ENOUGH "enough"
#define SPF_STOPPED_TIME "time"
#define SPF_STOPPED_INTERRUPT "interrupt"

struct sporf_forest {
    size_t trees_count, features, classes;
    spf_packed packed;
    spf_storage storage;            /* of the packed form */
    int keeps_samples;              /* quantiles can be predicted */
    int weighted;                   /* row weights were not all equal; only after training */
    int trusted;                    /* the packed form was made here, or has been checked */
    spf_tree *trees;                /* [trees_count]: plain trees, until they are packed */
    _Atomic(spf_tree *) *inspected; /* [trees_count]: trees unpacked for inspection */
    sporf_schema schema;            /* of the training data */
    size_t targets;       /* number of regression targets; there is then one class without a name */
    spf_strings settings; /* name, value, name, value, ... */
    float *scale;         /* [features]: factors of the features in training; NULL for none */
    size_t oob_rows;
    double oob_error;                 /* NaN while oob_rows is 0, and so is the next */
    double oob_score;                 /* Cohen's kappa, or R2 for regression */
    double *oob_curve;                /* [trees_count], NULL without bagging */
    sporf_target_scores *oob_targets; /* [targets]; NULL in classification, or without bagging */
    double *oob_labels;      /* [label columns + 1]: the error of each label, then the share of rows
                                with a wrong one; NULL without several labels, or bagging */
    float *oob_levels;       /* [targets x SPF_LEVELS], see learn/outcome/regression_levels.h; NULL
                                without */
    spf_decision decision;   /* how classes follow from probabilities; as the settings say */
    spf_boosting boosting;   /* outputs is 0 in a forest */
    spf_forest_part part;    /* whole is 0 in a whole forest */
    spf_trust trust[2];      /* by sporf_combine: how votes and shares become probabilities */
    uint32_t *oob_votes;     /* [training_rows x classes], only after training */
    double *oob_predictions; /* [training_rows x targets], only after training */
    size_t training_rows;    /* rows of either of these; 0 without them */
    const char *stopped;     /* SPF_STOPPED_ENOUGH, ..., or NULL; only after training */
    uint64_t work;           /* that growing the trees took, except those of a given forest; only
                                after training */
};

static inline int spf_is_boosted(const sporf_forest *forest) {
    return forest->boosting.outputs > 0;
}

/* The targets are the classes of several labels. */
static inline int spf_has_several_labels(const sporf_forest *forest) {
    return forest->schema.label_columns.count > 0;
}

/* Some trees of a forest, to be joined with the others. */
static inline int spf_is_part(const sporf_forest *forest) {
    return forest->part.whole > 0;
}

/* The rounds of a boosted model. */
static inline size_t spf_boosting_rounds(const sporf_forest *forest) {
    return forest->trees_count / (forest->boosting.outputs * forest->boosting.bags);
}

/* Classes that the leaves of trees hold: 1 in regression, and in a boosted model. */
static inline size_t spf_leaf_classes(const sporf_forest *forest) {
    return spf_is_boosted(forest) ? 1 : forest->classes;
}

/* Values of a leaf: one for each target, or one in a boosted model. */
static inline size_t spf_leaf_width(const sporf_forest *forest) {
    return spf_is_boosted(forest) ? 1 : forest->targets;
}

/* Frees the trees of a part, and its out-of-bag rows: what is left describes their training. */
void spf_forest_drop_trees(sporf_forest *forest);

void spf_tree_free(spf_tree *tree);
double spf_tree_bytes(const spf_tree_size *size);
void spf_storage_free(spf_storage *storage);

/* The value of a projection of features: terms are added in order, in single precision, without
 * contraction. Training, walking and packing share this definition; terms that name sets are added
 * in the same way. */
static inline float spf_project_column(const float *const *columns, size_t row,
                                       const uint32_t *features, const float *weights,
                                       size_t terms) {
    float sum = weights[0] * columns[features[0]][row];
    for (size_t i = 1; i < terms; i++) sum += weights[i] * columns[features[i]][row];
    return sum;
}

/* The value of a tree's projection for a row: NaN if a term is missing. */
float spf_tree_project(const spf_tree *tree, uint32_t projection, const float *const *columns,
                       size_t row);

/* The plain walk, the reference for every faster one: the leaf that a row ends in. */
uint32_t spf_tree_walk_columns(const spf_tree *tree, const float *const *columns, size_t row);
uint32_t spf_tree_walk_row(const spf_tree *tree, const float *row);

/* The rest of the walk, from a node on. */
uint32_t spf_tree_walk_from(const spf_tree *tree, uint32_t node, const float *const *columns,
                            size_t row);

/* The largest class of a leaf, the lower index in a tie. */
static inline uint32_t spf_leaf_vote(const spf_tree *tree, uint32_t leaf) {
    uint32_t best = tree->leaf_start[leaf], end = tree->leaf_start[leaf + 1];
    for (uint32_t i = best + 1; i < end; i++)
        if (tree->leaf_weight[i] > tree->leaf_weight[best]) best = i;
    return tree->leaf_class[best];
}

/* Adds a leaf's class shares, which sum to 1, to totals[classes]. */
void spf_leaf_add_posterior(const spf_tree *tree, uint32_t leaf, double *totals);

#endif
