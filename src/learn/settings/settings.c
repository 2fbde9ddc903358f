/* Values for `auto` parameters, and everything else that follows from parameters and data. */
#include "learn/settings/settings.h"

#include "learn/outcome/outcomes.h"
#include "learn/rows/bag.h"
#include "learn/sampling/scale.h"
#include "learn/sampling/slots.h"
#include "learn/settings/checks.h"
#include "model/decision.h"

#include <stdlib.h>

/* ---- the scale ------------------------------------------------------------------------------- */

/* If standard deviations differ by more than this, features are in different units: without
 * scaling, the widest feature dominates every sum. Otherwise they are left as they are, since equal
 * units, or the same few values in all of them, mean something. */
#define COMMENSURATE 100.0

/* Share of features that may hardly vary, such as pixels at the border of an image. */
#define OUTLYING 0.05

static int compare_floats(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

int spf_scale_is_mixed(const sporf_dataset *data, float *factors) {
    size_t count = 0;
    for (size_t i = 0; i < data->features; i++)
        if (factors[i] != 0 && spf_schema_kind(&data->schema, i) != SPORF_KIND_CATEGORY)
            factors[count++] = factors[i];
    if (count == 0) return 0;
    qsort(factors, count, sizeof *factors, compare_floats);
    size_t aside = (size_t)(OUTLYING * (double)(count - 1));
    return factors[count - 1 - aside] > COMMENSURATE * factors[aside];
}

/* Features that are all bytes, such as the pixels of an image, have one unit, even if some of them
 * hardly vary. */
static sporf_status choose_scale(const sporf_dataset *data, const spf_row_weights *weights,
                                 unsigned threads, sporf_scale *scale) {
    float *factors = spf_alloc(data->features, sizeof *factors);
    sporf_status status = factors
                              ? spf_scale_factors(data, weights, SPORF_SCALE_SD, threads, factors)
                              : spf_raise_memory();
    int mixed = status == SPORF_OK && spf_scale_is_mixed(data, factors), bytes = 0;
    free(factors);
    if (mixed) status = spf_dataset_holds_bytes(data, threads, &bytes);
    *scale = mixed && !bytes ? SPORF_SCALE_SD : SPORF_SCALE_NONE;
    return status;
}

static sporf_status resolve_scale(spf_settings *s) {
    sporf_scale *scale = &s->params.scale;
    if (*scale != SPORF_SCALE_AUTO) return SPORF_OK;
    *scale = s->outcome->scale;
    if (*scale != SPORF_SCALE_AUTO) return SPORF_OK;
    *scale = SPORF_SCALE_NONE;
    if (!s->sampler.traits.mixes_features) return SPORF_OK;
    return choose_scale(s->data, s->weights, s->params.threads, scale);
}

/* ---- amounts --------------------------------------------------------------------------------- */

/* With so few features, a sum of three leaves hardly any out and blurs what a single one shows; the
 * authors' program takes single features here, too. */
enum { FEW_FEATURES = 9 };

/* Defaults that do not depend on the values in the rows. */
static void resolve_options(const sporf_dataset *data, const spf_outcome_kind *outcome,
                            sporf_params *params) {
    const spf_method *method = spf_method_of(params->method);
    int few = outcome->few_terms || data->features <= FEW_FEATURES;
    if (spf_is_auto(params->projections)) params->projections = method->projections;
    if (spf_is_auto(params->density))
        params->density = few ? method->density_of_few : method->density;
    if (params->trees == 0) params->trees = SPORF_TREES_MOST;
    if (params->min_leaf == 0) params->min_leaf = 1;
    if (params->min_split == 0) params->min_split = outcome->min_split;
    params->weights = spf_weights_of(params);
    params->bag = spf_bag_of(params);
    params->bag_fraction = spf_bag_fraction(params->bag, params->bag_fraction);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static sporf_status resolve_method(spf_settings *s) {
    const sporf_dataset *data = s->data;
    int draws_slots = s->method->info.traits.draws_slots;
    SPF_TRY(spf_method_resolve(&s->params, data->features,
                               draws_slots ? spf_slots_count(data) : data->features, &s->sampling));
    s->sampling.shares = spf_bag_has_shares(s->weights, s->params.bag);
    s->sampler = spf_method_sampler(s->method, &s->sampling);
    return SPORF_OK;
}

/* Out-of-bag rows say when the trees are enough. */
static sporf_status check_until_enough(const spf_settings *s) {
    if (!s->until_enough || spf_settings_leave_rows_out(s)) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     SPF_OPTION_AS("trees", "auto") " needs out-of-bag rows, and trees leave none "
                                                    "out here" SPF_HINT
                                                    "give a number of trees, or "
                                                    "use bags (" SPF_OPTION("bag") ")");
}

/* They choose the threshold for a recall, too. */
static sporf_status check_decision(const spf_settings *s) {
    const sporf_params *params = &s->params;
    spf_decision decision;
    sporf_status status =
        spf_decision_read(params->cost, params->recall, &s->data->schema.classes, &decision);
    spf_decision_free(&decision);
    if (status != SPORF_OK || !params->recall) return status;
    if (params->learner == SPORF_LEARNER_BOOSTING)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("recall") " needs out-of-bag rows, which boosting does not "
                                              "have" SPF_HINT "use " SPF_OPTION("cost"));
    if (spf_settings_leave_rows_out(s)) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     SPF_OPTION("recall") " needs out-of-bag rows, and trees leave none out "
                                          "here" SPF_HINT
                                          "use bags (" SPF_OPTION("bag") "), "
                                                                         "or " SPF_OPTION("cost"));
}

