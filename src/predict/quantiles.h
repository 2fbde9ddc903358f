/* Quantiles of the leaf samples of a row (quantile regression forests, Meinshausen 2006). */
#ifndef SPF_PREDICT_QUANTILES_H
#define SPF_PREDICT_QUANTILES_H

#include "predict/predict.h"

/* For each row and target the quantiles of levels[targets x count], from 0 to 1, into out[rows x
 * targets x count]. The forest must store samples.
 *
 * The samples of a row are those of its leaves, each with its share of the weight in its leaf, so
 * that all trees count the same. The quantile of a level is the smallest sample at which the
 * cumulative weight reaches that share of the total. */
sporf_status spf_predict_quantiles(const sporf_forest *forest, const spf_values *values,
                                   unsigned threads, const double *levels, size_t count,
                                   double *out);

#endif
