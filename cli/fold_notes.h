/* Notes on folds that tell less than one may think. */
#ifndef SPORF_CLI_FOLD_NOTES_H
#define SPORF_CLI_FOLD_NOTES_H

#include "sporf.h"

/* Says which classes have fewer rows than there are folds that were drawn. */
void fold_notes_small(const char *verb, const sporf_dataset *data, size_t folds);

/* Says which classes are in one fold only, as they may be where folds were given. */
void fold_notes_lone(const char *verb, const sporf_dataset *data, const sporf_folds *folds);

/* Says which of the first `done` folds are left out of means: all of those whose rows weigh 0, and
 * of those of kappa where rows are of one class. */
void fold_notes_means(const char *verb, const sporf_dataset *data, const sporf_folds *folds,
                      size_t done);

#endif
