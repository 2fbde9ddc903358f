/* Losses of rows predicted by forests that have not seen them: wrong votes in classification,
 * squared errors in regression. */
#ifndef SPF_TUNE_LOSS_H
#define SPF_TUNE_LOSS_H

#include "data/dataset.h"

/* The predictions of a row are votes for classes, or values of targets. */
typedef struct spf_loss {
    int labelled; /* rows have classes */
    size_t (*row_bytes)(const sporf_dataset *data);
    /* Where prediction writes them, and where a forest stores the out-of-bag ones. */
    void (*place)(sporf_predictions *wanted, void *predictions);
    const void *(*out_of_bag)(const sporf_oob *oob);
    /* loss[rows]: NaN without a prediction. */
    void (*find)(const sporf_dataset *data, const void *predictions, float *loss);
    /* The error measure of forests. */
    double (*error)(double mean_loss);
    /* The area under the curve; NULL if there is none. */
    sporf_status (*auc)(const sporf_dataset *data, const void *predictions, const double *weights,
                        double *auc);
} spf_loss;

const spf_loss *spf_loss_of(const sporf_dataset *data);

#endif
