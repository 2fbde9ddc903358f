/* The doubt that the votes of few trees leave about the true class. */
#include "learn/settings/pilot_loss.h"

#include "base/rng.h"
#include "learn/outcome/outcomes.h"

#include "support/check.h"

enum { CLASSES = 2, TREES = 16 };

/* Rows of class 0, with votes for it and for the other class. */
typedef struct {
    size_t rows;
    uint32_t *votes, *label;
} voted;

static voted make_rows(size_t rows) {
    voted made = {rows, calloc(rows * CLASSES, sizeof *made.votes),
                  calloc(rows, sizeof *made.label)};
    assert_true(made.votes && made.label);
    return made;
}

static void put(voted *rows, size_t row, uint32_t own, uint32_t other) {
    rows->votes[row * CLASSES] = own;
    rows->votes[row * CLASSES + 1] = other;
}

/* Frees the rows. */
static spf_pilot_losses losses_of(voted *rows) {
    const spf_row_weights weights = {.rows = rows->rows};
    const spf_settings settings = {.outcome = &spf_classification,
                                   .classes = {rows->label, rows->rows, CLASSES},
                                   .weights = &weights};
    const sporf_forest forest = {
        .trees_count = TREES, .classes = CLASSES, .oob_votes = rows->votes};
    spf_pilot_losses losses;
    assert_ok(spf_pilot_loss(&settings, &forest, &losses));
    free(rows->votes);
    free(rows->label);
    return losses;
}

/* ---- one row --------------------------------------------------------------------------------- */

static double plain_doubt(uint32_t own, uint32_t other) {
    voted rows = make_rows(2); /* one of them never out of bag */
    put(&rows, 1, own, other);
    return losses_of(&rows).plain;
}

/* P(share < 1/2) where the share has density (n + 1)! / (own! other!) x^own (1 - x)^other. */
static void plain_doubt_is_a_tail_of_fair_coins(void **state) {
    (void)state;
    assert_near(plain_doubt(1, 1), 0.5, 1e-9);
    assert_near(plain_doubt(1, 0), 1.0 / 4, 1e-9);
    assert_near(plain_doubt(2, 0), 1.0 / 8, 1e-9);
    assert_near(plain_doubt(0, 2), 7.0 / 8, 1e-9);
    assert_near(plain_doubt(3, 1), 6.0 / 32, 1e-9);
    assert_near(plain_doubt(TREES, 0), 0x1p-17, 1e-12);
}

/* ---- many rows ------------------------------------------------------------------------------- */

/* Shares of votes for the true class are the largest of three uniform numbers: an eighth of them is
 * below one half, which is what very many trees would err. */
static void what_many_trees_would_err_is_seen_in_few_votes(void **state) {
    (void)state;
    enum { ROWS = 4000, VOTES = 6 };
    sporf_random random = spf_random_start(1, 1, SPF_USE_DRAW);
    voted rows = make_rows(ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        double share = 0;
        uint32_t own = 0;
        for (int k = 0; k < 3; k++) share = fmax(share, spf_random_uniform(&random));
        for (int v = 0; v < VOTES; v++) own += spf_random_uniform(&random) < share;
        put(&rows, i, own, VOTES - own);
    }
    spf_pilot_losses losses = losses_of(&rows);
    assert_near(losses.corrected, 0.125, 0.01);
    assert_true(losses.plain > losses.corrected + 0.03);
}

/* Votes that say nothing about how rows differ leave both doubts usable. */
static void rows_that_are_all_alike_have_finite_losses(void **state) {
    (void)state;
    static const uint32_t votes[][CLASSES] = {{4, 0}, {0, 4}, {2, 2}, {1, 0}};
    for (size_t k = 0; k < sizeof votes / sizeof *votes; k++) {
        voted rows = make_rows(50);
        for (size_t i = 0; i < rows.rows; i++) put(&rows, i, votes[k][0], votes[k][1]);
        spf_pilot_losses losses = losses_of(&rows);
        assert_true(losses.plain > 0 && losses.plain < 1);
        assert_true(losses.corrected > 0 && losses.corrected < 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_doubt_is_a_tail_of_fair_coins),
        cmocka_unit_test(what_many_trees_would_err_is_seen_in_few_votes),
        cmocka_unit_test(rows_that_are_all_alike_have_finite_losses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
