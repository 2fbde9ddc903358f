/* An draw_by_weight with as many balls for each row as it weighs, numbered row by row: drawing a
 * ball draws a row with a chance proportional to its weight, and the one that rows repeated in
 * place would give.
 */
#ifndef SPF_LEARN_ROWS_WEIGHTED_DRAW_H
#define SPF_LEARN_ROWS_WEIGHTED_DRAW_H

#include "base/memory.h"

typedef struct spf_weighted_draw {
    const uint32_t *order; /* the rows in the order of their balls; NULL: as they are numbered */
    uint32_t *end;         /* [rows]: behind the last ball of each */
    uint32_t *guide;       /* the place whose row has the first of every 2^shift balls */
    unsigned shift;
    uint32_t balls;
} spf_weighted_draw;

/* units[rows] are the weights, of which at least one is not 0; their sum is below 2^31. `order` is
 * borrowed. */
sporf_status spf_weighted_draw_create(const uint32_t *units, const uint32_t *order, size_t rows,
                                      spf_weighted_draw *draw_by_weight);
void spf_weighted_draw_free(spf_weighted_draw *draw_by_weight);

/* The row of a ball: two steps on average, for there are about as many guides as rows. */
static inline uint32_t spf_weighted_draw_row(const spf_weighted_draw *draw_by_weight,
                                             uint32_t ball) {
    uint32_t place = draw_by_weight->guide[ball >> draw_by_weight->shift];
    while (draw_by_weight->end[place] <= ball) place++;
    return draw_by_weight->order ? draw_by_weight->order[place] : place;
}

#endif
