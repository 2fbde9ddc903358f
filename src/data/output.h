/* Text files that the library writes. */
#ifndef SPF_DATA_OUTPUT_H
#define SPF_DATA_OUTPUT_H

#include "base/error.h"
#include "base/replace.h"

typedef struct spf_output {
    const char *path;
    spf_replacement to; /* unused for standard output */
    FILE *file;
} spf_output;

/* Opens a file that replaces the path when all is written; "-" is standard output, and devices and
 * pipes are written in place. */
sporf_status spf_output_open(const char *path, spf_output *output);

/* Closes the file. If `status` and all writing so far are fine, it replaces the path. Returns the
 * first failure. */
sporf_status spf_output_close(spf_output *output, sporf_status status);

/* Raises the last failure of the file. */
sporf_status spf_output_raise(const spf_output *output);

/* Writes a number, or text in quotes if a reader would need them. */
void spf_output_float(FILE *file, float value);
void spf_output_text(FILE *file, const char *text);

#endif
