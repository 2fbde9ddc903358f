/* Errors of regression. */
#include "score/regression_metric.h"

#include "base/sum.h"

typedef struct {
    spf_sum values, weights;
} weighted;

static void add(weighted *sum, double value, const float *weights, size_t row) {
    double weight = weights ? (double)weights[row] : 1;
    spf_sum_add(&sum->values, weight * value);
    spf_sum_add(&sum->weights, weight);
}

static double mean(const weighted *sum) {
    return spf_sum_value(&sum->values) / spf_sum_value(&sum->weights);
}

double spf_mean_square(size_t rows, const float *truth, const double *predicted,
                       const float *weights) {
    weighted sum = {0};
    for (size_t i = 0; i < rows; i++) {
        double miss = (double)truth[i] - predicted[i];
        add(&sum, miss * miss, weights, i);
    }
    return mean(&sum);
}

double spf_rmse(size_t rows, const float *truth, const double *predicted, const float *weights) {
    return sqrt(spf_mean_square(rows, truth, predicted, weights));
}

double spf_mae(size_t rows, const float *truth, const double *predicted, const float *weights) {
    weighted sum = {0};
    for (size_t i = 0; i < rows; i++) add(&sum, fabs((double)truth[i] - predicted[i]), weights, i);
    return mean(&sum);
}

/* The mean squared distance of truth from its mean. */
static double variance(size_t rows, const float *truth, const float *weights) {
    weighted sum = {0}, squares = {0};
    for (size_t i = 0; i < rows; i++) add(&sum, truth[i], weights, i);
    double centre = mean(&sum);
    for (size_t i = 0; i < rows; i++) {
        double distance = (double)truth[i] - centre;
        add(&squares, distance * distance, weights, i);
    }
    return mean(&squares);
}

double spf_r2(size_t rows, const float *truth, const double *predicted, const float *weights) {
    double spread = variance(rows, truth, weights);
    return spread > 0 ? 1 - spf_mean_square(rows, truth, predicted, weights) / spread : (double)NAN;
}

double spf_pinball_loss(size_t rows, const float *truth, const double *predicted, double level,
                        const float *weights) {
    weighted sum = {0};
    for (size_t i = 0; i < rows; i++) {
        double above = (double)truth[i] - predicted[i];
        add(&sum, above >= 0 ? level * above : (level - 1) * above, weights, i);
    }
    return mean(&sum);
}

double spf_coverage(size_t rows, const float *truth, const double *lower, const double *upper,
                    const float *weights) {
    weighted sum = {0};
    for (size_t i = 0; i < rows; i++)
        add(&sum, (double)truth[i] >= lower[i] && (double)truth[i] <= upper[i], weights, i);
    return mean(&sum);
}

double spf_share_below(size_t rows, const float *truth, const double *predicted,
                       const float *weights) {
    weighted sum = {0};
    for (size_t i = 0; i < rows; i++) add(&sum, (double)truth[i] <= predicted[i], weights, i);
    return mean(&sum);
}

double spf_mean_width(size_t rows, const double *lower, const double *upper, const float *weights) {
    weighted sum = {0};
    for (size_t i = 0; i < rows; i++) add(&sum, upper[i] - lower[i], weights, i);
    return mean(&sum);
}
