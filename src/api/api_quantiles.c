/* Quantiles and prediction intervals, as the world sees them. */
#include "api/match.h"
#include "api/predict_options.h"
#include "predict/quantiles.h"
#include "score/regression_metric.h"

#include <math.h>
#include <stdlib.h>

int sporf_forest_has_samples(const sporf_forest *forest) {
    return forest->keeps_samples;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static sporf_status check_forest(const sporf_forest *forest) {
    SPF_TRY(spf_check_numbers(forest));
    if (forest->keeps_samples) return SPORF_OK;
    return spf_raise(SPORF_ERROR_MODEL,
                     "the model keeps no samples to take quantiles from: train it "
                     "with samples 'keep', which is the default");
}

static sporf_status check_quantiles(const double *quantiles, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!(quantiles[i] >= 0 && quantiles[i] <= 1))
            return spf_raise(SPORF_ERROR_ARGUMENT, "a quantile must be from 0 to 1, got %g",
                             quantiles[i]);
    return SPORF_OK;
}

static sporf_status check_level(double level) {
    if (level > 0 && level < 1) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "the level of an interval must be above 0 and below 1, got %g", level);
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* The same for every target. */
static void repeat(const double *quantiles, size_t count, size_t targets, double *levels) {
    for (size_t i = 0; i < targets * count; i++) levels[i] = quantiles[i % count];
}

/* The level that a share p of the rows lay below in training, between the thousandths. */
static double level_at(const float *levels, double p) {
    double place = p * (SPF_LEVELS - 1), left = fmin(floor(place), SPF_LEVELS - 2);
    size_t i = (size_t)left;
    return levels[i] + (place - left) * ((double)levels[i + 1] - (double)levels[i]);
}

/* The upper end is the first sample beyond its level, as the lower one is the last before. */
static void calibrate(const sporf_forest *forest, double level, double *levels) {
    const double beyond = 1e-6;
    for (size_t t = 0; t < forest->targets; t++) {
        const float *known = forest->oob_levels ? forest->oob_levels + t * SPF_LEVELS : NULL;
        double low = (1 - level) / 2, high = (1 + level) / 2;
        levels[2 * t] = known ? level_at(known, low) : low;
        levels[2 * t + 1] = known ? fmin(level_at(known, high) + beyond, 1) : high;
    }
}

/* ---- prediction ------------------------------------------------------------------------------ */

static sporf_status predict(const sporf_forest *forest, const sporf_dataset *data,
                            const sporf_predict_options *given, const double *levels, size_t count,
                            double *out) {
    sporf_predict_options options;
    const float **columns = NULL;
    int has_missing = 0;
    SPF_TRY(spf_predict_options_resolve(given, &options));
    SPF_TRY(spf_match_columns(forest, data, &columns, &has_missing));
    sporf_status status =
        spf_predict_quantiles(forest, &(spf_values){columns, data->rows, has_missing},
                              options.threads, levels, count, out);
    free(columns);
    return status;
}

static sporf_status raise_missing(void) {
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "prediction needs a forest, data and a place for its results");
}

sporf_status sporf_forest_predict_quantiles(const sporf_forest *forest, const sporf_dataset *data,
                                            const sporf_predict_options *options,
                                            const double *quantiles, size_t count, double *values) {
    if (!forest || !data || (count > 0 && (!quantiles || !values))) return raise_missing();
    SPF_TRY(check_forest(forest));
    SPF_TRY(check_quantiles(quantiles, count));
    double *levels = spf_alloc(forest->targets * count, sizeof *levels);
    if (!levels) return spf_raise_memory();
    if (count > 0) repeat(quantiles, count, forest->targets, levels);
    sporf_status status = predict(forest, data, options, levels, count, values);
    free(levels);
    return status;
}

sporf_status sporf_forest_predict_intervals(const sporf_forest *forest, const sporf_dataset *data,
                                            const sporf_predict_options *options, double level,
                                            double *bounds) {
    if (!forest || !data || !bounds) return raise_missing();
    SPF_TRY(check_forest(forest));
    SPF_TRY(check_level(level));
    double *levels = spf_alloc(forest->targets, 2 * sizeof *levels);
    if (!levels) return spf_raise_memory();
    calibrate(forest, level, levels);
    sporf_status status = predict(forest, data, options, levels, 2, bounds);
    free(levels);
    return status;
}

