/* Errors of regression. Each is a mean over rows, weighted if weights is not NULL, and summed in
 * row order with compensation (base/sum.h). NaN if the total weight is 0. */
#ifndef SPF_SCORE_REGRESSION_METRIC_H
#define SPF_SCORE_REGRESSION_METRIC_H

#include <stddef.h>

/* The mean squared error, its root, and the mean absolute error. */
double spf_mean_square(size_t rows, const float *truth, const double *predicted,
                       const float *weights);
double spf_rmse(size_t rows, const float *truth, const double *predicted, const float *weights);
double spf_mae(size_t rows, const float *truth, const double *predicted, const float *weights);

/* The explained share of the variance: 1 - squared errors / squared distances from the mean. Below
 * 0 if the mean would have been better; NaN if truth is constant. */
double spf_r2(size_t rows, const float *truth, const double *predicted, const float *weights);

/* The loss whose mean is smallest for the quantile of a given level (0 to 1): level times the
 * excess above the prediction, 1 - level times the shortfall below. Half the absolute error at
 * level 0.5. */
double spf_pinball_loss(size_t rows, const float *truth, const double *predicted, double level,
                        const float *weights);

/* The share of rows whose truth is at or below the prediction. */
double spf_share_below(size_t rows, const float *truth, const double *predicted,
                       const float *weights);

/* The share of rows whose truth is in its interval, ends included. */
double spf_coverage(size_t rows, const float *truth, const double *lower, const double *upper,
                    const float *weights);

/* The mean width of intervals. */
double spf_mean_width(size_t rows, const double *lower, const double *upper, const float *weights);

#endif
