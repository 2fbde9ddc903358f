/* Names and values of features, classes and targets, as readers know them; what the rows are. */
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *spf_feature_name(const sporf_schema *schema, size_t feature,
                             char text[SPF_REPORT_NAME_MAX]) {
    const char *name = sporf_schema_feature_name(schema, feature);
    if (name) return name;
    snprintf(text, SPF_REPORT_NAME_MAX, "x%zu", feature + 1);
    return text;
}

const char *spf_output_name(const spf_report_model *model, size_t output,
                            char text[SPF_REPORT_NAME_MAX]) {
    const sporf_schema *schema = sporf_forest_schema(model->forest);
    const char *name = model->classes > 0 ? sporf_schema_class_name(schema, output)
                                          : sporf_schema_target_name(schema, output);
    if (name) return name;
    snprintf(text, SPF_REPORT_NAME_MAX, "%zu", output + 1);
    return text;
}

/* By name if both have names, otherwise by position, as in prediction. */
static size_t column_of(const sporf_schema *schema, const sporf_schema *other, size_t columns,
                        size_t feature) {
    const char *name = sporf_schema_feature_name(schema, feature);
    if (!name || !sporf_schema_feature_name(other, 0)) return feature;
    const char *same = feature < columns ? sporf_schema_feature_name(other, feature) : NULL;
    if (same && strcmp(same, name) == 0) return feature;
    for (size_t j = 0; j < columns; j++)
        if (strcmp(sporf_schema_feature_name(other, j), name) == 0) return j;
    return columns;
}

spf_column spf_column_of(const spf_report_model *model, const sporf_dataset *data, size_t feature) {
    const sporf_schema *schema = sporf_dataset_schema(data);
    size_t columns = sporf_dataset_features(data);
    size_t place = column_of(sporf_forest_schema(model->forest), schema, columns, feature);
    return (spf_column){.schema = schema,
                        .place = place,
                        .values = place < columns ? sporf_dataset_feature(data, place) : NULL};
}

void spf_value_text(const spf_column *column, size_t row, char text[SPF_REPORT_NAME_MAX]) {
    float value = column->values ? column->values[row] : NAN;
    size_t levels = sporf_schema_levels(column->schema, column->place);
    if (isnan(value))
        snprintf(text, SPF_REPORT_NAME_MAX, "missing");
    else if (levels > 0 && value >= 0 && value < (float)levels)
        snprintf(text, SPF_REPORT_NAME_MAX, "%.200s",
                 sporf_schema_level_name(column->schema, column->place, (size_t)value));
    else
        spf_number_shown((double)value, 5, text);
}

/* Which models are scored out of bag: all, none or some. */
static void note_out_of_bag(spf_report *report, size_t out_of_bag) {
    if (out_of_bag == report->count)
        spf_page_note(&report->page,
                      "These are the rows of the training, so each is predicted only by the trees "
                      "that did not see it (out of bag).");
    else if (out_of_bag > 0)
        spf_page_note(&report->page,
                      "These are rows of the training. Only some of the models can be scored by "
                      "trees that did not see a row (out of bag, see 'At a glance'); the scores "
                      "of the others are too good and cannot be compared with these. Use another "
                      "table.");
    if (out_of_bag > 0 && (report->options.combine != SPORF_COMBINE_VOTES ||
                           report->options.calibration != SPORF_CALIBRATE_AUTO))
        spf_page_note(&report->page, "Out-of-bag predictions are those of votes, calibrated if the "
                                     "model is, whatever the report was asked for.");
}

void spf_report_note_rows(spf_report *report, size_t rows) {
    size_t out_of_bag = 0;
    int known = 1;
    for (size_t m = 0; m < report->count; m++) {
        out_of_bag += report->models[m].out_of_bag != 0;
        known &= report->models[m].out_of_bag || report->models[m].other_rows;
    }
    spf_markup_format(&report->page.body, "<p class='note'>%zu rows%s.%s</p>\n", rows,
                      report->sampled ? ", a sample of the table" : "",
                      known || out_of_bag > 0
                          ? ""
                          : " The scores are fair if the training did not see these rows.");
    note_out_of_bag(report, out_of_bag);
}
