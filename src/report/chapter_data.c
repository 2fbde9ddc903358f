/* What the data are: kinds of features, missing values, distributions, what is to be predicted. */
#include "report/report.h"

#include "report/histogram.h"
#include "report/rank.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    FEATURES_MOST = 60,
    CLASSES_MOST = 20,
    TARGETS_MOST = 3,
    ROWS_MOST = 10000,
    LEVELS_MOST = 3
};

static const char *kind_text(const sporf_schema *schema, size_t feature) {
    sporf_kind kind = sporf_schema_kind(schema, feature);
    return kind == SPORF_KIND_CATEGORY  ? "category"
           : kind == SPORF_KIND_ORDINAL ? "ordinal"
                                        : "number";
}

/* ---- features without data ------------------------------------------------------------------- */

/* "red, green and 3 more" */
static void put_level_names(spf_report *report, const sporf_schema *schema, size_t feature) {
    size_t levels = sporf_schema_levels(schema, feature);
    spf_markup *m = &report->page.body;
    spf_markup_put(m, "<td>");
    for (size_t k = 0; k < levels && k < LEVELS_MOST; k++) {
        if (k > 0) spf_markup_put(m, ", ");
        spf_markup_text(m, sporf_schema_level_name(schema, feature, k), 30);
    }
    if (levels > LEVELS_MOST) spf_markup_format(m, " and %zu more", levels - LEVELS_MOST);
    spf_markup_put(m, "</td>");
}

static void put_schema(spf_report *report) {
    static const char *const heads[] = {"feature", "kind", "levels", "importance"};
    const spf_report_model *model = &report->models[0];
    const sporf_schema *schema = sporf_forest_schema(model->forest);
    spf_table_open(&report->page, "Features, the most important first", heads, 4, "tttn");
    for (size_t i = 0; i < model->features && i < FEATURES_MOST; i++) {
        char name[SPF_REPORT_NAME_MAX];
        size_t feature = model->order[i];
        spf_row_open(&report->page);
        spf_cell_head(&report->page, spf_feature_name(schema, feature, name));
        spf_cell_text(&report->page, kind_text(schema, feature));
        put_level_names(report, schema, feature);
        spf_cell_number(&report->page, model->importances[feature], 3);
        spf_row_close(&report->page);
    }
    spf_table_close(&report->page);
}

/* ---- features with data ---------------------------------------------------------------------- */

typedef struct column {
    spf_column of; /* of the rows that are scored */
    size_t feature;
    const uint32_t *sample;
    size_t sample_count;
    double *sorted; /* [sample_count]: room */
} column;

static int compare_numbers(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return a < b ? -1 : a > b;
}

static void put_spark(spf_report *report, const char *name, size_t count, const double *values) {
    spf_svg svg = {.width = 120,
                   .height = 26,
                   .title = "distribution",
                   .description = name,
                   .id = ++report->page.pictures};
    spf_markup_put(&report->page.body, "<td>");
    if (count > 0) spf_spark_draw(&report->page.body, &svg, count, values);
    spf_markup_put(&report->page.body, "</td>");
}

static void put_numbers(spf_report *report, const column *c, const char *name) {
    size_t count = 0;
    spf_histogram h = {.bins = 0};
    for (size_t i = 0; i < c->sample_count; i++)
        if (!isnan(c->of.values[c->sample[i]]))
            c->sorted[count++] = (double)c->of.values[c->sample[i]];
    qsort(c->sorted, count, sizeof *c->sorted, compare_numbers);
    if (count > 0) {
        spf_histogram_start(&h, c->sorted[0], c->sorted[count - 1], SPF_HISTOGRAM_BINS);
        for (size_t i = 0; i < count; i++) spf_histogram_add(&h, c->sorted[i], 1);
    }
    put_spark(report, name, h.bins, h.counts);
    spf_markup *m = &report->page.body;
    spf_markup_put(m, "<td class='w'>");
    if (count > 0) {
        spf_markup_put(m, "from ");
        spf_markup_number(m, c->sorted[0], 4);
        spf_markup_put(m, " to ");
        spf_markup_number(m, c->sorted[count - 1], 4);
        spf_markup_put(m, ", median ");
        spf_markup_number(m, c->sorted[(count - 1) / 2], 4);
    }
    spf_markup_put(m, "</td>");
}

