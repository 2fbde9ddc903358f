/* What a forest predicts, in exported source: everything that differs between classification, one
 * target and several targets, in forests and boosted models. */
#ifndef SPORF_CLI_EXPORT_OUTCOME_H
#define SPORF_CLI_EXPORT_OUTCOME_H

#include "sporf.h"

typedef struct export_outcome {
    const char *unit; /* what the constant NAME_CLASSES counts */
    size_t (*count)(const sporf_forest *forest);
    const char *names; /* the table of their names */
    const char *(*name)(const sporf_schema *schema, size_t index);
    const char *leaf; /* the meaning of a child that is a leaf */
    /* Templates of export_put: how to predict a row, what holds for that, the declarations of the
     * header, and the functions after leaf_of(tree, row). */
    const char *example;
    const char *promise;
    const char *declarations;
    const char *functions;
} export_outcome;

const export_outcome *export_outcome_of(const sporf_forest *forest);

#endif
