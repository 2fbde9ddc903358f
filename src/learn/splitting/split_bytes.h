/* The best cut of a column of few small integers, which needs neither sorting nor bins. */
#ifndef SPF_LEARN_SPLITTING_SPLIT_BYTES_H
#define SPF_LEARN_SPLITTING_SPLIT_BYTES_H

#include "learn/splitting/split.h"

/* spf_split_exact for the values low + byte[i], where bytes are below `count`. With two classes the
 * node must have pairs; draws are not counted. */
sporf_status spf_split_bytes(const spf_split_node *node, const uint8_t *byte, uint32_t count,
                             float low, spf_split_scratch *scratch, spf_split *best);

/* The same for two classes if the rows are added up already: sum[i] is the pair of all rows with
 * the value low + i. */
sporf_status spf_split_sums(const spf_split_node *node, const uint64_t *sum, uint32_t count,
                            float low, spf_split_scratch *scratch, spf_split *best);

#endif
