/* Left singular vectors, with the same bits everywhere. */
#ifndef SPF_BASE_SVD_H
#define SPF_BASE_SVD_H

#include "base/error.h"

/* Puts the left singular vectors of the column-major rows x columns matrix a into its first
 * min(rows, columns) columns, the strongest first. They are orthonormal, also where a has not the
 * rank. Numbers beyond 1e-150 .. 1e150 are taken for what they are not. */
sporf_status spf_left_singular_vectors(double *a, size_t rows, size_t columns);

#endif
