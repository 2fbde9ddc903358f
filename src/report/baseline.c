/* Classification: what a guess without a model would give, and how a model decides. */
#include "report/baseline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int spf_decides_by_itself(const spf_report_model *model) {
    return sporf_forest_setting(model->forest, "cost") ||
           sporf_forest_setting(model->forest, "recall");
}

const char *spf_decision_text(const spf_report_model *model, char text[SPF_REPORT_NAME_MAX]) {
    uint32_t found;
    double threshold;
    const char *cost = sporf_forest_setting(model->forest, "cost");
    const char *recall = sporf_forest_setting(model->forest, "recall");
    char name[SPF_REPORT_NAME_MAX], number[SPF_NUMBER_SHOWN_MAX];
    if (sporf_forest_threshold(model->forest, &found, &threshold)) {
        spf_number_shown(threshold, 4, number);
        snprintf(text, SPF_REPORT_NAME_MAX, "%.60s if its probability is at least %s: recall %.60s",
                 spf_output_name(model, found, name), number, recall ? recall : "");
    } else if (cost) {
        snprintf(text, SPF_REPORT_NAME_MAX, "the class with the least expected cost: %.150s", cost);
    } else {
        snprintf(text, SPF_REPORT_NAME_MAX, "the most probable class");
    }
    return text;
}

/* ---- costs ----------------------------------------------------------------------------------- */

/* A class that the model does not know costs 1 whatever is predicted. */
static double cost_of(const spf_report_model *model, uint32_t truth, uint32_t predicted) {
    return truth < model->classes ? sporf_forest_cost(model->forest, truth, predicted) : 1;
}

static double weight_of(const spf_report *report, const spf_report_model *model, size_t row) {
    if (isnan(model->outputs[row * model->width])) return 0; /* never out of bag */
    return report->weights ? report->weights[row] : 1;
}

/* The class that costs least for all rows, whose weights by class are given. */
static void find_cheapest(spf_report_model *model, const double *weights, double total) {
    spf_baseline *b = &model->baseline;
    b->cheapest_cost = INFINITY;
    for (uint32_t k = 0; k < model->classes; k++) {
        double cost = 0, known = 0;
        for (uint32_t t = 0; t < model->classes; t++)
            cost += weights[t] * cost_of(model, t, k), known += weights[t];
        cost = (cost + total - known) / total;
        if (cost < b->cheapest_cost) b->cheapest_cost = cost, b->cheapest = k;
    }
}

/* The mean of a row, its standard error, and that of the difference to the cheapest class. */
static void find_cost(const spf_report *report, spf_report_model *model, double total) {
    spf_baseline *b = &model->baseline;
    double spread = 0, difference = 0;
    b->cost = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < report->scored; i++) {
            double w = weight_of(report, model, i);
            if (w == 0) continue;
            double cost = cost_of(model, report->truth[i], model->predicted[i]);
            double other = cost_of(model, report->truth[i], b->cheapest);
            if (pass == 0) {
                b->cost += w * cost / total;
                continue;
            }
            double gap = cost - other - (b->cost - b->cheapest_cost);
            spread += w * w * (cost - b->cost) * (cost - b->cost);
            difference += w * w * gap * gap;
        }
    b->cost_error = sqrt(spread) / total;
    b->difference_error = sqrt(difference) / total;
}

sporf_status spf_baseline_find(const spf_report *report, spf_report_model *model) {
    spf_baseline *b = &model->baseline;
    double *weights = spf_alloc_zero(model->classes, sizeof *weights), total = 0;
    if (!weights) return spf_raise_memory();
    for (size_t i = 0; i < report->scored; i++) {
        double w = weight_of(report, model, i);
        if (report->truth[i] < model->classes) weights[report->truth[i]] += w;
        total += w;
    }
    for (uint32_t k = 0; k < model->classes; k++)
        if (weights[k] > weights[b->most_frequent]) b->most_frequent = k;
    b->accuracy = weights[b->most_frequent] / total;
    b->has_cost = sporf_forest_setting(model->forest, "cost") != NULL;
    if (b->has_cost) {
        find_cheapest(model, weights, total);
        find_cost(report, model, total);
    }
    free(weights);
    return SPORF_OK;
}

/* ---- the verdict ----------------------------------------------------------------------------- */

/* A threshold gives accuracy away for recall, so that accuracies do not tell. */
static int is_better(const spf_report_model *model) {
    const spf_baseline *b = &model->baseline;
    const sporf_score *accuracy = &model->scores.accuracy;
    if (b->has_cost) return b->cost + 1.96 * b->difference_error < b->cheapest_cost;
    if (spf_decides_by_itself(model)) return 1;
    return (isnan(accuracy->low) ? accuracy->value : accuracy->low) > b->accuracy;
}

void spf_baseline_note(spf_report *report) {
    spf_markup *m = &report->page.body;
    char name[SPF_REPORT_NAME_MAX];
    for (size_t i = 0; i < report->count && report->truth; i++) {
        const spf_report_model *model = &report->models[i];
        const spf_baseline *b = &model->baseline;
        if (is_better(model)) continue;
        spf_markup_put(m, "<p><strong>");
        spf_markup_text(m, model->name, SPF_PAGE_NAME_MOST);
        spf_markup_put(m, " is not clearly better than a guess</strong>, by ");
        spf_markup_put(m, b->has_cost ? "cost: predicting " : "accuracy: predicting ");
        spf_markup_text(m,
                        spf_output_name(model, b->has_cost ? b->cheapest : b->most_frequent, name),
                        SPF_PAGE_NAME_MOST);
        spf_markup_put(m, b->has_cost ? " for every row costs " : " for every row is right in ");
        spf_markup_number(m, b->has_cost ? b->cheapest_cost : 100 * b->accuracy, 3);
        spf_markup_put(m, b->has_cost ? " for a row." : "% of the rows.");
        if (model->scores.auc.low > 0.5)
            spf_markup_format(m,
                              " But its probabilities tell the classes apart: the area under the "
                              "ROC curve is %.3f, and 0.5 without any knowledge.",
                              model->scores.auc.value);
        spf_markup_put(m, "</p>\n");
    }
}
