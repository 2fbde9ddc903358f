/* Axes: round numbers for their ticks, and where a value lies on them. */
#include "draw/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The power of ten that is not above a positive number, in steps that are the same everywhere. */
static int power_below(double size) {
    int power = 0;
    if (!(size > 0) || isinf(size)) return 0;
    while (size >= 10) size /= 10, power++;
    while (size < 1) size *= 10, power--;
    return power;
}

static double ten_to(int power) {
    double value = 1;
    for (int i = 0; i < power; i++) value *= 10;
    for (int i = 0; i > power; i--) value /= 10;
    return value;
}

/* The least of 1, 2 and 5 times a power of ten that needs no more than so many steps. */
static double nice_step(double span, size_t steps) {
    double rough = span / (double)steps, ten = ten_to(power_below(rough));
    double times = rough / ten;
    return ten * (times <= 1.000001 ? 1 : times <= 2.000001 ? 2 : times <= 5.000001 ? 5 : 10);
}

/* Numbers that no axis can show, with room for its ticks. */
static int is_extreme(double size) {
    return size > 1e300 || (size > 0 && size < 1e-300);
}

static void make_room(double *low, double *high) {
    double span = *high - *low;
    if (!isfinite(span) || is_extreme(span) || is_extreme(fabs(*low)) || is_extreme(fabs(*high))) {
        *low = 0, *high = 1;
    } else if (!(span > 1e-12 * (fabs(*low) + fabs(*high)))) {
        double room = *low == 0 ? 1 : fabs(*low) / 2;
        *low -= room, *high += room;
    }
}

spf_axis spf_axis_make(double low, double high, size_t ticks, int round) {
    make_room(&low, &high);
    double step = nice_step(high - low, ticks > 1 ? ticks : 1), tiny = 1e-9 * step;
    double first = ceil((low - tiny) / step), last = floor((high + tiny) / step);
    if (round) {
        first = floor((low + tiny) / step), last = ceil((high - tiny) / step);
        low = first * step, high = last * step;
    }
    size_t count = last >= first ? (size_t)(last - first) + 1 : 0;
    return (spf_axis){.from = low, .to = high, .step = step, .first = first * step, .ticks = count};
}

double spf_axis_at(const spf_axis *axis, double value) {
    double share = (value - axis->from) / (axis->to - axis->from);
    share = share < -1 ? -1 : share > 2 ? 2 : share; /* far outside is far enough */
    return axis->start + share * (axis->end - axis->start);
}

double spf_axis_tick(const spf_axis *axis, size_t tick) {
    double value = axis->first + (double)tick * axis->step;
    return fabs(value) < axis->step / 2 ? 0 : value;
}

/* 1500000 as 1.5e6. */
static void write_power(double value, int digits, char text[SPF_NUMBER_SHOWN_MAX]) {
    int power = power_below(fabs(value) * (1 + 1e-12));
    size_t length = spf_number_shown(value / ten_to(power), digits, text);
    snprintf(text + length, SPF_NUMBER_SHOWN_MAX - length, "e%d", power);
}

void spf_axis_tick_text(const spf_axis *axis, size_t tick, char text[SPF_NUMBER_SHOWN_MAX]) {
    double value = spf_axis_tick(axis, tick), largest = fmax(fabs(axis->from), fabs(axis->to));
    int digits = 1;
    if (value != 0)
        digits += power_below(fabs(value) * (1 + 1e-12)) - power_below(axis->step * (1 + 1e-12));
    digits = digits < 1 ? 1 : digits > 15 ? 15 : digits;
    if (value != 0 && (largest >= 1e6 || largest < 1e-3))
        write_power(value, digits, text);
    else
        spf_number_shown(value, digits, text);
}

void spf_axis_widen(double *low, double *high, size_t count, const double *values) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        *low = isnan(*low) || values[i] < *low ? values[i] : *low;
        *high = isnan(*high) || values[i] > *high ? values[i] : *high;
    }
}
