/* The method of guide tables (Chen and Asau 1974) in whole numbers. */
#include "learn/urn.h"

#include <stdlib.h>

static void set_guides(spf_urn *urn, size_t guides) {
    uint32_t place = 0;
    for (size_t i = 0; i < guides; i++) {
        while (urn->end[place] <= (uint32_t)i << urn->shift) place++;
        urn->guide[i] = place;
    }
}

sporf_status spf_urn_create(const uint32_t *units, const uint32_t *order, size_t rows,
                            spf_urn *urn) {
    *urn = (spf_urn){.order = order};
    urn->end = spf_alloc(rows, sizeof *urn->end);
    if (!urn->end) return spf_raise_memory();
    for (size_t i = 0; i < rows; i++) urn->end[i] = urn->balls += units[order ? order[i] : i];
    while ((urn->balls - 1) >> urn->shift >= rows) urn->shift++;
    size_t guides = ((urn->balls - 1) >> urn->shift) + 1;
    urn->guide = spf_alloc(guides, sizeof *urn->guide);
    if (!urn->guide) return spf_raise_memory();
    set_guides(urn, guides);
    return SPORF_OK;
}

void spf_urn_free(spf_urn *urn) {
    free(urn->end);
    free(urn->guide);
    *urn = (spf_urn){0};
}
