/* Pilot forests choose the settings that are left `auto`, in classification and for methods with
 * `chosen_by_pilots`. The defaults of each method are at the end of its file,
 * sampling/sampler_*.c. */
#ifndef SPF_LEARN_AUTO_SETTINGS_H
#define SPF_LEARN_AUTO_SETTINGS_H

#include "learn/settings.h"
#include "model/forest.h"

/* Whether pilot forests are to choose the candidates; params are the given ones. */
int spf_auto_serves(const sporf_dataset *data, const sporf_params *params,
                    const spf_row_weights *weights);

/* Settings of a training that needs at least as much memory as one with pilot forests. */
sporf_status spf_auto_bound(const spf_settings *usual, const sporf_params *given,
                            spf_settings *bound);

/* How to grow a packed forest, from the trees of a given one or NULL. */
typedef sporf_status (*spf_auto_train)(const spf_settings *settings, const sporf_hooks *hooks,
                                       const sporf_forest *given, sporf_forest **out);

/* Chooses those of projections, density and min_leaf that are auto in the given params; all else is
 * as usual. *out is the winning pilot forest, grown with these settings except for its number of
 * trees; NULL if no row was ever out of bag, or if a part of the rows was used. Adds to the profile
 * in the hooks. */
sporf_status spf_auto_choose(const spf_settings *usual, const sporf_params *given,
                             const sporf_hooks *hooks, spf_auto_train train, spf_settings *chosen,
                             sporf_forest **out);

#endif
