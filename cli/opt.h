/* Options of a verb: one table for the parser and the help screen. */
#ifndef SPORF_CLI_OPT_H
#define SPORF_CLI_OPT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { OPT_MAX = 96 };

typedef struct opt_spec {
    const char *name;     /* without the dashes; NULL for a heading of the help screen */
    const char *value;    /* placeholder of the value; NULL for a flag */
    const char *alone;    /* the value if none is given; NULL: one must be */
    const char *help;     /* or the text of the heading */
    const char *range;    /* allowed values; choices are separated by '|'; NULL if any */
    const char *fallback; /* the default as text; NULL for none */
    int required;
    const char *unless;    /* required unless this option is given; NULL: always */
    int repeats;           /* may be given several times; at most one option of a verb */
    int listed;            /* the same for another one, whose values are all in opt_list's listed */
    const char *elsewhere; /* for another verb: what to do instead; not on the help screen */
} opt_spec;

typedef struct opt_list {
    const char *verb;
    const char *argument_name; /* NULL if no positional argument is taken */
    const char *argument;      /* the first one; NULL if none was given */
    const char **arguments;    /* [arguments_count]: all of them */
    size_t arguments_count;
    size_t count;
    int help; /* -h or --help was given; the rest of the line is then not checked */
    opt_spec spec[OPT_MAX];
    const char *given[OPT_MAX]; /* NULL if not given, "" for a flag */
    const char **more;          /* [more_count]: further values of a repeated option */
    size_t more_count;
    const char **listed; /* [listed_count]: all values of a listed option */
    size_t listed_count;
} opt_list;

void opt_add(opt_list *list, const opt_spec *specs, size_t count);

/* Reads `--name value`, `--name=value`, flags and the positional argument. Returns 0, or an exit
 * code after a message. */
int opt_parse(opt_list *list, int argc, char **argv);

/* Frees the memory of parsing. */
void opt_free(opt_list *list);

/* The first value given for an option, or NULL. */
const char *opt_value(const opt_list *list, const char *name);

/* The index of an option's value, or of its default, among the words of its range. Returns 0, or an
 * exit code after a message. */
int opt_choice(const opt_list *list, const char *name, unsigned *place);

/* An option's value as an integer from least up; *number does not change if none was given. Returns
 * 0, or an exit code after a message. */
int opt_count(const opt_list *list, const char *name, uint64_t least, uint64_t *number);

/* Prints text wrapped at OPT_COLUMNS: the first line starts at column `at`, the others at
 * `indent`. */
enum { OPT_COLUMNS = 80 };
void opt_wrap(FILE *stream, const char *text, size_t at, size_t indent);

/* Prints the options under their headings. */
void opt_print(FILE *stream, const opt_list *list);

/* The word closest to a misspelt one; NULL if none is close. */
const char *opt_nearest(const char *word, const char *const *words, size_t count);

#endif
