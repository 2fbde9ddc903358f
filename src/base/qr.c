/* Householder QR. The plain decomposition and the forming of Q work on a few columns at a time and
 * apply all reflections to them: the columns stay in the cache, and each reflection is read once
 * for all of them. With pivoting each reflection is applied to all columns at once, since the
 * choice of the next column depends on it. */
#include "base/qr.h"

#include "base/vectors.h"

#include <math.h>

#define INLINE static inline __attribute__((always_inline))

enum { GROUP = 4 };

/* ---- reflections ----------------------------------------------------------------------------- */

/* a - v (v'a) for each of `width` columns a. Each sum has four parts, of every fourth product; the
 * remaining products are added to their sum. */
INLINE void reflect_some(const double *v, size_t count, double *a, size_t stride, const int width) {
    f64x2 even[GROUP] = {{0}}, odd[GROUP] = {{0}};
    double product[GROUP];
    size_t whole = count / 4 * 4;
    for (size_t i = 0; i < whole; i += 4) {
        f64x2 low = spf_load_doubles(v + i), high = spf_load_doubles(v + i + 2);
        for (int c = 0; c < width; c++) {
            even[c] += low * spf_load_doubles(a + c * stride + i);
            odd[c] += high * spf_load_doubles(a + c * stride + i + 2);
        }
    }
    for (int c = 0; c < width; c++) {
        f64x2 sum = even[c] + odd[c];
        product[c] = sum[0] + sum[1];
        for (size_t i = whole; i < count; i++) product[c] += v[i] * a[c * stride + i];
        for (size_t i = whole; i < count; i++) a[c * stride + i] -= product[c] * v[i];
        even[c] = (f64x2){product[c], product[c]};
    }
    for (size_t i = 0; i < whole; i += 2) {
        f64x2 pair = spf_load_doubles(v + i);
        for (int c = 0; c < width; c++) {
            double *at = a + c * stride + i;
            spf_store_doubles(at, spf_load_doubles(at) - even[c] * pair);
        }
    }
}

/* Applies the k-th reflection to `columns` columns, which begin at a. */
static void reflect(const double *matrix, size_t rows, size_t k, double *a, size_t columns) {
    const double *v = matrix + k * rows + k;
    size_t c = 0;
    for (; c + GROUP <= columns; c += GROUP)
        reflect_some(v, rows - k, a + c * rows + k, rows, GROUP);
    if (c + 2 <= columns) {
        reflect_some(v, rows - k, a + c * rows + k, rows, 2);
        c += 2;
    }
    if (c < columns) reflect_some(v, rows - k, a + c * rows + k, rows, 1);
}

static double sum_of_squares(const double *x, size_t count) {
    f64x2 even = {0}, odd = {0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        f64x2 low = spf_load_doubles(x + i), high = spf_load_doubles(x + i + 2);
        even += low * low;
        odd += high * high;
    }
    f64x2 pair = even + odd;
    double sum = pair[0] + pair[1];
    for (; i < count; i++) sum += x[i] * x[i];
    return sum;
}

/* The divisor of x that keeps squares from overflow and underflow: 1 unless numbers are extreme. */
static double scale_of(const double *x, size_t count, double squares) {
    double largest = 0;
    if (squares > 0x1p-900 && squares < 0x1p900) return 1;
    for (size_t i = 0; i < count; i++)
        if (fabs(x[i]) > largest) largest = fabs(x[i]);
    return largest;
}

static double length_of(const double *x, size_t count) {
    double squares = sum_of_squares(x, count), scale = scale_of(x, count, squares);
    if (scale == 1) return sqrt(squares);
    squares = 0;
    for (size_t i = 0; scale > 0 && i < count; i++) squares += (x[i] / scale) * (x[i] / scale);
    return scale * sqrt(squares);
}

/* Turns x into the v whose reflection takes x to (r, 0, 0 ...), and returns r. With u = e1 - x/r,
 * whose first element is half its squared length, v is u divided by the root of that element. */
