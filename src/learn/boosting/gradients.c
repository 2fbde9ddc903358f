/* Gradients on a grid. */
#include "learn/boosting/gradients.h"

#include <math.h>

/* Sums stay below 2^31, also if every row is rounded up. */
static double unit_of(double sum, size_t rows) {
    return sum > 0 ? sum / (0x1p31 - 2 - (double)rows) : 1;
}

/* Every row has a hessian of at least 1, so that no side of a cut that has rows looks empty. */
static inline uint32_t whole_hessian(double units) {
    uint32_t whole = (uint32_t)(units + 0.5);
    return whole > 0 ? whole : 1;
}

void spf_gradients_fill(spf_gradients *gradients, const float *gradient, const float *hessian,
                        const uint32_t *rows, size_t count) {
    double sum = 0, weight = 0;
    for (size_t i = 0; i < count; i++) {
        sum += fabs((double)gradient[rows[i]]);
        weight += hessian[rows[i]];
    }
    gradients->gradient_unit = unit_of(sum, count);
    gradients->hessian_unit = unit_of(weight, count);
    double per_gradient = 1 / gradients->gradient_unit, per_hessian = 1 / gradients->hessian_unit;
    gradients->least_hessian = UINT32_MAX;
    gradients->most_hessian = 0;
    gradients->total = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t row = rows[i], h = whole_hessian(hessian[row] * per_hessian);
        int64_t g = (int64_t)rint(gradient[row] * per_gradient);
        uint64_t pair = ((uint64_t)g << 32) + h;
        gradients->pair[row] = pair;
        gradients->total += pair;
        gradients->least_hessian = h < gradients->least_hessian ? h : gradients->least_hessian;
        gradients->most_hessian = h > gradients->most_hessian ? h : gradients->most_hessian;
    }
}
