/* The public functions for training: argument checks around learn/. */
#include "api/api_train.h"
#include "api/api_decide.h"
#include "api/boost_valid.h"
#include "api/extend.h"
#include "api/params.h"
#include "base/system.h"
#include "base/versioned.h"
#include "gpu/gpu.h"
#include "io/model_file.h"
#include "learn/boosting/boost.h"
#include "learn/boosting/boost_defaults.h"
#include "learn/boosting/boost_memory.h"
#include "learn/settings/auto_settings.h"
#include "learn/train.h"
#include "predict/pack.h"

#include <math.h>
#include <string.h>

/* Traits have the size in their struct_size; 0 means none. */
static sporf_status read_sampler(const sporf_sampler *given, sporf_sampler *sampler) {
    *sampler = (sporf_sampler){.name = given->name,
                               .payload = given->payload,
                               .prepare = given->prepare,
                               .draw = given->draw,
                               .finish = given->finish};
    if (!sampler->draw) return spf_raise(SPORF_ERROR_ARGUMENT, "the sampler has no draw function");
    if (given->traits.struct_size == 0) return SPORF_OK;
    SPF_TRY(spf_versioned_read(&given->traits, &sampler->traits, sizeof sampler->traits,
                               "sizeof(sporf_traits)"));
    if (sampler->traits.draws_slots && !sampler->traits.ignores_rows)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "a sampler that draws slots sees no columns: set ignores_rows, too");
    return SPORF_OK;
}

sporf_status spf_hooks_read(const sporf_hooks *given, sporf_hooks *hooks, sporf_sampler *sampler) {
    sporf_hooks_init(hooks);
    SPF_TRY(spf_versioned_read(given, hooks, sizeof *hooks, "sporf_hooks_init"));
    if (!hooks->sampler) return SPORF_OK;
    SPF_TRY(read_sampler(hooks->sampler, sampler));
    hooks->sampler = sampler;
    return SPORF_OK;
}

static const char *name_of(const sporf_sampler *sampler) {
    if (!sampler) return NULL;
    return sampler->name ? sampler->name : "custom";
}

static const char *name_of_loss(const sporf_user_loss *loss) {
    if (!loss) return NULL;
    return loss->name ? loss->name : "custom";
}

static sporf_status record(const spf_settings *settings, const sporf_hooks *hooks, uint32_t trees,
                           sporf_forest *forest) {
    const sporf_dataset *data = settings->data;
    spf_strings *recorded = &forest->settings;
    sporf_params used = spf_settings_recorded(settings);
    if (!spf_is_boosted(forest)) used.trees = trees;
    SPF_TRY(spf_params_record(&used, name_of(hooks->sampler), forest->targets, forest->weighted,
                              recorded));
    if (spf_is_boosted(forest) && hooks->loss)
        SPF_TRY(spf_params_add(SPF_LOSS_SETTING, name_of_loss(hooks->loss), recorded));
    if (forest->weighted && data->weight_name)
        SPF_TRY(spf_params_add(SPF_WEIGHT_SETTING, data->weight_name, recorded));
    if (forest->stopped && strcmp(forest->stopped, SPF_STOPPED_INTERRUPT) != 0)
        SPF_TRY(spf_params_add(SPF_STOPPED_SETTING, forest->stopped, recorded));
    if (data->schema.decimal_comma)
        SPF_TRY(spf_params_add(SPF_DECIMAL_SETTING, SPF_DECIMAL_COMMA_VALUE, recorded));
    return SPORF_OK;
}

sporf_status spf_finish_training(const spf_settings *settings, const sporf_hooks *hooks,
                                 uint32_t trees, sporf_forest *forest, sporf_forest **out) {
    const sporf_params *params = &settings->params;
    sporf_status status = record(settings, hooks, trees, forest);
    if (status == SPORF_OK)
        status = spf_decision_read(params->cost, params->recall, &forest->schema.classes,
                                   &forest->decision);
    if (status == SPORF_OK) status = spf_pack(forest, params->threads);
    if (status != SPORF_OK) {
        sporf_forest_free(forest);
        return status;
    }
    *out = forest;
    return SPORF_OK;
}