static double make_reflection(double *x, size_t count) {
    double squares = sum_of_squares(x, count), scale = scale_of(x, count, squares);
    if (scale == 0) return 0;
    if (scale != 1) {
        for (size_t i = 0; i < count; i++) x[i] /= scale;
        squares = sum_of_squares(x, count);
    }
    double r = x[0] > 0 ? -sqrt(squares) : sqrt(squares);
    double first = 1 - x[0] / r, divisor = -r * sqrt(first);
    for (size_t i = 1; i < count; i++) x[i] /= divisor;
    x[0] = sqrt(first);
    return r * scale;
}

/* ---- decompositions -------------------------------------------------------------------------- */

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

void spf_qr(double *a, size_t rows, size_t columns, double *diagonal) {
    for (size_t start = 0; start < columns; start += GROUP) {
        size_t end = smaller(start + GROUP, columns);
        for (size_t k = 0; k < smaller(start, rows); k++)
            reflect(a, rows, k, a + start * rows, end - start);
        for (size_t k = start; k < smaller(end, rows); k++) {
            diagonal[k] = make_reflection(a + k * rows + k, rows - k);
            reflect(a, rows, k, a + (k + 1) * rows, end - k - 1);
        }
    }
}

static void swap_columns(double *a, size_t rows, size_t i, size_t j) {
    for (size_t k = 0; k < rows; k++) {
        double kept = a[i * rows + k];
        a[i * rows + k] = a[j * rows + k];
        a[j * rows + k] = kept;
    }
}

/* Moves the longest of the columns from k on to place k. */
static void choose_next(double *a, size_t rows, size_t columns, size_t k, size_t *pivot,
                        double *length, double *known) {
    size_t best = k;
    for (size_t j = k + 1; j < columns; j++)
        if (length[j] > length[best]) best = j;
    if (best == k) return;
    swap_columns(a, rows, k, best);
    size_t column = pivot[best];
    pivot[best] = pivot[k];
    pivot[k] = column;
    length[best] = length[k];
    known[best] = known[k];
}

/* Updates the length of a column when its element in row k is dropped. The length is measured again
 * if too little is left of the last measurement to be accurate (Drmac and Bujanovic 2008). */
static void shorten(const double *column, size_t rows, size_t k, double *length, double *known) {
    if (*length == 0) return;
    double share = column[k] / *length, left = 1 - share * share, ratio = *length / *known;
    if (left * (ratio * ratio) > 0x1p-26)
        *length *= sqrt(left);
    else
        *length = *known = length_of(column + k + 1, rows - k - 1);
}

void spf_qr_pivoted(double *a, size_t rows, size_t columns, size_t *pivot, double *diagonal,
                    double *lengths) {
    double *length = lengths, *known = lengths + columns;
    for (size_t j = 0; j < columns; j++) {
        pivot[j] = j;
        length[j] = known[j] = length_of(a + j * rows, rows);
    }
    for (size_t k = 0; k < smaller(rows, columns); k++) {
        choose_next(a, rows, columns, k, pivot, length, known);
        diagonal[k] = make_reflection(a + k * rows + k, rows - k);
        reflect(a, rows, k, a + (k + 1) * rows, columns - k - 1);
        for (size_t j = k + 1; j < columns; j++)
            shorten(a + j * rows, rows, k, &length[j], &known[j]);
    }
}

/* Applies the k-th reflection to the k-th unit vector; the result replaces v. */
static void reflect_unit(double *column, size_t rows, size_t k) {
    double first = column[k];
    for (size_t i = 0; i < k; i++) column[i] = 0;
    for (size_t i = k; i < rows; i++) column[i] *= -first;
    column[k] += 1;
}

void spf_qr_form(double *a, size_t rows, size_t count) {
    for (size_t start = (count + GROUP - 1) / GROUP * GROUP; start > 0;) {
        start -= GROUP;
        size_t end = smaller(start + GROUP, count);
        for (size_t k = end; k-- > start;) {
            reflect(a, rows, k, a + (k + 1) * rows, end - k - 1);
            reflect_unit(a + k * rows, rows, k);
        }
        for (size_t k = start; k-- > 0;) reflect(a, rows, k, a + start * rows, end - start);
    }
}
