/* How much memory boosting may need. */
#ifndef SPF_LEARN_BOOSTING_BOOST_MEMORY_H
#define SPF_LEARN_BOOSTING_BOOST_MEMORY_H

#include "learn/settings/settings.h"

/* An upper estimate of its memory beside the tables; the second one, to stop by, has so many rows.
 */
uint64_t spf_boost_memory(const spf_settings *settings, size_t valid_rows);

/* Whether that is within what is allowed. */
sporf_status spf_boost_check_memory(const spf_settings *settings, size_t valid_rows);

#endif
