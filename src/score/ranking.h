/* Rows ranked by the probability of one class: areas under curves, and the curves. */
#ifndef SPF_SCORE_RANKING_H
#define SPF_SCORE_RANKING_H

#include "score/scored.h"

/* Writes the rows that count into order[count], the most probable first. spare[2 x count] is
 * scratch memory. */
void spf_ranking(const spf_scored *scored, size_t class, uint32_t *order, uint64_t *spare);

/* How a class is told from the others. Areas are NaN if there is nothing to compare. */
typedef struct spf_areas {
    double auc; /* against the rest: the area under the ROC curve, ties counted half */
    double average_precision; /* the sum of precisions, each times the gain of recall */
    /* The areas against each other class alone (Hand and Till 2001), added up, and their number. */
    double pairs_sum;
    size_t pairs;
} spf_areas;

/* weights[rows]; class_weight[classes + 1] are their sums by true class; won[classes + 1] is
 * scratch memory. */
void spf_areas_of(const spf_scored *scored, size_t class, const uint32_t *order,
                  const double *weights, const double *class_weight, double *won, spf_areas *areas);

/* Writes the points of the curves of a class, the largest threshold first, and returns their
 * number, at most count + 1. */
size_t spf_curve_of(const spf_scored *scored, size_t class, const uint32_t *order,
                    const double *weights, sporf_curve_point *points);

#endif
