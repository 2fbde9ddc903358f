/* The trees of a forest with the rows that were out of their bags: found again from the data that
 * it was trained on, for measures that a model file does not hold. */
#ifndef SPF_LEARN_REVISIT_H
#define SPF_LEARN_REVISIT_H

#include "learn/keep.h"
#include "learn/oob.h"

typedef struct spf_revisit {
    const sporf_forest *forest;
    const sporf_hooks *hooks;
    unsigned workers;
    spf_row_weights weights;
    spf_plan plan;       /* as far as bags need it */
    spf_oob_tally tally; /* the votes of all trees, where classes are predicted */
} spf_revisit;

/* Looks at a tree and the leaves of its out-of-bag rows, which lie in the order of their leaves. It
 * may run in several threads at once; worker is below `workers`. */
typedef sporf_status (*spf_look)(void *context, uint32_t tree, const spf_grown *grown,
                                 unsigned worker);

/* Takes up what was found in a tree: in the order of the trees, one at a time. */
typedef void (*spf_take_up)(void *context, uint32_t tree, const spf_grown *grown);

/* Prepares it for a forest that is trusted, and the data and parameters that it was trained with:
 * columns and classes are the same. Counts the out-of-bag votes again; raises SPORF_ERROR_DATA
 * where the errors were others, and where no row is ever out of bag. hooks are not NULL and must
 * live as long. Free with spf_revisit_close, also after a failure. */
sporf_status spf_revisit_open(const sporf_forest *forest, const sporf_dataset *data,
                              const sporf_params *params, const sporf_hooks *hooks,
                              spf_revisit *visit);
void spf_revisit_close(spf_revisit *visit);

/* Asks the interrupt hook whether to go on: SPORF_ERROR_CANCELLED if not. */
sporf_status spf_revisit_pause(const spf_revisit *visit);

/* Visits all trees; `look` or `take_up` may be NULL. SPORF_ERROR_CANCELLED when the interrupt hook
 * asks to stop. */
sporf_status spf_revisit_trees(const spf_revisit *visit, spf_look look, spf_take_up take_up,
                               void *context);

#endif
