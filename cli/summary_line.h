/* One line of a summary. */
#ifndef SPORF_CLI_SUMMARY_LINE_H
#define SPORF_CLI_SUMMARY_LINE_H

#include "base/system.h"

/* Prints a line "label   text"; text is wrapped. */
void summary_line(FILE *stream, const char *label, const char *format, ...)
    __attribute__((format(SPF_PRINTF, 3, 4)));

#endif