/* An interrupted training has fewer trees than its settings say. */
sporf_status spf_train_packed(const spf_settings *settings, const sporf_hooks *hooks,
                              const sporf_forest *given, sporf_forest **out) {
    sporf_forest *forest = NULL;
    SPF_TRY(spf_train(settings, hooks, given, &forest));
    return spf_finish_training(settings, hooks, (uint32_t)forest->trees_count, forest, out);
}

sporf_status spf_settings_find_device(spf_settings *settings) {
    sporf_device wish = settings->params.device;
    const char *why = NULL;
    if (wish == SPORF_DEVICE_CPU) return SPORF_OK;
    settings->device = spf_gpu(&why);
    if (settings->device || wish == SPORF_DEVICE_AUTO) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DEVICE,
                     SPF_OPTION_AS("device", "gpu") ": %s" SPF_HINT "use " SPF_OPTION_AS(
                         "device", "cpu") ", or " SPF_OPTION_AS("device", "auto"),
                     why);
}

/* The time of spf_system_clock at which a training that starts now is to end; 0: none. */
static int64_t deadline_of(const sporf_params *params) {
    if (params->time == 0) return 0;
    return spf_system_clock() + (int64_t)(1e9 * params->time);
}

/* Trains a boosted model, or adds rounds to a given one. */
static sporf_status boost(const sporf_dataset *data, const sporf_params *given,
                          const sporf_hooks *hooks, const sporf_forest *forest,
                          sporf_forest **out) {
    sporf_params params = *given;
    spf_settings settings;
    spf_matched_valid valid;
    int64_t deadline = deadline_of(given);
    SPF_TRY(spf_params_check_no_gpu(given, "boosted models"));
    spf_boost_defaults(data, hooks->valid != NULL, &params);
    SPF_TRY(spf_settings_create(data, &params, hooks->sampler, &settings));
    settings.deadline = deadline;
    sporf_status status = spf_matched_valid_create(data, hooks->valid, &params, &valid);
    if (status == SPORF_OK) {
        sporf_forest *made = NULL;
        status = spf_boost(&settings, &valid.view, hooks, forest, &made);
        if (status == SPORF_OK) status = spf_finish_training(&settings, hooks, 0, made, out);
        spf_matched_valid_free(&valid);
    }
    spf_settings_free(&settings);
    return status;
}

/* The last step of a training. */
static sporf_status decide(const sporf_dataset *data, sporf_forest **forest) {
    sporf_status status = spf_choose_threshold(data, *forest);
    if (status == SPORF_OK) return SPORF_OK;
    sporf_forest_free(*forest);
    *forest = NULL;
    return status;
}

sporf_status sporf_forest_train(const sporf_dataset *data, const sporf_params *given,
                                const sporf_hooks *given_hooks, sporf_forest **out) {
    sporf_params params;
    sporf_hooks hooks;
    sporf_sampler own;
    spf_settings settings;
    if (!data || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "training needs data and a place for the forest");
    SPF_TRY(spf_params_read(given, &params));
    SPF_TRY(spf_hooks_read(given_hooks, &hooks, &own));
    if (params.learner == SPORF_LEARNER_BOOSTING) return boost(data, &params, &hooks, NULL, out);
    int64_t deadline = deadline_of(&params);
    SPF_TRY(spf_settings_create(data, &params, hooks.sampler, &settings));
    settings.deadline = deadline;
    sporf_status status = spf_settings_find_device(&settings);
    if (status == SPORF_OK)
        status = spf_auto_serves(&settings, &params)
                     ? spf_auto_train(&settings, &params, &hooks, spf_train_packed, out)
                     : spf_train_packed(&settings, &hooks, NULL, out);
    spf_settings_free(&settings);
    return status == SPORF_OK ? decide(data, out) : status;
}

