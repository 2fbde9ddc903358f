/* Notes on folds whose scores say less than one may think. */
#ifndef SPORF_CLI_FOLD_NOTES_H
#define SPORF_CLI_FOLD_NOTES_H

#include "sporf.h"

/* Reports classes with fewer rows than folds, if folds were drawn. */
void fold_notes_small(const char *verb, const sporf_dataset *data, size_t folds);

/* Reports classes that are in a single fold, which is possible if folds were given. */
void fold_notes_lone(const char *verb, const sporf_dataset *data, const sporf_folds *folds);

/* Reports which of the first `done` folds are left out of means: of all means if their rows have
 * weight 0, of those of kappa if their rows have one class. */
void fold_notes_means(const char *verb, const sporf_dataset *data, const sporf_folds *folds,
                      size_t done);

#endif
