/* What verbs that train have in common: data to learn from, the options of a forest, notes on the
 * table, limits of memory. */
#ifndef SPORF_CLI_TRAINING_H
#define SPORF_CLI_TRAINING_H

#include "opt.h"
#include "sporf.h"

/* Declares how a table to learn from is read. */
void training_declare_data(opt_list *options);

/* Declares the options of a forest, all from the library's table; with `lists`, --projections and
 * --density take lists of values to try. */
void training_declare(opt_list *options, int lists);

/* Sets params from the options, without the lists: over the defaults, which differ where numbers
 * are predicted, or over the settings of a model that is grown further, unless it is NULL. Options
 * that the method has no use for are refused. Returns 0, or an exit code after a message. */
int training_params(const opt_list *options, int lists, const sporf_forest *old,
                    sporf_params *params);

/* Reads the table, and says which columns are left out and what else there is to know. Returns 0,
 * or an exit code after a message. */
int training_read(const opt_list *options, const sporf_read_options *read, sporf_dataset **data);

/* Checks --max-memory, which holds for so many tables together with training or, unless it is NULL,
 * with the training and comparing of a search, and leaves to training what is left of it. Returns
 * 0, or an exit code after a message. */
int training_check_memory(const opt_list *options, uint64_t limit, const sporf_dataset *data,
                          unsigned tables, const sporf_search_options *search,
                          sporf_params *params);

/* For interrupt hooks: whether somebody has asked to stop. */
int training_stopped(void *payload);

/* What to add to the library's words on a training that failed; NULL for nothing. */
const char *training_hint(const sporf_params *params, sporf_status status);

#endif
