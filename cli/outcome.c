/* The two outcomes, and which one a model or a table has. */
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

const outcome *outcome_of_forest(const sporf_forest *forest) {
    return sporf_forest_targets(forest) > 0 ? &outcome_regression : &outcome_classification;
}

const outcome *outcome_of_data(const sporf_dataset *data) {
    return sporf_dataset_targets(data) > 0 ? &outcome_regression : &outcome_classification;
}
