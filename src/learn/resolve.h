/* Parameters that are left to the library, as far as method and data alone decide them. */
#ifndef SPF_LEARN_RESOLVE_H
#define SPF_LEARN_RESOLVE_H

#include "data/dataset.h"

/* An amount that nobody gave. */
#define SPF_AUTO ((sporf_power){0, 0})

static inline int spf_is_auto(sporf_power power) {
    return power.factor == 0;
}

/* Chooses a scale by the spreads of the features, if it is auto. */
sporf_status spf_resolve_scale(const sporf_dataset *data, int own_sampler, sporf_params *params);

/* Gives candidates, their features and leaves the values that are usual for the method, if they are
 * auto: without a look at the rows. */
void spf_resolve_amounts(const sporf_dataset *data, sporf_params *params);

/* Gives a value to everything that is auto. */
sporf_status spf_resolve_params(const sporf_dataset *data, int own_sampler, sporf_params *params);

#endif
