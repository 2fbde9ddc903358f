/* What a part of a forest tells of the rows it was grown on: their outcomes, and the leaves of
 * those that were out of bag. */
#ifndef SPF_LEARN_REPLAY_PART_ROWS_H
#define SPF_LEARN_REPLAY_PART_ROWS_H

#include "learn/growing/grow.h"
#include "learn/settings/settings.h"

/* A tree's out-of-bag rows and their leaves, as model/part.h describes them. */
typedef struct spf_part_tree {
    uint8_t *bytes;
    size_t size;
} spf_part_tree;

/* Returns 0 if there is no memory. */
int spf_part_tree_take(const spf_grown *grown, size_t rows, spf_part_tree *out);

/* Memory of what a part of these settings tells of its rows, at most. */
double spf_part_bytes(const spf_settings *settings);

/* Fills all but the number of the first tree and of all trees. trees[count] is NULL without
 * bags. */
sporf_status spf_part_fill(const spf_settings *settings, const spf_part_tree *trees, uint32_t count,
                           spf_forest_part *part);

/* The out-of-bag rows of tree `tree` of a part, in ascending order, and their leaves. */
sporf_status spf_part_oob(const sporf_forest *forest, uint32_t tree, spf_grown *grown);

/* The rows of a part as a table whose columns are NULL, with outcome, weights and schema. Free with
 * sporf_dataset_free. */
sporf_status spf_part_table(const sporf_forest *part, sporf_dataset **out);

#endif
