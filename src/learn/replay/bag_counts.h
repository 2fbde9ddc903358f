/* The bags of a forest's trees: how often each row was drawn. */
#ifndef SPF_LEARN_REPLAY_BAG_COUNTS_H
#define SPF_LEARN_REPLAY_BAG_COUNTS_H

#include "learn/replay/oob_replay.h"

/* As sporf_forest_bags. */
sporf_status spf_bag_counts(const spf_oob_replay *replay, uint32_t *counts);

#endif
