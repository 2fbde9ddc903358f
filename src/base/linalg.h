/* The linear algebra that samplers need. Matrices are column-major doubles. */
#ifndef SPF_BASE_LINALG_H
#define SPF_BASE_LINALG_H

#include "base/error.h"

/* Turns a size x size matrix of independent N(0, 1) into a rotation with Haar distribution: the Q
 * of its QR decomposition, with the signs of R's diagonal multiplied in (Mezzadri 2007). */
sporf_status spf_haar_rotation(double *matrix, size_t size);

/* Directions in the space of x that correlate most with class membership (canonical correlation
 * analysis of x with the class indicators). x: rows x columns, centred by column, overwritten.
 * label[rows] < classes, class_size[classes] counts them. Writes up to min(columns, classes - 1)
 * directions of `columns` weights each to directions, and their number to *found, which is smaller
 * if x is rank deficient. directions needs room for columns * min(columns, classes) doubles. */
sporf_status spf_canonical_directions(double *x, size_t rows, size_t columns, const uint32_t *label,
                                      const uint32_t *class_size, size_t classes,
                                      double *directions, size_t *found);

#endif
