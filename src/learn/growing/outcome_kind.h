/* What the trees of a training predict. It belongs to the plan: code that grows or evaluates trees
 * asks the plan's outcome and never the table. Classification and regression are one table of
 * functions each (learn/outcome/), called once for a node or a tree, never for a row. */
#ifndef SPF_LEARN_GROWING_OUTCOME_KIND_H
#define SPF_LEARN_GROWING_OUTCOME_KIND_H

#include "data/dataset.h"
#include "learn/rows/row_weights.h"
#include "model/forest.h"

struct spf_workspace;
struct spf_tree_rows;
struct spf_waiting;
struct spf_split_node;
struct spf_builder;
struct spf_grown;
struct spf_evidence;

typedef struct spf_outcome_kind spf_outcome_kind;

typedef struct spf_outcome {
    const spf_outcome_kind *kind;
    size_t rows;
    const spf_row_weights *weights; /* row weights */
    size_t classes;                 /* classes in leaves: 1 in regression */
    size_t split_classes;           /* classes for splitters: 2 in regression */
    const uint32_t *labels;         /* [rows]; NULL in regression */
    size_t targets;                 /* numbers that a leaf predicts: 0 in classification */
    const float *values;            /* [targets x rows] */
    int samples;                    /* leaves store the values of their rows */
    int calibrates;                 /* the tally learns how far votes can be trusted */
    int judged;                     /* the tally is asked whether the trees are enough */
    int needs_rows;                 /* outcomes are looked up by row number */
    void *state;                    /* of the kind; NULL if it has none */
} spf_outcome;

/* The values of one target. */
static inline const float *spf_outcome_values(const spf_outcome *outcome, size_t target) {
    return outcome->values + target * outcome->rows;
}

/* The class of a row; 0 in regression. */
static inline uint32_t spf_outcome_class(const spf_outcome *outcome, uint32_t row) {
    return outcome->labels ? outcome->labels[row] : 0;
}

/* The number of classes that samplers see. */
static inline size_t spf_outcome_seen_classes(const spf_outcome *outcome) {
    return outcome->labels ? outcome->classes : 0;
}

/* The out-of-bag predictions of the trees so far: the first member of each kind's own tally. */
typedef struct spf_tally {
    /* Adds one tree; returns the error so far, NaN while no row was out of bag. */
    double (*add)(struct spf_tally *tally, const struct spf_grown *grown);
    /* Adds several trees in order, by that many threads; errors[i] becomes what add would return
     * for tree i. Returns 0 if it cannot, and has not added any then. May be NULL. */
    int (*add_all)(struct spf_tally *tally, const struct spf_grown *grown, size_t count,
                   unsigned threads, double *errors);
    /* Adds what the rows say on whether the trees are enough; only if the outcome is judged. */
    void (*weigh)(const struct spf_tally *tally, struct spf_evidence *evidence);
    /* Moves the predictions and their scores to a forest; nothing can be added afterwards. That
     * many threads may help. */
    sporf_status (*hand_over)(struct spf_tally *tally, unsigned threads, sporf_forest *forest);
    void (*free)(struct spf_tally *tally);
} spf_tally;

/* An out-of-bag row that ends in another leaf after a feature is shuffled. */
typedef struct spf_move {
    uint32_t row, before, after; /* the leaves */
} spf_move;

/* What a leaf holds: weights of classes, and numbers that it predicts. */
typedef struct spf_leaf_size {
    size_t classes, targets;
} spf_leaf_size;

struct spf_outcome_kind {
    /* values of options that are auto */
    uint32_t min_split;
    sporf_scale scale; /* AUTO: only features in different units are scaled */
    int few_terms;     /* the density is that of tables with few features */

    int labelled;      /* rows have a class: bags may be stratified, and classes weighed */
    int classifies;    /* pilot forests try the settings of classification */
    int keeps_samples; /* leaves can keep the values of their rows */
    spf_leaf_size (*leaf)(const sporf_dataset *data);

    /* Checks data, parameters and sampler. */
    sporf_status (*check)(const sporf_dataset *data, const sporf_params *params,
                          const sporf_sampler *sampler);
    /* Takes the outcome from the data; kind, rows, weights, classes, targets and
     * samples are set. */
    sporf_status (*open)(const sporf_dataset *data, spf_outcome *outcome);
    /* Frees the state, also after open failed. NULL if the kind has none. */
    void (*close)(spf_outcome *outcome);

    /* Sums the outcome of a node into the workspace: class_total, present, total, varies. */
    void (*open_node)(struct spf_workspace *workspace, const struct spf_tree_rows *tree_rows,
                      const struct spf_waiting *node);
    /* Describes the open node to splitters. */
    sporf_status (*describe_node)(struct spf_workspace *workspace,
                                  const struct spf_tree_rows *tree_rows,
                                  const struct spf_waiting *node, struct spf_split_node *split);
    /* Adds the content and the prediction of a leaf made from the open node. */
    sporf_status (*fill_leaf)(struct spf_workspace *workspace, struct spf_builder *builder);

    /* Memory of a tally, as far as it grows with the data; `calibrates`: it learns levels of
     * quantiles, or how far votes can be trusted. */
    double (*tally_bytes)(size_t rows, const spf_leaf_size *leaf, int calibrates);
    /* The tally is freed by its own function. */
    sporf_status (*tally)(const spf_outcome *outcome, spf_tally **tally);
    /* Adds the change of the rows' loss after moves to costs[count]. */
    void (*cost_moves)(const spf_outcome *outcome, const spf_tree *tree, const spf_move *moves,
                       size_t count, double *costs);

    /* Sets the names of a forest's classes or targets. */
    sporf_status (*name)(const sporf_dataset *data, sporf_forest *forest);
};

#endif
