/* The only place of the learner that derives the outcome from a table. */
#include "learn/outcome/outcomes.h"

const spf_outcome_kind *spf_outcome_kind_of(const sporf_dataset *data) {
    if (data->schema.label_columns.count > 0) return &spf_several_labels;
    return data->targets > 0 ? &spf_regression : &spf_classification;
}

sporf_status spf_outcome_open(const spf_outcome_kind *kind, const sporf_dataset *data,
                              const spf_row_weights *weights, int calibrates,
                              spf_outcome *outcome) {
    spf_leaf_size leaf = kind->leaf(data);
    *outcome = (spf_outcome){.kind = kind,
                             .rows = data->rows,
                             .weights = weights,
                             .classes = leaf.classes,
                             .targets = leaf.targets,
                             .samples = calibrates && kind->keeps_samples,
                             .calibrates = calibrates};
    return kind->open(data, outcome);
}

void spf_outcome_close(spf_outcome *outcome) {
    if (outcome->kind && outcome->kind->close) outcome->kind->close(outcome);
    *outcome = (spf_outcome){0};
}
