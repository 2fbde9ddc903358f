/* The path of a model to be written. */
#ifndef SPORF_CLI_MODEL_PATH_H
#define SPORF_CLI_MODEL_PATH_H

#include "opt.h"

/* Checks before hours of work that --model can be saved. Returns 0, or an exit code after a
 * message. */
int model_path_check(const opt_list *options);

#endif
