/* What makes a forest valid. Loading calls this, so that a forest that exists is a valid one. */
#ifndef SPF_MODEL_VALIDATE_H
#define SPF_MODEL_VALIDATE_H

#include "model/forest.h"

/* Sizes of the arrays a tree's pointers lead to, as far as the tree itself does not say. */
typedef struct spf_tree_extent {
    uint64_t terms, leaf_entries;
} spf_tree_extent;

/* Checks one tree against `features` and `classes`; raises SPORF_ERROR_MODEL and names the fault.
 */
sporf_status spf_tree_validate(const spf_tree *tree, const spf_tree_extent *extent, size_t features,
                               size_t classes, size_t tree_number);

/* Whether a row meets no more terms of long projections on any way through a valid tree than
 * spf_walk_limit allows; otherwise raises code. */
sporf_status spf_tree_check_walks(const spf_tree *tree, size_t number, sporf_status code);

/* Checks that sets are about levels of a category and lie within their words. */
sporf_status spf_sets_validate(const spf_sets *sets, const sporf_schema *schema, size_t features);

#endif
