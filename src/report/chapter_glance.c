/* The first chapter: what the models are, and how good, in a few figures. */
#include "report/baseline.h"
#include "report/labels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void start_row(spf_report *report, const char *name) {
    spf_row_open(&report->page);
    spf_cell_head(&report->page, name);
}

/* Words and numbers in one column read best from the left. */
static void put_value(spf_report *report, double value, int digits) {
    char text[SPF_NUMBER_SHOWN_MAX];
    spf_number_shown(value, digits, text);
    spf_cell_text(&report->page, text);
}

static void put_score(spf_report *report, const sporf_score *score) {
    char value[SPF_NUMBER_SHOWN_MAX], low[SPF_NUMBER_SHOWN_MAX], high[SPF_NUMBER_SHOWN_MAX];
    char text[4 * SPF_NUMBER_SHOWN_MAX];
    spf_number_shown(score->value, 4, value);
    spf_number_shown(score->low, 4, low);
    spf_number_shown(score->high, 4, high);
    if (isnan(score->low))
        snprintf(text, sizeof text, "%s", value);
    else
        snprintf(text, sizeof text, "%s, from %s to %s with 95%% confidence", value, low, high);
    spf_cell_text(&report->page, text);
}

static const char *kind_of(const spf_report_model *model) {
    sporf_boosting boosting;
    if (sporf_forest_boosting(model->forest, &boosting)) return "gradient boosting";
    const char *method = sporf_forest_setting(model->forest, "method");
    return method && strcmp(method, "rf") == 0 ? "random forest" : "oblique forest";
}

static void put_task(spf_report *report) {
    const spf_report_model *model = &report->models[0];
    const char *label = sporf_schema_label_name(sporf_forest_schema(model->forest));
    char name[SPF_REPORT_NAME_MAX], text[SPF_REPORT_NAME_MAX + 128];
    if (model->classes > 0)
        snprintf(text, sizeof text, "classification%s%.200s, %zu classes", label ? " of " : "",
                 label ? label : "", model->classes);
    else if (model->labels > 0)
        snprintf(text, sizeof text, "classification of %zu labels, %zu classes in all",
                 model->labels, model->targets);
    else if (model->targets == 1)
        snprintf(text, sizeof text, "regression of %.200s", spf_output_name(model, 0, name));
    else
        snprintf(text, sizeof text, "regression of %zu targets", model->targets);
    for (size_t m = 0; m < report->count; m++) spf_cell_text(&report->page, text);
}

static void put_counts(spf_report *report, const char *name,
                       size_t (*count)(const sporf_forest *)) {
    start_row(report, name);
    for (size_t m = 0; m < report->count; m++)
        put_value(report, (double)count(report->models[m].forest), 12);
    spf_row_close(&report->page);
}

static sporf_status put_size(spf_report *report) {
    sporf_forest_summary summary[SPF_REPORT_MODELS] = {{0}};
    for (size_t m = 0; m < report->count; m++)
        SPF_TRY(sporf_forest_summarise(report->models[m].forest, &summary[m]));
    start_row(report, "leaves");
    for (size_t m = 0; m < report->count; m++) put_value(report, (double)summary[m].leaves, 12);
    spf_row_close(&report->page);
    start_row(report, "mean depth of a leaf");
    for (size_t m = 0; m < report->count; m++) put_value(report, summary[m].mean_depth, 3);
    spf_row_close(&report->page);
    start_row(report, "features in a split, on average");
    for (size_t m = 0; m < report->count; m++) put_value(report, summary[m].mean_nonzeros, 3);
    spf_row_close(&report->page);
    return SPORF_OK;
}

static void put_out_of_bag(spf_report *report) {
    int classes = report->models[0].classes > 0, any = 0;
    sporf_oob oob[SPF_REPORT_MODELS];
    for (size_t m = 0; m < report->count; m++) {
        sporf_forest_oob(report->models[m].forest, &oob[m]);
        any |= oob[m].rows > 0;
    }
    if (!any) return;
    int labels = report->models[0].labels > 0;
    start_row(report, classes  ? "out-of-bag error rate"
                      : labels ? "out-of-bag share of wrong labels"
                               : "out-of-bag RMSE");
    for (size_t m = 0; m < report->count; m++) put_value(report, oob[m].error, 4);
    spf_row_close(&report->page);
    if (labels) return;
    start_row(report, classes ? "out-of-bag kappa" : "out-of-bag R2");
    for (size_t m = 0; m < report->count; m++)
        put_value(report, classes ? oob[m].kappa : oob[m].r2, 4);
    spf_row_close(&report->page);
}

