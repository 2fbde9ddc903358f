/* What rows cost that forests predict without having seen them: of classification wrong votes, of
 * regression squared errors. */
#ifndef SPF_TUNE_LOSS_H
#define SPF_TUNE_LOSS_H

#include "data/dataset.h"

/* Predictions of a row are votes for classes, or values of targets. */
typedef struct spf_loss {
    size_t (*row_bytes)(const sporf_dataset *data);
    /* Where prediction puts them, and where a forest has those out of bag. */
    void (*place)(sporf_predictions *wanted, void *predictions);
    const void *(*out_of_bag)(const sporf_oob *oob);
    /* loss[rows]: NaN if nothing is predicted. */
    void (*find)(const sporf_dataset *data, const void *predictions, float *loss);
    /* The error that forests are known by. */
    double (*error)(double mean_loss);
    /* The area under the curve; NULL if there is none. */
    sporf_status (*auc)(const sporf_dataset *data, const void *predictions, const double *weights,
                        double *auc);
} spf_loss;

const spf_loss *spf_loss_of(const sporf_dataset *data);

#endif
