/* How the data are stored in memory while trees grow: decided once, from the shape of the table and
 * of the candidates. It affects time and memory, never the forest. */
#ifndef SPF_LEARN_GROWING_LAYOUT_H
#define SPF_LEARN_GROWING_LAYOUT_H

#include "learn/growing/plan.h"

/* Memory of a copy of the data; 0 if none is worth it. */
double spf_layout_copy_bytes(const sporf_dataset *data);

/* Memory of copies and blocks together at most, with a sampler of such traits and that many
 * threads. */
double spf_layout_most_bytes(const sporf_dataset *data, const sporf_traits *traits,
                             unsigned workers);

/* Sets the plan's branch_rows and the sizes of blocks; `terms` is how many values of a row the
 * projections of one node read. */
void spf_layout_choose(spf_plan *plan, double terms, uint32_t trees, unsigned workers);

#endif
