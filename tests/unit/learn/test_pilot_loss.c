/* The doubt that the votes of few trees leave about the true class. */
#include "learn/settings/pilot_loss.h"

#include "learn/outcome/outcomes.h"

#include "support/check.h"

enum { CLASSES = 3, ROWS = 2 };

static double loss_of(const uint32_t votes[ROWS][CLASSES], const uint32_t *units) {
    uint32_t label[ROWS] = {0}, copy[ROWS][CLASSES];
    memcpy(copy, votes, sizeof copy);
    const spf_row_weights weights = {.rows = ROWS, .units = (uint32_t *)units};
    const spf_settings settings = {
        .outcome = &spf_classification, .classes = {label, ROWS, CLASSES}, .weights = &weights};
    const sporf_forest forest = {.classes = CLASSES, .oob_votes = &copy[0][0]};
    return spf_pilot_loss(&settings, &forest);
}

/* Votes of one row for its class and for two others; the other row was never out of bag. */
static double doubt(uint32_t own, uint32_t other, uint32_t third) {
    const uint32_t votes[ROWS][CLASSES] = {{0, 0, 0}, {own, other, third}};
    return loss_of(votes, NULL);
}

/* P(share < 1/2) where the share has density (n + 1)! / (own! other!) x^own (1 - x)^other. */
static void doubt_is_a_tail_of_fair_coins(void **state) {
    (void)state;
    assert_near(doubt(1, 1, 0), 0.5, 1e-12);
    assert_near(doubt(1, 0, 0), 1.0 / 4, 1e-12);
    assert_near(doubt(2, 0, 0), 1.0 / 8, 1e-12);
    assert_near(doubt(0, 2, 0), 7.0 / 8, 1e-12);
    assert_near(doubt(3, 1, 0), 6.0 / 32, 1e-12);
    assert_near(doubt(16, 0, 0), 0x1p-17, 1e-15);
}

static void only_the_strongest_other_class_counts(void **state) {
    (void)state;
    assert_near(doubt(3, 1, 1), doubt(3, 1, 0), 1e-12);
    assert_near(doubt(3, 1, 2), doubt(3, 2, 0), 1e-12);
    assert_true(doubt(0, 0, 1) == doubt(0, 1, 0));
}

static void rows_count_by_their_weights(void **state) {
    (void)state;
    const uint32_t votes[ROWS][CLASSES] = {{1, 0, 0}, {0, 1, 0}}, units[ROWS] = {3, 1};
    assert_near(loss_of(votes, units), (3 * 0.25 + 0.75) / 4, 1e-12);
}

static void without_votes_there_is_no_loss(void **state) {
    (void)state;
    assert_true(isnan(doubt(0, 0, 0)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubt_is_a_tail_of_fair_coins),
        cmocka_unit_test(only_the_strongest_other_class_counts),
        cmocka_unit_test(rows_count_by_their_weights),
        cmocka_unit_test(without_votes_there_is_no_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
