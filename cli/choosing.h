/* The settings that pilot forests choose, as train and crossval report them. */
#ifndef SPORF_CLI_CHOOSING_H
#define SPORF_CLI_CHOOSING_H

#include "opt.h"
#include "progress.h"
#include "sporf.h"

enum { CHOOSING_MAX = 3 };

/* The names of the settings that a training with these params chooses; returns their number. */
size_t choosing_names(const sporf_dataset *data, const sporf_params *params,
                      const char *names[CHOOSING_MAX]);

/* Warns if an effort is given although nothing is chosen. */
void choosing_check_effort(const opt_list *options, const sporf_params *params, size_t chosen);

/* Starts a progress bar. If settings are chosen, that is a step of its own, in which the bar counts
 * pilot trees. */
void choosing_start(progress *bar, int chooses);

/* Redraws the bar while settings are chosen: the pilot trees so far, and the share of the work
 * allowed to them. */
void choosing_show(progress *bar, size_t pilot_trees, double share);

/* Redraws it while the trees of the forest grow. */
void choosing_trees(progress *bar, size_t done, size_t trees);

#endif
