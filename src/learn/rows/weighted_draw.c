/* The method of guide tables (Chen and Asau 1974), in integers. */
#include "learn/rows/weighted_draw.h"

#include <stdlib.h>

static void set_guides(spf_weighted_draw *weighted_draw, size_t guides) {
    uint32_t place = 0;
    for (size_t i = 0; i < guides; i++) {
        while (weighted_draw->end[place] <= (uint32_t)i << weighted_draw->shift) place++;
        weighted_draw->guide[i] = place;
    }
}

sporf_status spf_weighted_draw_create(const uint32_t *units, const uint32_t *order, size_t rows,
                                      spf_weighted_draw *weighted_draw) {
    *weighted_draw = (spf_weighted_draw){.order = order};
    weighted_draw->end = spf_alloc(rows, sizeof *weighted_draw->end);
    if (!weighted_draw->end) return spf_raise_memory();
    for (size_t i = 0; i < rows; i++)
        weighted_draw->end[i] = weighted_draw->tickets += units[order ? order[i] : i];
    while ((weighted_draw->tickets - 1) >> weighted_draw->shift >= rows) weighted_draw->shift++;
    size_t guides = ((weighted_draw->tickets - 1) >> weighted_draw->shift) + 1;
    weighted_draw->guide = spf_alloc(guides, sizeof *weighted_draw->guide);
    if (!weighted_draw->guide) return spf_raise_memory();
    set_guides(weighted_draw, guides);
    return SPORF_OK;
}

/* At most as many guides as rows. */
double spf_weighted_draw_bytes(double rows) {
    return 2 * spf_alloc_bytes(rows, sizeof(uint32_t));
}

void spf_weighted_draw_free(spf_weighted_draw *weighted_draw) {
    free(weighted_draw->end);
    free(weighted_draw->guide);
    *weighted_draw = (spf_weighted_draw){0};
}
