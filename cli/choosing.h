/* The settings that pilot forests choose, as train and crossval report them. */
#ifndef SPORF_CLI_CHOOSING_H
#define SPORF_CLI_CHOOSING_H

#include "progress.h"
#include "sporf.h"

enum { CHOOSING_MAX = 3 };

/* The names of the settings that a training with these params chooses; returns their number. */
size_t choosing_names(const sporf_dataset *data, const sporf_params *params,
                      const char *names[CHOOSING_MAX]);

/* Starts a progress bar of trees. If settings are chosen, it says so: pilot forests come before the
 * first tree is counted. */
void choosing_start(progress *bar, int chooses);

#endif
