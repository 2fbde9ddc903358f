/* What each row of a table is predicted to be by the forest that has not seen it. */
#ifndef SPORF_CLI_CROSSVAL_TABLE_H
#define SPORF_CLI_CROSSVAL_TABLE_H

#include "sporf.h"

#include <stdio.h>

/* Writes the rows of the folds that were done as CSV, with their numbers from 1; with `proba`, the
 * probabilities of classes, too. Returns 0 if memory runs out. */
int unseen_write(FILE *stream, const sporf_dataset *data, const sporf_folds *folds,
                 const sporf_crossval *result, int proba);

#endif
