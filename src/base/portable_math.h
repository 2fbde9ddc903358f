/* Functions that use only IEEE additions, multiplications and divisions, so that they have the same
 * bits on every machine. The entropy criterion and normal random numbers depend on the logarithm,
 * simulated targets on sine and arctangent, calibrated probabilities on logarithm and exponential,
 * and counts of rows and projections on rounding. */
#ifndef SPF_BASE_PORTABLE_MATH_H
#define SPF_BASE_PORTABLE_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The natural logarithm of a positive, finite number, within a few units in the last place. */
double spf_log(double x);

/* e^x for a finite x of at most 700, within a few units in the last place; 0 below -700. */
double spf_exp(double x);

/* The same for numbers of at least 2^-1022, and for magnitudes of at most SPF_EXP_MOST: without
 * branches, so that loops over rows can be compiled for vectors. */
#define SPF_EXP_MOST 700.0

/* ln(m 2^e) = e ln 2 + 2 artanh(s), s = (m - 1) / (m + 1), m in [sqrt 1/2, sqrt 2): |s| < 0.172, so
 * that twelve terms of the series reach double precision. The number is x 2^-raised. */
static inline double spf_log_raised(double x, int raised) {
    static const double ln2 = 0.69314718055994530942;
    const uint64_t sqrt_half = 0x3fe6a09e667f3bcdu; /* its bits, rounded up */
    uint64_t bits;
    double m;
    memcpy(&bits, &x, sizeof bits);
    int64_t exponent = (int64_t)(bits - sqrt_half) >> 52;
    bits -= (uint64_t)exponent << 52;
    memcpy(&m, &bits, sizeof m);
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int k = 23; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
    return (double)(exponent - raised) * ln2 + 2 * s * sum;
}

static inline double spf_log_normal(double x) {
    return spf_log_raised(x, 0);
}

/* e^x = 2^k e^r, r = x - k ln 2 in two parts, |r| < 0.347: fourteen terms of the series, with these
 * factors, reach double precision. */
static inline double spf_exp_within(double x) {
    static const double high = 0x1.62e42fefa3800p-1, low = 0x1.ef35793c76730p-45;
    static const double factor[] = {1,
                                    1,
                                    1 / 2.,
                                    1 / 6.,
                                    1 / 24.,
                                    1 / 120.,
                                    1 / 720.,
                                    1 / 5040.,
                                    1 / 40320.,
                                    1 / 362880.,
                                    1 / 3628800.,
                                    1 / 39916800.,
                                    1 / 479001600.,
                                    1 / 6227020800.};
    const double shift = 0x1.8p52; /* adding it rounds to an integer, in the lowest bits */
    double shifted = x * 1.44269504088896340736 + shift, sum = 0, power;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    double k = shifted - shift, r = (x - k * high) - k * low;
    for (int i = 13; i >= 0; i--) sum = sum * r + factor[i];
    bits = (bits + 1023) << 52; /* 2^k */
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

#define SPF_PI 3.14159265358979323846

/* sin(pi x) for a finite x, and the angle in (-pi/2, pi/2) whose tangent is x (pi/2 for infinity),
 * within a few units in the last place. */
double spf_sin_pi(double x);
double spf_atan(double x);

/* The least integer not below x >= 0, where a product that is an integer up to rounding counts as
 * that integer: 0.07 x 300 gives 21. */
double spf_round_up(double x);

#endif
