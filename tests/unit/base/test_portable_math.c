/* The portable functions against the system's, and rounding up. */
#include "base/portable_math.h"

#include "base/rng.h"

#include <float.h>

#include "support/check.h"

/* The distance of two finite doubles of one sign, counted in doubles between them. */
static double steps_between(double a, double b) {
    int64_t x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return fabs((double)(x - y));
}

static void assert_close_log(double x) {
    double ours = spf_log(x), theirs = log(x);
    if (ours == theirs) return;
    if ((ours < 0) != (theirs < 0) || steps_between(ours, theirs) > 4)
        fail_msg("log(%a) is %a instead of %a", x, ours, theirs);
}

static void a_logarithm_is_within_four_units_of_the_systems(void **state) {
    (void)state;
    sporf_random random = spf_random_start(1, 0, SPF_USE_DRAW);
    for (int i = 0; i < 200000; i++) {
        int exponent = (int)spf_random_below(&random, 2097) - 1073;
        double x = ldexp(1 + spf_random_uniform(&random), exponent);
        if (x > 0 && isfinite(x)) assert_close_log(x);
    }
}

static void an_exponential_is_within_four_units_of_the_systems(void **state) {
    (void)state;
    sporf_random random = spf_random_start(2, 0, SPF_USE_DRAW);
    for (int i = 0; i < 200000; i++) {
        double x = ldexp(spf_random_uniform(&random) - 0.5, 1 + (int)spf_random_below(&random, 11));
        if (fabs(x) > 700) continue;
        if (steps_between(spf_exp(x), exp(x)) > 4)
            fail_msg("exp(%a) is %a instead of %a", x, spf_exp(x), exp(x));
    }
    assert_true(spf_exp(0) == 1 && spf_exp(-701) == 0 && spf_exp(-1e300) == 0);
}

static void numbers_next_to_one_keep_their_relative_precision(void **state) {
    (void)state;
    double above = 1, below = 1;
    for (int i = 0; i < 1000; i++) {
        above = nextafter(above, 2);
        below = nextafter(below, 0);
        assert_close_log(above);
        assert_close_log(below);
    }
    for (int e = -52; e < 0; e++) {
        assert_close_log(1 + ldexp(1, e));
        assert_close_log(1 - ldexp(1, e - 1));
    }
}

static void the_ends_of_the_range_are_right(void **state) {
    (void)state;
    assert_true(spf_log(1) == 0);
    static const double ends[] = {DBL_MIN,     DBL_MAX, 0x1p-1074, 0x1p-1073,
                                  0x1.8p-1070, 0.5,     2,         0x1p1023};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        assert_close_log(ends[i]);
        if (ends[i] > DBL_MIN) assert_close_log(nextafter(ends[i], 0));
    }
    double root_half = 0.70710678118654752440;
    for (int i = -20; i <= 20; i++) assert_close_log(root_half + i * 0x1p-53);
}

/* Entropy asks for whole numbers: all that the table holds. */
static void whole_numbers_rise_and_are_close(void **state) {
    (void)state;
    for (int i = 2; i < 1 << 17; i++) {
        assert_close_log(i);
        assert_true(spf_log(i) > spf_log(i - 1));
    }
}

/* ---- sine and arctangent --------------------------------------------------------------------- */

static void assert_close(const char *name, double x, double ours, double theirs) {
    if (ours == theirs) return;
    if ((ours < 0) != (theirs < 0) || steps_between(ours, theirs) > 4)
        fail_msg("%s(%a) is %a instead of %a", name, x, ours, theirs);
}

/* With more digits of pi than a double has; exact at whole numbers, where the product is not. */
static double system_sin_pi(double x) {
    double whole = rint(x),
           sine = (double)sinl(3.14159265358979323846264338327950288L * (x - whole));
    return fmod(whole, 2) != 0 ? -sine : sine;
}

static void a_sine_is_within_four_units_of_the_systems(void **state) {
    (void)state;
    sporf_random random = spf_random_start(2, 0, SPF_USE_DRAW);
    for (int i = 0; i < 200000; i++) {
        double near = spf_random_uniform(&random),
               x = ldexp(near, (int)spf_random_below(&random, 60) - 40);
        assert_close("sin_pi", near, spf_sin_pi(near), system_sin_pi(near));
        assert_close("sin_pi", x, spf_sin_pi(x), system_sin_pi(x));
        assert_true(spf_sin_pi(-x) == -spf_sin_pi(x));
        assert_true(fabs(spf_sin_pi(x)) <= 1);
    }
}

static void sines_of_halves_are_exact(void **state) {
    (void)state;
    for (int k = -1000; k <= 1000; k++) {
        assert_true(spf_sin_pi(k) == 0);
        assert_true(spf_sin_pi(2 * k + 0.5) == 1 && spf_sin_pi(2 * k - 0.5) == -1);
    }
    assert_near(spf_sin_pi(1.0 / 6), 0.5, 1e-16);
    assert_true(spf_sin_pi(0x1p60) == 0 && spf_sin_pi(0x1.fffffffffffffp-2) == 1);
}

static void an_arctangent_is_within_four_units_of_the_systems(void **state) {
    (void)state;
    sporf_random random = spf_random_start(3, 0, SPF_USE_DRAW);
    for (int i = 0; i < 200000; i++) {
        double near = 2 * spf_random_uniform(&random),
               x = ldexp(1 + near, (int)spf_random_below(&random, 2000) - 1000);
        assert_close("atan", near, spf_atan(near), atan(near));
        assert_close("atan", x, spf_atan(x), atan(x));
        assert_true(spf_atan(-x) == -spf_atan(x));
    }
    for (int k = 1; k <= 9; k += 2) /* where the nearest quarter changes */
        for (int i = -20; i <= 20; i++)
            assert_close("atan", k / 8.0 + i * 0x1p-53, spf_atan(k / 8.0 + i * 0x1p-53),
                         atan(k / 8.0 + i * 0x1p-53));
    assert_true(spf_atan(0) == 0 && spf_atan(INFINITY) == SPF_PI / 2);
    assert_true(spf_atan(-INFINITY) == -SPF_PI / 2);
}

/* ---- rounding -------------------------------------------------------------------------------- */

static void rounding_up_does_not_count_the_rounding_of_a_product(void **state) {
    (void)state;
    for (int whole = 0; whole < 1000; whole++)
        for (int parts = 1; parts < 50; parts++)
            assert_true(spf_round_up((double)whole / parts * parts) == whole);
    assert_true(spf_round_up(0.07 * 300) == 21);
    assert_true(spf_round_up(21.000001) == 22);
    assert_true(spf_round_up(1e-300) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_logarithm_is_within_four_units_of_the_systems),
        cmocka_unit_test(an_exponential_is_within_four_units_of_the_systems),
        cmocka_unit_test(numbers_next_to_one_keep_their_relative_precision),
        cmocka_unit_test(the_ends_of_the_range_are_right),
        cmocka_unit_test(whole_numbers_rise_and_are_close),
        cmocka_unit_test(a_sine_is_within_four_units_of_the_systems),
        cmocka_unit_test(sines_of_halves_are_exact),
        cmocka_unit_test(an_arctangent_is_within_four_units_of_the_systems),
        cmocka_unit_test(rounding_up_does_not_count_the_rounding_of_a_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
