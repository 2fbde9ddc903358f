/* The memory of a training, estimated before it starts. */
#ifndef SPF_LEARN_FOOTPRINT_H
#define SPF_LEARN_FOOTPRINT_H

#include "learn/settings/settings.h"

/* Upper estimates in bytes: of the finished forest, and of the peak of everything except the
 * table. */
typedef struct spf_footprint {
    double forest, all;
} spf_footprint;

spf_footprint spf_training_footprint(const spf_settings *settings);

#endif
