/* Fewest rows in a leaf where rows do not count as they weigh: the outermost values of a column are
 * made equal as far as no cut may part them, so that splitters need not know. */
#ifndef SPF_LEARN_SPLITTING_ENDS_H
#define SPF_LEARN_SPLITTING_ENDS_H

#include <stddef.h>
#include <stdint.h>

/* A value, and how many rows have it. */
typedef struct spf_end {
    float value;
    uint32_t draws;
} spf_end;

/* Lifts the lowest values up to the first that at least so many draws do not exceed, and lowers the
 * highest alike: every cut that is left has so many on either side, and none that has is lost.
 * Returns 0 if there is none. `heap` has room for one more than `least`, or than the count if
 * that is less. */
int spf_ends_close(float *values, const uint32_t *draws, size_t count, uint32_t least,
                   spf_end *heap);

#endif
