/* Compares data and settings with those that a forest was trained with. */
#include "api/extend.h"

#include "api/params.h"
#include "base/text.h"
#include "data/targets.h"
#include "model/combine.h"

#include <stdio.h>
#include <string.h>

static const char WEIGHT_IS[] = "weight-is"; /* only if row weights differed */

/* ---- settings -------------------------------------------------------------------------------- */

static sporf_status check_learner(const sporf_forest *forest, const sporf_params *params) {
    int boosted = spf_is_boosted(forest);
    if (boosted == (params->learner == SPORF_LEARNER_BOOSTING)) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT, boosted
                                               ? "the model is boosted: it grows by rounds, and "
                                                 "trees can only be added to a forest"
                                               : "the model is a forest: it grows by trees, "
                                                 "and rounds can only be added to a boosted "
                                                 "model");
}

static sporf_status check_rounds(const sporf_forest *forest, const sporf_params *params) {
    size_t rounds = spf_boosting_rounds(forest);
    if (params->rounds >= rounds) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     SPF_OPTION("rounds") " is %lu, but the model already has %zu rounds" SPF_HINT
                                          "give the total, at least as many",
                     (unsigned long)params->rounds, rounds);
}

static sporf_status check_trees(const sporf_forest *forest, const sporf_params *params) {
    if (spf_is_boosted(forest)) return check_rounds(forest, params);
    if (params->trees == 0 || params->trees >= forest->trees_count) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     SPF_OPTION("trees") " is %lu, but the forest already has %zu trees" SPF_HINT
                                         "give the total, at least as many",
                     (unsigned long)params->trees, forest->trees_count);
}

static sporf_status check_sampler(const sporf_forest *forest, const char *sampler) {
    const char *was = spf_strings_value(&forest->settings, SPF_SAMPLER_SETTING);
    char grown[SPF_NAME_TEXT_MAX], given[SPF_NAME_TEXT_MAX];
    if (!was && !sampler) return SPORF_OK;
    if (was && sampler && strcmp(was, sampler) == 0) return SPORF_OK;
    if (!was)
        return spf_raise(
            SPORF_ERROR_ARGUMENT,
            "the forest was grown by a method of the library, not by the sampler '%s'" SPF_HINT
            "leave the sampler out",
            spf_name_text(sampler, given));
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "the forest was grown by the sampler '%s' of a program, and only that "
                     "sampler can add trees; the one given is %s",
                     spf_name_text(was, grown),
                     sampler ? spf_named("'", sampler, "'", given) : "none");
}

/* Settings that describe the training table. */
static int is_of_table(const char *name) {
    return strcmp(name, SPF_WEIGHT_SETTING) == 0 || strcmp(name, SPF_DECIMAL_SETTING) == 0;
}

/* Settings that may differ, or are compared separately. */
static int is_apart(const char *name) {
    return strcmp(name, "trees") == 0 || strcmp(name, "rounds") == 0 ||
           strcmp(name, SPF_STOPPED_SETTING) == 0 || strcmp(name, SPF_LOSS_SETTING) == 0 ||
           strcmp(name, SPF_THRESHOLD_SETTING) == 0 || is_of_table(name);
}

/* The same, or its default if it is not recorded. */
static const char *recorded(const spf_strings *settings, const char *name) {
    const char *value = spf_strings_value(settings, name);
    return value ? value : spf_params_unrecorded(name);
}

/* A file may come from a version with other settings. */
static sporf_status compare_setting(const sporf_forest *forest, const char *name,
                                    const char *value) {
    const char *was = recorded(&forest->settings, name);
    char now[SPF_NAME_TEXT_MAX], then[SPF_NAME_TEXT_MAX];
    if (is_apart(name) || (was && value && strcmp(was, value) == 0)) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     SPF_OPTION("%s") " is %s, but the %s was grown with %s: %s can only be added "
                                      "with the same settings",
                     name, value ? spf_name_text(value, now) : "not known here",
                     spf_is_boosted(forest) ? "model" : "forest",
                     was ? spf_name_text(was, then) : "no such setting",
                     spf_is_boosted(forest) ? "rounds" : "trees");
}

static sporf_status compare_settings(const sporf_forest *forest, const spf_strings *wanted) {
    for (size_t i = 0; i + 1 < wanted->count; i += 2)
        SPF_TRY(compare_setting(forest, spf_strings_at(wanted, i), spf_strings_at(wanted, i + 1)));
    for (size_t i = 0; i + 1 < forest->settings.count; i += 2) {
        const char *name = spf_strings_at(&forest->settings, i);
        SPF_TRY(compare_setting(forest, name, recorded(wanted, name)));
    }
    return SPORF_OK;
}

