/* What is predicted from which rows. */
#ifndef SPF_PREDICT_WANTED_H
#define SPF_PREDICT_WANTED_H

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

#endif