/* ---- evaluation ------------------------------------------------------------------------------ */

/* Every `width`-th value from `place` on, which are the rows of one quantile. */
static void pick(const double *values, size_t rows, size_t width, size_t place, double *picked) {
    for (size_t i = 0; i < rows; i++) picked[i] = values[i * width + place];
}

static sporf_status check_evaluation(const sporf_forest *forest, const sporf_dataset *data,
                                     const void *scores) {
    if (!forest || !data || !scores)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "evaluation needs a forest, data and a place for the scores");
    SPF_TRY(spf_check_numbers(forest));
    return spf_check_targets(data);
}

/* One of the quantiles of all targets; of no further use where it fails. */
static sporf_status score_quantile(const sporf_forest *forest, const sporf_dataset *data,
                                   size_t target, double quantile, const double *predicted,
                                   sporf_quantile_scores *scores) {
    const float *truth;
    SPF_TRY(spf_match_target(forest, data, target, &truth));
    *scores = (sporf_quantile_scores){
        .pinball = spf_pinball_loss(data->rows, truth, predicted, quantile, data->weights),
        .below = spf_share_below(data->rows, truth, predicted, data->weights),
    };
    return SPORF_OK;
}

sporf_status sporf_forest_evaluate_quantiles(const sporf_forest *forest, const sporf_dataset *data,
                                             const sporf_predict_options *options,
                                             const double *quantiles, size_t count,
                                             sporf_quantile_scores *scores) {
    SPF_TRY(check_evaluation(forest, data, scores));
    size_t width = forest->targets * count;
    double *values = spf_alloc(data->rows, width * sizeof *values);
    double *predicted = spf_alloc(data->rows, sizeof *predicted);
    sporf_status status = values && predicted ? SPORF_OK : spf_raise_memory();
    if (status == SPORF_OK)
        status = sporf_forest_predict_quantiles(forest, data, options, quantiles, count, values);
    for (size_t i = 0; status == SPORF_OK && i < width; i++) {
        pick(values, data->rows, width, i, predicted);
        status =
            score_quantile(forest, data, i / count, quantiles[i % count], predicted, &scores[i]);
    }
    free(values);
    free(predicted);
    return status;
}

static sporf_status score_interval(const sporf_forest *forest, const sporf_dataset *data,
                                   size_t target, const double *lower, const double *upper,
                                   sporf_interval_scores *scores) {
    const float *truth;
    SPF_TRY(spf_match_target(forest, data, target, &truth));
    *scores = (sporf_interval_scores){
        .coverage = spf_coverage(data->rows, truth, lower, upper, data->weights),
        .width = spf_mean_width(data->rows, lower, upper, data->weights),
    };
    return SPORF_OK;
}

sporf_status sporf_forest_evaluate_intervals(const sporf_forest *forest, const sporf_dataset *data,
                                             const sporf_predict_options *options, double level,
                                             sporf_interval_scores *scores) {
    SPF_TRY(check_evaluation(forest, data, scores));
    size_t rows = data->rows, width = 2 * forest->targets;
    double *bounds = spf_alloc(rows, width * sizeof *bounds);
    double *lower = spf_alloc(rows, 2 * sizeof *lower), *upper = lower ? lower + rows : NULL;
    sporf_status status = bounds && lower ? SPORF_OK : spf_raise_memory();
    if (status == SPORF_OK)
        status = sporf_forest_predict_intervals(forest, data, options, level, bounds);
    for (size_t t = 0; status == SPORF_OK && t < forest->targets; t++) {
        pick(bounds, rows, width, 2 * t, lower);
        pick(bounds, rows, width, 2 * t + 1, upper);
        status = score_interval(forest, data, t, lower, upper, &scores[t]);
    }
    free(bounds);
    free(lower);
    return status;
}
