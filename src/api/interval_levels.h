/* The quantile levels to predict: given ones, or the ends of an interval. */
#ifndef SPF_API_INTERVAL_LEVELS_H
#define SPF_API_INTERVAL_LEVELS_H

#include "predict/predict.h"

/* Whether a forest can predict quantiles of these levels, or intervals of this level. */
sporf_status spf_check_quantiles(const sporf_forest *forest, const double *quantiles, size_t count);
sporf_status spf_check_interval(const sporf_forest *forest, double level);

/* out[rows x targets x count], and out[rows x targets x 2]; everything has been checked. */
sporf_status spf_predict_levels(const sporf_forest *forest, const spf_values *values,
                                unsigned threads, const double *quantiles, size_t count,
                                double *out);
sporf_status spf_predict_interval(const sporf_forest *forest, const spf_values *values,
                                  unsigned threads, double level, double *out);

#endif
