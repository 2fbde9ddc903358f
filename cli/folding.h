/* --folds: a file of folds, or how many to draw. */
#ifndef SPORF_CLI_FOLDING_H
#define SPORF_CLI_FOLDING_H

#include "opt.h"
#include "sporf.h"

/* Refuses impossible numbers of folds. Returns 0, or an exit code after a message. */
int folding_check(const opt_list *options);

/* Reads the file of --folds, or draws as many with the seed, and reports classes that some folds
 * lack; *folds stays NULL if the option was not given. Returns 0, or an exit code after a
 * message. */
int folding_get(const opt_list *options, const sporf_dataset *data, uint64_t seed,
                sporf_folds **folds);

#endif
