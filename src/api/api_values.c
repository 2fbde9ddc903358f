/* Predicting numbers, as the world sees it. */
#include "api/match.h"
#include "api/predict_options.h"
#include "data/regression_metric.h"
#include "predict/predict.h"

#include <stdlib.h>
#include <string.h>

size_t sporf_forest_targets(const sporf_forest *forest) {
    return forest->targets;
}

const char *sporf_forest_target_name(const sporf_forest *forest, size_t target) {
    return target < forest->targets ? spf_strings_at(&forest->target_names, target) : NULL;
}

static sporf_status check_numbers(const sporf_forest *forest) {
    if (forest->targets > 0) return SPORF_OK;
    return spf_raise(SPORF_ERROR_MODEL, "the model predicts classes, not numbers");
}

sporf_status sporf_forest_predict_values(const sporf_forest *forest, const sporf_dataset *data,
                                         const sporf_predict_options *given, double *values) {
    sporf_predict_options options;
    const float **columns = NULL;
    int holes = 0;
    if (!forest || !data || !values)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "prediction needs a forest, data and a place for its results");
    SPF_TRY(check_numbers(forest));
    SPF_TRY(spf_predict_options_resolve(given, &options));
    SPF_TRY(spf_match_columns(forest, data, &columns, &holes));
    sporf_status status =
        spf_predict(forest, &(spf_values){columns, data->rows, holes}, options.combine,
                    options.threads, &(spf_predictions){.values = values});
    free(columns);
    return status;
}

int sporf_forest_predict_row_values(const sporf_forest *forest, const float *row, double *values) {
    return spf_predict_row_values(forest, row, values);
}

/* The data's target of that name, or the one in the same place where names are missing. */
static const float *find_target(const sporf_forest *forest, const sporf_dataset *data,
                                size_t target) {
    const char *name = spf_strings_at(&forest->target_names, target);
    if (data->target_names.count == 0)
        return target < data->targets ? spf_target_of(data, target) : NULL;
    for (size_t t = 0; t < data->targets; t++)
        if (strcmp(spf_strings_at(&data->target_names, t), name) == 0)
            return spf_target_of(data, t);
    return NULL;
}

static sporf_status score_target(const sporf_forest *forest, const sporf_dataset *data,
                                 size_t target, const double *values, double *predicted,
                                 sporf_value_scores *scores) {
    const float *truth = find_target(forest, data, target);
    if (!truth)
        return spf_raise(SPORF_ERROR_DATA, "the data have no target '%s'",
                         spf_strings_at(&forest->target_names, target));
    for (size_t i = 0; i < data->rows; i++) predicted[i] = values[i * forest->targets + target];
    *scores = (sporf_value_scores){
        .rows = data->rows,
        .rmse = spf_rmse(data->rows, truth, predicted, data->weights),
        .mae = spf_mae(data->rows, truth, predicted, data->weights),
        .r2 = spf_r2(data->rows, truth, predicted, data->weights),
    };
    return SPORF_OK;
}

sporf_status sporf_forest_evaluate_values(const sporf_forest *forest, const sporf_dataset *data,
                                          const sporf_predict_options *options,
                                          sporf_value_scores *scores) {
    if (!forest || !data || !scores)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "evaluation needs a forest, data and a place for the scores");
    SPF_TRY(check_numbers(forest));
    if (data->targets == 0 || data->rows == 0)
        return spf_raise(SPORF_ERROR_DATA, "evaluation needs rows whose targets are known: say "
                                           "which columns hold them");
    double *values = spf_alloc(data->rows * forest->targets, sizeof *values);
    double *predicted = spf_alloc(data->rows, sizeof *predicted);
    sporf_status status = values && predicted ? SPORF_OK : spf_raise_memory();
    if (status == SPORF_OK) status = sporf_forest_predict_values(forest, data, options, values);
    for (size_t t = 0; status == SPORF_OK && t < forest->targets; t++)
        status = score_target(forest, data, t, values, predicted, &scores[t]);
    free(values);
    free(predicted);
    return status;
}
