/* Accumulated local effects of a numeric feature (Apley and Zhu 2020): unlike partial dependence,
 * rows only take values near their own. */
#ifndef SPF_PREDICT_ALE_H
#define SPF_PREDICT_ALE_H

#include "predict/curves.h"

/* The effects at the ends of bins, effects[count x outputs]; their weighted mean over the rows is
 * 0. A row counts in the bin that its value of the feature is in, with its weight if weights are
 * not NULL; rows without a value do not count. */
sporf_status spf_ale(const sporf_forest *forest, const spf_values *values, const float *weights,
                     uint32_t feature, const double *ends, size_t count,
                     const spf_curve_options *options, double *effects);

#endif
