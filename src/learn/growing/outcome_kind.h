/* What the trees of a training predict, behind one seam. The plan owns it: whoever grows or judges
 * trees asks the plan's outcome and never the table. What differs between classification and
 * regression is one table of functions each (learn/outcome/); they are called once for a node or a
 * tree, never for a row. */
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

typedef struct spf_outcome_kind spf_outcome_kind;

typedef struct spf_outcome {
    const spf_outcome_kind *kind;
    size_t rows;
    const spf_row_weights *weights; /* how much each counts */
    size_t classes;                 /* that leaves count: 1 in regression */
    size_t split_classes;           /* that splitters tell apart: 2 in regression */
    const uint32_t *labels;         /* [rows]; NULL in regression */
    size_t targets;                 /* numbers that a leaf predicts: 0 in classification */
    const float *values;            /* [targets x rows] */
    const float *counts;            /* [rows]: weights as they were given, where they are counts */
    double *scale;                  /* [targets]: one over the spread of each */
    double *unit;                   /* [targets]: what their squared errors are multiplied with */
    int samples;                    /* leaves keep the values of their rows */
    int needs_rows;                 /* what is predicted is looked up by the number of a row */
} spf_outcome;

/* One of the numbers to predict, for each row. */
static inline const float *spf_outcome_values(const spf_outcome *outcome, size_t target) {
    return outcome->values + target * outcome->rows;
}

/* The class of a row; 0 in regression. */
static inline uint32_t spf_outcome_class(const spf_outcome *outcome, uint32_t row) {
    return outcome->labels ? outcome->labels[row] : 0;
}

/* How many classes samplers are told of. */
static inline size_t spf_outcome_seen_classes(const spf_outcome *outcome) {
    return outcome->labels ? outcome->classes : 0;
}

/* What the out-of-bag rows of the trees so far are predicted to be: the head of what each kind
 * tallies. */
typedef struct spf_tally {
    /* Adds one tree; returns the error so far, NaN while no row was ever out of bag. */
    double (*add)(struct spf_tally *tally, const struct spf_grown *grown);
    /* Hands the predictions and their scores over to a forest; nothing can be added afterwards. */
    sporf_status (*hand_over)(struct spf_tally *tally, sporf_forest *forest);
    void (*free)(struct spf_tally *tally);
} spf_tally;

/* An out-of-bag row that ends in another leaf once a feature is shuffled. */
typedef struct spf_move {
    uint32_t row, before, after; /* the leaves */
} spf_move;

struct spf_outcome_kind {
    /* What training asks of data and parameters. */
    sporf_status (*check)(const sporf_dataset *data, const sporf_params *params);
    /* Takes from the data what is to be predicted; kind, rows and weights are set, and samples
     * where they are asked for. */
    sporf_status (*open)(const sporf_dataset *data, spf_outcome *outcome);

    /* Weighs what is in a node into the workspace: class_total, present, total, varies. */
    void (*open_node)(struct spf_workspace *workspace, const struct spf_tree_rows *tree_rows,
                      const struct spf_waiting *node);
    /* The open node as splitters see it. */
    sporf_status (*describe_node)(struct spf_workspace *workspace,
                                  const struct spf_tree_rows *tree_rows,
                                  const struct spf_waiting *node, struct spf_split_node *split);
    /* Adds what a leaf made of the open node holds and predicts. */
    sporf_status (*fill_leaf)(struct spf_workspace *workspace, struct spf_builder *builder);

    /* What a tally takes, as far as it grows with the data. */
    double (*tally_bytes)(const sporf_dataset *data, int samples);
    /* *tally is to be freed by its own function. */
    sporf_status (*tally)(const spf_outcome *outcome, spf_tally **tally);
    /* Adds to costs[count] how much more, or less, rows cost in their leaves after moves. */
    void (*cost_moves)(const spf_outcome *outcome, const spf_tree *tree, const spf_move *moves,
                       size_t count, double *costs);

    /* Names what a forest predicts. */
    sporf_status (*name)(const sporf_dataset *data, sporf_forest *forest);
};

#endif
