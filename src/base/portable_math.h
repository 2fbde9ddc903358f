/* Logarithms made of IEEE additions, multiplications and divisions only, so that they have the same
 * bits on every machine: the entropy criterion and normal numbers depend on them. */
#ifndef SPF_BASE_PORTABLE_MATH_H
#define SPF_BASE_PORTABLE_MATH_H

/* The natural logarithm of a positive, finite number, within a few units in the last place. */
double spf_log(double x);

#endif
