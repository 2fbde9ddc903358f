/* QR decompositions, held against their definition: matrices of all small shapes, of random numbers
 * and of those that make trouble. */
#include "base/qr.h"

#include "base/rng.h"

#include "support/check.h"

typedef enum {
    RANDOM,
    ZEROS,
    ZERO_COLUMNS,
    REPEATED,
    NEARLY_REPEATED,
    SCALED,
    HUGE_ONES,
    TINY_ONES,
    KINDS
} kind;

/* Column-major. */
static double *matrix_of(kind kind, size_t rows, size_t columns) {
    sporf_random random = spf_random_start(rows * 100 + columns, (uint64_t)kind, SPF_USE_DRAW);
    double *a = need(rows * columns, sizeof *a);
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++) {
            double z = spf_random_normal(&random), *x = &a[j * rows + i];
            *x = z;
            if (kind == ZEROS || (kind == ZERO_COLUMNS && j % 2 == 0)) *x = 0;
            if (kind == REPEATED && j > 0) *x = -3 * a[(j / 2) * rows + i];
            if (kind == NEARLY_REPEATED && j > 0) *x = a[i] * (1 + (double)j) + 1e-14 * z;
            if (kind == SCALED) *x = z * pow(10, (double)(j * 17 % 61) - 30);
            if (kind == HUGE_ONES) *x = z * 1e306;
            if (kind == TINY_ONES) *x = z * 1e-308; /* below what has all its digits */
        }
    return a;
}

static double *copy_of(const double *a, size_t count) {
    double *copy = need(count, sizeof *copy);
    memcpy(copy, a, count * sizeof *copy);
    return copy;
}

static double length(const double *x, size_t count) {
    double largest = 0, sum = 0;
    for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(x[i]));
    for (size_t i = 0; largest > 0 && i < count; i++) sum += x[i] / largest * (x[i] / largest);
    return largest * sqrt(sum);
}

static void assert_orthonormal(const double *q, size_t rows, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t k = 0; k < rows; k++) sum += q[i * rows + k] * q[j * rows + k];
            assert_near(sum, i == j, 1e-13);
        }
}

/* Each column of Q R, less the one of `a` it stands for, is small beside that. */
static void assert_product(const double *a, const double *factors, const double *q, size_t rows,
                           size_t columns, const size_t *pivot, const double *diagonal) {
    size_t most = rows < columns ? rows : columns;
    for (size_t j = 0; j < columns; j++) {
        const double *original = a + (pivot ? pivot[j] : j) * rows;
        double size = length(original, rows);
        for (size_t i = 0; i < rows; i++) {
            double sum = 0;
            for (size_t k = 0; k < most && k <= j; k++)
                sum += q[k * rows + i] * (k == j ? diagonal[k] : factors[j * rows + k]);
            assert_near(sum / fmax(size, 1e-322), original[i] / fmax(size, 1e-322),
                        size > 1e-290 ? 1e-13 : 1e-6);
        }
    }
}

static void for_every_matrix(void (*check)(const double *a, size_t rows, size_t columns)) {
    static const size_t wide[][2] = {{60, 17}, {17, 60}, {33, 33}};
    for (int k = 0; k < KINDS; k++)
        for (size_t shape = 0; shape < 147; shape++) {
            size_t rows = shape < 144 ? shape / 12 + 1 : wide[shape - 144][0];
            size_t columns = shape < 144 ? shape % 12 + 1 : wide[shape - 144][1];
            double *a = matrix_of((kind)k, rows, columns);
            check(a, rows, columns);
            free(a);
        }
}

static void check_plain(const double *a, size_t rows, size_t columns) {
    size_t most = rows < columns ? rows : columns;
    double *factors = copy_of(a, rows * columns), *diagonal = need(most, sizeof *diagonal);
    spf_qr(factors, rows, columns, diagonal);
    double *q = copy_of(factors, rows * most);
    spf_qr_form(q, rows, most);
    assert_orthonormal(q, rows, most);
    assert_product(a, factors, q, rows, columns, NULL, diagonal);
    free(factors);
    free(diagonal);
    free(q);
}

