/* How predictions change with single features. */
#include "report/report.h"

#include "draw/axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES_MOST = 6, TARGETS_MOST = 2, OUTPUTS_MOST = 5, LEVELS_MOST = 12 };
enum { GRID = 25, ROWS_MOST = 300 };

/* The curves of a figure: outputs of one model, or one output of several. */
typedef struct drawn {
    size_t count;
    struct {
        const spf_report_model *model;
        size_t output;
        const sporf_dependence *found;
        char text[SPF_REPORT_NAME_MAX];
        const char *name;
    } lines[SPF_TONES];
} drawn;

/* The feature of another model with the same name; its number of features if there is none. */
static size_t same_feature(const spf_report *report, const spf_report_model *model,
                           size_t feature) {
    const sporf_schema *first = sporf_forest_schema(report->models[0].forest);
    const sporf_schema *schema = sporf_forest_schema(model->forest);
    const char *name = sporf_schema_feature_name(first, feature);
    if (!name || model == &report->models[0]) return feature;
    for (size_t j = 0; j < model->features; j++) {
        const char *other = sporf_schema_feature_name(schema, j);
        if (other && strcmp(other, name) == 0) return j;
    }
    return model->features;
}

static sporf_status find(spf_report *report, const spf_report_model *model, size_t feature,
                         sporf_dependence **found) {
    sporf_dependence_options how;
    *found = NULL;
    size_t own = same_feature(report, model, feature);
    if (own >= model->features) return SPORF_OK;
    sporf_dependence_options_init(&how);
    how.grid = GRID;
    how.sample = ROWS_MOST;
    how.seed = report->options.seed;
    how.threads = report->options.threads;
    how.combine = report->options.combine;
    how.calibration = report->options.calibration;
    return sporf_dependence_create(model->forest, report->rows, &how, &report->hooks, &own, 1,
                                   found);
}

/* ---- figures --------------------------------------------------------------------------------- */

static void add_line(drawn *d, const spf_report_model *model, const sporf_dependence *found,
                     size_t output, const char *name) {
    if (d->count == SPF_TONES || !found) return;
    d->lines[d->count].model = model;
    d->lines[d->count].found = found;
    d->lines[d->count].output = output;
    d->lines[d->count].name = name ? name : spf_output_name(model, output, d->lines[d->count].text);
    d->count++;
}

static void put_lines(spf_report *report, const drawn *d, const char *caption, const char *feature,
                      const char *y_label, const double range[2]) {
    spf_series series[SPF_TONES];
    double values[SPF_TONES][GRID];
    for (size_t i = 0; i < d->count; i++) {
        const sporf_dependence *found = d->lines[i].found;
        size_t points = found->points < GRID ? found->points : GRID;
        for (size_t p = 0; p < points; p++)
            values[i][p] = found->mean[p * found->outputs + d->lines[i].output];
        series[i] = (spf_series){.name = d->count > 1 ? d->lines[i].name : NULL,
                                 .mark = SPF_MARK_LINE,
                                 .tone = (unsigned)i,
                                 .count = points,
                                 .x = found->values[0],
                                 .y = values[i]};
    }
    spf_chart chart = {.svg = {.height = SPF_CHART_HEIGHT + (d->count > 2 ? 16 : 0)},
                       .x_label = feature,
                       .y_label = y_label,
                       .count = d->count,
                       .series = series,
                       .y_from = range[0],
                       .y_to = range[1]};
    spf_figure_chart(&report->page, caption, &chart);
}

static const char *level_text(const sporf_schema *schema, size_t feature, double level,
                              char text[SPF_REPORT_NAME_MAX]) {
    if (level >= 0 && level < (double)sporf_schema_levels(schema, feature))
        return sporf_schema_level_name(schema, feature, (size_t)level);
    snprintf(text, SPF_REPORT_NAME_MAX, "missing");
    return text;
}

/* Levels have no axis: bars. All curves have the levels of the first. */
static void put_levels(spf_report *report, const drawn *d, const char *caption, size_t feature,
                       const char *y_label) {
    const sporf_dependence *found = d->lines[0].found;
    const sporf_schema *schema = sporf_forest_schema(report->models[0].forest);
    size_t levels = found->points < LEVELS_MOST ? found->points : LEVELS_MOST;
    char texts[LEVELS_MOST][SPF_REPORT_NAME_MAX];
    const char *names[LEVELS_MOST], *series[SPF_TONES];
    double values[LEVELS_MOST * SPF_TONES];
    for (size_t p = 0; p < levels; p++) {
        names[p] = level_text(schema, feature, found->values[0][p], texts[p]);
        for (size_t i = 0; i < d->count; i++) {
            const sporf_dependence *own = d->lines[i].found;
            values[p * d->count + i] =
                p < own->points ? own->mean[p * own->outputs + d->lines[i].output] : NAN;
        }
    }
    for (size_t i = 0; i < d->count; i++) series[i] = d->lines[i].name;
    spf_bars bars = {.x_label = y_label,
                     .count = levels,
                     .names = names,
                     .series = d->count,
                     .series_names = d->count > 1 ? series : NULL,
                     .values = values};
    spf_figure_bars(&report->page, caption, "level", &bars);
}

