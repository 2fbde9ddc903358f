/* How far the area under a ROC curve may be off (DeLong, DeLong and Clarke-Pearson 1988, in sorted
 * order as by Sun and Xu 2014). */
#ifndef SPF_SCORE_DELONG_H
#define SPF_SCORE_DELONG_H

#include "score/scored.h"

/* Writes influence[rows]: how much each row moves the area of a class against the rest, so that the
 * sum of squares is its variance. With weights, a row moves it in proportion to its weight. `order`
 * is the ranking by that class, `area` the area. All are NaN if the class or the rest has fewer
 * than two rows. */
void spf_delong(const spf_scored *scored, size_t class, const uint32_t *order,
                const double *weights, double area, double *influence);

/* The number that a standard normal variable exceeds in absolute value with probability
 * 1 - confidence, for a confidence from 0 to 0.9999. */
double spf_normal_reach(double confidence);

#endif
