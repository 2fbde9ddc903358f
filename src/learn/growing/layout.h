/* How the data are stored in memory while trees grow: decided once, from the shape of the table and
 * of the candidates. It affects time and memory, never the forest. */
#ifndef SPF_LEARN_GROWING_LAYOUT_H
#define SPF_LEARN_GROWING_LAYOUT_H

#include "learn/growing/plan.h"

/* Memory of a copy of the data; 0 if none is worth it. */
double spf_layout_copy_bytes(const sporf_dataset *data);

/* More than two threads share the memory of blocks that two have, unless there is spare memory:
 * how much of it they can use. */
double spf_layout_spare_bytes(const sporf_dataset *data, unsigned workers);

/* Memory of copies and blocks together at most, with a sampler of such traits, that many threads
 * and so much spare memory. */
double spf_layout_most_bytes(const sporf_dataset *data, const sporf_traits *traits,
                             unsigned workers, double spare);

/* Sets the plan's branch_rows and the sizes of blocks; `terms` is how many values of a row the
 * projections of one node read, `spare` the bytes of spare memory. */
void spf_layout_choose(spf_plan *plan, double terms, uint32_t trees, unsigned workers,
                       double spare);

#endif
