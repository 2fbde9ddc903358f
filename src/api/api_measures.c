/* The public functions for measures that need the training data again. */
#include "api/extend.h"
#include "api/params.h"
#include "base/versioned.h"
#include "io/model_file.h"
#include "learn/replay/bag_counts.h"
#include "learn/replay/permutation_importance.h"
#include "learn/replay/strength.h"
#include "model/combine.h"

/* The parameters that the forest records; bags of a user's sampler cannot be drawn again. */
static sporf_status recorded(const sporf_forest *forest, unsigned threads, sporf_params *params) {
    sporf_params all;
    sporf_params_init(&all);
    SPF_TRY(sporf_forest_params(forest, &all));
    all.threads = threads;
    return spf_params_read(&all, params);
}

/* What is measured, and on what. */
typedef struct {
    sporf_measure_options options;
    sporf_strength *strength; /* either this */
    uint32_t *bags;           /* or these */
    double *importances;      /* or these */
    double *standard_errors;
    const sporf_feature_group *groups; /* [groups_count]; NULL: each feature */
    size_t groups_count;
} measuring;

static sporf_status measure_importances(const measuring *m, const spf_oob_replay *replay) {
    spf_feature_groups groups;
    sporf_status status =
        spf_feature_groups_create(m->groups, m->groups_count, replay->forest->features, &groups);
    if (status == SPORF_OK)
        status = spf_permutation_importances(replay, &groups, m->options.seed, m->importances,
                                             m->standard_errors);
    spf_feature_groups_free(&groups);
    return status;
}

static sporf_status measure(const measuring *m, const spf_oob_replay *replay) {
    if (m->strength) return spf_strength(replay, m->strength);
    if (m->bags) return spf_bag_counts(replay, m->bags);
    return measure_importances(m, replay);
}

static sporf_status run_replay(const sporf_forest *forest, const sporf_dataset *data,
                               const sporf_measure_options *options, const sporf_hooks *given,
                               measuring *m) {
    sporf_hooks hooks;
    sporf_params params;
    spf_settings settings;
    spf_oob_replay replay;
    const sporf_sampler none = {0}; /* nothing is drawn but bags */
    sporf_hooks_init(&hooks);
    sporf_measure_options_init(&m->options);
    SPF_TRY(spf_versioned_read(given, &hooks, sizeof hooks, "sporf_hooks_init"));
    SPF_TRY(
        spf_versioned_read(options, &m->options, sizeof m->options, "sporf_measure_options_init"));
    SPF_TRY(spf_check_same_data(forest, data));
    SPF_TRY(recorded(forest, m->options.threads, &params));
    SPF_TRY(spf_model_verify(forest));
    SPF_TRY(spf_settings_of_forest(forest, data, &params, &none, &settings));
    sporf_status status = spf_oob_replay_open(forest, &settings, &hooks, &replay);
    if (status == SPORF_OK) status = measure(m, &replay);
    spf_oob_replay_close(&replay);
    spf_settings_free(&settings);
    return status;
}

static sporf_status refuse_boosted(const char *what) {
    return spf_raise(SPORF_ERROR_MODEL,
                     "%s need the rows that each tree did not see, but the model is boosted: its "
                     "trees depend on all rows",
                     what);
}

sporf_status sporf_forest_strength(const sporf_forest *forest, const sporf_dataset *data,
                                   const sporf_measure_options *options, const sporf_hooks *hooks,
                                   sporf_strength *strength) {
    if (!forest || !data || !strength)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "strength needs a forest, its data and a place for the result");
    if (spf_is_boosted(forest)) return refuse_boosted("strength and correlation");
    if (spf_has_several_labels(forest))
        return spf_raise(SPORF_ERROR_ARGUMENT, "strength and correlation need the votes for one "
                                               "label, but this forest predicts several");
    if (spf_is_regression(forest))
        return spf_raise(
            SPORF_ERROR_ARGUMENT,
            "strength and correlation need the votes for classes, but this is a regression forest");
    if (forest->classes < 2)
        return spf_raise(SPORF_ERROR_DATA, "the forest has only one class; strength and "
                                           "correlation compare the votes for two or more");
    return run_replay(forest, data, options, hooks, &(measuring){.strength = strength});
}

sporf_status sporf_forest_group_importances(const sporf_forest *forest, const sporf_dataset *data,
                                            const sporf_measure_options *options,
                                            const sporf_hooks *hooks,
                                            const sporf_feature_group *groups, size_t count,
                                            double *importances, double *standard_errors) {
    if (!forest || !data || !importances)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "permutation importances need a forest, its data and a place for them");
    if (spf_is_boosted(forest)) return refuse_boosted("permutation importances");
    return run_replay(forest, data, options, hooks,
                      &(measuring){.importances = importances,
                                   .standard_errors = standard_errors,
                                   .groups = groups,
                                   .groups_count = count});
}

sporf_status sporf_forest_permutation_importances(const sporf_forest *forest,
                                                  const sporf_dataset *data,
                                                  const sporf_measure_options *options,
                                                  const sporf_hooks *hooks, double *importances,
                                                  double *standard_errors) {
    return sporf_forest_group_importances(forest, data, options, hooks, NULL, 0, importances,
                                          standard_errors);
}

sporf_status sporf_forest_bags(const sporf_forest *forest, const sporf_dataset *data,
                               const sporf_measure_options *options, const sporf_hooks *hooks,
                               uint32_t *counts) {
    if (!forest || !data || !counts)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "bags need a forest, its data and a place for the counts");
    if (spf_is_boosted(forest)) return refuse_boosted("bags");
    return run_replay(forest, data, options, hooks, &(measuring){.bags = counts});
}
