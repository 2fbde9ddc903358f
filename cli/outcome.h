/* Words for classification, with one label or several, and regression: what is predicted, and what
 * its errors are called. */
#ifndef SPORF_CLI_OUTCOME_H
#define SPORF_CLI_OUTCOME_H

#include "sporf.h"

typedef struct outcome {
    const char *predicts; /* "the model predicts ..." */
    const char *option;   /* names its column */
    const char *names;    /* the name of a list of names */
    size_t (*count)(const sporf_forest *forest);
    const char *(*name)(const sporf_schema *schema, size_t index);
    const char *error, *oob_error, *oob_score; /* keys of JSON */
    const char *(*text)(char *buffer, double error);
    int has_auc;
} outcome;

extern const outcome outcome_classification, outcome_regression, outcome_labels;

const outcome *outcome_of_forest(const sporf_forest *forest);
const outcome *outcome_of_data(const sporf_dataset *data);

#endif
