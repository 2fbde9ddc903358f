/* Scores of classification, with the confusion matrix and the calibration. */
#include "calibration_report.h"
#include "confusion.h"
#include "decision_report.h"
#include "predicting.h"
#include "printed.h"
#include "scores.h"
#include "summary.h"

#include <math.h>
#include <stdlib.h>

/* With more classes the table takes too much memory, and nobody can read it. */
enum { CONFUSION_CLASSES_MAX = 2000, CLASSES_SHOWN = 20 };

/* Memory for probabilities of all rows is taken up to this many: 2 GiB. */
#define PROBABILITIES_MAX ((size_t)1 << 28)

static int reserve_rows(scores *s) {
    size_t classes = sporf_forest_classes(s->forest), rows = sporf_dataset_rows(s->data);
    if (rows > PROBABILITIES_MAX / classes) return 1;
    s->found.probabilities = calloc(rows, classes * sizeof *s->found.probabilities);
    s->found.predicted = calloc(rows, sizeof *s->found.predicted);
    s->found.labels = calloc(rows, sizeof *s->found.labels);
    return s->found.probabilities && s->found.predicted && s->found.labels;
}

static int reserve(scores *s) {
    size_t classes = sporf_forest_classes(s->forest);
    s->found.calibration = &s->calibration;
    if (!reserve_rows(s)) return 0;
    if (classes > CONFUSION_CLASSES_MAX) return 1;
    s->found.confusion = calloc(classes + 1, classes * sizeof *s->found.confusion);
    return s->found.confusion != NULL;
}

static int finish(const char *verb, scores *s) {
    const sporf_evaluation *found = &s->found;
    s->classes.forest = s->forest;
    s->classes.schema = sporf_forest_schema(s->forest);
    s->classes.classes = sporf_forest_classes(s->forest);
    if (!found->probabilities) return 0;
    return class_report_make(verb, &s->classes, s->data, found->probabilities, found->labels,
                             found->predicted);
}

/* Whether probabilities are calibrated. */
static int scores_calibrated(const scores *s) {
    sporf_calibration_map map;
    return s->how.calibration == SPORF_CALIBRATE_AUTO &&
           sporf_forest_calibration(s->forest, s->how.combine, &map);
}

static void report_json(json *writer, const scores *s) {
    const sporf_evaluation *found = &s->found;
    json_count(writer, "rows", found->rows);
    summary_weights_json(writer, s->data, s->weight);
    json_double(writer, "error", found->error);
    json_double(writer, "accuracy", 1 - found->error);
    json_double(writer, "kappa", found->kappa);
    json_double(writer, "kappa_paper", found->kappa_paper);
    json_double(writer, "log_loss", found->log_loss);
    json_double(writer, "brier", s->calibration.brier);
    json_count(writer, "unknown_labels", found->unknown_labels);
    json_count(writer, "trees", sporf_forest_trees(s->forest));
    json_text(writer, "combine", predicting_combine(s->forest, &s->how));
    json_bool(writer, "calibrated", scores_calibrated(s));
    json_double(writer, "seconds", s->seconds);
    if (found->confusion)
        confusion_json(writer, s->forest, found->confusion);
    else
        json_double(writer, "confusion", NAN); /* null */
    calibration_json(writer, &s->calibration);
    class_report_json(writer, &s->classes, "");
}

static void report_text(FILE *stream, const scores *s) {
    const sporf_evaluation *found = &s->found;
    const sporf_class_scores *scores = &s->classes.scores;
    char rows[TEXT_NUMBER], number[TEXT_NUMBER], interval[CLASS_REPORT_INTERVAL] = "";
    summary_line(stream, "rows", "%s", text_count(rows, found->rows));
    summary_weights_line(stream, s->data, s->weight);
    if (s->how.decision == SPORF_DECIDE_MODEL) decision_line(stream, s->forest);
    summary_line(stream, "error", "%s", text_rate(number, found->error));
    if (s->classes.by_class) class_report_interval(interval, &scores->accuracy);
    summary_line(stream, "accuracy", "%s%s", text_rate(number, 1 - found->error), interval);
    summary_line(stream, "kappa", "%s", text_rate(number, found->kappa));
    summary_line(stream, "kappa_paper", "%s", text_rate(number, found->kappa_paper));
    if (s->classes.by_class) class_report_interval(interval, &scores->log_loss);
    summary_line(stream, "log loss", "%s%s", text_rate(number, found->log_loss), interval);
    if (s->classes.by_class) class_report_interval(interval, &scores->brier);
    summary_line(stream, "brier", "%s%s", text_rate(number, s->calibration.brier), interval);
    summary_line(stream, "calibration", "%s", text_rate(number, s->calibration.error));
    class_report_lines(stream, &s->classes);
    if (found->unknown_labels > 0)
        summary_line(stream, "unknown",
                     "%s rows have a class the model has never seen; they count "
                     "as errors",
                     text_count(number, found->unknown_labels));
    fputc('\n', stream);
    class_report_table(stream, &s->classes, CLASSES_SHOWN);
    fputc('\n', stream);
    if (found->confusion) confusion_text(stream, s->forest, found->confusion);
    fputc('\n', stream);
    calibration_text(stream, &s->calibration);
}

const scores_report class_scores = {reserve, finish, report_json, report_text};
