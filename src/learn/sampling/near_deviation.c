/* One pass with sums side by side, and how far they can be off. */
#include "learn/sampling/near_deviation.h"

#include "base/vectors.h"

#include <float.h>

typedef float f32x2 __attribute__((vector_size(8)));
typedef int32_t i32x2 __attribute__((vector_size(8)));

/* Of distances from one of the values, by weight. */
typedef struct {
    f64x2 weight, first, square, pivot;
} sums;

/* A missing value weighs nothing. */
static inline void add(sums *s, f64x2 value, f64x2 weight) {
    i64x2 known = value <= INFINITY;
    f64x2 apart = spf_either_double(known, value - s->pivot, (f64x2){0}),
          weighed = spf_either_double(known, weight, (f64x2){0});
    s->weight += weighed;
    s->first += weighed * apart;
    s->square += weighed * (apart * apart);
}

static inline f64x2 two_values(const float *column) {
    f32x2 two;
    memcpy(&two, column, sizeof two);
    return __builtin_convertvector(two, f64x2);
}

/* Units are below 2^31. */
static inline f64x2 two_weights(const uint32_t *units) {
    i32x2 two;
    memcpy(&two, units, sizeof two);
    return __builtin_convertvector(two, f64x2);
}

static sums add_up(const float *column, const uint32_t *units, size_t rows) {
    size_t start = 0, i = 0;
    while (start + 1 < rows && isnan(column[start])) start++;
    const f64x2 pivot = {column[start], column[start]}, one = {1, 1};
    sums a = {.pivot = pivot}, b = a;
    for (; units && i + 4 <= rows; i += 4) {
        add(&a, two_values(column + i), two_weights(units + i));
        add(&b, two_values(column + i + 2), two_weights(units + i + 2));
    }
    for (; i + 4 <= rows; i += 4) {
        add(&a, two_values(column + i), one);
        add(&b, two_values(column + i + 2), one);
    }
    for (; i < rows; i++) add(&a, (f64x2){column[i], NAN}, units ? (f64x2){units[i]} : one);
    return (sums){a.weight + b.weight, a.first + b.first, a.square + b.square, pivot};
}

/* With unit roundoff u, a sum of n numbers is off by less than n u times that of their sizes. Those
 * of the distances d, by weight w of W in all, are small beside their squares, since
 * (sum w|d|)^2 <= W sum w d^2: together the sums miss the variation by less than 3 n u sum w d^2.
 * What is compared with misses it by W (3 u m)^2, as its mean m is rounded, and products of
 * both signs by W u^2 (m^2 + variation / W). Both are doubled, which covers smaller terms. */
spf_bounds spf_near_deviation(const float *column, const spf_row_weights *weights, size_t rows) {
    const double u = DBL_EPSILON / 2, useful = 1e-6;
    sums s = add_up(column, weights->units, rows);
    double weight = s.weight[0] + s.weight[1], first = s.first[0] + s.first[1],
           square = s.square[0] + s.square[1], variation = square - first * (first / weight);
    double mean = s.pivot[0] + first / weight, rounded = 3 * u * mean;
    double error =
        (6 * ((double)rows + 10) * u * square + 2 * weight * (rounded * rounded)) / variation;
    if (!(error > 0 && error < useful)) return (spf_bounds){0, INFINITY};
    double deviation = sqrt(variation / weight);
    return (spf_bounds){deviation * (1 - error), deviation * (1 + error)};
}
