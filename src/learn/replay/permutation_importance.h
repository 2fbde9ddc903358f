/* Out-of-bag permutation importance (Breiman 2001): how much the error of trees on their out-of-bag
 * rows grows if the values of one feature are shuffled among these rows. */
#ifndef SPF_LEARN_REPLAY_PERMUTATION_IMPORTANCE_H
#define SPF_LEARN_REPLAY_PERMUTATION_IMPORTANCE_H

#include "learn/replay/oob_replay.h"

/* As sporf_forest_permutation_importances: importances[features] and errors[features], which may be
 * NULL. */
sporf_status spf_permutation_importances(const spf_oob_replay *replay, uint64_t seed,
                                         double *importances, double *errors);

#endif
