/* Rotations and canonical correlations on LAPACK's QR and SVD. */
#include "base/linalg.h"

#include "base/memory.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static sporf_status raise_lapack(const char *routine, lapack_int info) {
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
        return spf_raise_memory();
    return spf_raise(SPORF_ERROR_DATA,
                     "LAPACK's %s did not succeed (info %d): the data may hold "
                     "values of extreme size; try --scale sd",
                     routine, (int)info);
}

sporf_status spf_haar_rotation(double *matrix, size_t size) {
    lapack_int n = (lapack_int)size, info;
    double *tau = spf_alloc(size, sizeof *tau);
    char *flip = spf_alloc(size, 1);
    sporf_status status = SPORF_OK;
    if (!tau || !flip) {
        status = spf_raise_memory();
        goto out;
    }
    if ((info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, n, matrix, n, tau)) != 0) {
        status = raise_lapack("dgeqrf", info);
        goto out;
    }
    for (size_t j = 0; j < size; j++) flip[j] = matrix[j * size + j] < 0;
    if ((info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, n, n, matrix, n, tau)) != 0) {
        status = raise_lapack("dorgqr", info);
        goto out;
    }
    for (size_t j = 0; j < size; j++)
        for (size_t i = 0; flip[j] && i < size; i++) matrix[j * size + i] = -matrix[j * size + i];
out:
    free(tau);
    free(flip);
    return status;
}

/* x P = Q R by QR with column pivoting: Q is left in x's first `rank` columns, the leading rank x
 * rank block of R in r. Columns whose share of R's diagonal is negligible are left out. */
static sporf_status pivoted_qr(double *x, size_t rows, size_t columns, lapack_int *pivot, double *r,
                               size_t *rank) {
    enum { TINY_EXPONENT = -30 };
    size_t most = rows < columns ? rows : columns;
    lapack_int m = (lapack_int)rows, info;
    double *tau = spf_alloc(most, sizeof *tau);
    if (!tau) return spf_raise_memory();
    sporf_status status = SPORF_OK;
    memset(pivot, 0, columns * sizeof *pivot);
    info = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, m, (lapack_int)columns, x, m, pivot, tau);
    if (info != 0) {
        status = raise_lapack("dgeqp3", info);
        goto out;
    }
    double least = fabs(x[0]) * ldexp(1, TINY_EXPONENT);
    *rank = 0;
    while (*rank < most && fabs(x[*rank * rows + *rank]) > least) (*rank)++;
    for (size_t j = 0; j < *rank; j++)
        for (size_t i = 0; i <= j; i++) r[j * *rank + i] = x[j * rows + i];
    if (*rank == 0) goto out;
    info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, m, (lapack_int)*rank, (lapack_int)*rank, x, m, tau);
    if (info != 0) status = raise_lapack("dorgqr", info);
out:
    free(tau);
    return status;
}

/* M = Q' E for the indicators E, each column divided by its length. They are orthonormal, and their
 * span differs from that of the centred indicators only by the constant, to which Q is orthogonal:
 * so M has the singular vectors that canonical correlation asks for, without a second QR. */
static void correlate_with_classes(const double *q, size_t rows, size_t rank, const uint32_t *label,
                                   const uint32_t *class_size, size_t classes, double *m) {
    memset(m, 0, rank * classes * sizeof *m);
    for (size_t j = 0; j < rank; j++)
        for (size_t i = 0; i < rows; i++) m[label[i] * rank + j] += q[j * rows + i];
    for (size_t k = 0; k < classes; k++)
        for (size_t j = 0; j < rank; j++) m[k * rank + j] /= sqrt((double)class_size[k]);
}

/* Left singular vectors of the rank x classes matrix m, the strongest first. */
static sporf_status left_singular_vectors(double *m, size_t rank, size_t classes, double *vectors) {
    size_t most = rank < classes ? rank : classes;
    double *values = spf_alloc(most, sizeof *values), *rest = spf_alloc(most, sizeof *rest), none;
    sporf_status status = SPORF_OK;
    if (!values || !rest)
        status = spf_raise_memory();
    else {
        lapack_int info =
            LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'S', 'N', (lapack_int)rank, (lapack_int)classes, m,
                           (lapack_int)rank, values, vectors, (lapack_int)rank, &none, 1, rest);
        if (info != 0) status = raise_lapack("dgesvd", info);
    }
    free(values);
    free(rest);
    return status;
}

/* Directions = R^-1 U, put back to the order of the columns before pivoting. */
static sporf_status back_substitute(const double *r, size_t rank, double *vectors, size_t found,
                                    const lapack_int *pivot, size_t columns, double *directions) {
    lapack_int n = (lapack_int)rank;
    lapack_int info =
        LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'U', 'N', 'N', n, (lapack_int)found, r, n, vectors, n);
    if (info != 0) return raise_lapack("dtrtrs", info);
    memset(directions, 0, columns * found * sizeof *directions);
    for (size_t j = 0; j < found; j++)
        for (size_t i = 0; i < rank; i++)
            directions[j * columns + (size_t)pivot[i] - 1] = vectors[j * rank + i];
    return SPORF_OK;
}

sporf_status spf_canonical_directions(double *x, size_t rows, size_t columns, const uint32_t *label,
                                      const uint32_t *class_size, size_t classes,
                                      double *directions, size_t *found) {
    size_t most = rows < columns ? rows : columns, rank = 0;
    lapack_int *pivot = spf_alloc(columns, sizeof *pivot);
    double *r = spf_alloc_zero(most * most, sizeof *r);
    double *m = spf_alloc(most * classes, sizeof *m);
    double *vectors = spf_alloc(most * (most < classes ? most : classes), sizeof *vectors);
    sporf_status status = SPORF_OK;
    *found = 0;
    if (!pivot || !r || !m || !vectors) {
        status = spf_raise_memory();
        goto out;
    }
    if ((status = pivoted_qr(x, rows, columns, pivot, r, &rank)) != SPORF_OK || rank == 0) goto out;
    correlate_with_classes(x, rows, rank, label, class_size, classes, m);
    if ((status = left_singular_vectors(m, rank, classes, vectors)) != SPORF_OK) goto out;
    *found = rank < classes - 1 ? rank : classes - 1;
    status = back_substitute(r, rank, vectors, *found, pivot, columns, directions);
out:
    free(pivot);
    free(r);
    free(m);
    free(vectors);
    return status;
}