sporf_status sporf_forest_extend(const sporf_forest *forest, const sporf_dataset *data,
                                 const sporf_params *given, const sporf_hooks *given_hooks,
                                 sporf_forest **out) {
    sporf_params params;
    sporf_hooks hooks;
    sporf_sampler own;
    spf_settings settings;
    if (!forest || !data || !given || !out)
        return spf_raise(
            SPORF_ERROR_ARGUMENT,
            "adding trees needs a forest, its data, parameters and a place for the new forest");
    SPF_TRY(spf_params_read(given, &params));
    SPF_TRY(spf_params_inherit(forest, &params));
    SPF_TRY(spf_hooks_read(given_hooks, &hooks, &own));
    SPF_TRY(spf_check_extension(forest, data, &params, name_of(hooks.sampler)));
    SPF_TRY(spf_model_verify(forest));
    if (spf_is_boosted(forest)) {
        SPF_TRY(spf_check_loss(forest, name_of_loss(hooks.loss)));
        return boost(data, &params, &hooks, forest, out);
    }
    int64_t deadline = deadline_of(&params);
    SPF_TRY(spf_settings_of_forest(forest, data, &params, hooks.sampler, &settings));
    settings.deadline = deadline;
    if (settings.params.trees < forest->trees_count) /* only if it is auto */
        settings.params.trees = (uint32_t)forest->trees_count;
    sporf_status status = spf_settings_find_device(&settings);
    if (status == SPORF_OK) status = spf_train_packed(&settings, &hooks, forest, out);
    spf_settings_free(&settings);
    return status == SPORF_OK ? decide(data, out) : status;
}

/* What pilot forests choose is not known. */
static void preview_amounts(const spf_settings *settings, const sporf_params *params,
                            sporf_preview *preview) {
    const spf_sampler_settings *sampling = &settings->sampling;
    preview->features = sampling->features;
    preview->projections = preview->chooses ? 0 : sampling->projections;
    preview->nonzeros = preview->chooses && spf_is_auto(params->density) ? NAN : sampling->nonzeros;
}

/* If pilot forests choose settings, the memory is that of the largest ones. */
static sporf_status preview_training(const spf_settings *usual, const sporf_params *params,
                                     sporf_preview *preview) {
    spf_settings changed;
    const spf_settings *settings = usual;
    preview->chooses = spf_auto_searches(usual, params);
    if (spf_auto_serves(usual, params)) {
        SPF_TRY(preview->chooses ? spf_auto_bound(usual, params, &changed)
                                 : spf_auto_first(usual, params, &changed));
        settings = &changed;
    }
    preview->bag = settings->params.bag;
    preview_amounts(settings, params, preview);
    preview->memory = spf_train_memory(settings);
    return SPORF_OK;
}

static sporf_status preview_boosting(const sporf_dataset *data, const sporf_params *given,
                                     sporf_preview *preview) {
    sporf_params params = *given;
    spf_settings settings;
    spf_boost_defaults(data, 0, &params);
    SPF_TRY(spf_settings_create(data, &params, NULL, &settings));
    preview->bag = settings.params.bag;
    preview->leaves_rows_out = 0;
    preview_amounts(&settings, &params, preview);
    preview->memory = spf_boost_memory(&settings, 0);
    spf_settings_free(&settings);
    return SPORF_OK;
}

sporf_status sporf_train_preview(const sporf_dataset *data, const sporf_params *given,
                                 sporf_preview *out) {
    sporf_params params;
    spf_settings settings;
    sporf_preview preview = {0};
    if (!data || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "a preview needs data and a place for the result");
    SPF_TRY(spf_versioned_read(out, &preview, sizeof preview, "sporf_preview_init"));
    SPF_TRY(spf_params_read(given, &params));
    if (params.learner == SPORF_LEARNER_BOOSTING) {
        SPF_TRY(preview_boosting(data, &params, &preview));
        spf_versioned_write(&preview, out);
        return SPORF_OK;
    }
    /* Choosing a scale reads every cell, and a preview does not depend on it. */
    if (params.scale == SPORF_SCALE_AUTO) params.scale = SPORF_SCALE_NONE;
    SPF_TRY(spf_settings_create(data, &params, NULL, &settings));
    preview.bag = settings.params.bag;
    preview.leaves_rows_out = spf_settings_leave_rows_out(&settings);
    sporf_status status = preview_training(&settings, &params, &preview);
    if (status == SPORF_OK) spf_versioned_write(&preview, out);
    spf_settings_free(&settings);
    return status;
}
