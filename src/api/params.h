/* The one table of options: defaults, ranges, flags, help and what a model remembers of its
 * training all come from it. */
#ifndef SPF_API_PARAMS_H
#define SPF_API_PARAMS_H

#include "base/strings.h"

/* Copies the caller's parameters, of whatever version, over the defaults and checks every range. */
sporf_status spf_params_read(const sporf_params *given, sporf_params *params);

/* The setting that names a user's own sampler. */
#define SPF_SAMPLER_SETTING "sampler"

/* The setting that names the column of weights, where it has a name. */
#define SPF_WEIGHT_SETTING "weight"

/* All parameters, as spf_settings has them, that shape a forest of so many targets, as names and
 * values; what weights are only where it is weighted. sampler, if not NULL, is the name of a user's
 * own, and recorded instead of the method it replaces. */
sporf_status spf_params_record(const sporf_params *params, const char *sampler, size_t targets,
                               int weighted, spf_strings *settings);

/* What a setting is where a forest does not record it: the default of those that are recorded only
 * where they are something else; NULL of all others. */
const char *spf_params_unrecorded(const char *name);

/* Adds another setting. */
sporf_status spf_params_add(const char *name, const char *value, spf_strings *settings);

#endif
