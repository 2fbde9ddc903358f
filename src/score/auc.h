/* The area under the receiver operating characteristic. */
#ifndef SPF_SCORE_AUC_H
#define SPF_SCORE_AUC_H

#include "base/error.h"

/* The chance that a row of the second class has a larger share of its votes than a row of the first
 * (Mann and Whitney), ties counted half. Of more classes, each share of each row stands for itself,
 * and those of true classes are held against all others. votes[rows x classes]; rows without votes
 * take no part; rows count by weights[rows]. NaN if nothing can be compared, or if there are
 * more than 2^32 shares. */
sporf_status spf_auc(size_t rows, size_t classes, const uint32_t *votes, const uint32_t *labels,
                     const double *weights, double *auc);

#endif
