/* Trees of a forest that is grown further: they are not grown again, but join as if they had been.
 * What a tree was grown on follows from its number, so the given forest need not tell. */
#ifndef SPF_LEARN_OOB_KEPT_TREES_H
#define SPF_LEARN_OOB_KEPT_TREES_H

#include "learn/growing/grow.h"

/* Takes tree number `tree` of a forest that was grown by this plan, with the leaves of its
 * out-of-bag rows, as spf_grow would hand it over and with leaves weighed. The tree borrows from
 * the forest. */
sporf_status spf_kept_tree(const spf_plan *plan, const sporf_forest *forest, uint32_t tree,
                           spf_grown *out);

/* Raises SPORF_ERROR_DATA if the error curve of the trees kept is not the one that they had:
 * then the data are others. */
sporf_status spf_kept_trees_check(const sporf_forest *forest, const double *curve);

#endif
