/* Pilot forests choose the settings that are left `auto`, for methods and outcomes with
 * `chosen_by_pilots`. The defaults of each method are at the end of its file,
 * sampling/sampler_*.c. */
#ifndef SPF_LEARN_SETTINGS_AUTO_SETTINGS_H
#define SPF_LEARN_SETTINGS_AUTO_SETTINGS_H

#include "learn/settings/settings.h"
#include "model/forest.h"

/* Whether pilot forests are to choose the candidates; params are the given ones. */
int spf_auto_serves(const spf_settings *usual, const sporf_params *given);

/* Settings of a training that needs at least as much memory as one with pilot forests. */
sporf_status spf_auto_bound(const spf_settings *usual, const sporf_params *given,
                            spf_settings *bound);

/* Grows a packed forest, from the trees of a given one or NULL. */
typedef sporf_status (*spf_packed_training)(const spf_settings *settings, const sporf_hooks *hooks,
                                            const sporf_forest *given, sporf_forest **out);

/* Grows pilot forests, which choose those of projections, density and min_leaf that are auto in the
 * given params, and then the forest with these settings; all else is as usual. The winning pilot
 * forest's trees are its first ones, unless they are too many or a part of the rows was used. */
sporf_status spf_auto_train(const spf_settings *usual, const sporf_params *given,
                            const sporf_hooks *hooks, spf_packed_training train,
                            sporf_forest **out);

#endif
