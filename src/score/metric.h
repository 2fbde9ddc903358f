/* Measures of agreement between true and predicted classes. They need sums over rows only, of their
 * weights or, where they have none, of 1 for each: those of rows where a class is true, where it is
 * predicted, and where both agree. */
#ifndef SPF_SCORE_METRIC_H
#define SPF_SCORE_METRIC_H

#include <stddef.h>

/* Cohen's kappa: agreement beyond what the two sets of sums would give by chance. NaN if all
 * rows are of one class and predicted as it, which leaves nothing beyond chance. */
double spf_cohen_kappa(double total, double agree, const double *true_weight,
                       const double *predicted_weight, size_t classes);

/* The measure of the paper's UCI table: 1 - error / c, where c = 1 - the largest share among the
 * true classes other than the first. NaN if c is 0. */
double spf_kappa_paper(double total, double agree, const double *true_weight, size_t classes);

#endif
