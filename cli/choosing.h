/* Settings that are left to small forests, which train and crossval tell of. */
#ifndef SPORF_CLI_CHOOSING_H
#define SPORF_CLI_CHOOSING_H

#include "progress.h"
#include "sporf.h"

enum { CHOOSING_MAX = 3 };

/* The names of the settings that a training with these params chooses, and how many they are. */
size_t choosing_names(const sporf_dataset *data, const sporf_params *params,
                      const char *names[CHOOSING_MAX]);

/* Starts a bar that counts trees. Small forests come before the first tree is counted; it says so
 * where settings are chosen. */
void choosing_start(progress *bar, int chooses);

#endif
