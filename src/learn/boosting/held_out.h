/* Rows that no tree of a bag sees: their loss says when to stop. */
#ifndef SPF_LEARN_BOOSTING_HELD_OUT_H
#define SPF_LEARN_BOOSTING_HELD_OUT_H

#include "learn/rows/row_weights.h"

/* held[rows] becomes 1 for a share of the rows, of each class alike, and 0 for others. Each bag
 * holds out other rows, as far as there are enough. Every class keeps a row. Rows of weight 0 are
 * never held out. */
sporf_status spf_hold_out(spf_row_classes classes, const spf_row_weights *weights, double share,
                          uint64_t seed, size_t bag, uint8_t *held);

#endif