static sporf_status check_settings(const sporf_forest *forest, const sporf_params *params,
                                   const char *sampler) {
    spf_strings wanted = {0};
    SPF_TRY(check_sampler(forest, sampler));
    int weighted = spf_strings_value(&forest->settings, WEIGHT_IS) != NULL;
    sporf_status status = spf_params_record(params, sampler, forest->targets, weighted, &wanted);
    if (status == SPORF_OK) status = compare_settings(forest, &wanted);
    spf_strings_free(&wanted);
    return status;
}

static int is_auto(const sporf_params *params, const char *name) {
    char value[8];
    return sporf_params_get(params, name, value, sizeof value) == SPORF_OK &&
           strcmp(value, "auto") == 0;
}

sporf_status spf_params_inherit(const sporf_forest *forest, sporf_params *params) {
    static const char *const names[] = {"projections", "density", "min-split",    "min-leaf",
                                        "scale",       "bag",     "bag-fraction", "rate",
                                        "subsample",   "bags",    "loss"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *was = spf_strings_value(&forest->settings, names[i]);
        if (was && is_auto(params, names[i])) SPF_TRY(sporf_params_set(params, names[i], was));
    }
    const char *depth = spf_strings_value(&forest->settings, "max-depth");
    if (spf_is_boosted(forest) && depth && params->max_depth == 0 && params->max_leaves == 0)
        SPF_TRY(sporf_params_set(params, "max-depth", depth));
    return SPORF_OK;
}

sporf_status spf_settings_of_forest(const sporf_forest *forest, const sporf_dataset *data,
                                    const sporf_params *given, const sporf_sampler *own,
                                    spf_settings *settings) {
    sporf_params params = *given;
    int recorded = spf_strings_value(&forest->settings, WEIGHT_IS) != NULL;
    if (!recorded) params.weight_is = SPORF_WEIGHT_RELATIVE;
    SPF_TRY(spf_settings_create(data, &params, own, settings));
    if (recorded || !settings->weights->units) return SPORF_OK;
    spf_settings_free(settings);
    params.weight_is = SPORF_WEIGHT_COUNT;
    return spf_settings_create(data, &params, own, settings);
}

/* Settings that are not recorded have their defaults. */
static sporf_status set_unrecorded(sporf_params *params) {
    for (size_t i = 0; sporf_option_at(i); i++) {
        const char *name = sporf_option_at(i)->name, *value = spf_params_unrecorded(name);
        if (value) SPF_TRY(sporf_params_set(params, name, value));
    }
    return SPORF_OK;
}

sporf_status sporf_forest_params(const sporf_forest *forest, sporf_params *params) {
    sporf_params all;
    if (!forest || !params)
        return spf_raise(SPORF_ERROR_ARGUMENT, "the settings of a forest need a forest and params");
    SPF_TRY(spf_params_read(params, &all));
    SPF_TRY(set_unrecorded(&all));
    size_t size = params->struct_size; /* of the caller's version */
    for (size_t i = 0; i + 1 < forest->settings.count; i += 2) {
        const char *name = spf_strings_at(&forest->settings, i);
        if (strcmp(name, SPF_SAMPLER_SETTING) != 0 && strcmp(name, SPF_LOSS_SETTING) != 0 &&
            strcmp(name, SPF_STOPPED_SETTING) != 0 && strcmp(name, SPF_THRESHOLD_SETTING) != 0 &&
            !is_of_table(name))
            SPF_TRY(sporf_params_set(&all, name, spf_strings_at(&forest->settings, i + 1)));
    }
    memcpy(params, &all, size);
    params->struct_size = size;
    return SPORF_OK;
}

/* ---- data ------------------------------------------------------------------------------------ */

/* An item of a list in quotes, or a text that there is none. */
static const char *show(const spf_strings *list, size_t index, char out[SPF_NAME_TEXT_MAX]) {
    return index < list->count ? spf_named("'", spf_strings_at(list, index), "'", out) : "none";
}

static sporf_status compare_lists(const char *what, const char *of, const spf_strings *was,
                                  const spf_strings *is) {
    size_t i = spf_strings_mismatch(was, is);
    char then[SPF_NAME_TEXT_MAX], now[SPF_NAME_TEXT_MAX];
    if (spf_strings_equal(was, is)) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     SPF_NUMBERED "%s%s is %s in the data, but %s in the forest" SPF_HINT
                                  "give the data that it was trained on",
                     what, i + 1, *of ? " of " : "", of, show(is, i, now), show(was, i, then));
}

static const char *kind_word(sporf_kind kind) {
    return kind == SPORF_KIND_NUMBER     ? "numbers"
           : kind == SPORF_KIND_CATEGORY ? "categories"
                                         : "levels with an order";
}

enum { FEATURE_WORDS_MAX = 2 * SPF_NAME_TEXT_MAX };

/* "feature 3 ('colour')" */
static const char *feature_words(const sporf_dataset *data, size_t feature,
                                 char out[FEATURE_WORDS_MAX]) {
    const char *name = sporf_schema_feature_name(sporf_dataset_schema(data), feature);
    char shown[SPF_NAME_TEXT_MAX];
    snprintf(out, FEATURE_WORDS_MAX, SPF_FEATURE "%s", feature + 1,
             spf_named(" ('", name, "')", shown));
    return out;
}

