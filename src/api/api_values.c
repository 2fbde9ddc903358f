/* Predicting numbers, as the world sees it. */
#include "api/match.h"
#include "api/predict_options.h"
#include "model/outcome.h"
#include "predict/predict.h"
#include "score/regression_metric.h"

#include <math.h>
#include <stdlib.h>

size_t sporf_forest_targets(const sporf_forest *forest) {
    return forest->targets;
}

sporf_status sporf_forest_predict_values(const sporf_forest *forest, const sporf_dataset *data,
                                         const sporf_predict_options *given, double *values) {
    sporf_predict_options options;
    const float **columns = NULL;
    int has_missing = 0;
    if (!forest || !data || !values)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "prediction needs a forest, data and a place for its results");
    SPF_TRY(spf_check_numbers(forest));
    SPF_TRY(spf_predict_options_resolve(given, &options));
    SPF_TRY(spf_match_columns(forest, data, &columns, &has_missing));
    sporf_status status =
        spf_predict(forest, &(spf_values){columns, data->rows, has_missing}, options.combine,
                    options.threads, &(spf_predictions){.outputs = values});
    free(columns);
    return status;
}

int sporf_forest_predict_row_values(const sporf_forest *forest, const float *row, double *values) {
    return spf_is_regression(forest) && spf_predict_row(forest, row, SPORF_COMBINE_VOTES, values);
}

sporf_status sporf_forest_oob_values(const sporf_forest *forest, sporf_value_scores *scores) {
    if (!forest || !scores)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "out-of-bag results need a forest and a place for them");
    SPF_TRY(spf_check_numbers(forest));
    for (size_t t = 0; t < forest->targets; t++) {
        const spf_target_scores *own =
            forest->oob_targets ? &forest->oob_targets[t] : &(spf_target_scores){NAN, NAN, NAN};
        scores[t] = (sporf_value_scores){forest->oob_rows, own->rmse, own->mae, own->r2};
    }
    return SPORF_OK;
}

static sporf_status score_target(const sporf_forest *forest, const sporf_dataset *data,
                                 size_t target, const double *values, double *predicted,
                                 sporf_value_scores *scores) {
    const float *truth;
    SPF_TRY(spf_match_target(forest, data, target, &truth));
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
    SPF_TRY(spf_check_numbers(forest));
    SPF_TRY(spf_check_targets(data));
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
