/* Missing values of a projection: a row with a hole in any term has none. All such rows of a node
 * go to one side, and both are tried: with holes filled by a number below all others they go left
 * with any cut, with one above all others right. Splitters need not know. */
#ifndef SPF_LEARN_HOLES_H
#define SPF_LEARN_HOLES_H

#include <stddef.h>

typedef enum spf_holes_side {
    SPF_HOLES_NONE,
    SPF_HOLES_GO_LEFT,
    SPF_HOLES_GO_RIGHT
} spf_holes_side;

int spf_holes_exist(const float *values, size_t count);

/* Fills the holes for one side. Returns 0 where there are no values beside them. */
int spf_holes_fill(float *values, size_t count, spf_holes_side side);

/* Puts holes left of every threshold; as they are they lie right of it. */
void spf_holes_send_left(float *values, size_t count);

/* The threshold to keep for one that was found with holes filled: a cut that parts the holes from
 * all values does so whatever values are to come. */
float spf_holes_threshold(const float *values, size_t count, spf_holes_side side, float threshold);

#endif