/* "red 52%, green 30%, blue 10%" */
static void put_largest_levels(spf_report *report, const column *c, spf_rank *ranks, size_t levels,
                               double all) {
    spf_markup *m = &report->page.body;
    spf_rank_sort(ranks, levels);
    spf_markup_put(m, "<td class='w'>");
    for (size_t k = 0; k < levels && k < LEVELS_MOST && ranks[k].key > 0; k++) {
        if (k > 0) spf_markup_put(m, ", ");
        spf_markup_text(m, sporf_schema_level_name(c->of.schema, c->of.place, ranks[k].index), 30);
        spf_markup_put(m, " ");
        spf_markup_number(m, 100 * ranks[k].key / all, 2);
        spf_markup_put(m, "%");
    }
    spf_markup_format(m, "; %zu level%s</td>", levels, levels == 1 ? "" : "s");
}

static sporf_status put_levels(spf_report *report, const column *c, const char *name) {
    size_t levels = sporf_schema_levels(c->of.schema, c->of.place);
    double bars[SPF_HISTOGRAM_BINS], all = 0;
    spf_rank *ranks = spf_alloc(levels, sizeof *ranks);
    if (!ranks) return spf_raise_memory();
    for (size_t k = 0; k < levels; k++) ranks[k] = (spf_rank){0, k};
    for (size_t i = 0; i < c->sample_count; i++) {
        float value = c->of.values[c->sample[i]];
        if (!(value >= 0 && value < (float)levels)) continue;
        ranks[(size_t)value].key++;
        all++;
    }
    size_t shown = levels < SPF_HISTOGRAM_BINS ? levels : SPF_HISTOGRAM_BINS;
    for (size_t k = 0; k < shown; k++) bars[k] = ranks[k].key;
    put_spark(report, name, shown, bars);
    put_largest_levels(report, c, ranks, levels, all);
    free(ranks);
    return SPORF_OK;
}

static void put_missing(spf_report *report, const float *values) {
    size_t missing = 0;
    for (size_t i = 0; values && i < report->scored; i++) missing += isnan(values[i]) != 0;
    spf_markup_put(&report->page.body, "<td class='n'>");
    if (missing > 0) {
        spf_markup_number(&report->page.body, 100 * (double)missing / (double)report->scored, 2);
        spf_markup_put(&report->page.body, "%");
    } else {
        spf_markup_put(&report->page.body, "0");
    }
    spf_markup_put(&report->page.body, "</td>");
}

static sporf_status put_feature(spf_report *report, column *c) {
    const sporf_schema *schema = sporf_forest_schema(report->models[0].forest);
    char name[SPF_REPORT_NAME_MAX];
    const char *shown = spf_feature_name(schema, c->feature, name);
    sporf_status status = SPORF_OK;
    c->of = spf_column_of(&report->models[0], report->rows, c->feature);
    spf_row_open(&report->page);
    spf_cell_head(&report->page, shown);
    spf_cell_text(&report->page, kind_text(schema, c->feature));
    put_missing(report, c->of.values);
    if (c->of.values && sporf_schema_levels(c->of.schema, c->of.place) == 0)
        put_numbers(report, c, shown);
    else if (c->of.values)
        status = put_levels(report, c, shown);
    spf_row_close(&report->page);
    return status;
}

static sporf_status put_features(spf_report *report) {
    static const char *const heads[] = {"feature", "kind", "missing", "distribution", "values"};
    const spf_report_model *model = &report->models[0];
    column c = {.feature = 0};
    uint32_t *sample = NULL;
    SPF_TRY(spf_report_sample(report, report->scored, ROWS_MOST, &sample, &c.sample_count));
    c.sample = sample;
    c.sorted = spf_alloc(c.sample_count, sizeof *c.sorted);
    sporf_status status = c.sorted ? SPORF_OK : spf_raise_memory();
    spf_table_open(&report->page, "Features, the most important first", heads, 5, "ttnt");
    for (size_t i = 0; i < model->features && i < FEATURES_MOST && status == SPORF_OK; i++) {
        c.feature = model->order[i];
        status = put_feature(report, &c);
    }
    spf_table_close(&report->page);
    if (c.sample_count < report->scored)
        spf_markup_format(&report->page.body,
                          "<p class='note'>Distributions are those of %zu rows, drawn by "
                          "chance.</p>\n",
                          c.sample_count);
    free(sample);
    free(c.sorted);
    return status;
}

/* ---- what is to be predicted ----------------------------------------------------------------- */

