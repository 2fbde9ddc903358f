/* Checks of output paths before hours of work. */
#ifndef SPORF_CLI_OUTPUTS_H
#define SPORF_CLI_OUTPUTS_H

#include "base/place.h"

/* Whether a result can be written to a path, which may be NULL or "-". Returns 0, or an exit code
 * after a message. */
int outputs_check(const char *verb, const char *path);

/* Refuses two results in one file, however it is spelled, or both on standard output. `one` and
 * `other` are their names in messages; a path is NULL for none. Returns 0, or an exit code after a
 * message. */
int outputs_differ(const char *verb, const char *one, const char *path, const char *other,
                   const char *other_path);

/* Refuses a result on standard output if that is in use. */
int outputs_not_standard(const char *verb, const char *name, const char *path);

#endif
