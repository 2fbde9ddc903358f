/* How often rows share leaves. */
#ifndef SPF_PREDICT_PROXIMITY_H
#define SPF_PREDICT_PROXIMITY_H

#include "predict/predict.h"

sporf_status spf_proximities(const sporf_forest *forest, const spf_values *first,
                             const spf_values *second, unsigned threads, size_t pairs,
                             const uint32_t *first_rows, const uint32_t *second_rows,
                             double *proximities);

/* count is at most the number of reference rows. */
sporf_status spf_nearest(const sporf_forest *forest, const spf_values *reference,
                         const spf_values *data, unsigned threads, size_t count, uint32_t *rows,
                         double *proximities);

#endif
