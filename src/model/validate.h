/* What makes a forest valid. Loading checks it, so that every loaded forest is valid. */
#ifndef SPF_MODEL_VALIDATE_H
#define SPF_MODEL_VALIDATE_H

#include "model/forest.h"

/* Sizes of a tree's arrays that the tree itself does not hold. */
typedef struct spf_tree_extent {
    uint64_t terms, leaf_entries;
} spf_tree_extent;

/* Checks one tree against `features` and `classes`; raises SPORF_ERROR_MODEL with the fault. */
sporf_status spf_tree_validate(const spf_tree *tree, const spf_tree_extent *extent, size_t features,
                               size_t classes, size_t tree_number);

/* Checks that a row meets no more terms of long projections on any path through a valid tree than
 * spf_walk_limit allows; otherwise raises code. */
sporf_status spf_tree_check_walks(const spf_tree *tree, size_t number, sporf_status code);

/* Checks that sets have levels of a category and are within their words. */
sporf_status spf_sets_validate(const spf_sets *sets, const sporf_schema *schema, size_t features);

#endif
