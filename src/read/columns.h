/* The role of each column of a file: finds the columns that reading options name, and divides the
 * columns of a table into features, weights and targets. */
#ifndef SPF_READ_COLUMNS_H
#define SPF_READ_COLUMNS_H

#include "data/labels.h"

typedef enum spf_column_use {
    SPF_USE_FEATURE,
    SPF_USE_LABEL,
    SPF_USE_WEIGHT,
    SPF_USE_TARGET,
    SPF_USE_LABELS, /* one of several labels */
    SPF_USE_NONE,
} spf_column_use;

typedef struct spf_column_plan {
    spf_column_use use;
    size_t target;       /* its number among the targets, or the labels */
    const char *claimed; /* "label", "weight": the role in the options; NULL for none */
    int has_kind;        /* the kind is given */
    sporf_kind kind;
    const char *order; /* "small<medium<large"; NULL if not given */
    int derived;       /* a part of a date */
    int rounded;       /* some integers have more digits than single precision */
    size_t column;     /* in the file, from 0 */
    const char *name;  /* from the header; NULL without */
} spf_column_plan;

/* The columns to search. */
typedef struct spf_columns {
    const char *file;
    const spf_strings *names; /* empty if they have none */
    size_t count;
} spf_columns;

/* How many names equal the text or, if none does, equal it without a unit; *column is the first. */
size_t spf_find_name(const spf_strings *names, const char *text, size_t length, size_t *column);

/* Whether text[length] is a number from 1 to count, or "last"; *column is that column, from 0. */
int spf_find_number(const char *text, size_t length, size_t count, size_t *column);

/* The column that text[length] names, with or without its unit, or numbers from 1, or "last". A
 * column may itself be called "3" or "last". `what` ("weight") is for the message. */
sporf_status spf_columns_find(const spf_columns *columns, const char *what, const char *text,
                              size_t length, size_t *column);

/* Writes the roles that the options give into plan[count], in which the label is already set. */
sporf_status spf_plan_columns(const spf_columns *columns, const sporf_read_options *options,
                              spf_column_plan *plan);

/* The levels of an order such as "small<medium<large". */
sporf_status spf_plan_order(const char *order, const char *name, spf_strings *levels);

enum { SPF_LIST_MAX = 300 };

/* "a, b, c, ..., z (57 in all)". Returns out. */
const char *spf_columns_list(const spf_strings *names, char out[SPF_LIST_MAX]);

/* Divides the columns of a table just read; plan[features] is the role of each. Features move up,
 * weights and targets are checked and moved to their places, unused columns are dropped. */
sporf_status spf_dataset_part(sporf_dataset *data, const char *file, const spf_column_plan *plan);

/* Plans to leave out features without any value and row numbers. Adds notes on features that look
 * like identifiers, and on features and targets whose integers lost digits. */
sporf_status spf_plan_useless(sporf_dataset *data, spf_column_plan *plan);

/* Whether some value is not missing. */
int spf_has_value(const float *values, size_t rows);

/* Whether numbers look like identifiers: they count the rows, or the column is named like one and
 * all its values are distinct integers, or were rounded. *why is the reason in words, or NULL. name
 * may be NULL. */
sporf_status spf_identifier(const char *name, const float *values, size_t rows, int rounded,
                            const char **why);

/* Notes that a column is left out because it has no values. */
sporf_status spf_leave_out_empty(spf_notes *notes, const char *column);

#endif
