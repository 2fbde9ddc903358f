/* How strongly pairs of features interact: Friedman's H statistic (Friedman and Popescu 2008). */
#ifndef SPF_PREDICT_INTERACTION_H
#define SPF_PREDICT_INTERACTION_H

#include "predict/curves.h"

typedef struct spf_interactions {
    double *h;        /* [pairs]: (0, 1), (0, 2), ... (1, 2), ... of the features given */
    double *strength; /* [pairs]: in units of the outputs */
    double *total;    /* [features given]: with all other features together */
} spf_interactions;

/* From all rows of a table, each of them a point as well, so that the time grows with their
 * square. */
sporf_status spf_interactions_find(const sporf_forest *forest, const spf_values *values,
                                   const float *weights, const uint32_t *features, size_t count,
                                   const spf_curve_options *options, const spf_interactions *out);

#endif
