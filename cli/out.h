/* Everything the command writes: messages, result files, and numbers and names as people read
 * them. */
#ifndef SPORF_CLI_OUT_H
#define SPORF_CLI_OUT_H

#include "sporf.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- messages, on standard error ------------------------------------------------------------- */

/* Prints "sporf verb: message"; verb may be NULL. */
void out_error(const char *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports a failed call of the library, with a hint put behind its message if not NULL, and returns
 * the exit code it means. */
int out_failure(const char *verb, sporf_status status, const char *hint);

/* ---- results --------------------------------------------------------------------------------- */

/* A result on its way. A regular file is written under another name beside its own and takes its
 * place when all is well; standard output, pipes and devices are written as they are. */
typedef struct out_file {
    const char *verb;
    FILE *stream;
    char *path;      /* NULL for standard output */
    char *temporary; /* NULL where the path itself is written */
} out_file;

/* Opens a result; path NULL or "-" is standard output. Returns 0, or an exit code after a
 * message. */
int out_open(out_file *file, const char *verb, const char *path);

/* Whether all went well so far; for long loops to stop early. */
int out_ok(const out_file *file);

/* Finishes a result if `good`, otherwise removes it. Returns 0, or an exit code after a message. */
int out_close(out_file *file, int good);

/* Whether whoever read our standard output has gone. */
int out_reader_gone(void);

/* ---- text ------------------------------------------------------------------------------------ */

enum { OUT_NUMBER = 40 }; /* room for any number as text */

/* Each writes to buffer[OUT_NUMBER] and returns it. The first two give the fewest digits that read
 * back as the same value. */
const char *out_double(char *buffer, double value);
const char *out_float(char *buffer, float value);
const char *out_count(char *buffer, uint64_t value);   /* 1,234,567 */
const char *out_bytes(char *buffer, uint64_t bytes);   /* 1.2 MiB */
const char *out_rate(char *buffer, double value);      /* 0.0123, or - for NaN */
const char *out_seconds(char *buffer, double seconds); /* 3.21 s */

/* Copies text with control characters made harmless for a terminal. */
void out_printable(char *buffer, size_t size, const char *text);

/* Prints text so, in `width` columns; one that is too long is cut. Negative widths put it left. */
void out_cell(FILE *stream, const char *text, int width);

/* A field of a CSV file, quoted where RFC 4180 asks for it. */
void out_csv_field(FILE *stream, const char *text);

#endif
