/* Saving a forest, which may have been stopped before it was whole. */
#ifndef SPORF_CLI_SAVING_H
#define SPORF_CLI_SAVING_H

#include "sporf.h"

typedef enum saving_state {
    SAVING_WHOLE,
    SAVING_STOPPED,        /* has the first trees of those asked for */
    SAVING_SEARCH_STOPPED, /* the best of the settings tried so far */
} saving_state;

typedef struct saving {
    char *path;   /* where the forest is; to be freed */
    int code;     /* the exit status that says so, if all else goes well */
    char why[80]; /* where that is not the model's path: why the old model stays */
} saving;

/* Saves a forest at the path, unless it was stopped and what is there is worth more: a model of
 * more trees, for a stopped search one of as many, or one that cannot be read. That stays, the
 * forest is saved beside it as PATH.partial, and the status is 128 plus the number of the signal.
 * Returns 0, or an exit code after a message. */
int saving_forest(const char *verb, const sporf_forest *forest, const char *path,
                  saving_state state, saving *s);

/* "m.sporf has 300 trees and stays as it is; the trees so far are in m.sporf.partial", or that the
 * model is valid. Prints it after what was stopped, as in "stopped after 3 of 10 trees". */
void saving_tell(const char *verb, const char *path, const saving *s, const char *stopped);

#endif
