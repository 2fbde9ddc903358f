/* Axes: round numbers for their ticks, and where a value lies on them. */
#ifndef SPF_DRAW_AXIS_H
#define SPF_DRAW_AXIS_H

#include "draw/markup.h"

typedef struct spf_axis {
    double from, to;   /* values at its ends */
    double start, end; /* these ends in the picture */
    double step;       /* between ticks: 1, 2 or 5 times a power of ten */
    double first;      /* the value of the first tick */
    size_t ticks;
} spf_axis;

/* An axis for values from low to high with about `ticks` ticks. Its ends are low and high, or with
 * `round` the ticks around them. Values that are all the same get room on both sides; without
 * any, which NaN stands for, the axis is from 0 to 1. */
spf_axis spf_axis_make(double low, double high, size_t ticks, int round);

/* Where a value lies in the picture. */
double spf_axis_at(const spf_axis *axis, double value);

/* The value of a tick, and its text, with as many digits as the step needs. */
double spf_axis_tick(const spf_axis *axis, size_t tick);
void spf_axis_tick_text(const spf_axis *axis, size_t tick, char text[SPF_NUMBER_SHOWN_MAX]);

/* Widens *low .. *high to all values that are finite; both are NaN before the first. */
void spf_axis_widen(double *low, double *high, size_t count, const double *values);

#endif
