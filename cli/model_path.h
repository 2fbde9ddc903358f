/* Where a model is to be written. */
#ifndef SPORF_CLI_MODEL_PATH_H
#define SPORF_CLI_MODEL_PATH_H

#include "opt.h"

/* Finds out before hours of work whether --model can be saved after them. Returns 0, or an exit
 * code after a message. */
int model_path_check(const opt_list *options);

#endif
