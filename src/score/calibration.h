/* How far the probabilities of predictions can be trusted: the Brier score, and how often a
 * prediction made with a certain confidence is right. Rows are added one by one. */
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

/* One prediction: probabilities[classes], the class predicted and the true one, which is `classes`
 * or more where it has no probability. It counts `weight` times; start from zeros. */
void spf_calibration_add(spf_calibration *c, const double *probabilities, size_t classes,
                         uint32_t predicted, uint32_t truth, double weight);

/* What the rows added so far come to; NaN if they weigh nothing. */
void spf_calibration_result(const spf_calibration *c, sporf_calibration *out);

#endif