/* The rest, once the row weights are known. */
static sporf_status resolve(spf_settings *s) {
    SPF_TRY(resolve_scale(s));
    return s->method ? resolve_method(s) : SPORF_OK;
}

sporf_status spf_settings_create(const sporf_dataset *data, const sporf_params *params,
                                 const sporf_sampler *own, spf_settings *s) {
    const spf_method *method = spf_method_of(params->method);
    *s = (spf_settings){.data = data,
                        .outcome = spf_outcome_kind_of(data),
                        .classes = spf_row_classes_of(data),
                        .params = *params,
                        .given_bag = params->bag,
                        .given_weights = params->weights,
                        .until_enough =
                            params->trees == 0 && params->learner == SPORF_LEARNER_FOREST,
                        .method = own ? NULL : method,
                        .sampler = own ? *own : spf_method_sampler(method, NULL),
                        .weights = &s->made};
    SPF_TRY(spf_check_training(s->outcome, data, params, &s->sampler));
    if (!s->outcome->labelled) s->classes.label = NULL;
    s->leaf = s->outcome->leaf(data);
    resolve_options(data, s->outcome, &s->params);
    SPF_TRY(spf_row_weights_create(data, s->classes, params->class_weights, params->weight_is,
                                   &s->made));
    sporf_status status = resolve(s);
    if (status == SPORF_OK) status = check_until_enough(s);
    if (status == SPORF_OK) status = check_decision(s);
    if (status != SPORF_OK) spf_settings_free(s);
    return status;
}

sporf_status spf_settings_vary(const spf_settings *from, const sporf_params *params,
                               spf_settings *s) {
    *s = *from;
    s->params = *params;
    s->made = (spf_row_weights){0};
    if (params->bag != from->params.bag) s->given_bag = params->bag;
    return resolve(s);
}

sporf_params spf_settings_recorded(const spf_settings *settings) {
    sporf_params params = settings->params;
    params.bag = settings->given_bag;
    params.weights = settings->given_weights;
    return params;
}

int spf_settings_samples(const spf_settings *settings) {
    return settings->outcome->keeps_samples && settings->params.samples == SPORF_SAMPLES_KEEP;
}

int spf_settings_calibrate(const spf_settings *settings) {
    return settings->outcome->keeps_samples ? spf_settings_samples(settings)
                                            : settings->params.calibration == SPORF_CALIBRATE_AUTO;
}

int spf_settings_leave_rows_out(const spf_settings *settings) {
    return spf_bag_leaves_rows_out(settings->classes, settings->weights, settings->params.bag,
                                   settings->params.bag_fraction);
}

void spf_settings_free(spf_settings *settings) {
    spf_row_weights_free(&settings->made);
}
