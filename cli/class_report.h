/* Scores of classification and a table by class: of a test table, out of bag, or out of fold. */
#ifndef SPORF_CLI_CLASS_REPORT_H
#define SPORF_CLI_CLASS_REPORT_H

#include "baseline.h"
#include "json.h"
#include "opt.h"
#include "sporf.h"

#include <stdio.h>

typedef struct class_report {
    const sporf_schema *schema; /* with the names of the classes */
    const sporf_forest *forest; /* whose costs of errors count; NULL: none do */
    size_t classes;
    sporf_scored_rows rows; /* what is scored; arrays are those of the verb */
    double *weights;        /* of rows */
    sporf_score_options how;
    sporf_class_scores scores;
    sporf_by_class *by_class; /* NULL: nothing was scored */
    baseline guess;
} class_report;

/* Declares --intervals and --curves, and reads them. Returns 0, or an exit code after a message. */
void class_report_declare(opt_list *options);
int class_report_options(const opt_list *options, sporf_score_options *how);

/* Scores rows with the weights of the data. schema and classes are set, and `how`, or 0 for scores
 * without intervals by the bootstrap. A report on no row has no scores, and is no failure. Returns
 * 0, or an exit code after a message. Free with class_report_free. */
int class_report_make(const char *verb, class_report *report, const sporf_dataset *data,
                      const double *probabilities, const uint32_t *labels,
                      const uint32_t *predicted);
void class_report_free(class_report *report);

/* Adds the keys "scores" and "by_class", after the prefix; null without scores. */
void class_report_json(json *writer, const class_report *report, const char *prefix);

/* Prints a line for each score that no other line of the verb has. */
void class_report_lines(FILE *stream, const class_report *report);

/* Prints precision, recall and F1 of each class; of the `most` with the lowest F1 if there are
 * more. */
void class_report_table(FILE *stream, const class_report *report, size_t most);

/* " (0.91 to 0.95)": the interval of a score, or nothing. */
enum { CLASS_REPORT_INTERVAL = 100 };
const char *class_report_interval(char *buffer, const sporf_score *score);

/* Writes the points of the curves of all classes as CSV, if --curves asks for them. Returns 0, or
 * an exit code after a message. */
int class_report_curves(const opt_list *options, const class_report *report);

#endif
