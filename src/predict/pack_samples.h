/* Moves the samples of plain trees to one array. */
#ifndef SPF_PREDICT_PACK_SAMPLES_H
#define SPF_PREDICT_PACK_SAMPLES_H

#include "model/forest.h"

/* Moves the samples of the forest's plain trees, which have `leaves` leaves in all, to the packed
 * form. On failure nothing is packed. */
sporf_status spf_pack_samples(sporf_forest *forest, uint64_t leaves, spf_packed *packed);

/* Frees the samples of the packed form. */
void spf_pack_samples_free(spf_packed *packed);

#endif
