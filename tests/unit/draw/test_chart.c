/* Charts are well-formed whatever their numbers and names are. */
#include "draw/chart.h"

#include "support/markup_check.h"

#define HOSTILE "\"'><script>alert(1)</script>\x01\xff\xe2\x80\xae"

static const double x[] = {0, 1, 2, 3}, y[] = {0.5, NAN, 0.25, 1}, low[] = {0.4, NAN, 0.1, 0.9},
                    high[] = {0.6, NAN, 0.4, INFINITY};

static void assert_drawn(const spf_markup *markup) {
    assert_int_equal(markup->status, SPORF_OK);
    assert_well_formed(markup->text);
    assert_int_equal(occurrences(markup->text, "'") % 2, 0);
    assert_null(strstr(markup->text, "nan"));
    assert_null(strstr(markup->text, "inf"));
}

static void charts_of_all_marks_are_well_formed(void **state) {
    (void)state;
    for (int alone = 0; alone < 2; alone++)
        for (unsigned mark = SPF_MARK_LINE; mark <= SPF_MARK_DASHED; mark++) {
            size_t count = mark == SPF_MARK_HISTOGRAM ? 3 : 4;
            spf_series series[] = {
                {.name = HOSTILE, .mark = mark, .tone = mark + 7, .count = count, .x = x, .y = y},
                {.mark = mark, .count = count, .x = x, .y = y, .low = low, .high = high},
                {.name = "nothing", .mark = mark, .x = x, .y = y},
            };
            spf_chart chart = {.svg = {.title = HOSTILE, .description = HOSTILE, .alone = alone},
                               .x_label = HOSTILE,
                               .y_label = HOSTILE,
                               .count = 3,
                               .series = series};
            spf_markup markup = {0};
            spf_chart_draw(&markup, &chart);
            assert_drawn(&markup);
            assert_int_equal(occurrences(markup.text, "<style>"), alone);
            spf_markup_free(&markup);
        }
}

static void bars_are_well_formed(void **state) {
    (void)state;
    const char *const names[] = {HOSTILE, "b"}, *const series[] = {HOSTILE, "other"};
    const double values[] = {1, -0.5, NAN, 0};
    spf_bars bars = {.svg = {.title = HOSTILE, .description = "", .alone = 1},
                     .x_label = HOSTILE,
                     .count = 2,
                     .names = names,
                     .series = 2,
                     .series_names = series,
                     .values = values,
                     .low = low,
                     .high = high};
    spf_markup markup = {0};
    spf_bars_draw(&markup, &bars);
    assert_drawn(&markup);
    spf_markup_free(&markup);
}

static void heat_maps_are_well_formed(void **state) {
    (void)state;
    const char *const names[] = {HOSTILE, "b"};
    const double shares[] = {1, 0, 0.3, 0.7};
    spf_heat heat = {.svg = {.title = HOSTILE, .description = ""},
                     .row_label = HOSTILE,
                     .column_label = HOSTILE,
                     .rows = 2,
                     .columns = 2,
                     .row_names = names,
                     .column_names = names,
                     .shares = shares,
                     .values = shares};
    spf_markup markup = {0};
    spf_heat_draw(&markup, &heat);
    assert_drawn(&markup);
    spf_markup_free(&markup);
}

static void sparks_are_well_formed(void **state) {
    (void)state;
    spf_svg svg = {.width = 100, .height = 20, .title = HOSTILE, .description = HOSTILE};
    for (size_t count = 0; count <= 4; count++) {
        spf_markup markup = {0};
        spf_spark_draw(&markup, &svg, count, y);
        assert_drawn(&markup);
        spf_markup_free(&markup);
    }
}

static void the_same_chart_has_the_same_bytes(void **state) {
    (void)state;
    spf_series series = {.count = 4, .x = x, .y = y};
    spf_chart chart = {.svg = {.title = "t", .description = "d"}, .count = 1, .series = &series};
    spf_markup first = {0}, second = {0};
    spf_chart_draw(&first, &chart);
    spf_chart_draw(&second, &chart);
    assert_string_equal(first.text, second.text);
    spf_markup_free(&first);
    spf_markup_free(&second);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(charts_of_all_marks_are_well_formed),
        cmocka_unit_test(bars_are_well_formed),
        cmocka_unit_test(heat_maps_are_well_formed),
        cmocka_unit_test(sparks_are_well_formed),
        cmocka_unit_test(the_same_chart_has_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
