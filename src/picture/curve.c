/* The out-of-bag error by the number of trees, and the losses of boosting by the round. */
#include "draw/chart.h"
#include "sporf.h"

#include <stdlib.h>

static sporf_status refuse_curve(void) {
    return spf_raise(SPORF_ERROR_MODEL, "the model has no curve: its trees leave no rows out of "
                                        "their bags, so there is no out-of-bag error");
}

/* 1, 2, ... count. */
static double *numbers_to(size_t count) {
    double *numbers = spf_alloc(count, sizeof *numbers);
    for (size_t i = 0; numbers && i < count; i++) numbers[i] = (double)i + 1;
    return numbers;
}

static sporf_status draw_lines(spf_chart *chart, size_t count, spf_series *series, char **svg) {
    double *x = numbers_to(count);
    if (!x) return spf_raise_memory();
    spf_markup m = {0};
    for (size_t i = 0; i < chart->count; i++) {
        series[i].x = x;
        series[i].count = count;
        series[i].tone = (unsigned)i;
    }
    chart->series = series;
    chart->svg.alone = 1;
    chart->svg.width = 560, chart->svg.height = 330;
    chart->x_from = 1, chart->x_to = (double)count;
    spf_chart_draw(&m, chart);
    free(x);
    if (m.status == SPORF_OK)
        *svg = m.text;
    else
        spf_markup_free(&m);
    return *svg ? SPORF_OK : spf_raise_memory();
}

static sporf_status draw_losses(const sporf_boosting *boosting, char **svg) {
    spf_series series[] = {{.name = "training rows", .y = boosting->train_losses},
                           {.name = "held-out rows", .y = boosting->valid_losses}};
    spf_chart chart = {.svg = {.title = "Loss by round",
                               .description = "The mean loss after each round of boosting"},
                       .x_label = "rounds",
                       .y_label = boosting->loss,
                       .count = boosting->valid_losses ? 2 : 1};
    return draw_lines(&chart, boosting->tried, series, svg);
}

static const char *name_of_error(const sporf_forest *forest) {
    if (sporf_schema_label_columns(sporf_forest_schema(forest)) > 0) return "share of wrong labels";
    return sporf_forest_classes(forest) > 0 ? "error rate" : "root mean squared error";
}

sporf_status sporf_forest_draw_oob(const sporf_forest *forest, char **svg) {
    sporf_boosting boosting;
    sporf_oob oob;
    if (!forest || !svg)
        return spf_raise(SPORF_ERROR_ARGUMENT, "a picture needs a forest and a place");
    *svg = NULL;
    if (sporf_forest_boosting(forest, &boosting)) return draw_losses(&boosting, svg);
    sporf_forest_oob(forest, &oob);
    if (!oob.curve) return refuse_curve();
    spf_series series[] = {{.y = oob.curve}};
    spf_chart chart = {
        .svg = {.title = "Out-of-bag error by number of trees",
                .description = "The error on out-of-bag rows of the first 1, 2, ... trees"},
        .x_label = "trees",
        .y_label = name_of_error(forest),
        .count = 1};
    return draw_lines(&chart, sporf_forest_trees(forest), series, svg);
}
