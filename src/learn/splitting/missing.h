/* Missing values of a projection: a row with a hole in any term has none. All such rows of a node
 * go to one side, and both are tried: with missing values filled by a number below all others they
 * go left with any cut, with one above all others right. Splitters need not know. */
#ifndef SPF_LEARN_SPLITTING_MISSING_H
#define SPF_LEARN_SPLITTING_MISSING_H

#include <stddef.h>

typedef enum spf_missing_side {
    SPF_MISSING_NONE,
    SPF_MISSING_GO_LEFT,
    SPF_MISSING_GO_RIGHT
} spf_missing_side;

int spf_missing_exist(const float *values, size_t count);

/* Fills the missing values for one side. Returns 0 if there are no values beside them. */
int spf_missing_fill(float *values, size_t count, spf_missing_side side);

/* Puts missing values left of every threshold; as they are they lie right of it. */
void spf_missing_send_left(float *values, size_t count);

/* The threshold to keep for one that was found with missing values filled: a cut that parts the
 * missing values from all values does so whatever values are to come. */
float spf_missing_threshold(const float *values, size_t count, spf_missing_side side,
                            float threshold);

#endif
