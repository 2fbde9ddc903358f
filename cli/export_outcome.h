/* What a forest predicts, as exported source tells it: all that differs between classes, a number
 * and several numbers. */
#ifndef SPORF_CLI_EXPORT_OUTCOME_H
#define SPORF_CLI_EXPORT_OUTCOME_H

#include "sporf.h"

typedef struct export_outcome {
    const char *unit; /* what it counts, as the constant NAME_CLASSES */
    size_t (*count)(const sporf_forest *forest);
    const char *names; /* the table of their names */
    const char *(*name)(const sporf_schema *schema, size_t index);
    const char *leaf; /* what a child that is a leaf stands for */
    /* Templates of export_put: how to predict a row, what holds for that, what the header declares,
     * and the functions that follow leaf_of(tree, row). */
    const char *example;
    const char *promise;
    const char *declarations;
    const char *functions;
} export_outcome;

const export_outcome *export_outcome_of(const sporf_forest *forest);

#endif
