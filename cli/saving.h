/* Saves a forest, which may be incomplete because training was stopped. */
#ifndef SPORF_CLI_SAVING_H
#define SPORF_CLI_SAVING_H

#include "sporf.h"

typedef struct saving {
    char *path; /* where the forest was saved; to be freed */
    int beside; /* it was saved beside the model's path, because a file exists there */
    int code;   /* the exit code for a stopped training, if all else goes well */
} saving;

/* Saves a forest at the path. With keep_old, an existing file stays as it was: the forest is saved
 * beside it as PATH.partial, and the exit code is 128 plus the number of the signal. An empty file
 * counts as none. Returns 0, or an exit code after a message. */
int saving_forest(const char *verb, const sporf_forest *forest, const char *path, int keep_old,
                  saving *s);

/* Prints, after what was stopped ("stopped after 3 of 10 trees"), where the trees so far are
 * ("m.sporf stays as it was, the trees so far are in m.sporf.partial"), or that the model is
 * valid. */
void saving_report(const char *verb, const char *path, const saving *s, const char *stopped);

#endif
