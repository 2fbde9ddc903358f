/* Friedman's three regression problems (1991: Multivariate adaptive regression splines), with the
 * inputs of scikit-learn's make_friedman1, 2 and 3 and of R's mlbench. */
#ifndef SPF_SIMULATE_FRIEDMAN_H
#define SPF_SIMULATE_FRIEDMAN_H

#include "base/rng.h"

/* Each draws one row's features and returns the target without noise. The first needs at least 5
 * features, of which only 5 matter; the others have 4. */
double spf_friedman1(sporf_random *random, size_t features, double *row);
double spf_friedman2(sporf_random *random, size_t features, double *row);
double spf_friedman3(sporf_random *random, size_t features, double *row);

#endif
