/* Scores of regression: errors of each target, predicted against true values, residuals. */
#include "report/report.h"

#include "draw/axis.h"
#include "report/histogram.h"
#include "report/paired.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TARGETS_IN_TABLE = 50, TARGETS_IN_PICTURES = 3, POINTS_MOST = 400 };

typedef struct errors {
    double weight, squares, absolute;     /* means, but the weight is a sum */
    double squares_error, absolute_error; /* their standard errors */
    double r2;
} errors;

/* A row that was never out of bag has no prediction. */
static errors find_errors(const spf_report *report, const spf_report_model *model, size_t target) {
    errors e = {0};
    double mean = 0, spread = 0, squares = 0, absolute = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < report->scored; i++) {
            size_t at = i * model->targets + target;
            double w = report->weights ? report->weights[i] : 1, truth = report->true_values[at];
            double d = model->outputs[at] - truth;
            if (isnan(d)) continue;
            if (pass == 0) {
                e.weight += w, e.squares += w * d * d, e.absolute += w * fabs(d), mean += w * truth;
                continue;
            }
            spread += w * (truth - mean) * (truth - mean);
            squares += w * w * (d * d - e.squares) * (d * d - e.squares);
            absolute += w * w * (fabs(d) - e.absolute) * (fabs(d) - e.absolute);
        }
        if (pass == 0) e.squares /= e.weight, e.absolute /= e.weight, mean /= e.weight;
    }
    e.squares_error = sqrt(squares) / e.weight, e.absolute_error = sqrt(absolute) / e.weight;
    e.r2 = spread > 0 ? 1 - e.squares * e.weight / spread : NAN;
    return e;
}

static void put_errors(spf_report *report) {
    static const char *const heads[] = {"target", "model", "RMSE", "mean absolute error", "R2"};
    const spf_report_model *first = &report->models[0];
    size_t shown = first->targets < TARGETS_IN_TABLE ? first->targets : TARGETS_IN_TABLE;
    spf_table_open(&report->page, "Errors, with 95% confidence intervals", heads, 5, "ttn");
    for (size_t k = 0; k < shown; k++)
        for (size_t m = 0; m < report->count; m++) {
            char name[SPF_REPORT_NAME_MAX];
            errors e = find_errors(report, &report->models[m], k);
            double low = e.squares - 1.96 * e.squares_error;
            spf_row_open(&report->page);
            spf_cell_head(&report->page, spf_output_name(first, k, name));
            spf_cell_text(&report->page, report->models[m].name);
            spf_cell_interval(&report->page, sqrt(e.squares), low > 0 ? sqrt(low) : 0,
                              sqrt(e.squares + 1.96 * e.squares_error));
            spf_cell_interval(&report->page, e.absolute, e.absolute - 1.96 * e.absolute_error,
                              e.absolute + 1.96 * e.absolute_error);
            spf_cell_number(&report->page, e.r2, 4);
            spf_row_close(&report->page);
        }
    spf_table_close(&report->page);
    if (shown < first->targets)
        spf_markup_format(&report->page.body, "<p class='note'>The first %zu of %zu targets.</p>\n",
                          shown, first->targets);
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* Square, with the same range on both axes, so that the diagonal is what is perfect. */
static void put_points(spf_report *report, const char *caption, size_t count, const double *truth,
                       const double *predicted) {
    double ends[2] = {INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        ends[0] = fmin(ends[0], fmin(truth[i], predicted[i]));
        ends[1] = fmax(ends[1], fmax(truth[i], predicted[i]));
    }
    spf_series series[] = {
        {.name = "perfect", .mark = SPF_MARK_DASHED, .count = 2, .x = ends, .y = ends},
        {.mark = SPF_MARK_POINTS, .count = count, .x = truth, .y = predicted},
    };
    spf_axis axis = spf_axis_make(ends[0], ends[1], SPF_CHART_TICKS, 1);
    spf_chart chart = {.svg = {.height = SPF_CHART_WIDTH},
                       .x_label = "true value",
                       .y_label = "predicted value",
                       .count = 2,
                       .series = series,
                       .x_from = axis.from,
                       .x_to = axis.to,
                       .y_from = axis.from,
                       .y_to = axis.to};
    spf_figure_chart(&report->page, caption, &chart);
}

static sporf_status put_target(spf_report *report, const spf_report_model *model, size_t target) {
    uint32_t *rows = NULL;
    size_t count, kept = 0;
    char name[SPF_REPORT_NAME_MAX], caption[SPF_REPORT_NAME_MAX + 64];
    const char *of = spf_output_name(model, target, name);
    SPF_TRY(spf_report_sample(report, report->scored, POINTS_MOST, &rows, &count));
    double *truth = spf_alloc(count, sizeof *truth), *predicted = spf_alloc(count, sizeof *truth);
    double *residuals = spf_alloc(report->scored, sizeof *residuals);
    sporf_status status = truth && predicted && residuals ? SPORF_OK : spf_raise_memory();
    for (size_t i = 0; i < count && status == SPORF_OK; i++) {
        size_t at = rows[i] * model->targets + target;
        if (isnan(model->outputs[at])) continue;
        truth[kept] = report->true_values[at], predicted[kept++] = model->outputs[at];
    }
    for (size_t i = 0; i < report->scored && status == SPORF_OK; i++) {
        size_t at = i * model->targets + target;
        residuals[i] = report->true_values[at] - model->outputs[at];
    }
    if (status == SPORF_OK && kept > 0) {
        snprintf(caption, sizeof caption, "%.100s: predicted against true%s%.60s", of,
                 report->count > 1 ? ", " : "", report->count > 1 ? model->name : "");
        put_points(report, caption, kept, truth, predicted);
        snprintf(caption, sizeof caption, "%.100s: true less predicted%s%.60s", of,
                 report->count > 1 ? ", " : "", report->count > 1 ? model->name : "");
        status = spf_histogram_figure(report, caption, "residual", report->scored, residuals);
    }
    free(rows);
    free(truth);
    free(predicted);
    free(residuals);
    return status;
}

sporf_status spf_chapter_value_scores(spf_report *report) {
    sporf_status status = SPORF_OK;
    if (!report->true_values || report->models[0].labels > 0) return SPORF_OK;
    spf_page_chapter(&report->page, "scores", "Scores",
                     "How near the predicted values are to the true ones.");
    spf_report_note_rows(report, report->scored);
    put_errors(report);
    SPF_TRY(spf_paired_table(report));
    spf_figures_open(&report->page);
    size_t targets = report->models[0].targets;
    for (size_t k = 0; k < targets && k < TARGETS_IN_PICTURES; k++)
        for (size_t m = 0; m < report->count && status == SPORF_OK; m++)
            status = put_target(report, &report->models[m], k);
    spf_figures_close(&report->page);
    if (targets > TARGETS_IN_PICTURES)
        spf_page_note(&report->page, "Pictures of the first three targets.");
    return status;
}
