/* Out-of-bag permutation importance (Breiman 2001): how much the error of trees on their out-of-bag
 * rows grows if the values of a group of features, mostly of one, are shuffled among these rows. */
#ifndef SPF_LEARN_REPLAY_PERMUTATION_IMPORTANCE_H
#define SPF_LEARN_REPLAY_PERMUTATION_IMPORTANCE_H

#include "data/feature_groups.h"
#include "learn/replay/oob_replay.h"

/* As sporf_forest_group_importances: importances[groups] and errors[groups], which may be NULL. */
sporf_status spf_permutation_importances(const spf_oob_replay *replay,
                                         const spf_feature_groups *groups, uint64_t seed,
                                         double *importances, double *errors);

#endif
