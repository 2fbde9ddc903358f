/* The Brier score over all classes, and reliability by bins of confidence (Guo et al. 2017: On
 * calibration of modern neural networks). */
#include "score/calibration.h"

static size_t bin_of(double confidence) {
    size_t bin = (size_t)(confidence * SPORF_CALIBRATION_BINS);
    return bin < SPORF_CALIBRATION_BINS ? bin : SPORF_CALIBRATION_BINS - 1;
}

/* The squared distance from the truth: 1 for that class, 0 for the others. A true class without a
 * probability counts as one that was given 0. */
static double distance(const double *probabilities, size_t classes, uint32_t truth) {
    double sum = truth >= classes;
    for (size_t k = 0; k < classes; k++) {
        double miss = probabilities[k] - (k == truth);
        sum += miss * miss;
    }
    return sum;
}

void spf_calibration_add(spf_calibration *c, const double *probabilities, size_t classes,
                         uint32_t predicted, uint32_t truth, double weight) {
    double confidence = probabilities[predicted];
    size_t bin = bin_of(confidence);
    spf_sum_add(&c->weight, weight);
    spf_sum_add(&c->brier, weight * distance(probabilities, classes, truth));
    c->bins[bin].rows++;
    spf_sum_add(&c->bins[bin].weight, weight);
    spf_sum_add(&c->bins[bin].confidence, weight * confidence);
    spf_sum_add(&c->bins[bin].right, predicted == truth ? weight : 0);
}

void spf_calibration_result(const spf_calibration *c, sporf_calibration *out) {
    double all = spf_sum_value(&c->weight);
    spf_sum gap = {0};
    for (size_t b = 0; b < SPORF_CALIBRATION_BINS; b++) {
        double weight = spf_sum_value(&c->bins[b].weight),
               confidence = spf_sum_value(&c->bins[b].confidence),
               right = spf_sum_value(&c->bins[b].right);
        out->bins[b] = (sporf_calibration_bin){.rows = c->bins[b].rows,
                                               .weight = weight,
                                               .confidence = confidence / weight,
                                               .accuracy = right / weight};
        spf_sum_add(&gap, fabs(confidence - right));
    }
    out->brier = spf_sum_value(&c->brier) / all;
    out->error = spf_sum_value(&gap) / all;
}
