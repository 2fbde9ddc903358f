/* Out-of-bag predictions of numbers, added up tree by tree. */
#ifndef SPF_LEARN_OOB_OOB_VALUES_H
#define SPF_LEARN_OOB_OOB_VALUES_H

#include "learn/growing/grow.h"

typedef struct spf_oob_values {
    const sporf_dataset *data;
    const spf_row_weights *row_weights;
    double *sums;      /* [rows x targets]: of the trees' predictions */
    uint32_t *trees;   /* [rows]: how many trees they are of */
    double *predicted; /* [rows]: the mean of one target; 0 while no tree predicts it */
    float *weights;    /* [rows]: those of rows, or 0 while no tree predicts the row */
} spf_oob_values;

/* The weights must live as long. */
sporf_status spf_oob_values_create(const sporf_dataset *data, const spf_row_weights *row_weights,
                                   spf_oob_values *tally);
void spf_oob_values_free(spf_oob_values *tally);

/* Adds one tree. Returns the root of the mean squared error so far, over rows and targets; NaN
 * while no row was ever out of bag. */
double spf_oob_values_add(spf_oob_values *tally, const spf_grown *grown);

/* How many rows were out of bag. */
size_t spf_oob_values_rows(const spf_oob_values *tally);

/* How well each target was predicted: *scores has one for each and is the caller's to free. */
sporf_status spf_oob_values_scores(spf_oob_values *tally, spf_target_scores **scores);

/* The means for each row, row by row, NaN where no tree predicts it: *predictions is the caller's
 * to free, and made of the sums, to which nothing can be added afterwards. */
void spf_oob_values_hand_over(spf_oob_values *tally, double **predictions);

/* The mean of R2 over those targets that vary; NaN where none does. */
double spf_mean_r2(const spf_target_scores *scores, size_t targets);

#endif
