/* Balls and the rows they belong to. */
#include "learn/rows/weighted_draw.h"

#include "base/rng.h"

#include "support/check.h"

enum { ROWS_MAX = 60 };

static void check_urn(const uint32_t *units, const uint32_t *order, size_t rows) {
    spf_weighted_draw weighted_draw;
    uint32_t ticket = 0;
    assert_ok(spf_weighted_draw_create(units, order, rows, &weighted_draw));
    for (size_t i = 0; i < rows; i++) {
        uint32_t row = order ? order[i] : (uint32_t)i;
        for (uint32_t n = 0; n < units[row]; n++)
            assert_int_equal(spf_weighted_draw_row(&weighted_draw, ticket++), row);
        assert_int_equal(weighted_draw.end[i], ticket);
    }
    assert_int_equal(weighted_draw.tickets, ticket);
    spf_weighted_draw_free(&weighted_draw);
}

static void every_ball_belongs_to_its_row(void **state) {
    (void)state;
    static const uint32_t largest[] = {1, 2, 6, 3000};
    sporf_random random = spf_random_start(1, 2, SPF_USE_SIMULATE);
    for (int n = 0; n < 400; n++) {
        uint32_t units[ROWS_MAX], order[ROWS_MAX];
        size_t rows = 1 + spf_random_below(&random, ROWS_MAX);
        for (size_t i = 0; i < rows; i++) {
            units[i] = spf_random_below(&random, 1 + largest[n % 4]);
            if (spf_random_below(&random, 2)) units[i] = 0;
            order[i] = (uint32_t)(rows - 1 - i);
        }
        units[spf_random_below(&random, (uint32_t)rows)] = 1;
        check_urn(units, NULL, rows);
        check_urn(units, order, rows);
    }
}

static void the_largest_urn_has_balls_below_2_to_the_31(void **state) {
    (void)state;
    const uint32_t units[] = {0, 1, INT32_MAX - 8, 0, 7};
    spf_weighted_draw weighted_draw;
    assert_ok(spf_weighted_draw_create(units, NULL, 5, &weighted_draw));
    assert_int_equal(weighted_draw.tickets, INT32_MAX);
    assert_int_equal(spf_weighted_draw_row(&weighted_draw, 0), 1);
    assert_int_equal(spf_weighted_draw_row(&weighted_draw, 1), 2);
    assert_int_equal(spf_weighted_draw_row(&weighted_draw, INT32_MAX - 8), 2);
    assert_int_equal(spf_weighted_draw_row(&weighted_draw, INT32_MAX - 7), 4);
    assert_int_equal(spf_weighted_draw_row(&weighted_draw, INT32_MAX - 1), 4);
    spf_weighted_draw_free(&weighted_draw);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_ball_belongs_to_its_row),
        cmocka_unit_test(the_largest_urn_has_balls_below_2_to_the_31),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
