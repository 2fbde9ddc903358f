/* How the error fell while trees were added. */
#include "report/report.h"

#include "draw/axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS_MOST = 200, SERIES_MOST = 2 * SPF_REPORT_MODELS };

typedef struct curves {
    spf_series series[SERIES_MOST];
    char names[SERIES_MOST][SPF_REPORT_NAME_MAX];
    double *points[SERIES_MOST]; /* x, then y */
    size_t count;
} curves;

/* Adds a curve, thinned: `count` values for 1, 2, and so on. */
static sporf_status add_curve(curves *c, const char *model, const char *what, unsigned tone,
                              size_t count, const double *values) {
    size_t shown = count < POINTS_MOST ? count : POINTS_MOST;
    double *points = spf_alloc(2 * shown, sizeof *points);
    if (!points) return spf_raise_memory();
    c->points[c->count] = points;
    for (size_t i = 0; i < shown; i++) {
        size_t at = shown < 2 ? 0 : i * (count - 1) / (shown - 1);
        points[i] = (double)at + 1;
        points[shown + i] = values[at];
    }
    char *name = c->names[c->count];
    snprintf(name, SPF_REPORT_NAME_MAX, "%.100s%s%.60s", model, *model && *what ? ", " : "", what);
    c->series[c->count++] = (spf_series){.name = *name ? name : NULL,
                                         .mark = SPF_MARK_LINE,
                                         .tone = tone,
                                         .count = shown,
                                         .x = points,
                                         .y = points + shown};
    return SPORF_OK;
}

static const char *name_if_several(const spf_report *report, size_t m) {
    return report->count > 1 ? report->models[m].name : "";
}

static sporf_status add_out_of_bag(spf_report *report, curves *c) {
    for (size_t m = 0; m < report->count; m++) {
        sporf_oob oob;
        sporf_forest_oob(report->models[m].forest, &oob);
        if (oob.rows > 0 && oob.curve)
            SPF_TRY(add_curve(c, name_if_several(report, m), "", (unsigned)m,
                              sporf_forest_trees(report->models[m].forest), oob.curve));
    }
    return SPORF_OK;
}

static sporf_status add_losses(spf_report *report, curves *c) {
    for (size_t m = 0; m < report->count; m++) {
        sporf_boosting b;
        const char *name = name_if_several(report, m);
        if (!sporf_forest_boosting(report->models[m].forest, &b) || b.tried == 0) continue;
        SPF_TRY(add_curve(c, name, "training rows", (unsigned)(2 * m), b.tried, b.train_losses));
        if (b.valid_losses)
            SPF_TRY(add_curve(c, name, "held-out rows", (unsigned)(2 * m + 1), b.tried,
                              b.valid_losses));
    }
    return SPORF_OK;
}

/* An axis that begins far above 0 makes small gains look large. */
static int begins_at_zero(const curves *c, double *largest) {
    double range[2] = {NAN, NAN};
    for (size_t i = 0; i < c->count; i++)
        spf_axis_widen(&range[0], &range[1], c->series[i].count, c->series[i].y);
    *largest = range[1];
    return range[0] >= 0 && range[0] < range[1] / 2;
}

static void put_curves(spf_report *report, curves *c, const char *caption, const char *x,
                       const char *y) {
    double largest;
    int from_zero = begins_at_zero(c, &largest);
    char label[SPF_REPORT_NAME_MAX];
    snprintf(label, sizeof label, "%s%s", y, from_zero ? "" : ", not from 0");
    spf_chart chart = {.x_label = x,
                       .y_label = label,
                       .count = c->count,
                       .series = c->series,
                       .y_to = from_zero ? largest : 0};
    if (c->count > 0) {
        spf_figures_open(&report->page);
        spf_figure_chart(&report->page, caption, &chart);
        spf_figures_close(&report->page);
    }
    for (size_t i = 0; i < c->count; i++) free(c->points[i]);
    c->count = 0;
}

static void put_ends(spf_report *report) {
    for (size_t m = 0; m < report->count; m++) {
        const char *why = sporf_forest_stopped(report->models[m].forest);
        if (!why) continue;
        spf_markup_put(&report->page.body, "<p class='note'>The training of ");
        spf_markup_text(&report->page.body, report->models[m].name, SPF_PAGE_NAME_MOST);
        spf_markup_format(&report->page.body, " ended after %zu trees: %s.</p>\n",
                          sporf_forest_trees(report->models[m].forest),
                          why[0] == 'e'   ? "more would hardly help"
                          : why[0] == 't' ? "its time was over"
                                          : "it was interrupted");
    }
}

sporf_status spf_chapter_training(spf_report *report) {
    curves c = {.count = 0};
    sporf_status status = add_out_of_bag(report, &c);
    int has_forest = c.count > 0;
    if (has_forest)
        spf_page_chapter(&report->page, "training", "Training",
                         "How the error fell as trees were added, on rows that each tree did not "
                         "see. Where the line is flat, more trees do not help.");
    put_curves(report, &c, "Out-of-bag error by number of trees", "trees",
               report->models[0].classes > 0  ? "error rate"
               : report->models[0].labels > 0 ? "share of wrong labels"
                                              : "RMSE");
    if (status == SPORF_OK) status = add_losses(report, &c);
    if (c.count > 0 && !has_forest)
        spf_page_chapter(&report->page, "training", "Training",
                         "How the loss fell round by round. Held-out rows are not used to grow "
                         "trees; training stops when their loss no longer falls.");
    has_forest |= c.count > 0;
    put_curves(report, &c, "Loss by round", "rounds", "mean loss");
    if (has_forest) put_ends(report);
    return status;
}
