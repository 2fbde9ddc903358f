/* Scores on a table, as text and JSON: a report for classification, one for several labels and
 * one for regression. */
#ifndef SPORF_CLI_SCORES_H
#define SPORF_CLI_SCORES_H

#include "class_report.h"
#include "json.h"
#include "quantile_levels.h"
#include "sporf.h"

#include <stdio.h>

typedef struct scores {
    const sporf_forest *forest;
    const sporf_dataset *data;
    const char *weight; /* the weight column, or NULL */
    sporf_predict_options how;
    quantiles asked;        /* in regression */
    sporf_evaluation found; /* with memory for what its report shows */
    sporf_calibration calibration;
    class_report classes; /* in classification; without scores if the table is too large for it */
    double seconds;
} scores;

typedef struct scores_report {
    /* Allocates that memory; returns 0 if memory runs out. Free with scores_free. */
    int (*reserve)(scores *s);
    /* What follows the predictions; NULL for nothing. Returns 0, or an exit code after a message.
     */
    int (*finish)(const char *verb, scores *s);
    void (*json)(json *writer, const scores *s);
    void (*text)(FILE *stream, const scores *s);
} scores_report;

extern const scores_report class_scores, target_scores, label_scores;

const scores_report *scores_report_of(const sporf_forest *forest);

void scores_free(scores *s);

#endif
