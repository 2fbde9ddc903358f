/* Predicted probabilities and true classes of rows, which scores of classification are made from,
 * and the losses of single rows. */
#ifndef SPF_SCORE_SCORED_H
#define SPF_SCORE_SCORED_H

#include "base/error.h"

typedef struct spf_scored {
    size_t classes;
    size_t count;                /* rows that count */
    const uint32_t *row;         /* [count]: which ones, ascending */
    const double *probabilities; /* [rows x classes]; those of rows that count are finite */
    uint32_t *label;             /* [rows]: the true class; `classes` if it has no probability */
    uint32_t *predicted;         /* [rows] */
} spf_scored;

/* The negative logarithm of the probability of the true class. A probability of 0 would give an
 * infinite loss: as in scikit-learn it counts as 2^-52. */
double spf_log_loss(double probability);

/* The most probable class, the first in a tie. */
uint32_t spf_most_probable(const double *probabilities, size_t classes);

/* The losses of a row. A true class without a probability counts as one that was given 0. */
double spf_row_log_loss(const spf_scored *scored, size_t row);
double spf_row_brier(const spf_scored *scored, size_t row);

/* Whether fewer than k classes come before the true class: those that are more probable, and in a
 * tie those with higher numbers, as in scikit-learn. For k = 1 whether the prediction is right. */
int spf_row_in_top(const spf_scored *scored, size_t row, size_t k);

#endif
