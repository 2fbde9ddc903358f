/* Out-of-bag predictions of numbers, added up tree by tree. */
#ifndef SPF_LEARN_OOB_VALUES_H
#define SPF_LEARN_OOB_VALUES_H

#include "learn/grow.h"

typedef struct spf_oob_values {
    const sporf_dataset *data;
    const spf_row_weights *weights;
    double *sums;    /* [targets x rows]: of the trees' predictions */
    uint32_t *trees; /* [rows]: how many trees they are of */
} spf_oob_values;

sporf_status spf_oob_values_create(const sporf_dataset *data, const spf_row_weights *weights,
                                   spf_oob_values *tally);
void spf_oob_values_free(spf_oob_values *tally);

/* Adds one tree. Returns the root of the mean squared error so far, over rows and targets; NaN
 * while no row was ever out of bag. */
double spf_oob_values_add(spf_oob_values *tally, const spf_grown *grown);

/* How many rows were out of bag, and the mean over targets of R2, the share of the variance that is
 * explained; NaN where nothing varies. */
size_t spf_oob_values_rows(const spf_oob_values *tally);
double spf_oob_values_r2(const spf_oob_values *tally);

#endif
