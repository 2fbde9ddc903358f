/* Joins the parts of a forest to the forest that one training gives. */
#ifndef SPF_LEARN_REPLAY_JOIN_H
#define SPF_LEARN_REPLAY_JOIN_H

#include "learn/settings/settings.h"
#include "model/forest.h"

/* Parts in the order of their trees, without gaps; the settings are those of the whole forest on
 * the table of the first one (spf_part_table). The trees borrow from the parts until the forest is
 * packed. The forest has no settings yet. */
sporf_status spf_join(const spf_settings *settings, const sporf_forest *const *parts, size_t count,
                      sporf_forest **out);

#endif
