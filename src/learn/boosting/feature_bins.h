/* The features of a table in bins, made once for a training: values in up to 255 bins with about as
 * many rows in each, levels of categories in one bin
 * each. A category with more than 255 levels has several columns. */
#ifndef SPF_LEARN_BOOSTING_FEATURE_BINS_H
#define SPF_LEARN_BOOSTING_FEATURE_BINS_H

#include "data/dataset.h"
#include "learn/boosting/binned.h"
#include "learn/rows/row_weights.h"

/* Rows of weight 0 do not shape the bins. */
sporf_status spf_feature_bins_create(const sporf_dataset *data, const spf_row_weights *weights,
                                     unsigned threads, spf_binned *binned);

#endif
