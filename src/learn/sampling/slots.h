/* Slots, from which samplers draw. A number and a category of two levels have one slot; other
 * categories have one per level, up to a limit, as if it were one-hot encoded, so that it is drawn
 * as often as in such a table. p, in amounts such as d = p, counts features. */
#ifndef SPF_LEARN_SAMPLING_SLOTS_H
#define SPF_LEARN_SAMPLING_SLOTS_H

#include "data/dataset.h"

enum { SPF_SLOTS_MOST = 3 }; /* of one category */

typedef struct spf_slots {
    size_t count;
    uint32_t *feature; /* [count], ascending; NULL if each feature has one slot */
    float *scale;      /* [count]: factor of the feature; NULL for none */
} spf_slots;

/* How many slots the data's features have. */
size_t spf_slots_count(const sporf_dataset *data);

/* scale is NULL, or has a factor for each feature. */
sporf_status spf_slots_create(const sporf_dataset *data, const float *scale, spf_slots *slots);
void spf_slots_free(spf_slots *slots);
double spf_slots_bytes(const sporf_dataset *data);

#endif
