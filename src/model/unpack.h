/* Plain trees from a packed forest: for inspection, validation, and as the reference for packed
 * prediction. */
#ifndef SPF_MODEL_UNPACK_H
#define SPF_MODEL_UNPACK_H

#include "model/forest.h"

/* Makes a plain tree from a packed one. Trusts nothing: for any content of the packed form, no read
 * leaves its arrays, and SPORF_ERROR_MODEL names the first fault; a trusted forest is not checked
 * again. Free with spf_tree_free. */
sporf_status spf_unpack_tree(const sporf_forest *forest, size_t number, spf_tree *out);

/* A plain tree, unpacked on first use, that lives as long as the forest. */
sporf_status spf_forest_tree(const sporf_forest *forest, size_t number, const spf_tree **tree);

/* Checks the tree table against the sizes of the arrays: its numbers of leaves and long projections
 * can be trusted afterwards, even before the trees are checked. */
sporf_status spf_packed_validate_table(const sporf_forest *forest);

/* Checks every tree, and that nothing is outside of them. */
sporf_status spf_packed_validate(const sporf_forest *forest);

#endif
