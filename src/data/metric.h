/* Measures of agreement between true and predicted classes. They need counts only: how often each
 * class is true, how often it is predicted, and how often both agree. */
#ifndef SPF_DATA_METRIC_H
#define SPF_DATA_METRIC_H

#include <stddef.h>

/* Cohen's kappa: agreement beyond what the two sets of counts would give by chance. */
double spf_cohen_kappa(size_t rows, size_t agree, const size_t *true_count,
                       const size_t *predicted_count, size_t classes);

/* The measure of the paper's UCI table: 1 - error / c, where c = 1 - the largest share among the
 * true classes other than the first. NaN where c is 0. */
double spf_kappa_paper(size_t rows, size_t agree, const size_t *true_count, size_t classes);

#endif
