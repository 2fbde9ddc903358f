/* Trains a forest: the plan of the trees, their threads, their order. */
#ifndef SPF_LEARN_TRAIN_H
#define SPF_LEARN_TRAIN_H

#include "learn/settings/settings.h"
#include "model/forest.h"

/* Like sporf_forest_train, with hooks that are not NULL and whose sampler is that of the settings.
 * The forest has no settings yet. The trees of `given`, unless it is NULL, are the first ones: it
 * was trained with these settings, has at most as many trees, is trusted, and must live until the
 * forest is packed. */
sporf_status spf_train(const spf_settings *settings, const sporf_hooks *hooks,
                       const sporf_forest *given, sporf_forest **out);

/* Some trees of a forest: as many as the settings say, from number `first` on, with what joining
 * needs. The forest has no settings, and its part does not know the whole yet. All trees or none:
 * SPORF_ERROR_CANCELLED if the interrupt hook asks to stop. */
sporf_status spf_train_part(const spf_settings *settings, const sporf_hooks *hooks, uint32_t first,
                            sporf_forest **out);

/* The memory in sporf_preview. */
uint64_t spf_train_memory(const spf_settings *settings);

#endif
