/* Functions with the same bits on every machine. */
#include "base/portable_math.h"

#include <math.h>

/* ln(m 2^e) = e ln 2 + 2 artanh(s), s = (m - 1) / (m + 1), m in [sqrt 1/2, sqrt 2): |s| < 0.172, so
 * that twelve terms of the series reach double precision. */
double spf_log(double x) {
    static const double ln2 = 0.69314718055994530942, sqrt_half = 0.70710678118654752440;
    int exponent;
    double m = frexp(x, &exponent);
    if (m < sqrt_half) {
        m *= 2;
        exponent--;
    }
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int k = 23; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
    return exponent * ln2 + 2 * s * sum;
}

double spf_round_up(double x) {
    return ceil(x * (1 - 1e-12));
}
