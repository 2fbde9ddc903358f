/* Rows drawn by their weight. Each row has as many tickets as it weighs, numbered row by row:
 * drawing a ticket draws a row with a chance proportional to its weight, and the one that rows
 * repeated in place would give.
 */
#ifndef SPF_LEARN_ROWS_WEIGHTED_DRAW_H
#define SPF_LEARN_ROWS_WEIGHTED_DRAW_H

#include "base/memory.h"

typedef struct spf_weighted_draw {
    const uint32_t *order; /* the rows in the order of their tickets; NULL: as they are numbered */
    uint32_t *end;         /* [rows]: behind the last ticket of each */
    uint32_t *guide;       /* the place whose row has the first of every 2^shift tickets */
    unsigned shift;
    uint32_t tickets;
} spf_weighted_draw;

/* units[rows] are the weights, of which at least one is not 0; their sum is below 2^31. `order` is
 * borrowed. */
sporf_status spf_weighted_draw_create(const uint32_t *units, const uint32_t *order, size_t rows,
                                      spf_weighted_draw *weighted_draw);
void spf_weighted_draw_free(spf_weighted_draw *weighted_draw);

/* The row of a ticket: two steps on average, for there are about as many guides as rows. */
static inline uint32_t spf_weighted_draw_row(const spf_weighted_draw *weighted_draw,
                                             uint32_t ticket) {
    uint32_t place = weighted_draw->guide[ticket >> weighted_draw->shift];
    while (weighted_draw->end[place] <= ticket) place++;
    return weighted_draw->order ? weighted_draw->order[place] : place;
}

#endif
