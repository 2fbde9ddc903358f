/* The table of options: defaults, ranges, flags, help and the settings that a model records all
 * come from it. */
#ifndef SPF_API_PARAMS_H
#define SPF_API_PARAMS_H

#include "base/strings.h"

/* Copies the caller's parameters, of any version, over the defaults and checks every range. */
sporf_status spf_params_read(const sporf_params *given, sporf_params *params);

/* Refuses trees that are auto, a limited time and a recall for `what`, which cannot end before its
 * time and has no out-of-bag rows of a whole forest. */
sporf_status spf_params_check_fixed(const sporf_params *params, const char *what);

/* Refuses a GPU for `what`, which the CPU alone grows. */
sporf_status spf_params_check_no_gpu(const sporf_params *params, const char *what);

/* The setting that names a user's own sampler. */
#define SPF_SAMPLER_SETTING "sampler"

/* The setting that names a user's own loss. */
#define SPF_LOSS_SETTING "user-loss"

/* The setting that names the weight column, if it has a name. */
#define SPF_WEIGHT_SETTING "weight"

/* All parameters of spf_settings that shape a forest with that many targets, as names and values;
 * the kind of weights only if it is weighted. sampler, if not NULL, is the name of a user's own,
 * and is recorded instead of the method. */
sporf_status spf_params_record(const sporf_params *params, const char *sampler, size_t targets,
                               int weighted, spf_strings *settings);

/* The value of a setting that a forest does not record: its default, if it is only recorded when it
 * differs; otherwise NULL. */
const char *spf_params_unrecorded(const char *name);

/* Adds another setting. */
sporf_status spf_params_add(const char *name, const char *value, spf_strings *settings);

#endif
