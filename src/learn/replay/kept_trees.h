/* Trees of a forest to which trees are added (warm start): they are not grown again, but join as if
 * they had been. A tree's bag follows from its number, so the forest need not store it. */
#ifndef SPF_LEARN_REPLAY_KEPT_TREES_H
#define SPF_LEARN_REPLAY_KEPT_TREES_H

#include "learn/growing/grow.h"

/* Takes tree number `tree` of a forest that was grown by this plan, with the leaves of its
 * out-of-bag rows, like a tree from spf_grow with final leaf weights. The tree borrows from the
 * forest. */
sporf_status spf_kept_tree(const spf_plan *plan, const sporf_forest *forest, uint32_t tree,
                           spf_grown *out);

/* Sorts the out-of-bag rows of a tree by leaf, as growing does. */
sporf_status spf_grown_sort(spf_grown *grown);

/* Raises SPORF_ERROR_DATA if the kept trees do not reproduce their error curve: then the data
 * differ. */
sporf_status spf_kept_trees_check(const sporf_forest *forest, const double *curve);

#endif
