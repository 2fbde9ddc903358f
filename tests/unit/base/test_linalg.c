/* Rotations and canonical directions, held against their definitions. */
#include "base/linalg.h"

#include "base/rng.h"

#include "support/check.h"

/* ---- rotations ------------------------------------------------------------------------------- */

static double *gaussian(size_t count, uint64_t seed) {
    sporf_random random = spf_random_start(seed, 0, SPF_USE_PREPARE);
    double *matrix = need(count, sizeof *matrix);
    for (size_t i = 0; i < count; i++) matrix[i] = spf_random_normal(&random);
    return matrix;
}

static double dot(const double *a, const double *b, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

static void a_rotation_is_the_orthogonal_factor_with_a_positive_triangle(void **state) {
    (void)state;
    for (size_t n = 1; n <= 40; n++) {
        double *before = gaussian(n * n, n), *q = gaussian(n * n, n);
        assert_ok(spf_haar_rotation(q, n));
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                assert_near(dot(q + i * n, q + j * n, n), i == j, 1e-12);
                double r = dot(q + i * n, before + j * n, n);
                if (i > j) assert_near(r, 0, 1e-12 * (double)n);
                if (i == j) assert_true(r > 0);
            }
        free(before);
        free(q);
    }
}

/* Gaussian elimination with the largest pivot; destroys the matrix. */
static double determinant(double *a, size_t n) {
    double product = 1;
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(a[k * n + i]) > fabs(a[k * n + best])) best = i;
        for (size_t j = 0; best != k && j < n; j++) {
            double kept = a[j * n + k];
            a[j * n + k] = a[j * n + best];
            a[j * n + best] = kept;
        }
        product *= best == k ? a[k * n + k] : -a[k * n + k];
        for (size_t i = k + 1; i < n; i++)
            for (size_t j = n; j-- > k;) a[j * n + i] -= a[j * n + k] * a[k * n + i] / a[k * n + k];
    }
    return product;
}

static void determinants_are_plus_and_minus_one_equally_often(void **state) {
    (void)state;
    for (size_t n = 1; n <= 6; n++) {
        size_t signs[2] = {0};
        for (uint64_t seed = 0; seed < 1000; seed++) {
            double *q = gaussian(n * n, 1000 * n + seed);
            assert_ok(spf_haar_rotation(q, n));
            double d = determinant(q, n);
            assert_near(fabs(d), 1, 1e-12);
            signs[d > 0]++;
            free(q);
        }
        assert_equally_likely(signs, 2, 500);
    }
}

/* In three dimensions each entry of a Haar rotation is uniform on [-1, 1] (Archimedes). Without the
 * correction of signs the entry (0, 0) would never be positive. */
static void every_entry_of_a_rotation_in_space_is_uniform(void **state) {
    (void)state;
    enum { CELLS = 10, DRAWS = 5000 };
    static size_t counts[9][CELLS];
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        double *q = gaussian(9, 77000 + seed);
        assert_ok(spf_haar_rotation(q, 3));
        for (int e = 0; e < 9; e++) counts[e][(int)fmin((q[e] + 1) / 2 * CELLS, CELLS - 1)]++;
        free(q);
    }
    for (int e = 0; e < 9; e++) assert_equally_likely(counts[e], CELLS, DRAWS / CELLS);
}

/* ---- canonical directions -------------------------------------------------------------------- */

typedef struct {
    size_t rows, columns, classes;
    double *x; /* centred by column; column-major */
    uint32_t *label, *class_size;
    double *directions;
    size_t found;
} problem;

/* Gaussians with unequal variances around class centres; correlated columns. */
static problem new_problem(size_t rows, size_t columns, size_t classes, uint64_t seed) {
    problem p = {rows, columns, classes, gaussian(rows * columns, seed), NULL, NULL, NULL, 0};
    p.label = need(rows, sizeof *p.label);
    p.class_size = need(classes, sizeof *p.class_size);
    p.directions = need(columns * classes, sizeof *p.directions);
    sporf_random random = spf_random_start(seed, 1, SPF_USE_PREPARE);
    for (size_t i = 0; i < rows; i++) {
        p.label[i] = i < classes ? (uint32_t)i : spf_random_below(&random, (uint32_t)classes);
        p.class_size[p.label[i]]++;
    }
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++) {
            double *x = &p.x[j * rows + i];
            *x = *x * (double)(j + 1) + (j > 0 ? 0.5 * p.x[(j - 1) * rows + i] : 0) +
                 sin((double)(p.label[i] * 3 + j * 5 + seed));
        }
    return p;
}

