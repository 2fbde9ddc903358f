/* Command lines that make a thing again, for reports. */
#ifndef SPORF_CLI_COMMAND_LINE_H
#define SPORF_CLI_COMMAND_LINE_H

#include "opt.h"
#include "sporf.h"

/* The line that trains a model with its recorded settings, where they are not the defaults: TABLE
 * and MODEL stand for files. Free with free(); NULL if memory runs out. */
char *command_line_train(const sporf_forest *forest);

/* The line that was given, without limits of the machine, which change nothing in the result, and
 * with a usual file to write. Free with free(); NULL if memory runs out. */
char *command_line_given(const opt_list *options);

#endif
