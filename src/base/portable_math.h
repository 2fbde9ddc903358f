/* Functions that use only IEEE additions, multiplications and divisions, so that they have the same
 * bits on every machine. The entropy criterion and normal random numbers depend on the logarithm,
 * simulated targets on sine and arctangent, calibrated probabilities on logarithm and exponential,
 * and counts of rows and projections on rounding. */
#ifndef SPF_BASE_PORTABLE_MATH_H
#define SPF_BASE_PORTABLE_MATH_H

/* The natural logarithm of a positive, finite number, within a few units in the last place. */
double spf_log(double x);

/* e^x for a finite x of at most 700, within a few units in the last place; 0 below -700. */
double spf_exp(double x);

#define SPF_PI 3.14159265358979323846

/* sin(pi x) for a finite x, and the angle in (-pi/2, pi/2) whose tangent is x (pi/2 for infinity),
 * within a few units in the last place. */
double spf_sin_pi(double x);
double spf_atan(double x);

/* The least integer not below x >= 0, where a product that is an integer up to rounding counts as
 * that integer: 0.07 x 300 gives 21. */
double spf_round_up(double x);

#endif
