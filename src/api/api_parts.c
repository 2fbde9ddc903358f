/* The public functions for parts of forests, but for joining them. */
#include "api/api_train.h"
#include "api/params.h"
#include "api/part_list.h"
#include "base/versioned.h"
#include "data/label_columns.h"
#include "data/table_checksum.h"
#include "io/model_file.h"
#include "learn/settings/auto_settings.h"
#include "learn/train.h"

#include <stdlib.h>
#include <string.h>

void sporf_forest_part_free(sporf_forest_part *part) {
    if (!part) return;
    sporf_forest_free(part->forest);
    free(part);
}

/* Takes over the forest. */
static sporf_status wrap(sporf_forest *forest, sporf_forest_part **out) {
    sporf_forest_part *part = spf_alloc(1, sizeof *part);
    if (!part) {
        sporf_forest_free(forest);
        return spf_raise_memory();
    }
    part->forest = forest;
    *out = part;
    return SPORF_OK;
}

/* ---- training -------------------------------------------------------------------------------- */

static sporf_status check_params(const sporf_dataset *data, const sporf_params *params) {
    SPF_TRY(spf_check_one_label(data, "parts of a forest"));
    if (params->learner != SPORF_LEARNER_BOOSTING)
        return spf_params_check_fixed(params, "parts of a forest");
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "a boosted model cannot be grown in parts: each round needs the one before");
}

/* The settings in which nothing is auto; `usual` must live as long. */
static sporf_status settle(const spf_settings *usual, const sporf_params *params,
                           const sporf_hooks *hooks, spf_settings *settled) {
    return spf_auto_serves(usual, params)
               ? spf_auto_settle(usual, params, hooks, spf_train_packed, settled)
               : spf_settings_vary(usual, &usual->params, settled);
}

sporf_status sporf_train_settle(const sporf_dataset *data, const sporf_params *given,
                                const sporf_hooks *given_hooks, sporf_params *out) {
    sporf_params params, result;
    sporf_hooks hooks;
    sporf_sampler own;
    spf_settings usual, settled;
    if (!data || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "settling needs data and a place for the settings");
    SPF_TRY(spf_params_read(given, &params));
    SPF_TRY(spf_params_read(out, &result)); /* that it is initialised */
    SPF_TRY(spf_hooks_read(given_hooks, &hooks, &own));
    SPF_TRY(check_params(data, &params));
    SPF_TRY(spf_settings_create(data, &params, hooks.sampler, &usual));
    sporf_status status = settle(&usual, &params, &hooks, &settled);
    if (status == SPORF_OK) {
        size_t size = out->struct_size; /* of the caller's version */
        result = spf_settings_recorded(&settled);
        memcpy(out, &result, size);
        out->struct_size = size;
    }
    spf_settings_free(&usual);
    return status;
}

static sporf_status check_range(const sporf_params *params, uint32_t first, uint32_t count) {
    if (count > 0 && first < params->trees && count <= params->trees - first) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "a part of %lu trees from tree %lu on does not lie within a forest of %lu",
                     (unsigned long)count, (unsigned long)first + 1, (unsigned long)params->trees);
}

static sporf_status grow(const spf_settings *whole, const sporf_hooks *hooks, uint32_t first,
                         uint32_t count, sporf_forest **out) {
    sporf_forest *forest = NULL;
    sporf_params params = whole->params;
    spf_settings settings;
    params.trees = count;
    SPF_TRY(spf_settings_vary(whole, &params, &settings));
    SPF_TRY(spf_train_part(&settings, hooks, first, &forest));
    forest->part.whole = whole->params.trees;
    return spf_finish_training(whole, hooks, whole->params.trees, forest, out);
}

sporf_status sporf_forest_part_train(const sporf_dataset *data, const sporf_params *given,
                                     const sporf_hooks *given_hooks, uint32_t first, uint32_t count,
                                     sporf_forest_part **out) {
    sporf_params params;
    sporf_hooks hooks;
    sporf_sampler own;
    spf_settings usual, whole;
    sporf_forest *forest = NULL;
    if (!data || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "a part needs data and a place for it");
    SPF_TRY(spf_params_read(given, &params));
    SPF_TRY(spf_hooks_read(given_hooks, &hooks, &own));
    SPF_TRY(check_params(data, &params));
    SPF_TRY(check_range(&params, first, count));
    SPF_TRY(spf_settings_create(data, &params, hooks.sampler, &usual));
    sporf_status status = spf_settings_find_device(&usual);
    if (status == SPORF_OK) status = settle(&usual, &params, &hooks, &whole);
    if (status == SPORF_OK) status = grow(&whole, &hooks, first, count, &forest);
    spf_settings_free(&usual);
    return status == SPORF_OK ? wrap(forest, out) : status;
}

sporf_status sporf_dataset_checksum(const sporf_dataset *data, unsigned threads,
                                    uint64_t *checksum) {
    if (!data || !checksum)
        return spf_raise(SPORF_ERROR_ARGUMENT, "a checksum needs data and a place for it");
    return spf_table_checksum(data, threads, checksum);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A model is not taken for a part. */
static sporf_status refuse_model(const char *name, sporf_forest *forest, sporf_forest_part **out) {
    if (spf_is_part(forest)) return wrap(forest, out);
    sporf_forest_free(forest);
    return spf_raise(SPORF_ERROR_MODEL, "%s is a whole model, not a part of a forest", name);
}

sporf_status sporf_forest_part_save(const sporf_forest_part *part, const char *path) {
    if (!part || !path) return spf_raise(SPORF_ERROR_ARGUMENT, "saving needs a part and a path");
    return spf_model_write(part->forest, path);
}

sporf_status sporf_forest_part_load(const char *path, sporf_forest_part **out) {
    sporf_forest *forest = NULL;
    if (!path || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "loading needs a path and a place for the part");
    SPF_TRY(spf_model_read(path, &forest));
    return refuse_model(path, forest, out);
}

sporf_status sporf_forest_part_save_bytes(const sporf_forest_part *part, void **bytes,
                                          size_t *size) {
    if (!part || !bytes || !size)
        return spf_raise(SPORF_ERROR_ARGUMENT, "saving needs a part and a place for the bytes");
    return spf_model_encode(part->forest, bytes, size);
}

sporf_status sporf_forest_part_load_bytes(const void *bytes, size_t size, sporf_forest_part **out) {
    sporf_forest *forest = NULL;
    if (!bytes || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "loading needs bytes and a place for the part");
    SPF_TRY(spf_model_decode(bytes, size, &forest));
    return refuse_model("the part", forest, out);
}

sporf_status sporf_forest_part_describe(const sporf_forest_part *part,
                                        sporf_forest_part_info *out) {
    sporf_forest_part_info info = {0};
    if (!part || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "a description needs a part and a place for it");
    SPF_TRY(spf_versioned_read(out, &info, sizeof info, "sporf_forest_part_info_init"));
    const spf_forest_part *own = &part->forest->part;
    info.first = own->first;
    info.trees = (uint32_t)part->forest->trees_count;
    info.whole = own->whole;
    info.rows = own->rows;
    info.table = own->table;
    spf_versioned_write(&info, out);
    return SPORF_OK;
}
