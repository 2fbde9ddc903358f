/* The output of the command: messages on standard error, results on standard output or in files;
 * and the exit codes. */
#ifndef SPORF_CLI_OUT_H
#define SPORF_CLI_OUT_H

#include "base/replace.h"
#include "sporf.h"

#include <stdio.h>

enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1, /* the data, the model or the machine is at fault */
    EXIT_USAGE = 2,  /* the command line is wrong */
};

/* Prints "sporf verb: message"; verb may be NULL. */
void out_error(const char *verb, const char *format, ...) __attribute__((format(SPF_PRINTF, 2, 3)));

/* Reports a failed call of the library, with a hint after its message if not NULL, and returns the
 * exit code. */
int out_failure(const char *verb, sporf_status status, const char *hint);

/* A result while it is written. A regular file is written under a temporary name beside its own,
 * which it replaces when all is well; standard output, pipes and devices are written in place. */
typedef struct out_file {
    const char *verb;
    FILE *stream;
    const char *path; /* NULL for standard output */
    spf_replacement to;
    int lent; /* a copy of standard output, while that is redirected to the result; otherwise 0 */
} out_file;

/* Opens a result; path must stay valid; NULL or "-" is standard output. Returns 0, or an exit code
 * after a message. */
int out_open(out_file *file, const char *verb, const char *path);

/* Whether all went well so far, for long loops to stop early. */
int out_ok(const out_file *file);

/* Finishes a result if `good`, otherwise removes it. Returns 0, or an exit code after a message. */
int out_close(out_file *file, int good);

/* Finishes two results: both files are replaced, or neither. Returns 0, or an exit code after a
 * message. */
int out_close_both(out_file *one, out_file *other);

/* Opens a result that the library writes to "-": standard output is redirected to it until out_lent
 * finishes it, given the status of that call. Both return 0, or an exit code after a message. */
int out_lend(out_file *file, const char *verb, const char *path);
int out_lent(out_file *file, sporf_status status);

#endif
