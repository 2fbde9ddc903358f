/* The path of a model, a part of one or a file of settings to be written. */
#ifndef SPORF_CLI_MODEL_PATH_H
#define SPORF_CLI_MODEL_PATH_H

#include "opt.h"

/* What an option writes: a file of another kind is not replaced. */
typedef struct path_kind {
    const char *option;
    const char *name; /* "a sporf model" */
    int (*is_one)(const char *path);
} path_kind;

extern const path_kind path_of_model, path_of_part;

/* Checks before hours of work that the value of the option can be written. Returns 0, or an exit
 * code after a message. */
int path_check(const opt_list *options, const path_kind *kind);

/* The same for the model of --model. */
int model_path_check(const opt_list *options);

#endif
