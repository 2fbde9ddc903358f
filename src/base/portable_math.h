/* Functions made of IEEE additions, multiplications and divisions only, so that they have the same
 * bits on every machine: the entropy criterion and normal numbers depend on the logarithm,
 * simulated targets on sine and arctangent, numbers of rows and projections on what rounds to what.
 */
#ifndef SPF_BASE_PORTABLE_MATH_H
#define SPF_BASE_PORTABLE_MATH_H

/* The natural logarithm of a positive, finite number, within a few units in the last place. */
double spf_log(double x);

#define SPF_PI 3.14159265358979323846

/* sin(pi x) for a finite x, and the angle in (-pi/2, pi/2) whose tangent is x (pi/2 for infinity),
 * within a few units in the last place. */
double spf_sin_pi(double x);
double spf_atan(double x);

/* The least whole number not below x, where x is a product of at least 0 whose rounding must not
 * lift a whole number to the next: 0.07 x 300 gives 21. */
double spf_round_up(double x);

#endif
