/* What boosting takes for options that are auto. */
#ifndef SPF_LEARN_BOOSTING_BOOST_DEFAULTS_H
#define SPF_LEARN_BOOSTING_BOOST_DEFAULTS_H

#include "learn/settings/settings.h"

/* Replaces what is auto by what boosting takes, before settings are made. `stops`: there is a table
 * to stop by. */
void spf_boost_defaults(const sporf_dataset *data, int stops, sporf_params *params);

#endif
