/* Agreement of true and predicted classes, computed from total weights (without row weights,
 * counts): of all rows, of those where both agree, and of each class as true and as predicted. */
#ifndef SPF_SCORE_METRIC_H
#define SPF_SCORE_METRIC_H

#include <stddef.h>

/* Cohen's kappa: agreement beyond chance. NaN if all rows have one class and are predicted as that
 * class, since agreement by chance is then complete. */
double spf_cohen_kappa(double total, double agree, const double *true_weight,
                       const double *predicted_weight, size_t classes);

/* The kappa of the paper's UCI table: 1 - error / c, where c = 1 - the largest share among the true
 * classes other than the first. NaN if c is 0. */
double spf_kappa_paper(double total, double agree, const double *true_weight, size_t classes);

#endif
