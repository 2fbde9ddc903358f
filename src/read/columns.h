/* What each column of a file is for: the columns that reading options name are found, and those of
 * a table that has been read are parted into features, weights and targets. */
#ifndef SPF_READ_COLUMNS_H
#define SPF_READ_COLUMNS_H

#include "data/labels.h"

typedef enum spf_column_use {
    SPF_USE_FEATURE,
    SPF_USE_LABEL,
    SPF_USE_WEIGHT,
    SPF_USE_TARGET,
    SPF_USE_NONE,
} spf_column_use;

typedef struct spf_column_plan {
    spf_column_use use;
    size_t target;       /* its number among the targets */
    const char *claimed; /* "label", "weight": what the options say it is; NULL for nothing */
    int has_kind;        /* the kind is given */
    sporf_kind kind;
    const char *order; /* "small<medium<large"; NULL for none */
    int derived;       /* a part of a date */
    int rounded;       /* some whole numbers have more digits than single precision */
    size_t column;     /* in the file, from 0 */
    const char *name;  /* from the header; NULL without */
} spf_column_plan;

/* Columns to look among. */
typedef struct spf_columns {
    const char *file;
    const spf_strings *names; /* empty where they have none */
    size_t count;
} spf_columns;

/* How many names are this one, or if none is, this one but for a unit; *column is the first of
 * them.
 */
size_t spf_find_name(const spf_strings *names, const char *text, size_t length, size_t *column);

/* Whether text[length] is a number from 1 to count, or "last": that column, from 0. */
int spf_find_number(const char *text, size_t length, size_t count, size_t *column);

/* The column that text[length] names, a unit left away at most, or numbers from 1, or the "last";
 * a column may be called "3" or "last". `what` ("weight") is for the message. */
sporf_status spf_columns_find(const spf_columns *columns, const char *what, const char *text,
                              size_t length, size_t *column);

/* Puts what the options say of columns into plan[count], where that of the label is already. */
sporf_status spf_plan_columns(const spf_columns *columns, const sporf_read_options *options,
                              spf_column_plan *plan);

/* The levels of an order such as "small<medium<large". */
sporf_status spf_plan_order(const char *order, const char *name, spf_strings *levels);

enum { SPF_LIST_MAX = 300 };

/* "a, b, c, ..., z (57 in all)". Returns out. */
const char *spf_columns_list(const spf_strings *names, char out[SPF_LIST_MAX]);

/* Parts the columns of a table that has just been read: plan[features] says what each is for.
 * Features close ranks, weights and targets are checked and move to their places, and columns
 * without use go. */
sporf_status spf_dataset_part(sporf_dataset *data, const char *file, const spf_column_plan *plan);

/* Plans to leave out features without any value and those that count the rows and are called so,
 * and notes those that look like identifiers, and features and targets whose whole numbers lost
 * digits. */
sporf_status spf_plan_useless(sporf_dataset *data, spf_column_plan *plan);

/* Whether some value is not missing. */
int spf_has_value(const float *values, size_t rows);

/* Whether numbers look like identifiers: they count the rows, or their column is called so and they
 * are all different whole numbers, or were rounded. *why says it in words, or is NULL. name may be
 * NULL. */
sporf_status spf_identifier(const char *name, const float *values, size_t rows, int rounded,
                            const char **why);

/* Notes that a column is left out because it has no values. */
sporf_status spf_leave_out_empty(spf_notes *notes, const char *column);

#endif
