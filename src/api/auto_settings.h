/* Settings that are left to the library are chosen by small forests. */
#ifndef SPF_API_AUTO_SETTINGS_H
#define SPF_API_AUTO_SETTINGS_H

#include "model/forest.h"

/* Whether the candidates of such a forest are to be chosen this way. */
int spf_auto_serves(const sporf_dataset *data, const sporf_params *params);

/* Parameters of a training that needs at least the memory of one by pilots. */
void spf_auto_bound(const sporf_dataset *data, sporf_params *params);

/* How to grow a forest with settings that are settled, from the trees of a given one or NULL. */
typedef sporf_status (*spf_auto_train)(const sporf_dataset *data, const sporf_params *params,
                                       const sporf_hooks *hooks, const sporf_forest *given,
                                       sporf_forest **out);

/* Sets what is auto among projections, density and min_leaf; all else is settled. *out is the small
 * forest that won, grown with these parameters but for its number of trees; NULL where no row was
 * ever out of bag, and where a part of the rows chose. The profile among the hooks is added to. */
sporf_status spf_auto_choose(const sporf_dataset *data, const sporf_hooks *hooks,
                             spf_auto_train train, sporf_params *params, sporf_forest **out);

#endif