static void the_factors_are_orthonormal_and_give_the_matrix(void **state) {
    (void)state;
    for_every_matrix(check_plain);
}

/* The k-th value of the diagonal is the length of the longest column, as far as rows k and below
 * go. */
static void assert_longest_first(const double *factors, size_t rows, size_t columns,
                                 const double *diagonal) {
    size_t most = rows < columns ? rows : columns;
    for (size_t k = 0; k < most; k++)
        for (size_t j = k + 1; j < columns; j++) {
            double rest[64] = {0};
            for (size_t i = k; i < most && i <= j; i++)
                rest[i] = i == j ? diagonal[i] : factors[j * rows + i];
            assert_true(length(rest, 64) <=
                        fabs(diagonal[k]) * (1 + 1e-6) + fabs(diagonal[0]) * 1e-14);
        }
}

static void check_pivoted(const double *a, size_t rows, size_t columns) {
    size_t most = rows < columns ? rows : columns;
    double *factors = copy_of(a, rows * columns), *diagonal = need(most, sizeof *diagonal);
    double *lengths = need(2 * columns, sizeof *lengths);
    size_t *pivot = need(columns, sizeof *pivot), seen[64] = {0};
    spf_qr_pivoted(factors, rows, columns, pivot, diagonal, lengths);
    double *q = copy_of(factors, rows * most);
    spf_qr_form(q, rows, most);
    for (size_t j = 0; j < columns; j++) assert_int_equal(seen[pivot[j]]++, 0);
    assert_orthonormal(q, rows, most);
    assert_product(a, factors, q, rows, columns, pivot, diagonal);
    assert_longest_first(factors, rows, columns, diagonal);
    free(factors);
    free(diagonal);
    free(lengths);
    free(pivot);
    free(q);
}

static void with_pivots_the_longest_column_is_next(void **state) {
    (void)state;
    for_every_matrix(check_pivoted);
}

static void fewer_columns_of_q_are_the_first_ones(void **state) {
    (void)state;
    double *all = matrix_of(RANDOM, 30, 11), diagonal[11];
    spf_qr(all, 30, 11, diagonal);
    for (size_t count = 1; count <= 11; count++) {
        double *some = copy_of(all, 30 * 11), *whole = copy_of(all, 30 * 11);
        spf_qr_form(some, 30, count);
        spf_qr_form(whole, 30, 11);
        for (size_t i = 0; i < 30 * count; i++) assert_near(some[i], whole[i], 1e-15);
        free(some);
        free(whole);
    }
    free(all);
}

/* The determinant of the 5 x 5 Hilbert matrix is known. */
static void the_diagonal_multiplies_to_the_determinant(void **state) {
    (void)state;
    double a[25], diagonal[5], product = 1;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++) a[j * 5 + i] = 1.0 / (i + j + 1);
    spf_qr(a, 5, 5, diagonal);
    for (int k = 0; k < 5; k++) product *= fabs(diagonal[k]);
    assert_near(product * 266716800000, 1, 1e-9);
}

static void a_column_becomes_its_length(void **state) {
    (void)state;
    double a[] = {3, -4, 0, 12}, diagonal;
    spf_qr(a, 4, 1, &diagonal);
    assert_near(fabs(diagonal), 13, 1e-14);
    spf_qr_form(a, 4, 1);
    assert_near(a[1] / a[0], -4.0 / 3, 1e-14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_factors_are_orthonormal_and_give_the_matrix),
        cmocka_unit_test(with_pivots_the_longest_column_is_next),
        cmocka_unit_test(fewer_columns_of_q_are_the_first_ones),
        cmocka_unit_test(the_diagonal_multiplies_to_the_determinant),
        cmocka_unit_test(a_column_becomes_its_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
