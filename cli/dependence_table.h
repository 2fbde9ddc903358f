/* Dependence on features and interactions, as CSV and as JSON. */
#ifndef SPORF_CLI_DEPENDENCE_TABLE_H
#define SPORF_CLI_DEPENDENCE_TABLE_H

#include "json.h"
#include "out.h"
#include "sporf.h"

typedef struct dependence_table {
    const sporf_forest *forest;
    sporf_dependence_kind kind;
    int pairs;      /* of features, instead of single ones */
    int scores;     /* of a boosted model */
    size_t outputs; /* classes, targets or scores */
    size_t output;  /* the only one to write; SIZE_MAX: all */
} dependence_table;

/* A line for each point: names of features, the row of a single curve, values, outputs. The header
 * returns 0 if memory runs out. */
int dependence_csv_header(FILE *stream, const dependence_table *table);
void dependence_csv(out_file *file, const dependence_table *table, const sporf_dependence *found);

/* Adds the key "outputs"; an object of a list. */
void dependence_json_outputs(json *writer, const dependence_table *table);
void dependence_json(out_file *file, json *writer, const dependence_table *table,
                     const sporf_dependence *found);

/* The `most` strongest pairs, and each feature with all others together. */
void interactions_csv(out_file *file, const sporf_forest *forest, const sporf_interactions *found,
                      size_t most);
void interactions_json(out_file *file, json *writer, const sporf_forest *forest,
                       const sporf_interactions *found, size_t most);

#endif
