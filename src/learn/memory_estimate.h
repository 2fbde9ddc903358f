/* The memory of a training, estimated before it starts. */
#ifndef SPF_LEARN_MEMORY_ESTIMATE_H
#define SPF_LEARN_MEMORY_ESTIMATE_H

#include "learn/settings/settings.h"

/* Upper estimates in bytes, without the table and the arrays of train.c: of the finished forest,
 * and of the additional memory while trees grow, and then while the forest is packed. */
typedef struct spf_memory_estimate {
    double forest, growing, packing;
} spf_memory_estimate;

/* `spare`: what blocks may take beyond the share of two threads (learn/growing/layout.h). */
spf_memory_estimate spf_estimate_memory(const spf_settings *settings, double spare);

#endif
