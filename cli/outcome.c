/* The outcomes, and which one a model or a table has. */
#include "outcome.h"

#include "printed.h"

const outcome outcome_classification = {
    .predicts = "classes",
    .option = "label",
    .names = "classes",
    .count = sporf_forest_classes,
    .name = sporf_schema_class_name,
    .error = "error",
    .oob_error = "oob_error",
    .oob_score = "oob_kappa",
    .text = text_rate,
    .has_auc = 1,
};

const outcome outcome_regression = {
    .predicts = "numbers",
    .option = "target",
    .names = "targets",
    .count = sporf_forest_targets,
    .name = sporf_schema_target_name,
    .error = "rmse",
    .oob_error = "oob_rmse",
    .oob_score = "oob_r2",
    .text = text_score,
};

static size_t count_labels(const sporf_forest *forest) {
    return sporf_schema_label_columns(sporf_forest_schema(forest));
}

const outcome outcome_labels = {
    .predicts = "several labels",
    .option = "labels",
    .names = "labels",
    .count = count_labels,
    .name = sporf_schema_label_column_name,
    .error = "error",
    .oob_error = "oob_error",
    .oob_score = "oob_subset_error",
    .text = text_rate,
};

const outcome *outcome_of_forest(const sporf_forest *forest) {
    if (count_labels(forest) > 0) return &outcome_labels;
    return sporf_forest_targets(forest) > 0 ? &outcome_regression : &outcome_classification;
}

const outcome *outcome_of_data(const sporf_dataset *data) {
    if (sporf_schema_label_columns(sporf_dataset_schema(data)) > 0) return &outcome_labels;
    return sporf_dataset_targets(data) > 0 ? &outcome_regression : &outcome_classification;
}
