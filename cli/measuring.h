/* Shared by the verbs that read a model's training table again. */
#ifndef SPORF_CLI_MEASURING_H
#define SPORF_CLI_MEASURING_H

#include "opt.h"
#include "progress.h"
#include "sporf.h"

typedef struct measuring {
    sporf_dataset *data;
    sporf_measure_options options;
    sporf_hooks hooks; /* Ctrl-C, and a progress bar of trees */
    progress bar;
} measuring;

/* Declares the options for the table, with `targets` also --target, and --threads and
 * --max-memory. */
void measuring_declare(opt_list *options, int targets);

/* Reads the table as it was read for training. Returns 0, or an exit code after a message. Free
 * with measuring_free in either case. */
int measuring_read(const opt_list *options, const sporf_forest *forest, measuring *m);
void measuring_free(measuring *m);

/* Starts the progress bar and catches Ctrl-C; ends the bar. */
void measuring_start(measuring *m);
void measuring_end(measuring *m);

#endif
