/* What is worth knowing after a training, on standard error: results that mislead. */
#ifndef SPORF_CLI_TRAIN_NOTES_H
#define SPORF_CLI_TRAIN_NOTES_H

#include "sporf.h"

/* Says where rows of large counts, which are in every bootstrap, leave too few rows out of bag, in
 * all or of a class, for the out-of-bag results to mean much. */
void train_notes_bag(const char *verb, const sporf_dataset *data, const sporf_params *params,
                     const sporf_forest *forest);

#endif