static sporf_status compare_feature(const sporf_forest *forest, const sporf_dataset *data,
                                    size_t feature) {
    sporf_kind was = spf_schema_kind(&forest->schema, feature);
    sporf_kind is = spf_schema_kind(&data->schema, feature);
    char of[FEATURE_WORDS_MAX];
    const char *example;
    size_t unknown = sporf_dataset_unknown_levels(data, feature, &example);
    if (was != is)
        return spf_raise(SPORF_ERROR_DATA,
                         "%s has %s in the data, but %s in the forest" SPF_HINT
                         "give the data that it was trained on",
                         feature_words(data, feature, of), kind_word(is), kind_word(was));
    if (unknown > 0)
        return spf_raise(SPORF_ERROR_DATA,
                         "%s has %zu cells with a level that the forest does not know, such as "
                         "'%s'" SPF_HINT "give the data that it was trained on",
                         feature_words(data, feature, of), unknown, example);
    if (was == SPORF_KIND_NUMBER) return SPORF_OK;
    return compare_lists("level", feature_words(data, feature, of), &forest->schema.levels[feature],
                         &data->schema.levels[feature]);
}

static sporf_status compare_targets(const sporf_forest *forest, const sporf_dataset *data) {
    spf_strings names = {0};
    if (data->schema.target_names.count > 0)
        return compare_lists("target", "", &forest->schema.target_names,
                             &data->schema.target_names);
    sporf_status status = spf_targets_name(data->targets, &names);
    if (status == SPORF_OK)
        status = compare_lists("target", "", &forest->schema.target_names, &names);
    spf_strings_free(&names);
    return status;
}

static sporf_status check_outcome(const sporf_forest *forest, const sporf_dataset *data) {
    int is_regression = spf_is_regression(forest);
    if (is_regression != (data->targets > 0))
        return spf_raise(SPORF_ERROR_DATA,
                         "the forest predicts %s" SPF_HINT "give the data that it was trained on",
                         is_regression ? "numbers, but the data have none"
                                       : "classes, but the data have targets");
    SPF_TRY(compare_lists("label", "", &forest->schema.label_columns, &data->schema.label_columns));
    return is_regression
               ? compare_targets(forest, data)
               : compare_lists("class", "", &forest->schema.classes, &data->schema.classes);
}

/* Without the weights the bags would differ, which their errors hardly show. */
static sporf_status check_weights(const sporf_forest *forest, const sporf_dataset *data) {
    const char *name = spf_strings_value(&forest->settings, SPF_WEIGHT_SETTING);
    const char *of_classes = spf_strings_value(&forest->settings, "class-weights");
    char column[SPF_NAME_TEXT_MAX];
    int weighted = name || (spf_strings_value(&forest->settings, WEIGHT_IS) &&
                            (!of_classes || strcmp(of_classes, "none") == 0));
    if (!weighted || data->weights) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "the forest was trained with row weights%s, but the data have none" SPF_HINT
                     "give the same weights (" SPF_OPTION("weight") ")",
                     spf_named(" (column '", name, "')", column));
}

sporf_status spf_check_same_data(const sporf_forest *forest, const sporf_dataset *data) {
    if (forest->features != data->features)
        return spf_raise(SPORF_ERROR_DATA,
                         "the data have %zu features, but the forest has %zu" SPF_HINT
                         "give the data that it was trained on",
                         data->features, forest->features);
    SPF_TRY(compare_lists("feature", "", &forest->schema.names, &data->schema.names));
    for (size_t j = 0; j < data->features; j++) SPF_TRY(compare_feature(forest, data, j));
    SPF_TRY(check_outcome(forest, data));
    return check_weights(forest, data);
}

/* A user's loss is recognised by its name. */
sporf_status spf_check_loss(const sporf_forest *forest, const char *loss) {
    const char *was = spf_strings_value(&forest->settings, SPF_LOSS_SETTING);
    char then[SPF_NAME_TEXT_MAX], now[SPF_NAME_TEXT_MAX];
    if (was ? loss && strcmp(was, loss) == 0 : !loss) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "the model was boosted with %s%s, and rounds can only be added with the same "
                     "loss; given is %s%s",
                     was ? "the loss of a program, " : "a loss of the library",
                     was ? spf_name_text(was, then) : "", loss ? "the loss of a program, " : "none",
                     loss ? spf_name_text(loss, now) : "");
}

sporf_status spf_check_extension(const sporf_forest *forest, const sporf_dataset *data,
                                 const sporf_params *params, const char *sampler) {
    SPF_TRY(check_learner(forest, params));
    SPF_TRY(check_trees(forest, params));
    SPF_TRY(spf_check_same_data(forest, data));
    return check_settings(forest, params, sampler);
}
