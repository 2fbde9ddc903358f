/* Whether a forest can be trained on some data. */
#ifndef SPF_LEARN_SETTINGS_CHECKS_H
#define SPF_LEARN_SETTINGS_CHECKS_H

#include "learn/growing/outcome_kind.h"

/* Raises an error if not. */
sporf_status spf_check_training(const spf_outcome_kind *outcome, const sporf_dataset *data,
                                const sporf_params *params, const sporf_sampler *sampler);

/* Whether some value of a feature is missing. */
int spf_column_has_missing(const sporf_dataset *data, size_t feature);

#endif
