/* Notes on standard error after a training, on results that mislead. */
#ifndef SPORF_CLI_TRAIN_NOTES_H
#define SPORF_CLI_TRAIN_NOTES_H

#include "class_report.h"
#include "sporf.h"

/* Reports if rows with large counts, which are in every bootstrap, leave too few rows out of bag,
 * in all or in a class, for meaningful out-of-bag results. */
void train_notes_bag(const char *verb, const sporf_dataset *data, const sporf_params *params,
                     const sporf_forest *forest);

/* Reports if large subsamples, as a training chooses them for tall tables, leave each row out of so
 * few trees that these err clearly more than the forest. */
void train_notes_votes(const char *verb, const sporf_forest *forest);

/* Reports a rare class whose rows are hardly ever predicted as such, and what finds more of them;
 * *report is that of the out-of-bag rows. */
void train_notes_missed(const char *verb, const sporf_forest *forest, const class_report *report);

#endif
