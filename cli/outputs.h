/* Where results are to go: what would go wrong is said before hours of work. */
#ifndef SPORF_CLI_OUTPUTS_H
#define SPORF_CLI_OUTPUTS_H

#include "base/place.h"

/* Whether a result can be written to a path, which may be NULL or "-". Returns 0, or an exit code
 * after a message. */
int outputs_check(const char *verb, const char *path);

/* Refuses two results in one file, however it is spelled, or both on standard output; what they are
 * called stands before each path, which may be NULL for none. Returns likewise. */
int outputs_differ(const char *verb, const char *one, const char *path, const char *other,
                   const char *other_path);

/* Refuses a result on standard output, which is taken. */
int outputs_not_standard(const char *verb, const char *name, const char *path);

#endif
