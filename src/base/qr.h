/* QR decompositions by Householder reflections, of column-major matrices in place. Sums have an
 * order of their own, which no compiler and no processor changes: so the bits are the same
 * everywhere. Columns of zeros, of extreme size, or that depend on others are no trouble.
 *
 * A matrix so decomposed holds R above its diagonal, whose own values stand apart, and from the
 * diagonal down the vectors v of reflections I - v v'. There are min(rows, columns) of them, and Q
 * is their product. */
#ifndef SPF_BASE_QR_H
#define SPF_BASE_QR_H

#include <stddef.h>

/* a = Q R; diagonal[min(rows, columns)]. */
void spf_qr(double *a, size_t rows, size_t columns, double *diagonal);

/* The same with the longest column next, of what is left of each: the k-th column of Q R is column
 * pivot[k] of a, and R's diagonal does not grow, but for rounding. lengths[2 * columns] is room to
 * work in. */
void spf_qr_pivoted(double *a, size_t rows, size_t columns, size_t *pivot, double *diagonal,
                    double *lengths);

/* Puts the first `count` columns of Q, at most as many as there are reflections, where these were.
 * They are orthonormal whatever a was. */
void spf_qr_form(double *a, size_t rows, size_t count);

#endif
