/* Whether trees can be added to a forest with given data and settings (warm start). */
#ifndef SPF_API_EXTEND_H
#define SPF_API_EXTEND_H

#include "learn/settings/settings.h"

/* Raises the first difference from the forest's training: in the recorded settings, except the
 * number of trees; in the sampler, by the name of a user's own or NULL; in columns; in classes or
 * targets. */
sporf_status spf_check_extension(const sporf_forest *forest, const sporf_dataset *data,
                                 const sporf_params *params, const char *sampler);

/* The same for the data alone. */
sporf_status spf_check_same_data(const sporf_forest *forest, const sporf_dataset *data);

/* The settings of a forest's training on its data, which match. The kind of weights need not be
 * recorded: then the row weights were equal, or the forest was trained when weights could only be
 * counts. */
sporf_status spf_settings_of_forest(const sporf_forest *forest, const sporf_dataset *data,
                                    const sporf_params *params, const sporf_sampler *own,
                                    spf_settings *settings);

/* Replaces auto by the settings that the forest was trained with. */
sporf_status spf_params_inherit(const sporf_forest *forest, sporf_params *params);

/* Whether rounds can be added with a user's loss of this name; NULL: with one of the library. */
sporf_status spf_check_loss(const sporf_forest *forest, const char *loss);

#endif
