/* Axes have round ticks, and every value has its place. */
#include "draw/axis.h"

#include "support/check.h"

#include <math.h>
#include <string.h>

static void assert_ticks(double low, double high, size_t ticks, int round, const char *wanted) {
    spf_axis axis = spf_axis_make(low, high, ticks, round);
    char all[512] = "";
    for (size_t i = 0; i < axis.ticks; i++) {
        char text[SPF_NUMBER_SHOWN_MAX];
        spf_axis_tick_text(&axis, i, text);
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? " " : "", text);
    }
    assert_string_equal(all, wanted);
}

static void ticks_are_round(void **state) {
    (void)state;
    assert_ticks(0, 1, 5, 0, "0 0.2 0.4 0.6 0.8 1");
    assert_ticks(0.03, 0.97, 5, 0, "0.2 0.4 0.6 0.8");
    assert_ticks(0.03, 0.97, 5, 1, "0 0.2 0.4 0.6 0.8 1");
    assert_ticks(-3, 7, 5, 1, "-4 -2 0 2 4 6 8");
    assert_ticks(0, 1000, 5, 0, "0 200 400 600 800 1000");
    assert_ticks(0, 25000, 5, 0, "0 5000 10,000 15,000 20,000 25,000");
    assert_ticks(0, 2e6, 4, 0, "0 5e5 1e6 1.5e6 2e6");
    assert_ticks(0, 4e-5, 4, 0, "0 1e-5 2e-5 3e-5 4e-5");
    assert_ticks(100.01, 100.05, 4, 0, "100.01 100.02 100.03 100.04 100.05");
}

static void values_that_are_the_same_get_room(void **state) {
    (void)state;
    spf_axis axis = spf_axis_make(3, 3, 5, 0);
    assert_true(axis.from < 3 && axis.to > 3);
    axis = spf_axis_make(0, 0, 5, 0);
    assert_true(axis.from < 0 && axis.to > 0);
    axis = spf_axis_make(NAN, NAN, 5, 0);
    assert_true(axis.from == 0 && axis.to == 1);
    axis = spf_axis_make(-1e308, 1e308, 5, 0);
    assert_true(axis.from == 0 && axis.to == 1);
}

static void every_value_has_its_place(void **state) {
    (void)state;
    spf_axis axis = spf_axis_make(0, 10, 5, 0);
    axis.start = 100, axis.end = 50;
    assert_near(spf_axis_at(&axis, 0), 100, 1e-12);
    assert_near(spf_axis_at(&axis, 10), 50, 1e-12);
    assert_near(spf_axis_at(&axis, 5), 75, 1e-12);
}

static void ranges_ignore_what_is_not_finite(void **state) {
    (void)state;
    const double values[] = {NAN, 2, INFINITY, -1};
    double low = NAN, high = NAN;
    spf_axis_widen(&low, &high, 4, values);
    assert_true(low == -1 && high == 2);
}

static void extreme_ranges_end(void **state) {
    (void)state;
    const double pairs[][2] = {{0, 5e-324},         {1e308, 1.7e308}, {0, 1.7e308},
                               {-1.7e308, 1.7e308}, {1e-310, 1},      {-INFINITY, 0}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        for (int round = 0; round < 2; round++) {
            spf_axis axis = spf_axis_make(pairs[i][0], pairs[i][1], 5, round);
            axis.start = 0, axis.end = 100;
            assert_true(isfinite(axis.from) && isfinite(axis.to) && axis.from < axis.to);
            assert_true(axis.ticks >= 2 && axis.ticks < 20);
            assert_true(isfinite(spf_axis_at(&axis, pairs[i][1])));
            for (size_t t = 0; t < axis.ticks; t++) {
                char text[SPF_NUMBER_SHOWN_MAX];
                spf_axis_tick_text(&axis, t, text);
                assert_true(strlen(text) > 0);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_are_round),
        cmocka_unit_test(values_that_are_the_same_get_room),
        cmocka_unit_test(every_value_has_its_place),
        cmocka_unit_test(ranges_ignore_what_is_not_finite),
        cmocka_unit_test(extreme_ranges_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
