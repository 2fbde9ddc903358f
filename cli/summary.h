/* What a forest is, for train and inspect to tell alike. */
#ifndef SPORF_CLI_SUMMARY_H
#define SPORF_CLI_SUMMARY_H

#include "json.h"
#include "sporf.h"

/* The value of one of the forest's settings, or NULL. */
const char *summary_setting(const sporf_forest *forest, const char *name);

/* Size of a file in bytes; 0 where it cannot be told. */
uint64_t summary_file_bytes(const char *path);

/* Adds the keys that both verbs report, the out-of-bag ones and the list of classes among them. */
void summary_json(json *writer, const sporf_forest *forest, const sporf_forest_summary *summary);

/* Prints a line "label   text"; text is wrapped. */
void summary_line(FILE *stream, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints the lines that both verbs show: trees, out of bag, settings. */
void summary_lines(FILE *stream, const sporf_forest *forest, const sporf_forest_summary *summary);

/* Prints the lines about features, classes and the label's name. */
void summary_schema(FILE *stream, const sporf_forest *forest);

#endif
