/* Adds trees or rounds to a model (warm start): --extend of train and boost. */
#ifndef SPORF_CLI_MORE_TREES_H
#define SPORF_CLI_MORE_TREES_H

#include "opt.h"
#include "sporf.h"

/* Declares --extend for a learner. */
void extend_declare(opt_list *options, sporf_learner learner);

/* Loads the model to add to, which must be of this learner; *old stays NULL if none was named.
 * Returns 0, or an exit code after a message. */
int extend_load(const opt_list *options, sporf_learner learner, sporf_forest **old);

/* How many trees are to be grown: all, or those that the old model, which may be NULL, lacks. */
size_t extend_trees(const sporf_forest *old, const sporf_params *params);

#endif
