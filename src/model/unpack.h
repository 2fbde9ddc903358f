/* Plain trees of a packed forest: to look at, to check, and as the reference for packed prediction.
 */
#ifndef SPF_MODEL_UNPACK_H
#define SPF_MODEL_UNPACK_H

#include "model/forest.h"

/* Makes a plain tree of a packed one. Trusts nothing: whatever the packed form holds, no read
 * leaves its arrays, and SPORF_ERROR_MODEL names the first thing that is not as it should be. Free
 * with spf_tree_free. */
sporf_status spf_unpack_tree(const sporf_forest *forest, size_t number, spf_tree *out);

/* A plain tree that lives as long as the forest, unpacked when it is first asked for. */
sporf_status spf_forest_tree(const sporf_forest *forest, size_t number, const spf_tree **tree);

/* Checks the tree table against the sizes of the arrays: what it says of leaves and long
 * projections can be relied on afterwards, even before the trees are checked. */
sporf_status spf_packed_validate_table(const sporf_forest *forest);

/* Checks every tree, and that nothing lies outside of them. */
sporf_status spf_packed_validate(const sporf_forest *forest);

#endif
