/* The sums of features that split best, and how they separate the rows. */
#include "report/report.h"

#include "draw/axis.h"
#include "report/histogram.h"
#include "report/terms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LISTED = 10, PICTURES = 6, ROWS_MOST = 2000, POINTS_MOST = 300, CLASSES_MOST = 5 };
enum { TEXT_MOST = 600, BINS = 16 };

static void put_list(spf_report *report, const spf_report_model *model,
                     const sporf_ranking *ranking) {
    static const char *const heads[] = {"projection", "importance", "splits"};
    char caption[SPF_REPORT_NAME_MAX];
    snprintf(caption, sizeof caption, "The most important of %zu projections%s%.100s",
             ranking->distinct, report->count > 1 ? ", " : "",
             report->count > 1 ? model->name : "");
    spf_table_open(&report->page, caption, heads, 3, "tn");
    for (size_t i = 0; i < ranking->count; i++) {
        spf_markup plain = {0};
        spf_terms_text(&plain, model, &ranking->projections[i]);
        spf_row_open(&report->page);
        spf_markup_format(&report->page.body, "<th scope='row'>%zu. ", i + 1);
        if (plain.status == SPORF_OK) spf_markup_text(&report->page.body, plain.text, TEXT_MOST);
        spf_markup_put(&report->page.body, "</th>");
        if (plain.status != SPORF_OK) report->page.body.status = plain.status;
        spf_markup_free(&plain);
        spf_cell_number(&report->page, ranking->projections[i].importance, 3);
        spf_cell_number(&report->page, (double)ranking->projections[i].splits, 12);
        spf_row_close(&report->page);
    }
    spf_table_close(&report->page);
}

/* ---- pictures -------------------------------------------------------------------------------- */

typedef struct shares {
    size_t classes; /* shown */
    spf_histogram bins[CLASSES_MOST];
    char texts[CLASSES_MOST][SPF_REPORT_NAME_MAX];
    const char *names[CLASSES_MOST];
} shares;

/* The share of each class's rows in each of at most `bins` bins. Returns 0 without values. */
static int count_shares(const spf_report *report, const uint32_t *rows, size_t count,
                        const double *values, size_t bins, shares *s) {
    const spf_report_model *model = &report->models[0];
    double low = NAN, high = NAN, all[CLASSES_MOST] = {0};
    s->classes = model->classes < CLASSES_MOST ? model->classes : CLASSES_MOST;
    spf_axis_widen(&low, &high, count, values);
    if (isnan(low)) return 0;
    for (size_t k = 0; k < s->classes; k++) {
        s->names[k] = spf_output_name(model, k, s->texts[k]);
        spf_histogram_start(&s->bins[k], low, high, bins);
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t k = report->truth ? report->truth[rows[i]] : model->predicted[rows[i]];
        if (k >= s->classes || isnan(values[i])) continue;
        spf_histogram_add(&s->bins[k], values[i], 1);
        all[k]++;
    }
    for (size_t k = 0; k < s->classes; k++)
        for (size_t b = 0; b < s->bins[k].bins && all[k] > 0; b++) s->bins[k].counts[b] /= all[k];
    return 1;
}

/* A set of levels has only two values. */
static int is_set(const double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (values[i] != 0 && values[i] != 1 && !isnan(values[i])) return 0;
    return 1;
}

static void put_set(spf_report *report, const char *caption, const shares *s) {
    static const char *const names[] = {"not in the set", "in the set"};
    double values[2 * CLASSES_MOST];
    for (size_t k = 0; k < s->classes; k++)
        for (size_t b = 0; b < 2; b++) values[b * s->classes + k] = s->bins[k].counts[b];
    spf_bars bars = {.x_label = "share of the class",
                     .count = 2,
                     .names = names,
                     .series = s->classes,
                     .series_names = s->names,
                     .values = values};
    spf_figure_bars(&report->page, caption, "level", &bars);
}

