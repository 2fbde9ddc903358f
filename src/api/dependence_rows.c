/* Options, rows and features of dependence. */
#include "api/dependence_rows.h"

#include "api/match.h"
#include "api/predict_options.h"
#include "base/rng.h"
#include "base/versioned.h"

#include <math.h>
#include <stdlib.h>

static sporf_status check_options(const sporf_forest *forest,
                                  const sporf_dependence_options *options) {
    double from = options->from, to = options->to;
    if (options->kind > SPORF_DEPENDENCE_ALE)
        return spf_raise(SPORF_ERROR_ARGUMENT, SPF_OPTION("kind") " must be pdp, ice or ale");
    if (options->grid == 1)
        return spf_raise(SPORF_ERROR_ARGUMENT, SPF_OPTION("grid") " must be at least 2, got 1");
    if (!(from >= 0 && from < to && to <= 1) && !(from == 0 && to == 0))
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "the quantiles of a grid must be from 0 to 1, the lower one first, got "
                         "%g and %g",
                         from, to);
    if (options->scores && !spf_is_boosted(forest))
        return spf_raise(SPORF_ERROR_MODEL,
                         "the model is a forest and has no scores: only boosted models have them");
    return SPORF_OK;
}

static sporf_status read_options(const sporf_forest *forest, const sporf_dependence_options *given,
                                 const sporf_hooks *hooks, spf_dependence_rows *r) {
    sporf_predict_options predicting;
    sporf_dependence_options *options = &r->options;
    sporf_dependence_options_init(options);
    sporf_hooks_init(&r->hooks);
    SPF_TRY(spf_versioned_read(given, options, sizeof *options, "sporf_dependence_options_init"));
    SPF_TRY(spf_versioned_read(hooks, &r->hooks, sizeof r->hooks, "sporf_hooks_init"));
    SPF_TRY(check_options(forest, options));
    sporf_predict_options_init(&predicting);
    predicting.combine = options->combine;
    predicting.calibration = options->calibration;
    SPF_TRY(spf_predict_options_resolve(&predicting, &predicting));
    r->curves =
        (spf_curve_options){.how = spf_combining_of(forest, options->combine, options->calibration),
                            .scores = options->scores,
                            .threads = options->threads,
                            .hooks = &r->hooks};
    return SPORF_OK;
}

/* Rows by chance, ascending: each with the share of rows still wanted among those left. */
static void draw(uint64_t seed, size_t rows, size_t count, uint32_t *chosen) {
    sporf_random random = spf_random_start(seed, 0, SPF_USE_DEPENDENCE);
    for (size_t i = 0, have = 0; have < count; i++)
        if (spf_random_below64(&random, rows - i) < count - have) chosen[have++] = (uint32_t)i;
}

static sporf_status take_sample(const sporf_dataset *data, size_t fallback,
                                spf_dependence_rows *r) {
    size_t most = r->options.sample ? r->options.sample : fallback;
    size_t count = most > 0 && most < data->rows ? most : data->rows;
    if (count == 0)
        return spf_raise(SPORF_ERROR_DATA, "the data have no rows to look at predictions for");
    r->rows = spf_alloc(count, sizeof *r->rows);
    if (!r->rows) return spf_raise_memory();
    draw(r->options.seed, data->rows, count, r->rows);
    r->data = data;
    if (count == data->rows) return SPORF_OK;
    SPF_TRY(sporf_dataset_select(data, r->rows, count, &r->sampled));
    r->data = r->sampled;
    return SPORF_OK;
}

static sporf_status check_weights(const sporf_dataset *data) {
    double sum = 0;
    for (size_t i = 0; data->weights && i < data->rows; i++) sum += data->weights[i];
    if (!data->weights || sum > 0) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "all %zu rows have a weight of 0" SPF_HINT "use other rows, or no weights",
                     data->rows);
}

sporf_status spf_dependence_rows_open(const sporf_forest *forest, const sporf_dataset *data,
                                      const sporf_dependence_options *options,
                                      const sporf_hooks *hooks, size_t fallback,
                                      spf_dependence_rows *r) {
    *r = (spf_dependence_rows){0};
    int has_missing = 0;
    SPF_TRY(read_options(forest, options, hooks, r));
    SPF_TRY(take_sample(data, fallback, r));
    SPF_TRY(check_weights(r->data));
    SPF_TRY(spf_match_columns(forest, r->data, &r->columns, &has_missing));
    r->values = (spf_values){r->columns, r->data->rows, has_missing};
    return SPORF_OK;
}

void spf_dependence_rows_close(spf_dependence_rows *r) {
    sporf_dataset_free(r->sampled);
    free(r->rows);
    free(r->columns);
}

sporf_status spf_dependence_features(const sporf_forest *forest, const size_t *features,
                                     size_t count, uint32_t *copies) {
    for (size_t i = 0; i < count; i++) {
        if (features[i] >= forest->features)
            return spf_raise(SPORF_ERROR_ARGUMENT, "there is no feature %zu: the forest has %zu",
                             features[i], forest->features);
        for (size_t j = 0; j < i; j++)
            if (features[j] == features[i])
                return spf_raise(SPORF_ERROR_ARGUMENT, "feature %zu is given twice", features[i]);
        copies[i] = (uint32_t)features[i];
    }
    return SPORF_OK;
}
