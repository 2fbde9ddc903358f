/* What a part of a forest tells of the rows it was grown on: their outcomes, and the leaves of
 * those that were out of bag. */
#ifndef SPF_LEARN_REPLAY_PART_ROWS_H
#define SPF_LEARN_REPLAY_PART_ROWS_H

#include "learn/growing/grow.h"
#include "learn/settings/settings.h"

/* The leaves of a tree's out-of-bag rows, in the order of the rows; see model/part.h. */
typedef struct spf_oob_leaves {
    uint8_t *bytes;
    size_t size;
} spf_oob_leaves;

/* Returns 0 if there is no memory. */
int spf_oob_leaves_take(const spf_grown *grown, size_t rows, spf_oob_leaves *leaves);

/* Fills all but the number of the first tree and of all trees. leaves[trees] is NULL without
 * bags. */
sporf_status spf_part_fill(const spf_settings *settings, const spf_oob_leaves *leaves,
                           uint32_t trees, spf_forest_part *part);

/* The rows of a part as a table whose columns are NULL, with outcome, weights and schema. Free with
 * sporf_dataset_free. */
sporf_status spf_part_table(const sporf_forest *part, sporf_dataset **out);

#endif
