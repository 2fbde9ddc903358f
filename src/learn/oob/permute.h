/* Permutation importance (Breiman 2001), out of bag: how much worse the trees are at the rows they
 * have not seen where the values of one feature are shuffled among these. */
#ifndef SPF_LEARN_OOB_PERMUTE_H
#define SPF_LEARN_OOB_PERMUTE_H

#include "learn/oob/oob_replay.h"

/* As sporf_forest_permutation_importances: importances[features] and errors[features], which may be
 * NULL. */
sporf_status spf_permutation_importances(const spf_oob_replay *visit, uint64_t seed,
                                         double *importances, double *errors);

#endif
