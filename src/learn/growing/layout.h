/* How the data lie in memory while trees grow: settled once from the shape of the table and of the
 * candidates. It decides about time and memory, never about the forest. */
#ifndef SPF_LEARN_GROWING_LAYOUT_H
#define SPF_LEARN_GROWING_LAYOUT_H

#include "learn/growing/plan.h"

/* What a copy of the data may take; 0 if none is worth it. */
double spf_layout_copy_bytes(const sporf_dataset *data);

/* What copies and blocks together take at most, over all threads. */
double spf_layout_most_bytes(const sporf_dataset *data);

/* Sets the plan's branch_rows and the sizes of blocks; `terms` is how many numbers a row's
 * projections read in one node. */
void spf_layout_settle(spf_plan *plan, double terms, uint32_t trees, unsigned workers);

#endif
