/* Command lines that make a thing again, for reports. */
#ifndef SPORF_CLI_COMMAND_LINE_H
#define SPORF_CLI_COMMAND_LINE_H

#include "opt.h"
#include "sporf.h"

/* The line that trains a model with its recorded settings, on a table to be named. Free with
 * free(); NULL if memory runs out. */
char *command_line_train(const sporf_forest *forest);

/* The line that was given, without options that change nothing in the result: where it goes, and
 * limits of the machine. Free with free(); NULL if memory runs out. */
char *command_line_given(const opt_list *options);

#endif
