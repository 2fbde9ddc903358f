/* Functions with the same bits on every machine. */
#include "base/portable_math.h"

#include <math.h>

double spf_log(double x) {
    return x < 0x1p-1022 ? spf_log_raised(x * 0x1p100, 100) : spf_log_normal(x);
}

double spf_exp(double x) {
    return x < -SPF_EXP_MOST ? 0 : spf_exp_within(x);
}

/* The series 1 - t/(a(a+1)) (1 - t/((a+2)(a+3)) (...)) with t = angle^2: of the cosine with a = 1,
 * of sin(angle)/angle with a = 2. For angles up to pi/4 nine steps reach double precision. */
static double series(double angle, int a) {
    double square = angle * angle, sum = 1;
    for (int k = a + 16; k >= a; k -= 2) sum = 1 - square / (k * (k + 1)) * sum;
    return sum;
}

/* The distance from the nearest integer is exact, and the sine of that differs at most in sign. */
double spf_sin_pi(double x) {
    double whole = rint(x), rest = x - whole, size = fabs(rest);
    double angle = SPF_PI * (size <= 0.25 ? size : 0.5 - size);
    double sine = size <= 0.25 ? angle * series(angle, 2) : series(angle, 1);
    int odd = floor(whole / 2) * 2 != whole;
    return (rest < 0) != odd ? -sine : sine;
}

/* From the nearest multiple of 1/4, whose arctangent is tabulated: atan(x) = atan(c) + atan((x - c)
 * / (1 + x c)). The last argument is at most 1/8, for which ten terms of the series reach double
 * precision. */
static double atan_to_one(double x) {
    static const double known[] = {0, 0.24497866312686415417, 0.46364760900080611621,
                                   0.64350110879328438680, 0.78539816339744830962};
    int quarter = (int)(4 * x + 0.5);
    double c = quarter / 4.0, t = (x - c) / (1 + x * c), square = t * t, sum = 0;
    for (int k = 19; k >= 1; k -= 2) sum = 1.0 / k - square * sum;
    return known[quarter] + t * sum;
}

double spf_atan(double x) {
    double size = fabs(x);
    double angle = size <= 1 ? atan_to_one(size) : SPF_PI / 2 - atan_to_one(1 / size);
    return x < 0 ? -angle : angle;
}

double spf_round_up(double x) {
    return ceil(x * (1 - 1e-12));
}