static void put_decision(spf_report *report) {
    int any = 0;
    for (size_t m = 0; m < report->count; m++) any |= spf_decides_by_itself(&report->models[m]);
    if (!any) return;
    start_row(report, "predicts");
    for (size_t m = 0; m < report->count; m++) {
        char text[SPF_REPORT_NAME_MAX];
        spf_cell_text(&report->page, spf_decision_text(&report->models[m], text));
    }
    spf_row_close(&report->page);
}

/* A value, and the class that is predicted for every row to get it. */
static void put_guess(spf_report *report, const spf_report_model *model, double value,
                      uint32_t class_index) {
    char number[SPF_NUMBER_SHOWN_MAX], name[SPF_REPORT_NAME_MAX];
    char text[SPF_REPORT_NAME_MAX + SPF_NUMBER_SHOWN_MAX];
    spf_number_shown(value, 4, number);
    snprintf(text, sizeof text, "%s: %.150s", number, spf_output_name(model, class_index, name));
    spf_cell_text(&report->page, text);
}

static void put_costs(spf_report *report) {
    int any = 0;
    for (size_t m = 0; m < report->count; m++) any |= report->models[m].baseline.has_cost;
    if (!any) return;
    start_row(report, "mean cost of a row");
    for (size_t m = 0; m < report->count; m++) {
        const spf_baseline *b = &report->models[m].baseline;
        sporf_score score = {.value = b->has_cost ? b->cost : NAN,
                             .low = b->has_cost ? fmax(b->cost - 1.96 * b->cost_error, 0) : NAN,
                             .high = b->cost + 1.96 * b->cost_error};
        put_score(report, &score);
    }
    spf_row_close(&report->page);
    start_row(report, "mean cost of always predicting the cheapest class");
    for (size_t m = 0; m < report->count; m++) {
        const spf_report_model *model = &report->models[m];
        if (model->baseline.has_cost)
            put_guess(report, model, model->baseline.cheapest_cost, model->baseline.cheapest);
        else
            put_value(report, NAN, 4);
    }
    spf_row_close(&report->page);
}

static void put_class_scores(spf_report *report) {
    if (!report->truth) return;
    start_row(report, "accuracy on the table");
    for (size_t m = 0; m < report->count; m++) {
        put_score(report, &report->models[m].scores.accuracy);
    }
    spf_row_close(&report->page);
    start_row(report, "accuracy of always predicting the most frequent class");
    for (size_t m = 0; m < report->count; m++)
        put_guess(report, &report->models[m], report->models[m].baseline.accuracy,
                  report->models[m].baseline.most_frequent);
    spf_row_close(&report->page);
    put_costs(report);
    start_row(report, "area under the ROC curve");
    for (size_t m = 0; m < report->count; m++) {
        put_score(report, &report->models[m].scores.auc);
    }
    spf_row_close(&report->page);
}

static void put_label_scores(spf_report *report) {
    if (!report->true_values || report->models[0].labels == 0) return;
    start_row(report, "share of wrong labels on the table");
    for (size_t m = 0; m < report->count; m++)
        put_value(report, spf_labels_mean(report, &report->models[m], spf_labels_wrong, 0).value,
                  4);
    spf_row_close(&report->page);
}

static void put_table_kind(spf_report *report) {
    if (!report->truth && !report->true_values) return;
    start_row(report, "how the table was scored");
    for (size_t m = 0; m < report->count; m++)
        spf_cell_text(&report->page,
                      report->models[m].out_of_bag
                          ? "it is the training table: each row by the trees that did not see it"
                          : "by all trees");
    spf_row_close(&report->page);
}

sporf_status spf_chapter_glance(spf_report *report) {
    const char *heads[1 + SPF_REPORT_MODELS] = {"fact"};
    for (size_t m = 0; m < report->count; m++) heads[1 + m] = report->models[m].name;
    spf_page_chapter(&report->page, "glance", "At a glance",
                     report->count > 1 ? "What the models are, and how good they are."
                                       : "What the model is, and how good it is.");
    spf_table_open(&report->page, "The main facts", heads, 1 + report->count, "t");
    start_row(report, "task");
    put_task(report);
    spf_row_close(&report->page);
    start_row(report, "kind");
    for (size_t m = 0; m < report->count; m++)
        spf_cell_text(&report->page, kind_of(&report->models[m]));
    spf_row_close(&report->page);
    put_counts(report, "features", sporf_forest_features);
    put_counts(report, "trees", sporf_forest_trees);
    SPF_TRY(put_size(report));
    put_decision(report);
    put_out_of_bag(report);
    put_class_scores(report);
    put_label_scores(report);
    put_table_kind(report);
    spf_table_close(&report->page);
    spf_baseline_note(report);
    return SPORF_OK;
}
