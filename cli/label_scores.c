/* Scores of several labels, label by label. */
#include "scores.h"

#include "printed.h"
#include "summary.h"

#include <stdlib.h>

static size_t count_labels(const scores *s) {
    return sporf_schema_label_columns(sporf_forest_schema(s->forest));
}

static const char *name_of(const scores *s, size_t label) {
    return sporf_schema_label_column_name(sporf_forest_schema(s->forest), label);
}

static int reserve(scores *s) {
    s->found.label_errors = calloc(count_labels(s), sizeof *s->found.label_errors);
    return s->found.label_errors != NULL;
}

static void report_json(json *writer, const scores *s) {
    json_count(writer, "rows", s->found.rows);
    summary_weights_json(writer, s->data, s->weight);
    json_double(writer, "error", s->found.error);
    json_double(writer, "subset_error", s->found.subset_error);
    json_count(writer, "unknown_labels", s->found.unknown_labels);
    json_list(writer, "labels");
    for (size_t i = 0; i < count_labels(s); i++) {
        json_object(writer, NULL);
        json_line(writer);
        json_text(writer, "name", name_of(s, i));
        json_double(writer, "error", s->found.label_errors[i]);
        json_end(writer);
    }
    json_end(writer);
    json_count(writer, "trees", sporf_forest_trees(s->forest));
    json_double(writer, "seconds", s->seconds);
}

static void report_text(FILE *stream, const scores *s) {
    char rows[TEXT_NUMBER], error[TEXT_NUMBER], subset[TEXT_NUMBER];
    summary_line(stream, "rows", "%s", text_count(rows, s->found.rows));
    summary_weights_line(stream, s->data, s->weight);
    summary_line(stream, "error", "%s of all labels are wrong, %s of rows have some wrong label",
                 text_rate(error, s->found.error), text_rate(subset, s->found.subset_error));
    if (s->found.unknown_labels > 0)
        summary_line(stream, "unknown", "%s rows have a class that the model does not know",
                     text_count(rows, s->found.unknown_labels));
    for (size_t i = 0; i < count_labels(s); i++)
        summary_line(stream, name_of(s, i), "error %s", text_rate(error, s->found.label_errors[i]));
}

const scores_report label_scores = {reserve, NULL, report_json, report_text};
