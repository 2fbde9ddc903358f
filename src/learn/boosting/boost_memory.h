/* How much memory boosting may need. */
#ifndef SPF_LEARN_BOOSTING_BOOST_MEMORY_H
#define SPF_LEARN_BOOSTING_BOOST_MEMORY_H

#include "learn/settings/settings.h"

/* An upper estimate, in bytes, of the memory beside the data; valid_rows is the number of rows of
 * the validation table. */
uint64_t spf_boost_memory(const spf_settings *settings, size_t valid_rows);

/* Whether that is within what is allowed. */
sporf_status spf_boost_check_memory(const spf_settings *settings, size_t valid_rows);

#endif
