/* The explanation of a single row, for people to read. */
#ifndef SPORF_CLI_EXPLANATION_PRINT_H
#define SPORF_CLI_EXPLANATION_PRINT_H

#include "explanations.h"

#include <stdio.h>

/* Prints what the `most` features or projections that matter most add to an output of the row, and
 * the others together. Returns 0, or an exit code after a message. */
int explanation_print(FILE *stream, const char *verb, const explanations *e, size_t output,
                      size_t most);

#endif
