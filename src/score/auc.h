/* The area under the ROC curve. */
#ifndef SPF_SCORE_AUC_H
#define SPF_SCORE_AUC_H

#include "base/error.h"

/* The probability that a row of the second class has a larger share of votes for it than a row of
 * the first (Mann and Whitney), with ties counted half. With more classes, each share of each row
 * counts separately, and those of true classes are compared with all others. votes[rows x classes];
 * rows without votes are ignored; weights[rows] are row weights. NaN if there is nothing to
 * compare, or more than 2^32 shares. */
sporf_status spf_auc(size_t rows, size_t classes, const uint32_t *votes, const uint32_t *labels,
                     const double *weights, double *auc);

#endif
