/* Candidates of a node that were drawn twice. If d is large compared to the number of distinct
 * projections, many are; the first one wins every tie, so the others can be dropped. */
#ifndef SPF_LEARN_SAMPLING_REPEATS_H
#define SPF_LEARN_SAMPLING_REPEATS_H

#include "model/projection.h"

/* Scratch memory. */
typedef struct spf_repeats {
    uint32_t *place; /* [power of two]: 1 + the number of the candidate with these terms */
    size_t capacity;
} spf_repeats;

void spf_repeats_free(spf_repeats *repeats);
double spf_repeats_bytes(double candidates);

/* Keeps the first of equal projections, in order. */
sporf_status spf_repeats_drop(spf_repeats *repeats, sporf_projections *candidates);

#endif
