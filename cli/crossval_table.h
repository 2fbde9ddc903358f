/* The predictions of each row by the forest that has not seen it. */
#ifndef SPORF_CLI_CROSSVAL_TABLE_H
#define SPORF_CLI_CROSSVAL_TABLE_H

#include "sporf.h"

#include <stdio.h>

/* Writes the rows of finished folds as CSV, with their numbers from 1; with `proba` also the class
 * probabilities. Returns 0 if memory runs out. */
int unseen_write(FILE *stream, const sporf_dataset *data, const sporf_folds *folds,
                 const sporf_crossval *result, int proba);

#endif
