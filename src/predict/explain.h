/* Shapley values of rows, for all trees and background rows (interventional: Janzing, Minorics and
 * Bloebaum 2020). Values are exact, but for trees in which that would take too many steps. */
#ifndef SPF_PREDICT_EXPLAIN_H
#define SPF_PREDICT_EXPLAIN_H

#include "predict/predict.h"
#include "predict/shapley_tree.h"

/* Numbers projections: equal ones of all trees are one line. */
typedef struct spf_line_finder {
    /* Fills line[projections]; *count is above all numbers so far. */
    sporf_status (*find)(void *context, const spf_tree *tree, uint32_t *line, size_t *count);
    void *context;
} spf_line_finder;

typedef struct spf_explaining {
    const sporf_forest *forest;
    spf_values rows, background;
    spf_leaf_adds adds;
    const spf_line_finder *projections; /* NULL: players are features */
    size_t places;   /* of a row's values: features, or the first lines and all others */
    uint64_t budget; /* steps of a row in a tree with a block of background rows */
    size_t pairs;    /* of walks for each background row where the budget does not suffice */
    uint64_t seed;
    uint64_t first_row; /* of a larger table, whose rows have random numbers of their own */
    unsigned threads;
    const sporf_hooks *hooks; /* of which progress and interrupt are used */
    double *values;           /* [rows x places x outputs] */
    double *errors;           /* the same: standard errors, 0 where all is exact; may be NULL */
} spf_explaining;

/* How many outputs of a row are explained. */
size_t spf_explained_outputs(const sporf_forest *forest);

/* *estimated is the share of values, by tree and row, for which the budget did not suffice. */
sporf_status spf_explain(const spf_explaining *request, double *estimated);

#endif
