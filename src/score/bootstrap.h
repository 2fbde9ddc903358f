/* Confidence intervals of scores by drawing the rows again and again (Efron 1979). */
#ifndef SPF_SCORE_BOOTSTRAP_H
#define SPF_SCORE_BOOTSTRAP_H

#include "score/class_scores.h"

typedef struct spf_bootstrap {
    size_t replicates;
    double confidence;
    uint64_t seed;
    unsigned threads;         /* 0: one for each core */
    const sporf_hooks *hooks; /* NULL: none */
} spf_bootstrap;

/* Fills low[SPF_SCORES] and high[SPF_SCORES] with percentiles of the scores of drawn rows, which
 * count with their weights. Draws without a score, such as those of a single class, are ignored.
 * rows must keep orders. The same for any number of threads. */
sporf_status spf_bootstrap_scores(const spf_row_scores *rows, const double *weights,
                                  const spf_bootstrap *how, double *low, double *high);

#endif
