/* What the two files of the histogram splitter share: where a value lies among bins. */
#ifndef SPF_LEARN_SPLITTING_SPLIT_BINS_H
#define SPF_LEARN_SPLITTING_SPLIT_BINS_H

#include "learn/splitting/split.h"

#include <math.h>

/* Where a value lies: 0 .. count-1, -1 left of all bins, count right of them. */
static inline int32_t spf_bin_of(const spf_bins *bins, float value) {
    float last = (float)(bins->count - 1), place = (value - bins->low) * bins->per_unit;
    place = place < last ? place : last;
    int32_t bin = (int32_t)(place > 0 ? place : 0);
    return value < bins->low ? -1 : value > bins->high ? (int32_t)bins->count : bin;
}

/* Some bins in a row, as bounds in units of bins. A bin number is a place rounded down, so places
 * need no rounding here. */
typedef struct spf_bin_range {
    float low, per_unit, first, behind, high;
} spf_bin_range;

static inline spf_bin_range spf_window_of(const spf_bins *bins, uint32_t first, uint32_t last) {
    float behind = last == bins->count - 1 ? INFINITY : (float)(last + 1);
    return (spf_bin_range){bins->low, bins->per_unit, (float)first, behind, bins->high};
}

static inline float spf_place_of(const spf_bin_range *window, float value) {
    return (value - window->low) * window->per_unit;
}

static inline int spf_is_inside(const spf_bin_range *window, float value) {
    float place = spf_place_of(window, value);
    return (place >= window->first) & (place < window->behind) & (value <= window->high);
}

#endif
