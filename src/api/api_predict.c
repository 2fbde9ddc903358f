/* The public functions for prediction. */
#include "api/interval_levels.h"
#include "api/match.h"
#include "api/predict_device.h"
#include "api/predict_options.h"
#include "base/versioned.h"
#include "data/label_columns.h"
#include "model/combine.h"

#include <stdlib.h>

static int wants_classes(const sporf_predictions *out) {
    return out->classes || out->probabilities || out->votes || out->tree_classes;
}

static int wants_quantiles(const sporf_predictions *out) {
    return out->quantile_values || out->quantiles_count > 0;
}

static int wants_interval(const sporf_predictions *out) {
    return out->bounds || out->interval != 0;
}

/* The classes of several labels follow from the values, for which there may be no place. */
static int wants_values(const sporf_predictions *out) {
    return out->values || out->label_classes;
}

static sporf_status raise_missing(void) {
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "prediction needs a forest, data and a place for its results");
}

/* What all models have, and what some have besides classes. */
static int wants_more(const sporf_predictions *out) {
    return wants_values(out) || out->leaves || out->scores || out->tree_leaves;
}

/* Checks that all output arrays are given. */
static sporf_status check_places(const sporf_predictions *out) {
    int some = wants_classes(out) || wants_more(out);
    if (wants_interval(out) && !out->bounds) return raise_missing();
    if (out->quantiles_count > 0 && (!out->quantiles || !out->quantile_values))
        return raise_missing();
    return some || wants_quantiles(out) || wants_interval(out) ? SPORF_OK : raise_missing();
}

/* The trees of a forest vote, those of a boosted model add scores. */
static sporf_status check_learner(const sporf_forest *forest, const sporf_predictions *out) {
    if (out->scores && !spf_is_boosted(forest))
        return spf_raise(SPORF_ERROR_MODEL,
                         "the model is a forest and has no scores: only boosted models have them");
    if ((out->votes || out->tree_classes) && spf_is_boosted(forest))
        return spf_raise(SPORF_ERROR_MODEL, "the model is boosted: its trees add scores and do not "
                                            "vote for classes");
    return SPORF_OK;
}

/* Any model has leaves. */
static sporf_status check_wanted(const sporf_forest *forest, const sporf_predictions *out) {
    SPF_TRY(check_places(out));
    if (wants_classes(out) && spf_is_regression(forest)) return spf_raise_no_class(forest);
    SPF_TRY(check_learner(forest, out));
    if (out->tree_leaves && out->tree >= forest->trees_count)
        return spf_raise(SPORF_ERROR_ARGUMENT, "there is no tree %zu: the forest has %zu",
                         out->tree, forest->trees_count);
    if (out->values) SPF_TRY(spf_check_numbers(forest));
    if (out->label_classes && !spf_has_several_labels(forest))
        return spf_raise(SPORF_ERROR_MODEL, "the model does not predict several labels");
    if (wants_quantiles(out))
        SPF_TRY(spf_check_quantiles(forest, out->quantiles, out->quantiles_count));
    return wants_interval(out) ? spf_check_interval(forest, out->interval) : SPORF_OK;
}

static sporf_status predict(const sporf_forest *forest, const spf_values *values,
                            const sporf_predict_options *options, const sporf_predictions *out) {
    const spf_decision *decision = NULL;
    if (out->classes) SPF_TRY(spf_predict_decision(forest, options, &decision));
    const spf_predictions plain = {
        .classes = out->classes,
        .decision = decision,
        .outputs = spf_is_regression(forest) ? out->values : out->probabilities,
        .scores = out->scores,
        .votes = out->votes,
        .tree_classes = out->tree_classes,
        .leaves = out->leaves,
        .tree_leaves = out->tree_leaves,
        .tree = out->tree,
    };
    if (wants_classes(out) || wants_more(out))
        SPF_TRY(spf_predict_as_asked(forest, values, options, &plain));
    if (wants_quantiles(out))
        SPF_TRY(spf_predict_levels(forest, values, options->threads, out->quantiles,
                                   out->quantiles_count, out->quantile_values));
    if (wants_interval(out))
        SPF_TRY(spf_predict_interval(forest, values, options->threads, out->interval, out->bounds));
    return SPORF_OK;
}

/* Predicts the shares of classes first, and then names the largest of each label. */
static sporf_status predict_labels(const sporf_forest *forest, const spf_values *values,
                                   const sporf_predict_options *options,
                                   const sporf_predictions *wanted) {
    sporf_predictions out = *wanted;
    size_t targets = forest->targets, columns = forest->schema.label_columns.count;
    double *own = out.values ? NULL : spf_alloc(values->rows, targets * sizeof *own);
    if (!out.values && !own) return spf_raise_memory();
    if (own) out.values = own;
    sporf_status status = predict(forest, values, options, &out);
    for (size_t i = 0; status == SPORF_OK && i < values->rows; i++)
        spf_label_columns_decide(&forest->schema, out.values + i * targets,
                                 out.label_classes + i * columns);
    free(own);
    return status;
}

sporf_status sporf_forest_predict(const sporf_forest *forest, const sporf_dataset *data,
                                  const sporf_predict_options *given,
                                  const sporf_predictions *wanted) {
    sporf_predictions out = {.struct_size = sizeof out};
    sporf_predict_options options;
    const float **columns = NULL;
    int has_missing = 0;
    if (!forest || !data) return raise_missing();
    SPF_TRY(spf_versioned_read(wanted, &out, sizeof out, "sporf_predictions_init"));
    SPF_TRY(check_wanted(forest, &out));
    SPF_TRY(spf_predict_options_resolve(given, &options));
    SPF_TRY(spf_match_columns(forest, data, &columns, &has_missing));
    const spf_values values = {columns, data->rows, has_missing};
    sporf_status status = out.label_classes ? predict_labels(forest, &values, &options, &out)
                                            : predict(forest, &values, &options, &out);
    free(columns);
    return status;
}

uint32_t sporf_forest_predict_row(const sporf_forest *forest, const float *row,
                                  sporf_combine combine, double *out) {
    if (!spf_predict_row(forest, row, spf_combining_of(forest, combine, SPORF_CALIBRATE_AUTO), out))
        return SPORF_NO_CLASS;
    return spf_is_regression(forest) ? 0 : spf_decide(&forest->decision, out, forest->classes);
}