static void put_counts(spf_report *report, const char *title, size_t count,
                       const char *const *names, const double *counts) {
    spf_bars bars = {.x_label = "rows",
                     .count = count,
                     .names = names,
                     .series = 1,
                     .values = counts,
                     .digits = 9};
    spf_figures_open(&report->page);
    spf_figure_bars(&report->page, title, "class", &bars);
    spf_figures_close(&report->page);
}

static sporf_status put_classes(spf_report *report) {
    const spf_report_model *model = &report->models[0];
    spf_rank *ranks = spf_alloc(model->classes, sizeof *ranks);
    char texts[CLASSES_MOST][SPF_REPORT_NAME_MAX];
    const char *names[CLASSES_MOST];
    double counts[CLASSES_MOST];
    size_t shown = model->classes < CLASSES_MOST ? model->classes : CLASSES_MOST;
    if (!ranks) return spf_raise_memory();
    for (size_t k = 0; k < model->classes; k++) ranks[k] = (spf_rank){0, k};
    for (size_t i = 0; i < report->scored; i++)
        if (report->truth[i] < model->classes) ranks[report->truth[i]].key++;
    if (shown < model->classes) spf_rank_sort(ranks, model->classes);
    for (size_t i = 0; i < shown; i++) {
        names[i] = spf_output_name(model, ranks[i].index, texts[i]);
        counts[i] = ranks[i].key;
    }
    free(ranks);
    put_counts(report, "Rows of each class", shown, names, counts);
    if (shown < model->classes)
        spf_markup_format(&report->page.body,
                          "<p class='note'>The %zu largest of %zu classes.</p>\n", shown,
                          model->classes);
    return SPORF_OK;
}

static sporf_status put_targets(spf_report *report) {
    const spf_report_model *model = &report->models[0];
    double *values = spf_alloc(report->scored, sizeof *values);
    sporf_status status = values ? SPORF_OK : spf_raise_memory();
    spf_figures_open(&report->page);
    for (size_t k = 0; k < model->targets && k < TARGETS_MOST && status == SPORF_OK; k++) {
        char name[SPF_REPORT_NAME_MAX];
        const char *target = spf_output_name(model, k, name);
        for (size_t i = 0; i < report->scored; i++)
            values[i] = report->true_values[i * model->targets + k];
        status = spf_histogram_figure(report, target, target, report->scored, values);
    }
    spf_figures_close(&report->page);
    free(values);
    return status;
}

/* The classes of several labels: how many rows have each. */
static void put_labels(spf_report *report) {
    const spf_report_model *model = &report->models[0];
    char texts[CLASSES_MOST][SPF_REPORT_NAME_MAX];
    const char *names[CLASSES_MOST];
    double counts[CLASSES_MOST] = {0};
    size_t shown = model->targets < CLASSES_MOST ? model->targets : CLASSES_MOST;
    for (size_t k = 0; k < shown; k++) {
        names[k] = spf_output_name(model, k, texts[k]);
        for (size_t i = 0; i < report->scored; i++)
            counts[k] += report->true_values[i * model->targets + k];
    }
    put_counts(report, "Rows of each class of each label", shown, names, counts);
    if (shown < model->targets)
        spf_markup_format(&report->page.body, "<p class='note'>The first %zu of %zu classes.</p>\n",
                          shown, model->targets);
}

sporf_status spf_chapter_data(spf_report *report) {
    const spf_report_model *model = &report->models[0];
    spf_markup *m = &report->page.body;
    spf_page_chapter(&report->page, "data", "Data",
                     report->data ? "What the rows of the table look like."
                                  : "What the model expects of a table.");
    if (report->data) {
        spf_markup_put(m, "<p>");
        spf_markup_number(m, (double)sporf_dataset_rows(report->data), 12);
        spf_markup_put(m, " rows, ");
        spf_markup_number(m, (double)model->features, 12);
        spf_markup_put(m, report->sampled ? " features. The report looks at a sample of " : "");
        if (report->sampled) spf_markup_number(m, (double)report->scored, 12);
        spf_markup_put(m, report->sampled ? " rows.</p>\n" : " features.</p>\n");
        if (report->truth) SPF_TRY(put_classes(report));
        if (report->true_values && model->labels > 0)
            put_labels(report);
        else if (report->true_values)
            SPF_TRY(put_targets(report));
        SPF_TRY(put_features(report));
    } else {
        put_schema(report);
    }
    if (model->features > FEATURES_MOST)
        spf_markup_format(m, "<p class='note'>The %d most important of %zu features.</p>\n",
                          (int)FEATURES_MOST, model->features);
    return SPORF_OK;
}
