/* Left singular vectors, with the same bits everywhere. */
#ifndef SPF_BASE_SVD_H
#define SPF_BASE_SVD_H

#include "base/error.h"

/* Puts the left singular vectors of the column-major rows x columns matrix a into its first
 * min(rows, columns) columns, the strongest first. They are orthonormal even if a is rank
 * deficient. Numbers outside 1e-150 .. 1e150 give wrong results. */
sporf_status spf_left_singular_vectors(double *a, size_t rows, size_t columns);

#endif
