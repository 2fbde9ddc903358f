/* Which features matter. */
#include "report/report.h"

#include "report/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES_MOST = 20 };

/* Walks of permutation importance that take about a second. */
#define WALKS_MOST 1e7

typedef struct shown {
    size_t count;
    size_t features[FEATURES_MOST]; /* of the first model */
    char texts[FEATURES_MOST][SPF_REPORT_NAME_MAX];
    const char *names[FEATURES_MOST];
} shown;

/* The importance that another model gives to a feature of the first; NaN if it has none of that
 * name. */
static double importance_in(const spf_report_model *model, const char *name, size_t feature) {
    const sporf_schema *schema = sporf_forest_schema(model->forest);
    char text[SPF_REPORT_NAME_MAX];
    if (feature < model->features && strcmp(spf_feature_name(schema, feature, text), name) == 0)
        return model->importances[feature];
    for (size_t j = 0; j < model->features; j++)
        if (strcmp(spf_feature_name(schema, j, text), name) == 0) return model->importances[j];
    return NAN;
}

static void put_impurity(spf_report *report, const shown *s) {
    double values[FEATURES_MOST * SPF_REPORT_MODELS];
    const char *models[SPF_REPORT_MODELS];
    for (size_t m = 0; m < report->count; m++) models[m] = report->models[m].name;
    for (size_t i = 0; i < s->count; i++)
        for (size_t m = 0; m < report->count; m++)
            values[i * report->count + m] =
                importance_in(&report->models[m], s->names[i], s->features[i]);
    spf_bars bars = {.x_label = "share of the decrease",
                     .count = s->count,
                     .names = s->names,
                     .series = report->count,
                     .series_names = report->count > 1 ? models : NULL,
                     .values = values};
    spf_figure_bars(&report->page, "Impurity importance", "feature", &bars);
}

static int is_affordable(const spf_report *report, const spf_report_model *model) {
    double walks = (double)report->scored * (double)sporf_forest_trees(model->forest) * 0.4 *
                   (double)model->features;
    return model->out_of_bag && walks <= WALKS_MOST;
}

static void put_permutation(spf_report *report, const shown *s, const double *importances,
                            const double *errors) {
    double values[FEATURES_MOST], low[FEATURES_MOST], high[FEATURES_MOST];
    for (size_t i = 0; i < s->count; i++) {
        size_t j = s->features[i];
        values[i] = importances[j];
        low[i] = importances[j] - 1.96 * errors[j], high[i] = importances[j] + 1.96 * errors[j];
    }
    spf_bars bars = {.x_label = report->models[0].classes > 0 ? "growth of a tree's error rate"
                                                              : "growth of a tree's squared error",
                     .count = s->count,
                     .names = s->names,
                     .series = 1,
                     .values = values,
                     .low = low,
                     .high = high};
    spf_figure_bars(&report->page, "Permutation importance", "feature", &bars);
}

static sporf_status find_permutation(spf_report *report, const shown *s) {
    const spf_report_model *model = &report->models[0];
    sporf_measure_options how;
    if (!is_affordable(report, model)) return SPORF_OK;
    double *importances = spf_alloc_zero(2 * model->features, sizeof *importances);
    if (!importances) return spf_raise_memory();
    sporf_measure_options_init(&how);
    how.seed = report->options.seed;
    how.threads = report->options.threads;
    sporf_status status =
        sporf_forest_permutation_importances(model->forest, report->rows, &how, &report->hooks,
                                             importances, importances + model->features);
    if (status == SPORF_OK) put_permutation(report, s, importances, importances + model->features);
    free(importances);
    return status;
}

sporf_status spf_chapter_importance(spf_report *report) {
    const spf_report_model *model = &report->models[0];
    shown s = {.count = model->features < FEATURES_MOST ? model->features : FEATURES_MOST};
    for (size_t i = 0; i < s.count; i++) {
        s.features[i] = model->order[i];
        s.names[i] =
            spf_feature_name(sporf_forest_schema(model->forest), model->order[i], s.texts[i]);
    }
    spf_page_chapter(&report->page, "importance", "Importance",
                     is_affordable(report, model)
                         ? "How much each feature matters. Impurity importance: how much its "
                           "splits separate what is predicted. Permutation importance: how much "
                           "the error grows if its values are shuffled."
                         : "How much each feature matters: how much its splits separate what is "
                           "predicted (impurity importance).");
    spf_figures_open(&report->page);
    put_impurity(report, &s);
    sporf_status status = find_permutation(report, &s);
    spf_figures_close(&report->page);
    spf_page_note(&report->page, "Impurity importance favours features with many values; corrected "
                                 "importances, from the training table, do not.");
    if (s.count < model->features)
        spf_markup_format(&report->page.body,
                          "<p class='note'>The %zu most important of %zu features.</p>\n", s.count,
                          model->features);
    return status;
}
