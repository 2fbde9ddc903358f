/* Replays the out-of-bag rows of a forest's trees, from the data it was trained on, for measures
 * that a model file does not hold. */
#ifndef SPF_LEARN_REPLAY_OOB_REPLAY_H
#define SPF_LEARN_REPLAY_OOB_REPLAY_H

#include "learn/replay/kept_trees.h"
#include "learn/settings/settings.h"

typedef struct spf_oob_replay {
    const sporf_forest *forest;
    const sporf_hooks *hooks;
    unsigned workers;
    const spf_row_weights *weights;
    spf_plan plan;    /* only the parts that bags need */
    spf_tally *tally; /* out-of-bag predictions of all trees */
} spf_oob_replay;

/* Visits a tree and its out-of-bag rows, which are sorted by leaf. Runs in several threads at once;
 * worker is below `workers`. */
typedef sporf_status (*spf_tree_visitor)(void *context, uint32_t tree, const spf_grown *grown,
                                         unsigned worker);

/* Collects the results of a tree: in tree order, one at a time. */
typedef void (*spf_tree_collector)(void *context, uint32_t tree, const spf_grown *grown);

/* Opens a replay of a trusted forest with the settings it was trained with, whose sampler is not
 * used; columns and classes agree. Counts the out-of-bag votes again; raises SPORF_ERROR_DATA if
 * the errors differ, and if no row is ever out of bag. settings and hooks are not NULL and must
 * live as long. Free with spf_oob_replay_close, also after a failure. */
sporf_status spf_oob_replay_open(const sporf_forest *forest, const spf_settings *settings,
                                 const sporf_hooks *hooks, spf_oob_replay *replay);
void spf_oob_replay_close(spf_oob_replay *replay);

/* Calls the interrupt hook: SPORF_ERROR_CANCELLED if it asks to stop. */
sporf_status spf_oob_replay_check_interrupt(const spf_oob_replay *replay);

/* Replays all trees; either function may be NULL. SPORF_ERROR_CANCELLED if the interrupt hook asks
 * to stop. */
sporf_status spf_oob_replay_trees(const spf_oob_replay *replay, spf_tree_visitor visit,
                                  spf_tree_collector collect, void *context);

#endif
