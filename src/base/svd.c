/* The one-sided method of Jacobi (Hestenes 1958) after a pivoted QR (Drmac and Veselic 2008): a P =
 * Q R, and rotations that make the rows of R orthogonal to each other turn the columns of Q into
 * left singular vectors. The lengths of the rows are then the singular values. */
#include "base/svd.h"

#include "base/memory.h"
#include "base/qr.h"

#include <math.h>
#include <stdlib.h>

enum { SWEEPS_MAX = 40 }; /* nodes of real tables took at most eight */

static double product(const double *a, const double *b, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

static void rotate(double *restrict a, double *restrict b, size_t count, double cosine,
                   double sine) {
    for (size_t i = 0; i < count; i++) {
        double old = a[i];
        a[i] = cosine * old - sine * b[i];
        b[i] = sine * old + cosine * b[i];
    }
}

/* Rotates two rows of R until they are orthogonal, and two columns of Q with them. Returns whether
 * they were not orthogonal before, up to rounding. */
static int make_orthogonal(double *a, double *b, size_t width, double *u, double *v, size_t rows) {
    double aa = product(a, a, width), bb = product(b, b, width), ab = product(a, b, width);
    double rounding = 0x1p-52 * (double)(width + 8);
    if (!(fabs(ab) > rounding * sqrt(aa) * sqrt(bb))) return 0;
    double slope = (bb - aa) / (2 * ab);
    double tangent = (slope < 0 ? -1 : 1) / (fabs(slope) + sqrt(1 + slope * slope));
    double cosine = 1 / sqrt(1 + tangent * tangent), sine = cosine * tangent;
    rotate(a, b, width, cosine, sine);
    rotate(u, v, rows, cosine, sine);
    return 1;
}

/* Copies row i of R to contiguous memory. */
static void copy_row(const double *a, size_t rows, size_t columns, const double *diagonal, size_t i,
                     double *row) {
    for (size_t j = 0; j < i; j++) row[j] = 0;
    row[i] = diagonal[i];
    for (size_t j = i + 1; j < columns; j++) row[j] = a[j * rows + i];
}

static void sweep_until_orthogonal(double *r, double *q, size_t rows, size_t columns, size_t most) {
    int changed = 1;
    for (int sweep = 0; changed && sweep < SWEEPS_MAX; sweep++) {
        changed = 0;
        for (size_t i = 0; i < most; i++)
            for (size_t j = i + 1; j < most; j++)
                changed |= make_orthogonal(r + i * columns, r + j * columns, columns, q + i * rows,
                                           q + j * rows, rows);
    }
}

static void strongest_first(double *q, size_t rows, double *strength, size_t most) {
    for (size_t k = 0; k < most; k++) {
        size_t best = k;
        for (size_t j = k + 1; j < most; j++)
            if (strength[j] > strength[best]) best = j;
        if (best == k) continue;
        strength[best] = strength[k];
        for (size_t i = 0; i < rows; i++) {
            double kept = q[k * rows + i];
            q[k * rows + i] = q[best * rows + i];
            q[best * rows + i] = kept;
        }
    }
}

sporf_status spf_left_singular_vectors(double *a, size_t rows, size_t columns) {
    size_t most = rows < columns ? rows : columns;
    double *r = spf_alloc(most * columns, sizeof *r);
    double *diagonal = spf_alloc(most, sizeof *diagonal);
    double *lengths = spf_alloc(2 * columns, sizeof *lengths);
    size_t *pivot = spf_alloc(columns, sizeof *pivot);
    sporf_status status = SPORF_OK;
    if (!r || !diagonal || !lengths || !pivot) {
        status = spf_raise_memory();
        goto out;
    }
    spf_qr_pivoted(a, rows, columns, pivot, diagonal, lengths);
    for (size_t i = 0; i < most; i++) copy_row(a, rows, columns, diagonal, i, r + i * columns);
    spf_qr_form(a, rows, most);
    sweep_until_orthogonal(r, a, rows, columns, most);
    for (size_t i = 0; i < most; i++)
        diagonal[i] = product(r + i * columns, r + i * columns, columns);
    strongest_first(a, rows, diagonal, most);
out:
    free(r);
    free(diagonal);
    free(lengths);
    free(pivot);
    return status;
}