static void centre(problem *p) {
    for (size_t j = 0; j < p->columns; j++) {
        double mean = 0, *column = p->x + j * p->rows;
        for (size_t i = 0; i < p->rows; i++) mean += column[i] / (double)p->rows;
        for (size_t i = 0; i < p->rows; i++) column[i] -= mean;
    }
}

/* Solves with a copy of x, which the function destroys. */
static void solve(problem *p) {
    centre(p);
    double *copy = need(p->rows * p->columns, sizeof *copy);
    memcpy(copy, p->x, p->rows * p->columns * sizeof *copy);
    assert_ok(spf_canonical_directions(copy, p->rows, p->columns, p->label, p->class_size,
                                       p->classes, p->directions, &p->found));
    free(copy);
    for (size_t i = 0; i < p->found * p->columns; i++) assert_true(isfinite(p->directions[i]));
}

static void free_problem(problem *p) {
    free(p->x);
    free(p->label);
    free(p->class_size);
    free(p->directions);
}

/* T v and B v for the scatter matrices of all rows and of the class means. */
static void scatter(const problem *p, const double *v, double *total, double *between) {
    double *value = need(p->rows, sizeof *value), *mean = need(p->classes, sizeof *mean);
    for (size_t i = 0; i < p->rows; i++) {
        for (size_t j = 0; j < p->columns; j++) value[i] += p->x[j * p->rows + i] * v[j];
        mean[p->label[i]] += value[i] / p->class_size[p->label[i]];
    }
    for (size_t j = 0; j < p->columns; j++) {
        total[j] = between[j] = 0;
        for (size_t i = 0; i < p->rows; i++) {
            total[j] += p->x[j * p->rows + i] * value[i];
            between[j] += p->x[j * p->rows + i] * mean[p->label[i]];
        }
    }
    free(value);
    free(mean);
}

/* The share of the variance along direction v that lies between the classes. */
static double correlation(const problem *p, const double *v) {
    double total[64], between[64];
    scatter(p, v, total, between);
    return dot(v, between, p->columns) / dot(v, total, p->columns);
}

/* Canonical directions solve B v = rho^2 T v, are uncorrelated, and come strongest first. */
static void check_definition(const problem *p) {
    double total[64], between[64], last = 1 + 1e-12;
    for (size_t d = 0; d < p->found; d++) {
        const double *v = p->directions + d * p->columns;
        double rho = correlation(p, v), size = 0;
        assert_true(rho <= last + 1e-9);
        last = rho;
        scatter(p, v, total, between);
        for (size_t j = 0; j < p->columns; j++) size = fmax(size, fabs(total[j]));
        for (size_t j = 0; j < p->columns; j++)
            assert_near(between[j] / size, rho * total[j] / size, 1e-8);
        for (size_t e = 0; e < d; e++) {
            const double *u = p->directions + e * p->columns;
            assert_near(dot(u, total, p->columns), 0, 1e-8 * fmax(1, dot(v, total, p->columns)));
        }
    }
}

static void directions_solve_the_eigenproblem_of_the_scatters(void **state) {
    (void)state;
    for (size_t classes = 2; classes <= 7; classes++)
        for (size_t columns = 1; columns <= 6; columns++) {
            problem p = new_problem(120, columns, classes, classes * 10 + columns);
            solve(&p);
            assert_int_equal(p.found, columns < classes - 1 ? columns : classes - 1);
            check_definition(&p);
            free_problem(&p);
        }
}

/* For two classes the direction is Fisher's: W^-1 (m1 - m0), so W v is along m1 - m0. */
static void two_classes_give_fishers_direction(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        problem p = new_problem(200, 5, 2, seed);
        solve(&p);
        assert_int_equal(p.found, 1);
        double total[5], between[5], within[5], difference[5] = {0};
        scatter(&p, p.directions, total, between);
        for (size_t j = 0; j < 5; j++) {
            within[j] = total[j] - between[j];
            for (size_t i = 0; i < p.rows; i++)
                difference[j] +=
                    (p.label[i] ? 1.0 : -1.0) / p.class_size[p.label[i]] * p.x[j * p.rows + i];
        }
        double cosine = dot(within, difference, 5) /
                        sqrt(dot(within, within, 5) * dot(difference, difference, 5));
        assert_near(fabs(cosine), 1, 1e-10);
        free_problem(&p);
    }
}

