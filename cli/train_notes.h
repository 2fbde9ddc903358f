/* What is worth knowing before and after a training, on standard error: classes that are rather
 * numbers, results that mislead. */
#ifndef SPORF_CLI_TRAIN_NOTES_H
#define SPORF_CLI_TRAIN_NOTES_H

#include "sporf.h"

/* Says where a label of very many classes, all of them numbers, may be a target. */
void train_notes_label(const char *verb, const sporf_dataset *data);

/* Says where heavy rows, which are in every bootstrap, leave too few rows out of bag, in all or of
 * a class, for the out-of-bag results to mean much. */
void train_notes_bag(const char *verb, const sporf_dataset *data, const sporf_params *params,
                     const sporf_forest *forest);

#endif
