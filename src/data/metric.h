/* Measures of agreement between true and predicted classes. */
#ifndef SPF_DATA_METRIC_H
#define SPF_DATA_METRIC_H

#include <stddef.h>
#include <stdint.h>

/* From a confusion matrix of `true_classes` x `classes` counts (row = true class, true_classes >=
 * classes; rows beyond `classes` are labels that cannot be predicted). */
double spf_error_rate(const size_t *confusion, size_t true_classes, size_t classes);
double spf_cohen_kappa(const size_t *confusion, size_t true_classes, size_t classes);

/* The paper's UCI table: 1 - error / c, c = 1 - the largest share among the labels >= 1. */
double spf_kappa_paper(const size_t *confusion, size_t true_classes, size_t classes);

#endif
