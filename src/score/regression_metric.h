/* Measures of predicted numbers. Each is a mean over rows, weighted where weights are not NULL, and
 * summed in the order of the rows with compensation (base/sum.h). NaN if the rows weigh nothing.
 */
#ifndef SPF_SCORE_REGRESSION_METRIC_H
#define SPF_SCORE_REGRESSION_METRIC_H

#include <stddef.h>

/* The mean squared error, its root, and the mean absolute error. */
double spf_mean_square(size_t rows, const float *truth, const double *predicted,
                       const float *weights);
double spf_rmse(size_t rows, const float *truth, const double *predicted, const float *weights);
double spf_mae(size_t rows, const float *truth, const double *predicted, const float *weights);

/* The share of the variance that is explained: 1 - squared errors / squared distances from the
 * mean. Below 0 if the mean would have done better; NaN if all of truth is the same. */
double spf_r2(size_t rows, const float *truth, const double *predicted, const float *weights);

/* The loss whose mean the quantile of a given level (0 to 1) makes least: level times what lies
 * above the prediction, 1 - level times what lies below. Half the absolute error at level 0.5. */
double spf_pinball_loss(size_t rows, const float *truth, const double *predicted, double level,
                        const float *weights);

/* The share of rows whose truth lies at or below what was predicted. */
double spf_share_below(size_t rows, const float *truth, const double *predicted,
                       const float *weights);

/* The share of rows whose truth lies in its interval, ends included. */
double spf_coverage(size_t rows, const float *truth, const double *lower, const double *upper,
                    const float *weights);

/* The mean width of intervals. */
double spf_mean_width(size_t rows, const double *lower, const double *upper, const float *weights);

#endif
