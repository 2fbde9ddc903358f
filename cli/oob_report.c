/* Probabilities from out-of-bag votes, compared with the labels of the training table. */
#include "oob_report.h"

#include "decision_report.h"
#include "out.h"
#include "printed.h"
#include "summary_line.h"

#include <stdlib.h>

/* Probabilities take memory beside the forest and the table: at most 512 MiB. */
#define PROBABILITIES_MAX ((size_t)1 << 26)

enum { CLASSES_SHOWN = 10 };

/* Scores the classes that the model decides for. */
static int score(const char *verb, const sporf_forest *forest, const sporf_dataset *data,
                 const double *probabilities, class_report *report) {
    size_t rows = sporf_dataset_rows(data);
    uint32_t *predicted = malloc(rows * sizeof *predicted);
    if (!predicted) {
        out_error(verb, "out of memory");
        return EXIT_FAILED;
    }
    sporf_status status = sporf_forest_decide(forest, probabilities, rows, predicted);
    int code = status == SPORF_OK ? class_report_make(verb, report, data, probabilities,
                                                      sporf_dataset_labels(data), predicted)
                                  : out_failure(verb, status, NULL);
    free(predicted);
    return code;
}

int oob_report_make(const char *verb, const sporf_forest *forest, const sporf_dataset *data,
                    class_report *report) {
    size_t rows = sporf_dataset_rows(data);
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    report->forest = forest;
    report->schema = sporf_forest_schema(forest);
    report->classes = sporf_forest_classes(forest);
    if (!oob.votes || oob.rows == 0 || rows > PROBABILITIES_MAX / report->classes) return EXIT_DONE;
    double *probabilities = calloc(rows, report->classes * sizeof *probabilities);
    if (!probabilities) return EXIT_DONE;
    sporf_status status = sporf_forest_oob_probabilities(forest, probabilities);
    int code = status == SPORF_OK ? score(verb, forest, data, probabilities, report)
                                  : out_failure(verb, status, NULL);
    free(probabilities);
    return code;
}

void oob_report_decision(FILE *stream, const sporf_forest *forest, const class_report *report) {
    char error[TEXT_NUMBER];
    if (!report->by_class || !decision_is_own(forest)) return;
    summary_line(stream, "oob decision", "error %s with the decision of the model, by class below",
                 text_rate(error, 1 - report->scores.accuracy.value));
}

void oob_report_line(FILE *stream, const class_report *report) {
    const sporf_class_scores *scores = &report->scores;
    char auc[TEXT_NUMBER], interval[CLASS_REPORT_INTERVAL], mcc[TEXT_NUMBER], balanced[TEXT_NUMBER];
    if (!report->by_class) return;
    baseline_lines(stream, report->schema, &report->guess);
    summary_line(stream, "oob scores", "AUC %s%s, balanced accuracy %s, MCC %s",
                 text_rate(auc, scores->auc.value), class_report_interval(interval, &scores->auc),
                 text_rate(balanced, scores->balanced_accuracy.value),
                 text_rate(mcc, scores->mcc.value));
}

void oob_report_table(FILE *stream, const class_report *report) {
    if (!report->by_class) return;
    fprintf(stream, "\nOut of bag, by class:\n");
    class_report_table(stream, report, CLASSES_SHOWN);
}
