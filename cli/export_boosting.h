/* Boosted models in exported source: scores, and predictions from them. */
#ifndef SPORF_CLI_EXPORT_BOOSTING_H
#define SPORF_CLI_EXPORT_BOOSTING_H

#include "export_write.h"

/* The function outputs_of(row, outputs) and what it needs, after leaf_of(tree, row), unless the
 * model is a forest; an upper bound of the bytes. */
void export_boosting_source(out_file *file, const export_c *plan);
uint64_t export_boosting_size(const sporf_forest *forest);

#endif
