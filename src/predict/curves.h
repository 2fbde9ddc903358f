/* Predictions of all rows of a table with some features replaced by each of several points in turn:
 * the curves of individual conditional expectation (ICE; Goldstein et al. 2015), and their mean
 * over the rows, partial dependence (Friedman 2001). */
#ifndef SPF_PREDICT_CURVES_H
#define SPF_PREDICT_CURVES_H

#include "predict/curve_walk.h"
#include "predict/predict.h"

/* How curves are made. */
typedef struct spf_curve_options {
    spf_combining how;
    int scores; /* of a boosted model, instead of what it predicts */
    unsigned threads;
    const sporf_hooks *hooks; /* progress counts rows; interrupt */
} spf_curve_options;

/* The results wanted; each may be NULL. */
typedef struct spf_curves {
    double *mean;       /* [points x outputs] */
    double *individual; /* [rows x points x outputs] */
} spf_curves;

/* Raises SPORF_ERROR_CANCELLED if the interrupt hook says so. */
sporf_status spf_curve_check_interrupt(const sporf_hooks *hooks);

/* Outputs of a point: classes or targets, or scores. */
size_t spf_curve_outputs(const sporf_forest *forest, const spf_curve_options *options);

/* Each curve has the bits that prediction gives for the row with the values of the point. The mean
 * is weighted by weights[rows], unless they are NULL; their sum must be above 0. `ordered` of
 * points is not read. */
sporf_status spf_curves_make(const sporf_forest *forest, const spf_values *values,
                             const float *weights, const spf_points *points,
                             const spf_curve_options *options, const spf_curves *out);

#endif
