/* Calibration of predicted probabilities: the Brier score, and how often predictions of a given
 * confidence are right. Rows are added one by one. */
#ifndef SPF_SCORE_CALIBRATION_H
#define SPF_SCORE_CALIBRATION_H

#include "base/sum.h"
#include "sporf.h"

typedef struct spf_calibration {
    spf_sum weight, brier;
    struct {
        size_t rows;
        spf_sum weight, confidence, right;
    } bins[SPORF_CALIBRATION_BINS];
} spf_calibration;

/* Adds one prediction: probabilities[classes], the predicted class and the true one, which is
 * `classes` or more if it has no probability. It counts `weight` times. *c starts as zeros. */
void spf_calibration_add(spf_calibration *c, const double *probabilities, size_t classes,
                         uint32_t predicted, uint32_t truth, double weight);

/* The result for the rows added so far; NaN if their total weight is 0. */
void spf_calibration_result(const spf_calibration *c, sporf_calibration *out);

#endif
