/* Prediction with the packed form: blocks of rows, and within a block tree by tree. */
#ifndef SPF_PREDICT_PREDICT_H
#define SPF_PREDICT_PREDICT_H

#include "model/combine.h"

/* The results wanted; each may be NULL. */
typedef struct spf_predictions {
    uint32_t *classes;            /* [rows] */
    const spf_decision *decision; /* that names them; NULL: the most probable class */
    double *outputs;              /* [rows x outputs]: class probabilities, or values of targets */
    double *scores;               /* [rows x boosting.outputs], of a boosted model */
    uint32_t *votes;              /* [rows x classes]: trees that vote for the class */
    uint32_t *tree_classes;       /* [rows x trees] */
    uint32_t *leaves;             /* [rows x trees]: numbers of leaves */
    uint32_t *tree_leaves;        /* [rows]: those of one tree; */
    size_t tree;                  /* if nothing else is wanted, only it is walked */
} spf_predictions;

/* A table with columns in the model's order. */
typedef struct spf_values {
    const float *const *columns; /* [features], each of rows values */
    size_t rows;
    int has_missing; /* some may be missing */
} spf_values;

/* How trees are combined changes neither votes nor values of targets. */
sporf_status spf_predict(const sporf_forest *forest, const spf_values *values, spf_combining how,
                         unsigned threads, const spf_predictions *out);

/* Predicts one row into outputs[outputs]. Returns 0 if the file of a forest that was opened
 * unchecked turns out to be damaged. */
int spf_predict_row(const sporf_forest *forest, const float *row, spf_combining how,
                    double *outputs);

#endif
