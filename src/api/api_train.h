/* What the public functions for training and those for parts of forests share. */
#ifndef SPF_API_API_TRAIN_H
#define SPF_API_API_TRAIN_H

#include "learn/settings/settings.h"
#include "model/forest.h"

/* The hooks, with a copy of their sampler. */
sporf_status spf_hooks_read(const sporf_hooks *given, sporf_hooks *hooks, sporf_sampler *sampler);

/* The device that the params of the settings ask for. SPORF_ERROR_DEVICE if it must be a GPU and
 * there is none. */
sporf_status spf_settings_find_device(spf_settings *settings);

/* Trains and packs a forest: a spf_packed_training. */
sporf_status spf_train_packed(const spf_settings *settings, const sporf_hooks *hooks,
                              const sporf_forest *given, sporf_forest **out);

/* Records the settings, with that many trees, and packs the plain trees. Frees the forest if that
 * fails. */
sporf_status spf_finish_training(const spf_settings *settings, const sporf_hooks *hooks,
                                 uint32_t trees, sporf_forest *forest, sporf_forest **out);

#endif
