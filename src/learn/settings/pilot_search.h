/* The search for settings by pilot forests, on the rows that it is given. */
#ifndef SPF_LEARN_SETTINGS_PILOT_SEARCH_H
#define SPF_LEARN_SETTINGS_PILOT_SEARCH_H

#include "learn/settings/pilot_steps.h"
#include "learn/settings/settings.h"
#include "model/forest.h"

/* Grows a packed forest, from the trees of a given one or NULL. */
typedef sporf_status (*spf_packed_training)(const spf_settings *settings, const sporf_hooks *hooks,
                                            const sporf_forest *given, sporf_forest **out);

/* The most trees of a pilot forest. */
enum { SPF_PILOT_TREES = 48 };

typedef struct spf_pilot_task {
    const spf_settings *settings; /* the default ones, on the rows that are used for the choice */
    const sporf_params *given;    /* only what is auto in them is chosen */
    const sporf_hooks *hooks;     /* choosing, interrupt and profile are used */
    spf_packed_training train;
    double trees;     /* of the forest, in trees on the rows used */
    int64_t deadline; /* of spf_system_clock, at which the best one so far is taken; 0: none */
    int keeps;        /* the winner's trees will be the forest's first ones */
} spf_pilot_task;

/* Whether a search is worth its time for a forest of that many trees on the rows used. */
int spf_pilot_pays(sporf_effort effort, double trees);

/* Chooses projections, density and min_leaf. *forest is the winning pilot forest, or NULL if there
 * is none. Adds to the profile in the hooks. */
sporf_status spf_pilot_search(const spf_pilot_task *task, sporf_params *chosen,
                              sporf_forest **forest);

#endif
