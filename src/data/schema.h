/* The columns of a table: names, kinds and levels of the features, the classes of the labels, the
 * names of targets. A model stores the schema of its training table. */
#ifndef SPF_DATA_SCHEMA_H
#define SPF_DATA_SCHEMA_H

#include "base/strings.h"

/* Level numbers are stored in single precision, which has no more integers. */
#define SPF_LEVELS_MAX ((size_t)1 << 24)

struct sporf_schema {
    size_t count;        /* number of features; may be 0 if kinds is NULL */
    spf_strings names;   /* of the features; empty if they have none */
    sporf_kind *kinds;   /* [count]; NULL: all are numbers */
    spf_strings *levels; /* [count]: names of the levels, in order; empty for numbers; NULL with
                            kinds */
    int decimal_comma;   /* numbers of the file have decimal commas */
    spf_strings classes; /* sorted: integers by value, otherwise by bytes; a regression forest has
                            one without a name */
    char *label_name;    /* NULL if unnamed */
    spf_strings target_names; /* empty if they have none */
    /* Several labels of a row. The targets are then indicators of their classes, named
     * "label=class": 1 in the rows of the class, otherwise 0. */
    spf_strings label_columns; /* their names; empty otherwise */
    size_t *label_ends;        /* [label columns]: one past the target of its last class */
};

void spf_schema_free(sporf_schema *schema);

/* On failure *to is empty. */
sporf_status spf_schema_copy(const sporf_schema *from, sporf_schema *to);
/* Memory of a copy of names, kinds and levels, at most. */
double spf_schema_bytes(const sporf_schema *schema);

/* Copies the part that is not about features: classes, names of label and targets. The old ones of
 * *to are not freed. */
sporf_status spf_schema_copy_outcome(const sporf_schema *from, sporf_schema *to);
/* The same for a schema that has them already. */
sporf_status spf_schema_exchange_outcome(const sporf_schema *from, sporf_schema *to);

/* Makes column `column` of a table with `columns` columns a category or an ordinal. Takes over its
 * levels: *levels is empty afterwards. */
sporf_status spf_schema_set_levels(sporf_schema *schema, size_t columns, size_t column,
                                   sporf_kind kind, spf_strings *levels);

static inline sporf_kind spf_schema_kind(const sporf_schema *schema, size_t column) {
    return schema->kinds ? schema->kinds[column] : SPORF_KIND_NUMBER;
}

/* The targets that are the classes of a label column. */
typedef struct spf_label_targets {
    size_t begin, end;
} spf_label_targets;

static inline spf_label_targets spf_schema_label_targets(const sporf_schema *schema,
                                                         size_t column) {
    return (spf_label_targets){column > 0 ? schema->label_ends[column - 1] : 0,
                               schema->label_ends[column]};
}

/* Adds a label column with the targets up to `end`. */
sporf_status spf_schema_add_label_column(sporf_schema *schema, const char *name, size_t end);
void spf_schema_drop_label_columns(sporf_schema *schema);

/* How many columns a schema describes; 0 if they have neither names nor kinds. */
static inline size_t spf_schema_columns(const sporf_schema *schema) {
    return schema->kinds ? schema->count : schema->names.count;
}

/* How many levels a column has; 0 for numbers. */
static inline size_t spf_schema_levels(const sporf_schema *schema, size_t column) {
    return schema->kinds ? schema->levels[column].count : 0;
}

/* Whether some column is an unordered category. */
int spf_schema_has_categories(const sporf_schema *schema);

/* The largest number of levels of an unordered category; 0 without any. */
size_t spf_schema_most_levels(const sporf_schema *schema);

#endif
