/* Measures of predicted numbers, by hand and by laws. */
#include "score/regression_metric.h"

#include "base/rng.h"
#include "base/sum.h"

#include "support/check.h"

enum { ROWS = 200 };

static void four_rows_by_hand(void **state) {
    (void)state;
    const float truth[] = {1, 2, 3, 6};      /* mean 3, squares 4 + 1 + 0 + 9 */
    const double predicted[] = {1, 4, 2, 5}; /* misses 0, -2, 1, 1 */
    assert_near(spf_rmse(4, truth, predicted, NULL), sqrt(6.0 / 4), 1e-15);
    assert_near(spf_mae(4, truth, predicted, NULL), 1, 1e-15);
    assert_near(spf_r2(4, truth, predicted, NULL), 1 - 6.0 / 14, 1e-15);
    assert_near(spf_pinball_loss(4, truth, predicted, 0.9, NULL), (0.2 + 0.9 + 0.9) / 4, 1e-15);
    assert_near(spf_pinball_loss(4, truth, predicted, 0.25, NULL), (1.5 + 0.25 + 0.25) / 4, 1e-15);
    const double lower[] = {1, 2.5, 0, 7}, upper[] = {1, 9, 3, 8};
    assert_near(spf_coverage(4, truth, lower, upper, NULL), 0.5, 1e-15);
}

static void weighted_rows_by_hand(void **state) {
    (void)state;
    const float truth[] = {0, 4, 100}, weights[] = {3, 1, 0}; /* mean 1, squares 3 + 9 */
    const double predicted[] = {1, 2, 0};                     /* misses -1, 2 */
    assert_near(spf_rmse(3, truth, predicted, weights), sqrt(7.0 / 4), 1e-15);
    assert_near(spf_mae(3, truth, predicted, weights), 5.0 / 4, 1e-15);
    assert_near(spf_r2(3, truth, predicted, weights), 1 - 7.0 / 12, 1e-15);
    assert_near(spf_pinball_loss(3, truth, predicted, 0.75, weights), (0.75 + 1.5) / 4, 1e-15);
    const double lower[] = {0, 5, 0}, upper[] = {0, 6, 200};
    assert_near(spf_coverage(3, truth, lower, upper, weights), 0.75, 1e-15);
}

typedef struct {
    float truth[ROWS], weights[ROWS];
    double predicted[ROWS], upper[ROWS];
} sample;

static sample draw_sample(uint64_t seed) {
    sample s;
    sporf_random random = spf_random_start(seed, 0, SPF_USE_DRAW);
    for (size_t i = 0; i < ROWS; i++) {
        s.truth[i] = (float)spf_random_normal(&random);
        s.predicted[i] = s.truth[i] + spf_random_normal(&random);
        s.upper[i] = s.predicted[i] + 1;
        s.weights[i] = (float)spf_random_below(&random, 4);
    }
    return s;
}

static void a_weight_stands_for_as_many_rows(void **state) {
    (void)state;
    sample s = draw_sample(1);
    float truth[3 * ROWS];
    double predicted[3 * ROWS], upper[3 * ROWS];
    size_t rows = 0;
    for (size_t i = 0; i < ROWS; i++)
        for (float t = 0; t < s.weights[i]; t++, rows++) {
            truth[rows] = s.truth[i];
            predicted[rows] = s.predicted[i];
            upper[rows] = s.upper[i];
        }
    assert_near(spf_rmse(ROWS, s.truth, s.predicted, s.weights),
                spf_rmse(rows, truth, predicted, NULL), 1e-13);
    assert_near(spf_mae(ROWS, s.truth, s.predicted, s.weights),
                spf_mae(rows, truth, predicted, NULL), 1e-13);
    assert_near(spf_r2(ROWS, s.truth, s.predicted, s.weights), spf_r2(rows, truth, predicted, NULL),
                1e-13);
    assert_near(spf_pinball_loss(ROWS, s.truth, s.predicted, 0.3, s.weights),
                spf_pinball_loss(rows, truth, predicted, 0.3, NULL), 1e-13);
    assert_near(spf_coverage(ROWS, s.truth, s.predicted, s.upper, s.weights),
                spf_coverage(rows, truth, predicted, upper, NULL), 1e-13);
}

