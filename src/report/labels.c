/* Several labels: which of a row's classes are predicted wrong. */
#include "report/labels.h"

#include <math.h>

/* The first of the largest values. */
static size_t largest(const double *values, size_t count) {
    size_t best = 0;
    for (size_t k = 1; k < count; k++)
        if (values[k] > values[best]) best = k;
    return best;
}

double spf_label_wrong(const spf_report *report, const spf_report_model *model, size_t row,
                       size_t label) {
    const sporf_schema *schema = sporf_forest_schema(model->forest);
    size_t at = row * model->targets + sporf_schema_label_column_target(schema, label);
    size_t classes = sporf_schema_label_column_classes(schema, label);
    return report->true_values[at + largest(&model->outputs[at], classes)] != 1;
}

double spf_labels_wrong(const spf_report *report, const spf_report_model *model, size_t row,
                        size_t label) {
    double wrong = 0;
    (void)label;
    for (size_t c = 0; c < model->labels; c++) wrong += spf_label_wrong(report, model, row, c);
    return wrong / (double)model->labels;
}

double spf_labels_any(const spf_report *report, const spf_report_model *model, size_t row,
                      size_t label) {
    return spf_labels_wrong(report, model, row, label) > 0;
}

spf_mean spf_labels_mean(const spf_report *report, const spf_report_model *model,
                         spf_label_loss *loss, size_t label) {
    double weight = 0, mean = 0, spread = 0, squares = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < report->scored; i++) {
            double w = report->weights ? report->weights[i] : 1;
            if (isnan(model->outputs[i * model->targets])) continue;
            double value = loss(report, model, i, label);
            if (pass == 0)
                weight += w, mean += w * value, squares += w * w;
            else
                spread += w * w * (value - mean) * (value - mean);
        }
        if (pass == 0) mean /= weight;
    }
    return (spf_mean){mean, sqrt(spread) / weight, weight * weight / squares};
}
