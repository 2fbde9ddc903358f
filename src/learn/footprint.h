/* What training takes, before it starts. */
#ifndef SPF_LEARN_FOOTPRINT_H
#define SPF_LEARN_FOOTPRINT_H

#include "learn/rows/row_weights.h"
#include "learn/sampling/sampler.h"

/* Upper estimates in bytes: of the finished forest, and of everything beside the table at the
 * time when training takes most. bag is not AUTO. */
typedef struct spf_footprint {
    double forest, all;
} spf_footprint;

spf_footprint spf_training_footprint(const sporf_dataset *data, const spf_row_weights *weights,
                                     const sporf_params *params,
                                     const spf_sampler_settings *settings, sporf_bag bag);

#endif
