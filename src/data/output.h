/* Files that the library writes as text. */
#ifndef SPF_DATA_OUTPUT_H
#define SPF_DATA_OUTPUT_H

#include "base/error.h"
#include "base/replace.h"

typedef struct spf_output {
    const char *path;
    spf_replacement to; /* unless it is standard output */
    FILE *file;
} spf_output;

/* Opens a file that takes the path's place when all is written; "-" is standard output, and devices
 * and pipes are written as they are. */
sporf_status spf_output_open(const char *path, spf_output *output);

/* Closes it after a writing that went as status says, and puts it in its place if all went well.
 * Returns the first failure. */
sporf_status spf_output_close(spf_output *output, sporf_status status);

/* Raises what went wrong with it last. */
sporf_status spf_output_raise(const spf_output *output);

/* Writes a number, and text in quotes where a reader would not give it back as it is. */
void spf_output_float(FILE *file, float value);
void spf_output_text(FILE *file, const char *text);

#endif