static void put_figure(spf_report *report, const drawn *d, const char *caption, size_t feature,
                       const char *y_label, const double range[2]) {
    const sporf_schema *schema = sporf_forest_schema(report->models[0].forest);
    char name[SPF_REPORT_NAME_MAX];
    if (d->count == 0) return;
    if (sporf_schema_kind(schema, feature) == SPORF_KIND_NUMBER)
        put_lines(report, d, caption, spf_feature_name(schema, feature, name), y_label, range);
    else
        put_levels(report, d, caption, feature, y_label);
}

/* ---- what is drawn --------------------------------------------------------------------------- */

/* Two classes: the second. More: the first ones, or the first of each model. */
static void choose_lines(const spf_report *report, sporf_dependence *const *found, size_t target,
                         drawn *d) {
    const spf_report_model *first = &report->models[0];
    d->count = 0;
    size_t output = first->targets > 0 ? target : first->classes == 2;
    int single = report->count > 1 || first->classes == 2 || first->targets > 0;
    for (size_t m = 0; m < report->count && single; m++)
        add_line(d, &report->models[m], found[m], output, report->models[m].name);
    for (size_t k = 0; k < first->classes && k < OUTPUTS_MOST && !single; k++)
        add_line(d, first, found[0], k, NULL);
}

/* The range of all figures, so that steep means steep everywhere. */
static void widen(const drawn *d, double range[2]) {
    for (size_t i = 0; i < d->count; i++) {
        const sporf_dependence *found = d->lines[i].found;
        for (size_t p = 0; p < found->points; p++)
            spf_axis_widen(&range[0], &range[1], 1,
                           &found->mean[p * found->outputs + d->lines[i].output]);
    }
}

static void y_text(const spf_report *report, size_t target, char text[SPF_REPORT_NAME_MAX]) {
    const spf_report_model *first = &report->models[0];
    char name[SPF_REPORT_NAME_MAX];
    if (first->targets > 0)
        snprintf(text, SPF_REPORT_NAME_MAX, "%.200s", spf_output_name(first, target, name));
    else if (report->count > 1 || first->classes == 2)
        snprintf(text, SPF_REPORT_NAME_MAX, "probability of %.60s",
                 spf_output_name(first, first->classes == 2, name));
    else
        snprintf(text, SPF_REPORT_NAME_MAX, "probability");
}

static int has_values(const spf_report *report, size_t feature) {
    const float *values = spf_column_of(&report->models[0], report->rows, feature).values;
    for (size_t i = 0; values && i < report->scored; i++)
        if (!isnan(values[i])) return 1;
    return 0;
}

typedef struct dependences {
    size_t count;
    size_t features[FEATURES_MOST];
    sporf_dependence *found[FEATURES_MOST][SPF_REPORT_MODELS];
} dependences;

static sporf_status find_all(spf_report *report, dependences *all) {
    const spf_report_model *first = &report->models[0];
    for (size_t i = 0; i < first->features && all->count < FEATURES_MOST; i++) {
        if (i >= 2 * FEATURES_MOST || !has_values(report, first->order[i])) continue;
        size_t at = all->count++;
        all->features[at] = first->order[i];
        for (size_t m = 0; m < report->count; m++)
            SPF_TRY(find(report, &report->models[m], first->order[i], &all->found[at][m]));
    }
    return SPORF_OK;
}

static void put_all(spf_report *report, const dependences *all, size_t target) {
    const sporf_schema *schema = sporf_forest_schema(report->models[0].forest);
    double range[2] = {NAN, NAN};
    drawn d;
    char y[SPF_REPORT_NAME_MAX], name[SPF_REPORT_NAME_MAX];
    y_text(report, target, y);
    for (size_t i = 0; i < all->count; i++) {
        choose_lines(report, all->found[i], target, &d);
        widen(&d, range);
    }
    spf_figures_open(&report->page);
    for (size_t i = 0; i < all->count; i++) {
        choose_lines(report, all->found[i], target, &d);
        put_figure(report, &d, spf_feature_name(schema, all->features[i], name), all->features[i],
                   y, range);
    }
    spf_figures_close(&report->page);
}

sporf_status spf_chapter_dependence(spf_report *report) {
    const spf_report_model *first = &report->models[0];
    dependences all = {.count = 0};
    if (!report->data) return SPORF_OK;
    spf_page_chapter(&report->page, "dependence", "Dependence",
                     "How the mean prediction changes if a feature takes each of its values in "
                     "all rows and everything else stays (partial dependence).");
    spf_markup_format(
        &report->page.body,
        "<p class='note'>The most important features, on at most %d rows%s.</p>\n", (int)ROWS_MOST,
        first->classes > OUTPUTS_MOST && report->count == 1 ? ", for the first five classes" : "");
    sporf_status status = find_all(report, &all);
    size_t targets = first->targets > TARGETS_MOST ? TARGETS_MOST : first->targets;
    for (size_t k = 0; k < (targets > 0 ? targets : 1) && status == SPORF_OK; k++)
        put_all(report, &all, k);
    for (size_t i = 0; i < all.count; i++)
        for (size_t m = 0; m < report->count; m++) sporf_dependence_free(all.found[i][m]);
    return status;
}
