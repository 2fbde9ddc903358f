/* QR decompositions by Householder reflections, of column-major matrices in place. Sums are
 * computed in a fixed order, so that the bits are the same on every machine. Columns that are zero,
 * extreme or linearly dependent are handled.
 *
 * A decomposed matrix holds R above its diagonal and, from the diagonal down, the vectors v of the
 * reflections I - v v'; R's diagonal is stored separately. There are min(rows, columns)
 * reflections, and Q is their product. */
#ifndef SPF_BASE_QR_H
#define SPF_BASE_QR_H

#include <stddef.h>

/* a = Q R; diagonal[min(rows, columns)]. */
void spf_qr(double *a, size_t rows, size_t columns, double *diagonal);

/* The same with column pivoting, the longest remaining column next: the k-th column of Q R is
 * column pivot[k] of a, and R's diagonal does not grow, up to rounding. lengths[2 * columns] is
 * scratch memory. */
void spf_qr_pivoted(double *a, size_t rows, size_t columns, size_t *pivot, double *diagonal,
                    double *lengths);

/* Replaces the reflections by the first `count` columns of Q; count is at most the number of
 * reflections. The columns are orthonormal for every a. */
void spf_qr_form(double *a, size_t rows, size_t count);

#endif
