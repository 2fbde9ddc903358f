/* Random rotations by QR, and canonical correlations by QR and SVD. */
#include "base/linalg.h"

#include "base/memory.h"
#include "base/qr.h"
#include "base/svd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sporf_status spf_haar_rotation(double *matrix, size_t size) {
    double *diagonal = spf_alloc(size, sizeof *diagonal);
    if (!diagonal) return spf_raise_memory();
    spf_qr(matrix, size, size, diagonal);
    spf_qr_form(matrix, size, size);
    for (size_t j = 0; j < size; j++)
        for (size_t i = 0; diagonal[j] < 0 && i < size; i++)
            matrix[j * size + i] = -matrix[j * size + i];
    free(diagonal);
    return SPORF_OK;
}

/* Scratch memory of canonical correlation. */
typedef struct {
    size_t *pivot;    /* [columns] */
    double *diagonal; /* [most], where most = min(rows, columns) */
    double *lengths;  /* [2 * columns] */
    double *r;        /* [rank * rank] of [most * most] */
    double *vectors;  /* [rank * classes] of [most * classes] */
} workspace;

static sporf_status allocate(workspace *w, size_t most, size_t columns, size_t classes) {
    w->pivot = spf_alloc(columns, sizeof *w->pivot);
    w->diagonal = spf_alloc(most, sizeof *w->diagonal);
    w->lengths = spf_alloc(2 * columns, sizeof *w->lengths);
    w->r = spf_alloc(most * most, sizeof *w->r);
    w->vectors = spf_alloc(most * classes, sizeof *w->vectors);
    return w->pivot && w->diagonal && w->lengths && w->r && w->vectors ? SPORF_OK
                                                                       : spf_raise_memory();
}

static void release(workspace *w) {
    free(w->pivot);
    free(w->diagonal);
    free(w->lengths);
    free(w->r);
    free(w->vectors);
}

/* x P = Q R by QR with column pivoting: Q is left in x's first `rank` columns, the leading rank x
 * rank block of R in w->r. Columns with a negligible value on R's diagonal are left out. */
static size_t decompose(double *x, size_t rows, size_t columns, workspace *w) {
    size_t most = rows < columns ? rows : columns, rank = 0;
    spf_qr_pivoted(x, rows, columns, w->pivot, w->diagonal, w->lengths);
    double least = fabs(w->diagonal[0]) * 0x1p-30;
    while (rank < most && fabs(w->diagonal[rank]) > least) rank++;
    for (size_t j = 0; j < rank; j++) {
        memcpy(w->r + j * rank, x + j * rows, j * sizeof *x);
        w->r[j * rank + j] = w->diagonal[j];
    }
    spf_qr_form(x, rows, rank);
    return rank;
}

/* M = Q' E for the indicators E, each column divided by its length. These columns are orthonormal,
 * and their span differs from that of the centred indicators only by the constant, to which Q is
 * orthogonal: so M has the singular vectors that canonical correlation asks for, without a second
 * QR. */
static void correlate_with_classes(const double *q, size_t rows, size_t rank, const uint32_t *label,
                                   const uint32_t *class_size, size_t classes, double *m) {
    memset(m, 0, rank * classes * sizeof *m);
    for (size_t j = 0; j < rank; j++)
        for (size_t i = 0; i < rows; i++) m[label[i] * rank + j] += q[j * rows + i];
    for (size_t k = 0; k < classes; k++)
        for (size_t j = 0; j < rank; j++) m[k * rank + j] /= sqrt((double)class_size[k]);
}

/* Directions = R^-1 U, put back to the order of the columns before pivoting. */
static void back_substitute(const workspace *w, size_t rank, size_t found, size_t columns,
                            double *directions) {
    memset(directions, 0, columns * found * sizeof *directions);
    for (size_t d = 0; d < found; d++) {
        double *u = w->vectors + d * rank;
        for (size_t j = rank; j-- > 0;) {
            u[j] /= w->r[j * rank + j];
            for (size_t i = 0; i < j; i++) u[i] -= w->r[j * rank + i] * u[j];
            directions[d * columns + w->pivot[j]] = u[j];
        }
    }
}

sporf_status spf_canonical_directions(double *x, size_t rows, size_t columns, const uint32_t *label,
                                      const uint32_t *class_size, size_t classes,
                                      double *directions, size_t *found) {
    workspace w = {0};
    size_t rank = 0;
    *found = 0;
    sporf_status status = allocate(&w, rows < columns ? rows : columns, columns, classes);
    if (status == SPORF_OK) rank = decompose(x, rows, columns, &w);
    if (rank == 0) goto out;
    correlate_with_classes(x, rows, rank, label, class_size, classes, w.vectors);
    if ((status = spf_left_singular_vectors(w.vectors, rank, classes)) != SPORF_OK) goto out;
    *found = rank < classes - 1 ? rank : classes - 1;
    back_substitute(&w, rank, *found, columns, directions);
out:
    release(&w);
    return status;
}