static void the_middle_quantile_costs_half_the_absolute_error(void **state) {
    (void)state;
    sample s = draw_sample(2);
    assert_near(2 * spf_pinball_loss(ROWS, s.truth, s.predicted, 0.5, s.weights),
                spf_mae(ROWS, s.truth, s.predicted, s.weights), 1e-14);
}

/* Among constants, the value with `level` of the truth below it. */
static void a_quantile_has_the_least_pinball_loss(void **state) {
    (void)state;
    float truth[100];
    double guess[100], least = INFINITY, best = 0;
    for (size_t i = 0; i < 100; i++) truth[i] = (float)((i * 37) % 100);
    for (int g = 0; g < 100; g++) {
        for (size_t i = 0; i < 100; i++) guess[i] = g;
        double loss = spf_pinball_loss(100, truth, guess, 0.805, NULL);
        if (loss < least) {
            least = loss;
            best = g;
        }
    }
    assert_true(best == 80);
}

static void the_mean_explains_nothing_and_the_truth_everything(void **state) {
    (void)state;
    const float truth[] = {1, 2, 6};
    assert_near(spf_r2(3, truth, (double[]){3, 3, 3}, NULL), 0, 1e-15);
    assert_true(spf_r2(3, truth, (double[]){1, 2, 6}, NULL) == 1);
    assert_true(spf_r2(3, truth, (double[]){6, 2, 1}, NULL) < 0);
    assert_true(spf_rmse(3, truth, (double[]){1, 2, 6}, NULL) == 0);
}

static void what_has_no_answer_is_not_a_number(void **state) {
    (void)state;
    const float truth[] = {2, 2}, nothing[] = {0, 0};
    const double predicted[] = {1, 2};
    assert_true(isnan(spf_r2(2, truth, predicted, NULL)));
    assert_true(isnan(spf_rmse(2, truth, predicted, nothing)));
    assert_true(isnan(spf_mae(0, truth, predicted, NULL)));
    assert_true(isnan(spf_r2(0, truth, predicted, NULL)));
    assert_true(isnan(spf_pinball_loss(0, truth, predicted, 0.5, NULL)));
    assert_true(isnan(spf_coverage(2, truth, predicted, predicted, nothing)));
}

/* Far from 0 the squares of a one-pass formula would cancel. */
static void a_distant_mean_does_no_harm(void **state) {
    (void)state;
    float truth[1000];
    double predicted[1000];
    for (size_t i = 0; i < 1000; i++) {
        truth[i] = 8388608.0f + (float)(i % 2); /* 2^23: the next number is 1 away */
        predicted[i] = truth[i] + 0.25;
    }
    assert_near(spf_rmse(1000, truth, predicted, NULL), 0.25, 1e-15);
    assert_near(spf_r2(1000, truth, predicted, NULL), 1 - 0.0625 / 0.25, 1e-12);
}

static void long_sums_lose_nothing(void **state) {
    (void)state;
    spf_sum sum = {0};
    spf_sum_add(&sum, 1e100);
    for (int i = 0; i < 1000; i++) spf_sum_add(&sum, 1);
    spf_sum_add(&sum, -1e100);
    assert_true(spf_sum_value(&sum) == 1000);
    spf_sum tenths = {0};
    for (int i = 0; i < 10000000; i++) spf_sum_add(&tenths, 0.1);
    assert_near(spf_sum_value(&tenths), 1e6, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_rows_by_hand),
        cmocka_unit_test(weighted_rows_by_hand),
        cmocka_unit_test(a_weight_stands_for_as_many_rows),
        cmocka_unit_test(the_middle_quantile_costs_half_the_absolute_error),
        cmocka_unit_test(a_quantile_has_the_least_pinball_loss),
        cmocka_unit_test(the_mean_explains_nothing_and_the_truth_everything),
        cmocka_unit_test(what_has_no_answer_is_not_a_number),
        cmocka_unit_test(a_distant_mean_does_no_harm),
        cmocka_unit_test(long_sums_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
