/* Strength and correlation of the trees of a forest (Breiman 2001), out of bag. */
#ifndef SPF_LEARN_REPLAY_STRENGTH_H
#define SPF_LEARN_REPLAY_STRENGTH_H

#include "learn/replay/oob_replay.h"

/* As sporf_forest_strength, for a classification forest. */
sporf_status spf_strength(const spf_oob_replay *replay, sporf_strength *strength);

#endif
