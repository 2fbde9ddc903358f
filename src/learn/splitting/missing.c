/* Missing values are filled with a number slightly beyond the others, so that bins between the
 * smallest and the largest value stay as they are. */
#include "learn/splitting/missing.h"

#include <math.h>

enum { STEPS = 64 };                      /* the number is one of these parts of the range beyond */
static const float beyond_all = 0x1p127f; /* larger than any projection: see SPF_VALUE_MAX */

int spf_missing_exist(const float *values, size_t count) {
    int has_missing = 0;
    for (size_t i = 0; i < count; i++) has_missing |= values[i] != values[i];
    return has_missing;
}

/* The smallest and the largest value; low > high if there are none. */
static void find_range(const float *values, size_t count, float *low, float *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < count; i++) { /* comparisons with NaN are false */
        *low = values[i] < *low ? values[i] : *low;
        *high = values[i] > *high ? values[i] : *high;
    }
}

float spf_missing_fill_of(float low, float high, spf_missing_side side) {
    float step = (high - low) / STEPS;
    float below = fminf(low - step, nextafterf(low, -INFINITY));
    float above = fmaxf(high + step, nextafterf(high, INFINITY));
    return side == SPF_MISSING_GO_LEFT ? below : above;
}

int spf_missing_fill(float *values, size_t count, spf_missing_side side) {
    float low, high;
    find_range(values, count, &low, &high);
    if (low > high) return 0;
    float fill = spf_missing_fill_of(low, high, side);
    for (size_t i = 0; i < count; i++) values[i] = values[i] == values[i] ? values[i] : fill;
    return 1;
}

void spf_missing_send_left(float *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (isnan(values[i])) values[i] = -INFINITY;
}

float spf_missing_threshold_of(float low, float high, spf_missing_side side, float threshold) {
    if (side == SPF_MISSING_GO_LEFT && threshold < low) return -beyond_all;
    if (side == SPF_MISSING_GO_RIGHT && threshold >= high) return beyond_all;
    return threshold;
}

float spf_missing_threshold(const float *values, size_t count, spf_missing_side side,
                            float threshold) {
    float low, high;
    find_range(values, count, &low, &high);
    return spf_missing_threshold_of(low, high, side, threshold);
}
