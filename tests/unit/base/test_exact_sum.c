/* Exact sums: the same in any order and division, and rounded once. */
#include "base/exact_sum.h"

#include "base/rng.h"

#include "support/check.h"

#include <float.h>
#include <math.h>

enum { NUMBERS = 3000 };

static double sum_of(const double *numbers, size_t count) {
    spf_exact_sum sum = {0};
    for (size_t i = 0; i < count; i++) spf_exact_sum_add(&sum, numbers[i]);
    return spf_exact_sum_value(&sum);
}

/* Of any size, with cancellation: most numbers come with their opposites. */
static void make_numbers(double *numbers, uint64_t seed, int largest) {
    sporf_random random = spf_random_start(seed, 0, SPF_USE_SIMULATE);
    for (size_t i = 0; i < NUMBERS; i++) {
        double size = ldexp(spf_random_uniform(&random) + 0.5,
                            (int)spf_random_below(&random, 2 * (uint32_t)largest) - largest);
        numbers[i] = spf_random_below(&random, 2) ? size : -size;
        if (i % 3 == 2) numbers[i] = -numbers[i - 1];
    }
}

static void shuffle(double *numbers, uint64_t seed) {
    sporf_random random = spf_random_start(seed, 1, SPF_USE_SIMULATE);
    for (size_t i = NUMBERS; i > 1; i--) {
        size_t k = spf_random_below(&random, (uint32_t)i);
        double kept = numbers[k];
        numbers[k] = numbers[i - 1];
        numbers[i - 1] = kept;
    }
}

static void the_order_does_not_matter(void **state) {
    (void)state;
    double numbers[NUMBERS];
    for (int largest = 1; largest < 1000; largest *= 3)
        for (uint64_t seed = 1; seed < 5; seed++) {
            make_numbers(numbers, seed, largest);
            double first = sum_of(numbers, NUMBERS);
            shuffle(numbers, seed);
            assert_true(sum_of(numbers, NUMBERS) == first);
            spf_exact_sum parts[3] = {{{0}, 0}};
            for (size_t i = 0; i < NUMBERS; i++) spf_exact_sum_add(&parts[i * i % 3], numbers[i]);
            spf_exact_sum_merge(&parts[2], &parts[0]);
            spf_exact_sum_merge(&parts[2], &parts[1]);
            assert_true(spf_exact_sum_value(&parts[2]) == first);
        }
}

/* Whole numbers have a sum that integers give as well. */
static void whole_numbers_sum_up(void **state) {
    (void)state;
    sporf_random random = spf_random_start(1, 2, SPF_USE_SIMULATE);
    for (int unit = -1074; unit <= 900; unit += 47) {
        spf_exact_sum sum = {0};
        int64_t whole = 0;
        for (size_t i = 0; i < 500; i++) {
            int64_t number = (int64_t)spf_random_below(&random, 1u << 31) - (1 << 30);
            spf_exact_sum_add(&sum, ldexp((double)number, unit));
            whole += number;
        }
        assert_true(spf_exact_sum_value(&sum) == ldexp((double)whole, unit));
    }
}

static void sums_are_rounded_once(void **state) {
    (void)state;
    double half = ldexp(1, -53), tiny = ldexp(1, -1074);
    assert_true(sum_of((double[]){1, half}, 2) == 1); /* to even */
    assert_true(sum_of((double[]){1, half, tiny}, 3) == 1 + DBL_EPSILON);
    assert_true(sum_of((double[]){1, half, -tiny}, 3) == 1);
    assert_true(sum_of((double[]){1 + DBL_EPSILON, half}, 2) == 1 + 2 * DBL_EPSILON);
    assert_true(sum_of((double[]){-1, -half, -tiny}, 3) == -1 - DBL_EPSILON);
    assert_true(sum_of((double[]){1e300, 3, -1e300, tiny, -3}, 5) == tiny);
    assert_true(sum_of((double[]){DBL_MAX, DBL_MAX, -DBL_MAX}, 3) == DBL_MAX);
    assert_true(sum_of((double[]){-DBL_MAX, -DBL_MAX, DBL_MAX, 5}, 4) == -DBL_MAX);
    assert_true(isinf(sum_of((double[]){DBL_MAX, DBL_MAX}, 2)));
    assert_true(sum_of((double[]){0.0, -0.0}, 2) == 0);
    assert_true(sum_of(NULL, 0) == 0);
    for (int place = -1074; place < 1000; place += 5) {
        double one = ldexp(1, place), next = ldexp(1, place + 1);
        assert_true(sum_of((double[]){next, -one}, 2) == one);
        assert_true(sum_of((double[]){one, -next}, 2) == -one);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_does_not_matter),
        cmocka_unit_test(whole_numbers_sum_up),
        cmocka_unit_test(sums_are_rounded_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
