/* Draws rows by weight. Each row has as many tickets as its weight, numbered row by row: a random
 * ticket gives a row with probability proportional to its weight, and the same one that repeated
 * rows would give. */
#ifndef SPF_LEARN_ROWS_WEIGHTED_DRAW_H
#define SPF_LEARN_ROWS_WEIGHTED_DRAW_H

#include "base/memory.h"

typedef struct spf_weighted_draw {
    const uint32_t *order; /* the rows in the order of their tickets; NULL: by row number */
    uint32_t *end;         /* [rows]: the ticket after the last one of each */
    uint32_t *guide;       /* the index of the row with the first of every 2^shift tickets */
    unsigned shift;
    uint32_t tickets;
} spf_weighted_draw;

/* units[rows] are the weights, at least one of which is positive; their sum is below 2^31. `order`
 * is borrowed. */
sporf_status spf_weighted_draw_create(const uint32_t *units, const uint32_t *order, size_t rows,
                                      spf_weighted_draw *weighted_draw);
void spf_weighted_draw_free(spf_weighted_draw *weighted_draw);
double spf_weighted_draw_bytes(double rows);

/* The row of a ticket, in two steps on average, since there are about as many guides as rows. */
static inline uint32_t spf_weighted_draw_row(const spf_weighted_draw *weighted_draw,
                                             uint32_t ticket) {
    uint32_t place = weighted_draw->guide[ticket >> weighted_draw->shift];
    while (weighted_draw->end[place] <= ticket) place++;
    return weighted_draw->order ? weighted_draw->order[place] : place;
}

#endif
