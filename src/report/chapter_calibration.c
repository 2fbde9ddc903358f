/* Whether probabilities mean what they say. */
#include "report/report.h"
#include "report/share.h"

#include <math.h>
#include <stdio.h>

typedef struct bins {
    size_t count;
    double x[SPORF_CALIBRATION_BINS], y[SPORF_CALIBRATION_BINS];
    double low[SPORF_CALIBRATION_BINS], high[SPORF_CALIBRATION_BINS];
} bins;

static void collect(const sporf_calibration *calibration, bins *b) {
    b->count = 0;
    for (size_t i = 0; i < SPORF_CALIBRATION_BINS; i++) {
        const sporf_calibration_bin *bin = &calibration->bins[i];
        if (bin->rows == 0 || isnan(bin->accuracy)) continue;
        b->x[b->count] = bin->confidence, b->y[b->count] = bin->accuracy;
        spf_share_interval(bin->accuracy, (double)bin->rows, &b->low[b->count], &b->high[b->count]);
        b->count++;
    }
}

static void put_errors(spf_report *report) {
    static const char *const heads[] = {"model", "Brier score", "expected calibration error"};
    spf_table_open(&report->page, "How far probabilities are off", heads, 3, "tn");
    for (size_t m = 0; m < report->count; m++) {
        const spf_report_model *model = &report->models[m];
        spf_row_open(&report->page);
        spf_cell_head(&report->page, model->name);
        spf_cell_number(&report->page, model->calibration.brier, 4);
        spf_cell_number(&report->page, model->calibration.error, 4);
        spf_row_close(&report->page);
    }
    spf_table_close(&report->page);
}

static void put_rows(spf_report *report) {
    const spf_report_model *model = &report->models[0];
    double edges[SPORF_CALIBRATION_BINS + 1], counts[SPORF_CALIBRATION_BINS];
    for (size_t i = 0; i <= SPORF_CALIBRATION_BINS; i++)
        edges[i] = (double)i / SPORF_CALIBRATION_BINS;
    for (size_t i = 0; i < SPORF_CALIBRATION_BINS; i++)
        counts[i] = (double)model->calibration.bins[i].rows;
    spf_series series = {
        .mark = SPF_MARK_HISTOGRAM, .count = SPORF_CALIBRATION_BINS, .x = edges, .y = counts};
    spf_chart chart = {.x_label = "confidence", .y_label = "rows", .count = 1, .series = &series};
    char caption[SPF_REPORT_NAME_MAX];
    snprintf(caption, sizeof caption, "How confident predictions are%s%.100s",
             report->count > 1 ? ", " : "", report->count > 1 ? model->name : "");
    spf_figure_chart(&report->page, caption, &chart);
}

sporf_status spf_chapter_calibration(spf_report *report) {
    static const double ends[] = {0, 1};
    bins all[SPF_REPORT_MODELS];
    spf_series series[1 + SPF_REPORT_MODELS] = {
        {.name = "ideal", .mark = SPF_MARK_DASHED, .count = 2, .x = ends, .y = ends}};
    if (!report->truth || report->models[0].scores.rows == 0) return SPORF_OK;
    spf_page_chapter(&report->page, "calibration", "Calibration",
                     "Whether probabilities can be believed: of all predictions made with a "
                     "confidence of 0.8, about 80% should be right.");
    for (size_t m = 0; m < report->count; m++) {
        bins *b = &all[m];
        collect(&report->models[m].calibration, b);
        series[1 + m] = (spf_series){.name = report->count > 1 ? report->models[m].name : NULL,
                                     .mark = SPF_MARK_POINTS,
                                     .tone = (unsigned)m,
                                     .count = b->count,
                                     .x = b->x,
                                     .y = b->y,
                                     .low = b->low,
                                     .high = b->high};
    }
    spf_chart chart = {.x_label = "confidence",
                       .y_label = "share of right predictions",
                       .count = 1 + report->count,
                       .series = series,
                       .x_to = 1,
                       .y_to = 1};
    spf_figures_open(&report->page);
    spf_figure_chart(&report->page, "Accuracy by confidence, with 95% intervals", &chart);
    put_rows(report);
    spf_figures_close(&report->page);
    put_errors(report);
    return SPORF_OK;
}
