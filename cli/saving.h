/* Saving a forest, which may have been stopped before it was whole. */
#ifndef SPORF_CLI_SAVING_H
#define SPORF_CLI_SAVING_H

#include "sporf.h"

typedef struct saving {
    char *path; /* where the forest is; to be freed */
    int spared; /* that is beside the model's path, since a file is there */
    int code;   /* the exit status that says so, if all else goes well */
} saving;

/* Saves a forest at the path. If it `spares`, a file that is there stays as it was: the forest is
 * saved beside it as PATH.partial, and the status is 128 plus the number of the signal that was
 * seen. An empty file counts as none. Returns 0, or an exit code after a message. */
int saving_forest(const char *verb, const sporf_forest *forest, const char *path, int spares,
                  saving *s);

/* "m.sporf stays as it was, the trees so far are in m.sporf.partial", or that the model is valid.
 * Prints it after what was stopped, as in "stopped after 3 of 10 trees". */
void saving_tell(const char *verb, const char *path, const saving *s, const char *stopped);

#endif