static void repeated_columns_change_nothing_but_the_rank(void **state) {
    (void)state;
    problem plain = new_problem(80, 3, 5, 4), wide = new_problem(80, 6, 5, 4);
    for (size_t j = 0; j < 3; j++)
        for (size_t i = 0; i < 80; i++)
            wide.x[(j + 3) * 80 + i] = j < 2 ? plain.x[j * 80 + i] * 3 : 0;
    memcpy(wide.x, plain.x, 3 * 80 * sizeof *wide.x);
    solve(&plain);
    solve(&wide);
    assert_int_equal(wide.found, 3);
    for (size_t d = 0; d < 3; d++)
        assert_near(correlation(&wide, wide.directions + d * 6),
                    correlation(&plain, plain.directions + d * 3), 1e-9);
    free_problem(&plain);
    free_problem(&wide);
}

/* With more columns than rows, classes can be told apart without error. */
static void few_rows_are_separated_perfectly(void **state) {
    (void)state;
    for (size_t rows = 2; rows <= 10; rows++) {
        size_t classes = rows < 3 ? 2 : 3;
        problem p = new_problem(rows, 12, classes, rows);
        solve(&p);
        assert_true(p.found >= 1 && p.found <= classes - 1);
        for (size_t d = 0; d < p.found; d++)
            assert_near(correlation(&p, p.directions + d * 12), 1, 1e-9);
        free_problem(&p);
    }
}

/* The first column is the class plus a nuisance, the second the nuisance alone: their difference is
 * the class, and the direction finds it. */
static void a_nuisance_is_subtracted(void **state) {
    (void)state;
    problem p = new_problem(60, 2, 2, 6);
    for (size_t i = 0; i < 60; i++) p.x[i] = (double)p.label[i] + 3 * p.x[60 + i];
    solve(&p);
    assert_int_equal(p.found, 1);
    assert_near(p.directions[1] / p.directions[0], -3, 1e-10);
    assert_near(correlation(&p, p.directions), 1, 1e-12);
    free_problem(&p);
}

/* Classes at -1 and 1 with a spread of s in each have a squared correlation of 1 / (1 + s^2). */
static void the_correlation_is_the_known_one(void **state) {
    (void)state;
    for (double s = 0.125; s < 10; s *= 2) {
        problem p = new_problem(4, 1, 2, 1);
        p.class_size[0] = p.class_size[1] = 2;
        for (uint32_t i = 0; i < 4; i++) {
            p.label[i] = i / 2;
            p.x[i] = (i / 2 ? 1 : -1) + (i % 2 ? s : -s);
        }
        solve(&p);
        assert_near(correlation(&p, p.directions), 1 / (1 + s * s), 1e-14);
        free_problem(&p);
    }
}

static void units_do_not_change_the_correlations(void **state) {
    (void)state;
    static const double units[] = {1e-30, 1e-9, 1e9, 1e30};
    problem plain = new_problem(80, 4, 4, 9);
    solve(&plain);
    for (size_t u = 0; u < 4; u++) {
        problem p = new_problem(80, 4, 4, 9);
        for (size_t i = 0; i < 80 * 4; i++) p.x[i] *= units[u];
        solve(&p);
        assert_int_equal(p.found, plain.found);
        for (size_t d = 0; d < p.found; d++)
            assert_near(correlation(&p, p.directions + d * 4),
                        correlation(&plain, plain.directions + d * 4), 1e-12);
        free_problem(&p);
    }
    free_problem(&plain);
}

static void constant_columns_have_no_direction(void **state) {
    (void)state;
    problem p = new_problem(10, 3, 2, 1);
    for (size_t i = 0; i < 30; i++) p.x[i] = 5;
    solve(&p);
    assert_int_equal(p.found, 0);
    free_problem(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rotation_is_the_orthogonal_factor_with_a_positive_triangle),
        cmocka_unit_test(determinants_are_plus_and_minus_one_equally_often),
        cmocka_unit_test(every_entry_of_a_rotation_in_space_is_uniform),
        cmocka_unit_test(directions_solve_the_eigenproblem_of_the_scatters),
        cmocka_unit_test(two_classes_give_fishers_direction),
        cmocka_unit_test(repeated_columns_change_nothing_but_the_rank),
        cmocka_unit_test(few_rows_are_separated_perfectly),
        cmocka_unit_test(a_nuisance_is_subtracted),
        cmocka_unit_test(the_correlation_is_the_known_one),
        cmocka_unit_test(units_do_not_change_the_correlations),
        cmocka_unit_test(constant_columns_have_no_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
