/* Whether a forest can be trained on some data. */
#ifndef SPF_LEARN_CHECKS_H
#define SPF_LEARN_CHECKS_H

#include "data/dataset.h"

/* Raises what is wrong, in words. */
sporf_status spf_check_training(const sporf_dataset *data, const sporf_params *params,
                                const sporf_sampler *sampler);

/* Whether some value of a feature is missing. */
int spf_has_hole(const sporf_dataset *data, size_t feature);

#endif
