/* What training takes, before it starts. */
#ifndef SPF_LEARN_FOOTPRINT_H
#define SPF_LEARN_FOOTPRINT_H

#include "learn/settings.h"

/* Upper estimates in bytes: of the finished forest, and of everything beside the table at the
 * time when training takes most. */
typedef struct spf_footprint {
    double forest, all;
} spf_footprint;

spf_footprint spf_training_footprint(const spf_settings *settings);

#endif
