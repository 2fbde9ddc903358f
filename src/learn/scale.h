/* Linear scaling of features, so that a sum of two of them means something. */
#ifndef SPF_LEARN_SCALE_H
#define SPF_LEARN_SCALE_H

#include "data/dataset.h"

/* factors[features]: one over each column's standard deviation, range or interquartile range; a
 * column without any spread keeps the factor 1. */
sporf_status spf_scale_factors(const sporf_dataset *data, sporf_scale kind, unsigned threads,
                               float *factors);

#endif
