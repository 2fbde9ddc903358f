/* The list of slots. */
#include "learn/sampling/slots.h"

#include <stdlib.h>

/* One slot is enough for two levels. */
static size_t slots_of(const sporf_dataset *data, size_t feature) {
    size_t levels = spf_schema_levels(&data->schema, feature);
    if (spf_schema_kind(&data->schema, feature) != SPORF_KIND_CATEGORY || levels <= 2) return 1;
    return levels < SPF_SLOTS_MOST ? levels : SPF_SLOTS_MOST;
}

size_t spf_slots_count(const sporf_dataset *data) {
    size_t count = 0;
    for (size_t j = 0; j < data->features; j++) count += slots_of(data, j);
    return count;
}

sporf_status spf_slots_create(const sporf_dataset *data, const float *scale, spf_slots *slots) {
    *slots = (spf_slots){.count = data->features};
    if (!spf_schema_has_categories(&data->schema)) return SPORF_OK;
    slots->count = spf_slots_count(data);
    slots->feature = spf_alloc(slots->count, sizeof *slots->feature);
    slots->scale = scale ? spf_alloc(slots->count, sizeof *slots->scale) : NULL;
    if (!slots->feature || (scale && !slots->scale)) return spf_raise_memory();
    size_t slot = 0;
    for (size_t j = 0; j < data->features; j++)
        for (size_t k = slots_of(data, j); k > 0; k--) {
            slots->feature[slot] = (uint32_t)j;
            if (scale) slots->scale[slot] = scale[j];
            slot++;
        }
    return SPORF_OK;
}

void spf_slots_free(spf_slots *slots) {
    free(slots->feature);
    free(slots->scale);
    *slots = (spf_slots){0};
}

double spf_slots_bytes(const sporf_dataset *data) {
    if (!spf_schema_has_categories(&data->schema)) return 0;
    double slots = (double)spf_slots_count(data);
    return spf_alloc_bytes(slots, sizeof(uint32_t)) + spf_alloc_bytes(slots, sizeof(float));
}
