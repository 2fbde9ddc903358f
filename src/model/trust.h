/* How far the votes of a forest are trusted. Training learns from out-of-bag rows how often classes
 * with a given share of the votes are right; what n of m votes weigh is
 *
 *     (n + 1/4 + smoothing m) ^ power
 *
 * and the probability of a class is its share of the weights of all classes. It grows with the
 * votes, so that the order of the classes of a row never changes. Averaged shares of leaves, whose
 * sums need not be whole numbers, are interpolated. */
#ifndef SPF_MODEL_TRUST_H
#define SPF_MODEL_TRUST_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* The limits of both numbers; within them no weight is too small for double precision. */
#define SPF_SMOOTHING_LEAST 0x1p-14
#define SPF_SMOOTHING_MOST 1.0
#define SPF_POWER_LEAST 0x1p-4
#define SPF_POWER_MOST 0x1p4

/* A share of a vote that every class is given, whatever the number of trees. */
#define SPF_TRUST_EXTRA 0.25

typedef struct spf_trust {
    double smoothing, power;
    double log_loss, brier; /* of the calibrated out-of-bag probabilities */
    double *weight; /* [trees + 2]: of 0, 1, ... votes, that of all trees being 1, and the last
                       once more; NULL: votes are believed */
} spf_trust;

/* Whether all numbers are within their limits. */
int spf_trust_is_valid(const spf_trust *trust);

/* Fills the table of weights, unless nothing was learned (a power of 0). It is freed with the
 * forest. */
sporf_status spf_trust_prepare(spf_trust *trust, size_t trees);
double spf_trust_bytes(double trees);

/* Turns the votes of a row, or the summed shares of its leaves, into probabilities. Rounding does
 * not change which class is the first of the largest. */
void spf_trust_apply_votes(const spf_trust *trust, size_t trees, double *row, size_t classes);
void spf_trust_apply_shares(const spf_trust *trust, size_t trees, double *row, size_t classes);

/* The same for whole votes of any number of trees, such as those that a row is out of bag in. */
void spf_trust_apply_some(const spf_trust *trust, size_t trees, double *row, size_t classes);

#endif
