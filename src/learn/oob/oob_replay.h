/* The trees of a forest with the rows that were out of their bags: found again from the data that
 * it was trained on, for measures that a model file does not hold. */
#ifndef SPF_LEARN_OOB_OOB_REPLAY_H
#define SPF_LEARN_OOB_OOB_REPLAY_H

#include "learn/oob/kept_trees.h"

typedef struct spf_oob_replay {
    const sporf_forest *forest;
    const sporf_hooks *hooks;
    unsigned workers;
    spf_row_weights weights;
    spf_plan plan;    /* as far as bags need it */
    spf_tally *tally; /* the out-of-bag predictions of all trees */
} spf_oob_replay;

/* Looks at a tree and the leaves of its out-of-bag rows, which lie in the order of their leaves. It
 * may run in several threads at once; worker is below `workers`. */
typedef sporf_status (*spf_look)(void *context, uint32_t tree, const spf_grown *grown,
                                 unsigned worker);

/* Takes up what was found in a tree: in the order of the trees, one at a time. */
typedef void (*spf_take_up)(void *context, uint32_t tree, const spf_grown *grown);

/* Prepares it for a forest that is trusted, and the data and parameters that it was trained with:
 * columns and classes are the same. Counts the out-of-bag votes again; raises SPORF_ERROR_DATA
 * if the errors were others, and where no row is ever out of bag. hooks are not NULL and must
 * live as long. Free with spf_oob_replay_close, also after a failure. */
sporf_status spf_oob_replay_open(const sporf_forest *forest, const sporf_dataset *data,
                                 const sporf_params *params, const sporf_hooks *hooks,
                                 spf_oob_replay *visit);
void spf_oob_replay_close(spf_oob_replay *visit);

/* Asks the interrupt hook whether to go on: SPORF_ERROR_CANCELLED if not. */
sporf_status spf_oob_replay_pause(const spf_oob_replay *visit);

/* Visits all trees; `look` or `take_up` may be NULL. SPORF_ERROR_CANCELLED when the interrupt hook
 * asks to stop. */
sporf_status spf_oob_replay_trees(const spf_oob_replay *visit, spf_look look, spf_take_up take_up,
                                  void *context);

#endif
