/* Text and tables of C source, for the parts of an export. */
#ifndef SPORF_CLI_EXPORT_WRITE_H
#define SPORF_CLI_EXPORT_WRITE_H

#include "export_tables.h"
#include "out.h"

enum { EXPORT_NAME = 64 };

typedef struct export_c {
    const sporf_forest *forest;
    export_tables tables;
    char name[EXPORT_NAME];  /* the prefix of its functions */
    char macro[EXPORT_NAME]; /* the same in capitals, for its constants */
    const char *header;      /* the file that its source includes */
} export_c;

enum { EXPORT_NUMBERS_IN_LINE = 12 };

/* A template, in which @ is the name and $ the name in capitals. */
void export_put(out_file *file, const export_c *plan, const char *pattern);

/* Text in a comment, which it cannot end; text as a string; a number with all digits. */
void export_put_remark(out_file *file, const char *text);
void export_put_string(out_file *file, const char *text);
void export_put_float(out_file *file, float value);

/* The smallest type for numbers below a bound. */
const char *export_type_below(uint64_t bound);

/* A table of `count` items, each begun with its index; several to a line. */
void export_begin_table(out_file *file, const char *type, const char *name, size_t count);
void export_begin_item(out_file *file, size_t index, size_t in_line);
void export_end_table(out_file *file);

/* Bytes of a number, and an upper bound for a string. */
uint64_t export_digits(uint64_t number);
uint64_t export_string_size(const char *text);

#endif
