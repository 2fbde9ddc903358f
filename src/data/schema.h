/* What the columns of a table are: names, kinds and levels of the features, the classes of the
 * labels, the names of targets. A model keeps the schema of the table that it was trained on. */
#ifndef SPF_DATA_SCHEMA_H
#define SPF_DATA_SCHEMA_H

#include "base/strings.h"

/* More levels than these could not be numbered in single precision. */
#define SPF_LEVELS_MAX ((size_t)1 << 24)

struct sporf_schema {
    size_t count;        /* of features, unless kinds is NULL */
    spf_strings names;   /* of the features; empty where they have none */
    sporf_kind *kinds;   /* [count]; NULL: all are numbers */
    spf_strings *levels; /* [count]: names of the levels, in order; empty for numbers; NULL with
                            kinds */
    int decimal_comma;   /* its numbers were read with decimal commas */
    spf_strings classes; /* sorted: integers by value, otherwise by bytes; of a regression forest
                            one without a name */
    char *label_name;    /* NULL if unnamed */
    spf_strings target_names; /* empty where they have none */
};

void spf_schema_free(sporf_schema *schema);

/* On failure *to is empty. */
sporf_status spf_schema_copy(const sporf_schema *from, sporf_schema *to);
/* What a copy of names, kinds and levels takes at most. */
double spf_schema_bytes(const sporf_schema *schema);

/* The part that is not about features: classes, names of label and targets. Those of *to are not
 * freed. */
sporf_status spf_schema_copy_outcome(const sporf_schema *from, sporf_schema *to);

/* Makes a column of a table of `columns` ones a category or an order, whose levels are taken over:
 * *levels is empty afterwards. */
sporf_status spf_schema_set_levels(sporf_schema *schema, size_t columns, size_t column,
                                   sporf_kind kind, spf_strings *levels);

static inline sporf_kind spf_schema_kind(const sporf_schema *schema, size_t column) {
    return schema->kinds ? schema->kinds[column] : SPORF_KIND_NUMBER;
}

/* How many columns a schema tells of; 0 where they have neither names nor kinds. */
static inline size_t spf_schema_columns(const sporf_schema *schema) {
    return schema->kinds ? schema->count : schema->names.count;
}

/* How many levels a column has; 0 for numbers. */
static inline size_t spf_schema_levels(const sporf_schema *schema, size_t column) {
    return schema->kinds ? schema->levels[column].count : 0;
}

/* Whether some column is an unordered category. */
int spf_schema_has_categories(const sporf_schema *schema);

/* How many levels the largest of these has; 0 without any. */
size_t spf_schema_most_levels(const sporf_schema *schema);

#endif
