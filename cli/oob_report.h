/* Scores of out-of-bag rows, after training. */
#ifndef SPORF_CLI_OOB_REPORT_H
#define SPORF_CLI_OOB_REPORT_H

#include "class_report.h"

/* Scores the out-of-bag rows of a forest for classification; there are no scores without such rows,
 * or if the table is too large. Returns 0, or an exit code after a message. Free with
 * class_report_free. */
int oob_report_make(const char *verb, const sporf_forest *forest, const sporf_dataset *data,
                    class_report *report);

/* Prints a line of the error with a decision by cost or recall, if the model has one; a line of
 * scores; and the table by class. All are for the classes that the model decides for. Nothing
 * without scores. */
void oob_report_decision(FILE *stream, const sporf_forest *forest, const class_report *report);
void oob_report_line(FILE *stream, const class_report *report);
void oob_report_table(FILE *stream, const class_report *report);

#endif
