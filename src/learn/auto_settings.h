/* Settings that are left to the library are chosen by small forests. */
#ifndef SPF_LEARN_AUTO_SETTINGS_H
#define SPF_LEARN_AUTO_SETTINGS_H

#include "learn/settings.h"
#include "model/forest.h"

/* Whether the candidates of a forest by a method of the library are to be chosen this way; params
 * are as they were given. */
int spf_auto_serves(const sporf_dataset *data, const sporf_params *params,
                    const spf_row_weights *weights);

/* Settings of a training that needs at least the memory of one by pilots. */
sporf_status spf_auto_bound(const spf_settings *usual, const sporf_params *given,
                            spf_settings *bound);

/* How to grow a packed forest, from the trees of a given one or NULL. */
typedef sporf_status (*spf_auto_train)(const spf_settings *settings, const sporf_hooks *hooks,
                                       const sporf_forest *given, sporf_forest **out);

/* Chooses what is auto in the given params among projections, density and min_leaf; all else is as
 * usual. *out is the small forest that won, grown with these settings but for its number of trees;
 * NULL if no row was ever out of bag, and where a part of the rows chose. The profile among the
 * hooks is added to. */
sporf_status spf_auto_choose(const spf_settings *usual, const sporf_params *given,
                             const sporf_hooks *hooks, spf_auto_train train, spf_settings *chosen,
                             sporf_forest **out);

#endif
