/* Left singular vectors, held against their definition and against matrices that were put together
 * from known ones. */
#include "base/svd.h"

#include "base/linalg.h"
#include "base/rng.h"

#include "support/check.h"

static double *gaussian(size_t count, uint64_t seed) {
    sporf_random random = spf_random_start(seed, 0, SPF_USE_DRAW);
    double *a = need(count, sizeof *a);
    for (size_t i = 0; i < count; i++) a[i] = spf_random_normal(&random);
    return a;
}

static double *rotation(size_t size, uint64_t seed) {
    double *q = gaussian(size * size, seed);
    assert_ok(spf_haar_rotation(q, size));
    return q;
}

/* U diag(values) V' for rotations U and V, of which the first vectors are used. */
static double *put_together(const double *u, size_t rows, const double *v, size_t columns,
                            const double *values, size_t count) {
    double *a = need(rows * columns, sizeof *a);
    for (size_t k = 0; k < count; k++)
        for (size_t j = 0; j < columns; j++)
            for (size_t i = 0; i < rows; i++)
                a[j * rows + i] += u[k * rows + i] * values[k] * v[k * columns + j];
    return a;
}

static double dot(const double *a, const double *b, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* u' a, a row of numbers. */
static void project(const double *u, const double *a, size_t rows, size_t columns, double *row) {
    for (size_t j = 0; j < columns; j++) row[j] = dot(u, a + j * rows, rows);
}

/* The vectors are orthonormal, what they make of the matrix is orthogonal, and the strongest comes
 * first; together they span what the matrix does. */
static void check_definition(const double *a, size_t rows, size_t columns) {
    size_t most = rows < columns ? rows : columns;
    double *u = need(rows * columns, sizeof *u), size = 0, squares = 0;
    double one[64], other[64], last = INFINITY;
    memcpy(u, a, rows * columns * sizeof *u);
    assert_ok(spf_left_singular_vectors(u, rows, columns));
    size = dot(a, a, rows * columns);
    for (size_t i = 0; i < most; i++) {
        project(u + i * rows, a, rows, columns, one);
        double strength = dot(one, one, columns);
        assert_true(strength <= last + 1e-13 * size);
        last = strength;
        squares += strength;
        for (size_t j = 0; j <= i; j++) {
            assert_near(dot(u + i * rows, u + j * rows, rows), i == j, 1e-13);
            project(u + j * rows, a, rows, columns, other);
            if (j < i) assert_near(dot(one, other, columns), 0, 1e-13 * size);
        }
    }
    assert_near(squares, size, 1e-12 * size);
    free(u);
}

static void vectors_are_orthonormal_and_the_strongest_comes_first(void **state) {
    (void)state;
    for (size_t rows = 1; rows <= 12; rows++)
        for (size_t columns = 1; columns <= 12; columns++) {
            double *a = gaussian(rows * columns, rows * 100 + columns);
            check_definition(a, rows, columns);
            free(a);
        }
    double *tall = gaussian(60 * 9, 1), *wide = gaussian(9 * 60, 2), *square = gaussian(40 * 40, 3);
    check_definition(tall, 60, 9);
    check_definition(wide, 9, 60);
    check_definition(square, 40, 40);
    free(tall);
    free(wide);
    free(square);
}

/* Vectors of values that lie apart are found to the bit, nearly, up to their sign. */
static void known_vectors_are_found(void **state) {
    (void)state;
    static const double values[] = {0.9, 0.5, 0.3, 1e-3, 1e-8};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        double *u = rotation(8, seed), *v = rotation(6, seed + 100);
        double *a = put_together(u, 8, v, 6, values, 5);
        assert_ok(spf_left_singular_vectors(a, 8, 6));
        for (size_t k = 0; k < 5; k++)
            assert_near(fabs(dot(a + k * 8, u + k * 8, 8)), 1, k < 4 ? 1e-11 : 1e-6);
        free(u);
        free(v);
        free(a);
    }
}

static void matrices_without_the_rank_have_vectors_all_the_same(void **state) {
    (void)state;
    static const double equal[] = {1, 1, 1, 1}, few[] = {1, 0.5, 0, 0}, none[] = {0, 0, 0, 0};
    const double *const values[] = {equal, few, none};
    double *u = rotation(7, 1), *v = rotation(4, 2);
    for (size_t i = 0; i < 3; i++) {
        double *a = put_together(u, 7, v, 4, values[i], 4),
               *b = put_together(v, 4, u, 7, values[i], 4);
        check_definition(a, 7, 4);
        check_definition(b, 4, 7);
        free(a);
        free(b);
    }
    free(u);
    free(v);
}

static void scales_change_nothing(void **state) {
    (void)state;
    static const double scales[] = {1e-120, 1e-30, 1e30, 1e120};
    for (size_t s = 0; s < 4; s++) {
        double *a = gaussian(35, 5), *b = gaussian(35, 5);
        for (size_t i = 0; i < 35; i++) b[i] *= scales[s];
        assert_ok(spf_left_singular_vectors(a, 7, 5));
        assert_ok(spf_left_singular_vectors(b, 7, 5));
        for (size_t k = 0; k < 5; k++) assert_near(fabs(dot(a + k * 7, b + k * 7, 7)), 1, 1e-12);
        free(a);
        free(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_orthonormal_and_the_strongest_comes_first),
        cmocka_unit_test(known_vectors_are_found),
        cmocka_unit_test(matrices_without_the_rank_have_vectors_all_the_same),
        cmocka_unit_test(scales_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
