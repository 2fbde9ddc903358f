/* Training, as the world sees it: argument checks around learn/. */
#include "api/auto_settings.h"
#include "api/extend.h"
#include "api/params.h"
#include "base/versioned.h"
#include "io/model_file.h"
#include "learn/growing/profile.h"
#include "learn/resolve.h"
#include "learn/rows/bag.h"
#include "learn/train.h"
#include "predict/pack.h"

#include <string.h>

sporf_bag sporf_params_bag(const sporf_params *params) {
    return spf_bag_of(params);
}

static sporf_status resolve_hooks(const sporf_hooks *given, sporf_hooks *hooks) {
    sporf_hooks_init(hooks);
    SPF_TRY(spf_versioned_read(given, hooks, sizeof *hooks, "sporf_hooks_init"));
    if (hooks->sampler && !hooks->sampler->draw)
        return spf_raise(SPORF_ERROR_ARGUMENT, "the sampler has no draw function");
    return SPORF_OK;
}

static const char *name_of(const sporf_sampler *sampler) {
    if (!sampler) return NULL;
    return sampler->name ? sampler->name : "custom";
}

static sporf_status train(const sporf_dataset *data, const sporf_params *params,
                          const sporf_hooks *hooks, const sporf_forest *given, sporf_forest **out) {
    sporf_forest *forest = NULL;
    SPF_TRY(spf_train(data, params, hooks, given, &forest));
    sporf_params used = *params;
    used.trees = (uint32_t)forest->trees_count; /* fewer when interrupted */
    sporf_status status = spf_params_record(&used, name_of(hooks->sampler), data->targets,
                                            forest->weighted, &forest->settings);
    if (status == SPORF_OK && forest->weighted && data->weight_name)
        status = spf_params_add(SPF_WEIGHT_SETTING, data->weight_name, &forest->settings);
    if (status == SPORF_OK && data->schema.decimal_comma)
        status = spf_params_add(SPF_DECIMAL_SETTING, SPF_DECIMAL_COMMA_VALUE, &forest->settings);
    if (status == SPORF_OK) status = spf_pack(forest);
    if (status != SPORF_OK) {
        sporf_forest_free(forest);
        return status;
    }
    *out = forest;
    return SPORF_OK;
}

/* Trees of the small forest are the first ones: progress and profile are those of all. */
typedef struct {
    const sporf_hooks *hooks;
    size_t trees;
} started;

static void count_on(void *payload, size_t done, size_t trees) {
    const started *s = payload;
    s->hooks->progress(s->hooks->payload, s->trees + done, s->trees + trees);
}

static int ask(void *payload) {
    const started *s = payload;
    return s->hooks->interrupt(s->hooks->payload);
}

static sporf_status go_on(const sporf_dataset *data, const sporf_params *params,
                          const sporf_hooks *hooks, const sporf_forest *pilot, sporf_forest **out) {
    started from = {hooks, pilot ? pilot->trees_count : 0};
    sporf_profile spent = {0};
    sporf_hooks own = {.struct_size = sizeof own,
                       .payload = &from,
                       .progress = hooks->progress ? count_on : NULL,
                       .interrupt = hooks->interrupt ? ask : NULL,
                       .profile = hooks->profile ? &spent : NULL};
    sporf_status status = train(data, params, &own, pilot, out);
    if (hooks->profile) spf_profile_add(hooks->profile, &spent);
    return status;
}

/* Goes on from the small forest whose settings were chosen, unless that has too many trees. */
static sporf_status train_by_pilot(const sporf_dataset *data, sporf_params *params,
                                   const sporf_hooks *hooks, sporf_forest **out) {
    sporf_forest *pilot = NULL;
    SPF_TRY(spf_resolve_scale(data, 0, params));
    if (hooks->profile) *hooks->profile = (sporf_profile){0};
    SPF_TRY(spf_auto_choose(data, hooks, train, params, &pilot));
    int fits = pilot && pilot->trees_count <= params->trees;
    sporf_status status = go_on(data, params, hooks, fits ? pilot : NULL, out);
    sporf_forest_free(pilot);
    return status;
}

sporf_status sporf_forest_train(const sporf_dataset *data, const sporf_params *given,
                                const sporf_hooks *given_hooks, sporf_forest **out) {
    sporf_params params;
    sporf_hooks hooks;
    if (!data || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "training needs data and a place for the forest");
    SPF_TRY(spf_params_resolve(given, data->targets, &params));
    SPF_TRY(resolve_hooks(given_hooks, &hooks));
    if (!hooks.sampler && spf_auto_serves(data, &params))
        return train_by_pilot(data, &params, &hooks, out);
    SPF_TRY(spf_resolve_params(data, hooks.sampler != NULL, &params));
    return train(data, &params, &hooks, NULL, out);
}

sporf_status sporf_forest_extend(const sporf_forest *forest, const sporf_dataset *data,
                                 const sporf_params *given, const sporf_hooks *given_hooks,
                                 sporf_forest **out) {
    sporf_params params;
    sporf_hooks hooks;
    if (!forest || !data || !given || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "growing further needs a forest, its data, "
                                               "parameters and a place for the new forest");
    SPF_TRY(spf_params_resolve(given, data->targets, &params));
    SPF_TRY(spf_params_inherit(forest, &params));
    SPF_TRY(resolve_hooks(given_hooks, &hooks));
    SPF_TRY(spf_weights_inherit(forest, data, &params));
    SPF_TRY(spf_check_extension(forest, data, &params, name_of(hooks.sampler)));
    SPF_TRY(spf_model_verify(forest));
    return train(data, &params, &hooks, forest, out);
}

sporf_status sporf_train_memory(const sporf_dataset *data, const sporf_params *given,
                                uint64_t *bytes) {
    sporf_params params;
    if (!data || !bytes)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "the estimate needs data and a place for the result");
    SPF_TRY(spf_params_resolve(given, data->targets, &params));
    if (spf_auto_serves(data, &params)) spf_auto_bound(data, &params);
    SPF_TRY(spf_resolve_params(data, 0, &params));
    return spf_train_memory(data, &params, bytes);
}

int sporf_train_leaves_rows_out(const sporf_dataset *data, const sporf_params *given) {
    sporf_params params;
    return data && spf_params_resolve(given, data->targets, &params) == SPORF_OK &&
           spf_bag_leaves_rows_out(data, &params);
}

int sporf_train_chooses(const sporf_dataset *data, const sporf_params *given) {
    sporf_params params;
    return data && spf_params_resolve(given, data->targets, &params) == SPORF_OK &&
           spf_auto_serves(data, &params);
}

sporf_status sporf_train_amounts(const sporf_dataset *data, const sporf_params *given,
                                 sporf_amounts *amounts) {
    sporf_params params;
    if (!data || !amounts)
        return spf_raise(SPORF_ERROR_ARGUMENT, "the amounts need data and a place for the result");
    SPF_TRY(spf_params_resolve(given, data->targets, &params));
    spf_resolve_amounts(data, &params);
    return spf_train_amounts(data, &params, amounts);
}
