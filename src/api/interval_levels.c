/* Quantile levels, the same for every target, and the levels at which an interval ends. */
#include "api/interval_levels.h"

#include "api/match.h"
#include "predict/quantiles.h"

#include <math.h>
#include <stdlib.h>

/* ---- checks ---------------------------------------------------------------------------------- */

static sporf_status check_samples(const sporf_forest *forest) {
    SPF_TRY(spf_check_numbers(forest));
    if (forest->keeps_samples) return SPORF_OK;
    if (spf_has_several_labels(forest))
        return spf_raise(SPORF_ERROR_MODEL,
                         "the model predicts several labels: classes have no quantiles");
    if (spf_is_boosted(forest))
        return spf_raise(
            SPORF_ERROR_MODEL,
            "the model is boosted and keeps no samples to take quantiles from" SPF_HINT
            "boost a quantile itself (" SPF_OPTION_AS("loss", "quantile") "), or train a forest");
    return spf_raise(SPORF_ERROR_MODEL,
                     "the model keeps no samples to take quantiles from" SPF_HINT
                     "train it with " SPF_OPTION_AS("samples", "keep") ", which is the default");
}

sporf_status spf_check_quantiles(const sporf_forest *forest, const double *quantiles,
                                 size_t count) {
    SPF_TRY(check_samples(forest));
    for (size_t i = 0; i < count; i++)
        if (!(quantiles[i] >= 0 && quantiles[i] <= 1))
            return spf_raise(SPORF_ERROR_ARGUMENT, "a quantile must be from 0 to 1, got %g",
                             quantiles[i]);
    return SPORF_OK;
}

sporf_status spf_check_interval(const sporf_forest *forest, double level) {
    SPF_TRY(check_samples(forest));
    if (level > 0 && level < 1) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "the level of an interval must be above 0 and below 1, got %g", level);
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* The same for every target. */
static void repeat(const double *quantiles, size_t count, size_t targets, double *levels) {
    for (size_t i = 0; i < targets * count; i++) levels[i] = quantiles[i % count];
}

/* The quantile level below which a share p of the rows was in training, interpolated between
 * thousandths. */
static double level_at(const float *levels, double p) {
    double place = p * (SPF_LEVELS - 1), left = fmin(floor(place), SPF_LEVELS - 2);
    size_t i = (size_t)left;
    return levels[i] + (place - left) * ((double)levels[i + 1] - (double)levels[i]);
}

/* The upper end is the first sample above its level, the lower end the last one below. */
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

sporf_status spf_predict_levels(const sporf_forest *forest, const spf_values *values,
                                unsigned threads, const double *quantiles, size_t count,
                                double *out) {
    double *levels = spf_alloc(forest->targets * count, sizeof *levels);
    if (!levels) return spf_raise_memory();
    if (count > 0) repeat(quantiles, count, forest->targets, levels);
    sporf_status status = spf_predict_quantiles(forest, values, threads, levels, count, out);
    free(levels);
    return status;
}

sporf_status spf_predict_interval(const sporf_forest *forest, const spf_values *values,
                                  unsigned threads, double level, double *out) {
    double *levels = spf_alloc(forest->targets, 2 * sizeof *levels);
    if (!levels) return spf_raise_memory();
    calibrate(forest, level, levels);
    sporf_status status = spf_predict_quantiles(forest, values, threads, levels, 2, out);
    free(levels);
    return status;
}
