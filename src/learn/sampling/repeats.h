/* Candidates of a node that were drawn twice. Where d is large beside the number of different
 * projections, many are; the first of them wins every tie, so the others can be passed over. */
#ifndef SPF_LEARN_SAMPLING_REPEATS_H
#define SPF_LEARN_SAMPLING_REPEATS_H

#include "model/projection.h"

/* Room to look for them. */
typedef struct spf_repeats {
    uint32_t *place; /* [power of two]: 1 + the number of the candidate whose terms lead here */
    size_t capacity;
} spf_repeats;

void spf_repeats_free(spf_repeats *repeats);

/* Leaves the first of equal projections, in their order. */
sporf_status spf_repeats_drop(spf_repeats *repeats, sporf_projections *candidates);

#endif
