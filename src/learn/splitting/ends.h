/* The minimum number of rows in a leaf if weights are not row counts: the outermost values of a
 * column are made equal, as far as no cut may separate them. Splitters then need no check. */
#ifndef SPF_LEARN_SPLITTING_ENDS_H
#define SPF_LEARN_SPLITTING_ENDS_H

#include <stddef.h>
#include <stdint.h>

/* A value, and the number of its draws. */
typedef struct spf_end {
    float value;
    uint32_t draws;
} spf_end;

/* Raises the lowest values to the first one that at least `least` draws do not exceed, and lowers
 * the highest ones in the same way: exactly the cuts with enough draws on either side remain.
 * Returns 0 if there is none. `heap` has room for one more than `least` or than the count,
 * whichever is less. */
int spf_ends_close(float *values, const uint32_t *draws, size_t count, uint32_t least,
                   spf_end *heap);

/* Its steps. The values, times a sign, that decide the lower end stay in the heap, the largest of
 * them on top; returns how many. All values together may have fewer draws than `least`. */
size_t spf_ends_hold(const float *values, float sign, const uint32_t *draws, size_t count,
                     uint32_t least, spf_end *heap);
void spf_ends_clamp(float *values, size_t count, float low, float high);

#endif
