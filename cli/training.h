/* Shared by the verbs that train: the training table, the options of a model, notes on the table,
 * memory limits. */
#ifndef SPORF_CLI_TRAINING_H
#define SPORF_CLI_TRAINING_H

#include "opt.h"
#include "progress.h"
#include "sporf.h"

/* Declares the options for reading a training table. */
void training_declare_data(opt_list *options);

/* Which options of the library's table a verb takes: those that forests use, those that boosting
 * uses, or both, and then also --learner. */
typedef struct training_takes {
    int forest, boosting;
    int lists;      /* --projections and --density are lists of values to try */
    int valid_file; /* --valid may name a file: see held_out.h */
} training_takes;

/* Declares these options, under headings of their own if there are those of boosting. Options of
 * the other learner are refused, with the verb that takes them. */
void training_declare(opt_list *options, training_takes takes);

/* Sets params from the options, without lists and files: over the defaults, which differ in
 * regression, or over the settings of the model `old` to which trees are added, unless it is NULL.
 * Options that the learner or the method does not use are refused. Returns 0, or an exit code after
 * a message. */
int training_params(const opt_list *options, training_takes takes, const sporf_forest *old,
                    sporf_params *params);

/* Reads the table, and reports columns that are left out and other notes. Returns 0, or an exit
 * code after a message. */
int training_read(const opt_list *options, const sporf_read_options *read, sporf_dataset **data);

/* Checks --max-memory against that many tables together with training or, for a search that is not
 * NULL, with its training and comparing; training gets the rest as its limit. Returns 0, or an exit
 * code after a message. */
int training_check_memory(const opt_list *options, uint64_t limit, const sporf_dataset *data,
                          unsigned tables, const sporf_search_options *search,
                          sporf_params *params);

/* For interrupt hooks: whether a signal asked to stop. */
int training_stopped(void *payload);

/* For note hooks: prints the note, unless it is the same as the last one, and wipes the bar first.
 */
void training_note(const char *verb, progress *bar, const char *text);

/* A hint to add to the library's message on a failed training; NULL for none. */
const char *training_hint(const sporf_params *params, sporf_status status);

#endif
