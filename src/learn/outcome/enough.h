/* Whether more trees would still help (docs/decisions/0056). A forest is the mean of trees that do
 * not know each other, so the squared error of T trees is, in expectation, that of infinitely many
 * plus the variance between trees divided by T. Out-of-bag rows tell both. Votes are means, too:
 * their squared error is the Brier score. */
#ifndef SPF_LEARN_OUTCOME_ENOUGH_H
#define SPF_LEARN_OUTCOME_ENOUGH_H

#include "base/sum.h"

#include <stdint.h>

typedef struct spf_evidence {
    spf_sum weight, loss, spread, noise; /* sums over rows, by weight */
    spf_sum weight2, loss_weight2, loss2_weight2;
} spf_evidence;

/* Adds a row: the squared error of the mean of its trees, at least two, and the mean squared
 * distance of a tree from that mean. */
void spf_evidence_add(spf_evidence *evidence, double weight, double loss, double distance,
                      uint32_t trees);

/* Whether the forest is judged when it has that many trees, of which some were given. */
int spf_is_judged_at(uint32_t trees, uint32_t given);

/* Whether infinitely many trees instead of these would lower the loss by no more than half a
 * percent, or than a twentieth of its standard error. */
int spf_is_enough(const spf_evidence *evidence, uint32_t trees);

#endif
