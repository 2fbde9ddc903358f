/* Gradient boosting (Friedman 2001) with sparse oblique trees. Each round derives the loss at the
 * scores so far, grows a tree for every output, and adds its leaves to the scores. */
#ifndef SPF_LEARN_BOOSTING_BOOST_H
#define SPF_LEARN_BOOSTING_BOOST_H

#include "learn/boosting/valid_table.h"
#include "learn/settings/settings.h"

/* Grows the rounds after those of `given`, unless that is NULL. An interrupted training keeps the
 * rounds so far. */
sporf_status spf_boost(const spf_settings *settings, const spf_boost_valid *valid,
                       const sporf_hooks *hooks, const sporf_forest *given, sporf_forest **out);

#endif
