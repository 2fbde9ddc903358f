/* Strength and correlation of the trees of a forest (Breiman 2001), out of bag. */
#ifndef SPF_LEARN_STRENGTH_H
#define SPF_LEARN_STRENGTH_H

#include "learn/revisit.h"

/* As sporf_forest_strength; the forest predicts classes. */
sporf_status spf_strength(const spf_revisit *visit, sporf_strength *strength);

#endif
