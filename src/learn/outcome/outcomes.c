/* The only place that derives the outcome from a table. */
#include "learn/outcome/outcomes.h"

#include <stdlib.h>

const spf_outcome_kind *spf_outcome_kind_of(const sporf_dataset *data) {
    return data->targets > 0 ? &spf_regression : &spf_classification;
}

sporf_status spf_outcome_open(const sporf_dataset *data, const spf_row_weights *weights,
                              int samples, spf_outcome *outcome) {
    *outcome = (spf_outcome){.kind = spf_outcome_kind_of(data),
                             .rows = data->rows,
                             .weights = weights,
                             .samples = samples};
    return outcome->kind->open(data, outcome);
}

void spf_outcome_close(spf_outcome *outcome) {
    free(outcome->scale);
    free(outcome->unit);
    *outcome = (spf_outcome){0};
}
