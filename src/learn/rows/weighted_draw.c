/* The method of guide tables (Chen and Asau 1974) in whole numbers. */
#include "learn/rows/weighted_draw.h"

#include <stdlib.h>

static void set_guides(spf_weighted_draw *draw_by_weight, size_t guides) {
    uint32_t place = 0;
    for (size_t i = 0; i < guides; i++) {
        while (draw_by_weight->end[place] <= (uint32_t)i << draw_by_weight->shift) place++;
        draw_by_weight->guide[i] = place;
    }
}

sporf_status spf_weighted_draw_create(const uint32_t *units, const uint32_t *order, size_t rows,
                                      spf_weighted_draw *draw_by_weight) {
    *draw_by_weight = (spf_weighted_draw){.order = order};
    draw_by_weight->end = spf_alloc(rows, sizeof *draw_by_weight->end);
    if (!draw_by_weight->end) return spf_raise_memory();
    for (size_t i = 0; i < rows; i++)
        draw_by_weight->end[i] = draw_by_weight->balls += units[order ? order[i] : i];
    while ((draw_by_weight->balls - 1) >> draw_by_weight->shift >= rows) draw_by_weight->shift++;
    size_t guides = ((draw_by_weight->balls - 1) >> draw_by_weight->shift) + 1;
    draw_by_weight->guide = spf_alloc(guides, sizeof *draw_by_weight->guide);
    if (!draw_by_weight->guide) return spf_raise_memory();
    set_guides(draw_by_weight, guides);
    return SPORF_OK;
}

void spf_weighted_draw_free(spf_weighted_draw *draw_by_weight) {
    free(draw_by_weight->end);
    free(draw_by_weight->guide);
    *draw_by_weight = (spf_weighted_draw){0};
}
