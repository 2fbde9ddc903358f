/* What verbs share that look at the training table of a model again. */
#ifndef SPORF_CLI_MEASURING_H
#define SPORF_CLI_MEASURING_H

#include "opt.h"
#include "progress.h"
#include "sporf.h"

typedef struct measuring {
    sporf_dataset *data;
    sporf_measure_options options;
    sporf_hooks hooks; /* Ctrl-C, and a bar of trees */
    progress bar;
} measuring;

/* Declares the options that name the table, its targets if `targets`, and those of the machine. */
void measuring_declare(opt_list *options, int targets);

/* Reads the table as the model was trained on it. Returns 0, or an exit code after a message. Free
 * with measuring_free in either case. */
int measuring_read(const opt_list *options, const sporf_forest *forest, measuring *m);
void measuring_free(measuring *m);

/* Starts and ends the bar, and minds Ctrl-C from then on. */
void measuring_start(measuring *m);
void measuring_end(measuring *m);

#endif