static void put_lines(spf_report *report, const char *caption, const shares *s) {
    double middle[SPF_HISTOGRAM_BINS];
    spf_series series[CLASSES_MOST];
    for (size_t b = 0; b < s->bins[0].bins; b++)
        middle[b] = (s->bins[0].edges[b] + s->bins[0].edges[b + 1]) / 2;
    for (size_t k = 0; k < s->classes; k++)
        series[k] = (spf_series){.name = s->names[k],
                                 .mark = SPF_MARK_LINE,
                                 .tone = (unsigned)k,
                                 .count = s->bins[k].bins,
                                 .x = middle,
                                 .y = s->bins[k].counts};
    spf_chart chart = {.svg = {.height = SPF_CHART_HEIGHT + (s->classes > 2 ? 16 : 0)},
                       .x_label = "value of the projection",
                       .y_label = "share of the class",
                       .count = s->classes,
                       .series = series,
                       .y_to = 0.05};
    spf_figure_chart(&report->page, caption, &chart);
}

static void put_classes(spf_report *report, const char *caption, const uint32_t *rows, size_t count,
                        const double *values) {
    shares s;
    int two = is_set(values, count);
    if (!count_shares(report, rows, count, values, two ? 2 : BINS, &s)) return;
    if (two && s.bins[0].bins == 2)
        put_set(report, caption, &s);
    else
        put_lines(report, caption, &s);
}

static void put_values(spf_report *report, const char *caption, const uint32_t *rows, size_t count,
                       const double *values) {
    const spf_report_model *model = &report->models[0];
    const double *outputs = report->true_values ? report->true_values : model->outputs;
    double y[POINTS_MOST];
    char name[SPF_REPORT_NAME_MAX];
    if (count > POINTS_MOST) count = POINTS_MOST;
    for (size_t i = 0; i < count; i++) y[i] = outputs[(size_t)rows[i] * model->targets];
    spf_series series = {.mark = SPF_MARK_POINTS, .count = count, .x = values, .y = y};
    spf_chart chart = {.x_label = "value of the projection",
                       .y_label = spf_output_name(model, 0, name),
                       .count = 1,
                       .series = &series};
    spf_figure_chart(&report->page, caption, &chart);
}

static sporf_status put_picture(spf_report *report, const sporf_ranked *ranked, size_t number,
                                const uint32_t *rows, size_t count) {
    const spf_report_model *model = &report->models[0];
    char start[16];
    spf_markup caption = {0};
    spf_column *columns = spf_alloc(ranked->terms, sizeof *columns);
    double *values = spf_alloc(count, sizeof *values);
    sporf_status status = columns && values ? SPORF_OK : spf_raise_memory();
    if (status == SPORF_OK) {
        for (size_t t = 0; t < ranked->terms; t++)
            columns[t] = spf_column_of(model, report->rows, spf_terms_feature(model, ranked, t));
        for (size_t i = 0; i < count; i++)
            values[i] = spf_terms_value(model, ranked, columns, rows[i]);
        snprintf(start, sizeof start, "%zu. ", number);
        spf_markup_put(&caption, start);
        spf_terms_text(&caption, model, ranked);
        status = caption.status;
    }
    if (status == SPORF_OK)
        (model->classes > 0 ? put_classes : put_values)(report, caption.text, rows, count, values);
    spf_markup_free(&caption);
    free(columns);
    free(values);
    return status;
}

static sporf_status put_pictures(spf_report *report, const sporf_ranking *ranking) {
    uint32_t *rows = NULL;
    size_t count, most = report->models[0].classes > 0 ? ROWS_MOST : POINTS_MOST;
    sporf_status status = spf_report_sample(report, report->scored, most, &rows, &count);
    spf_figures_open(&report->page);
    for (size_t i = 0; i < ranking->count && i < PICTURES && status == SPORF_OK; i++)
        status = put_picture(report, &ranking->projections[i], i + 1, rows, count);
    spf_figures_close(&report->page);
    free(rows);
    return status;
}

sporf_status spf_chapter_projections(spf_report *report) {
    sporf_status status = SPORF_OK;
    spf_page_chapter(&report->page, "projections", "Projections",
                     "The sums of features that the trees compare with thresholds, those first "
                     "that separate most. Pictures show how a projection tells classes apart, or "
                     "how the target goes with it.");
    for (size_t m = 0; m < report->count && status == SPORF_OK; m++) {
        sporf_ranking *ranking = NULL;
        status = sporf_ranking_create(report->models[m].forest, LISTED, &ranking);
        if (status == SPORF_OK) put_list(report, &report->models[m], ranking);
        if (status == SPORF_OK && m == 0 && report->data) status = put_pictures(report, ranking);
        sporf_ranking_free(ranking);
    }
    return status;
}
