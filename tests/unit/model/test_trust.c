/* Votes into probabilities: their order, their sum, and what rounding must not change. */
#include "model/trust.h"

#include "base/rng.h"
#include "model/combine.h"

#include "support/check.h"

enum { CLASSES = 6 };

static spf_trust make_trust(double smoothing, double power, size_t trees) {
    spf_trust trust = {.smoothing = smoothing, .power = power};
    assert_true(spf_trust_is_valid(&trust));
    assert_ok(spf_trust_prepare(&trust, trees));
    return trust;
}

static const double smoothings[] = {SPF_SMOOTHING_LEAST, 0.03, SPF_SMOOTHING_MOST};
static const double powers[] = {SPF_POWER_LEAST, 1, 3.7, SPF_POWER_MOST};

typedef void (*law)(const spf_trust *trust, size_t trees, sporf_random *random);

static void holds_for_all(law check) {
    static const size_t sizes[] = {1, 2, 10, 500};
    sporf_random random = spf_random_start(1, 0, SPF_USE_DRAW);
    for (size_t s = 0; s < 3; s++)
        for (size_t p = 0; p < 4; p++)
            for (size_t t = 0; t < 4; t++) {
                spf_trust trust = make_trust(smoothings[s], powers[p], sizes[t]);
                check(&trust, sizes[t], &random);
                free(trust.weight);
            }
}

static void check_weights(const spf_trust *trust, size_t trees, sporf_random *random) {
    (void)random;
    assert_true(trust->weight[0] > 0 && trust->weight[trees] == 1);
    for (size_t n = 0; n < trees; n++) assert_true(trust->weight[n] < trust->weight[n + 1]);
}

static void more_votes_weigh_more(void **state) {
    (void)state;
    holds_for_all(check_weights);
}

static void draw_votes(size_t trees, sporf_random *random, double *votes) {
    for (size_t k = 0; k < CLASSES; k++) votes[k] = 0;
    uint32_t classes = 1 + spf_random_below(random, CLASSES);
    for (size_t i = 0; i < trees; i++) votes[spf_random_below(random, classes)]++;
}

static void check_order(const spf_trust *trust, size_t trees, sporf_random *random) {
    double votes[CLASSES], row[CLASSES];
    for (int i = 0; i < 200; i++) {
        double sum = 0;
        draw_votes(trees, random, votes);
        memcpy(row, votes, sizeof row);
        spf_trust_apply_votes(trust, trees, row, CLASSES);
        for (size_t k = 0; k < CLASSES; k++) sum += row[k];
        assert_near(sum, 1, 1e-12);
        for (size_t k = 0; k < CLASSES; k++)
            for (size_t j = 0; j < CLASSES; j++) {
                assert_true(row[k] > 0);
                assert_int_equal(votes[k] < votes[j], row[k] < row[j]);
            }
    }
}

static void the_order_of_classes_is_that_of_their_votes(void **state) {
    (void)state;
    holds_for_all(check_order);
}

static uint32_t first_of_means(const double *sums, size_t trees) {
    double means[CLASSES];
    for (size_t k = 0; k < CLASSES; k++) means[k] = sums[k] / (double)trees;
    return spf_argmax(means, CLASSES);
}

static void check_first(const spf_trust *trust, size_t trees, sporf_random *random) {
    double sums[CLASSES], row[CLASSES];
    for (int i = 0; i < 200; i++) {
        double share = (double)trees * spf_random_uniform(random) / CLASSES;
        for (size_t k = 0; k < CLASSES; k++) { /* most differ in the last digits, if at all */
            sums[k] = share;
            for (uint32_t n = spf_random_below(random, 3); n > 0; n--)
                sums[k] = nextafter(sums[k], INFINITY);
        }
        memcpy(row, sums, sizeof row);
        spf_trust_apply_shares(trust, trees, row, CLASSES);
        assert_int_equal(spf_argmax(row, CLASSES), first_of_means(sums, trees));
    }
}

static void rounding_does_not_change_the_first_of_the_largest(void **state) {
    (void)state;
    holds_for_all(check_first);
}

static void shares_between_whole_votes_are_on_a_line(void **state) {
    (void)state;
    spf_trust trust = make_trust(0.1, 2, 10);
    double row[2] = {2.5, 7.5};
    spf_trust_apply_shares(&trust, 10, row, 2);
    double low = (trust.weight[2] + trust.weight[3]) / 2;
    double high = (trust.weight[7] + trust.weight[8]) / 2;
    assert_near(row[0], low / (low + high), 1e-15);
    free(trust.weight);
}

static void sums_of_a_damaged_file_stay_within_the_table(void **state) {
    (void)state;
    spf_trust trust = make_trust(0.1, 2, 10);
    double row[4] = {NAN, -1e300, 1e300, 3};
    spf_trust_apply_shares(&trust, 10, row, 4);
    for (size_t k = 0; k < 4; k++) assert_true(row[k] > 0 && row[k] < 1);
    free(trust.weight);
}

static void numbers_out_of_range_are_not_valid(void **state) {
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY, -1, 0, 1e-300, 17, 1e300};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(spf_trust_is_valid(&(spf_trust){.smoothing = bad[i], .power = 1}));
        assert_false(spf_trust_is_valid(&(spf_trust){.smoothing = 0.1, .power = bad[i]}));
    }
    const double lost[] = {NAN, INFINITY, -1};
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        spf_trust trust = {.smoothing = 0.1, .power = 1, .log_loss = lost[i]};
        assert_false(spf_trust_is_valid(&trust));
        trust = (spf_trust){.smoothing = 0.1, .power = 1, .brier = lost[i]};
        assert_false(spf_trust_is_valid(&trust));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_votes_weigh_more),
        cmocka_unit_test(the_order_of_classes_is_that_of_their_votes),
        cmocka_unit_test(rounding_does_not_change_the_first_of_the_largest),
        cmocka_unit_test(shares_between_whole_votes_are_on_a_line),
        cmocka_unit_test(sums_of_a_damaged_file_stay_within_the_table),
        cmocka_unit_test(numbers_out_of_range_are_not_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
