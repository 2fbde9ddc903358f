/* Pilot forests choose the settings that are left `auto`, for methods with `chosen_by_pilots`. The
 * defaults of each method are at the end of its file, sampling/sampler_*.c. */
#ifndef SPF_LEARN_SETTINGS_AUTO_SETTINGS_H
#define SPF_LEARN_SETTINGS_AUTO_SETTINGS_H

#include "learn/settings/pilot_search.h"

/* Whether the candidates are those of a search or of its first step; params are the given ones. */
int spf_auto_serves(const spf_settings *usual, const sporf_params *given);

/* Whether pilot forests are grown; without them, the first step's settings are taken. */
int spf_auto_searches(const spf_settings *usual, const sporf_params *given);

/* The settings that a search starts with. They do not depend on labels or targets. */
sporf_status spf_auto_first(const spf_settings *usual, const sporf_params *given,
                            spf_settings *first);

/* The settings that spf_auto_train chooses, without the forest. The choice costs the same. */
sporf_status spf_auto_settle(const spf_settings *usual, const sporf_params *given,
                             const sporf_hooks *hooks, spf_packed_training train,
                             spf_settings *settled);

/* The same for a search, whose rows are given: `part` has those of pilot_rows.h, or is NULL if
 * these are all rows of the settings' data. */
sporf_status spf_auto_settle_on(const spf_settings *usual, const sporf_dataset *part,
                                const sporf_params *given, const sporf_hooks *hooks,
                                spf_packed_training train, spf_settings *settled);

/* Settings of a training that needs at least as much memory as one with pilot forests. */
sporf_status spf_auto_bound(const spf_settings *usual, const sporf_params *given,
                            spf_settings *bound);

/* Grows pilot forests, which choose those of projections, density and min_leaf that are auto in the
 * given params, and then the forest with these settings; all else is as usual. The winning pilot
 * forest's trees are its first ones, unless they are too many or a part of the rows was used. */
sporf_status spf_auto_train(const spf_settings *usual, const sporf_params *given,
                            const sporf_hooks *hooks, spf_packed_training train,
                            sporf_forest **out);

#endif
