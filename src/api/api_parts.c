/* The public functions for parts of forests. */
#include "api/api_train.h"
#include "api/extend.h"
#include "api/params.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/versioned.h"
#include "data/table_checksum.h"
#include "io/model_file.h"
#include "learn/replay/join.h"
#include "learn/replay/part_rows.h"
#include "learn/settings/auto_settings.h"
#include "learn/train.h"
#include "predict/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sporf_forest_part {
    sporf_forest *forest;
};

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

static sporf_status refuse_boosting(const sporf_params *params) {
    if (params->learner != SPORF_LEARNER_BOOSTING) return SPORF_OK;
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
    SPF_TRY(refuse_boosting(&params));
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
    SPF_TRY(refuse_boosting(&params));
    SPF_TRY(check_range(&params, first, count));
    SPF_TRY(spf_settings_create(data, &params, hooks.sampler, &usual));
    sporf_status status = settle(&usual, &params, &hooks, &whole);
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

/* ---- joining --------------------------------------------------------------------------------- */

/* Parts in the order of their trees, and how messages call them. */
typedef struct {
    const sporf_forest **parts; /* [count] */
    size_t *given;              /* [count]: the place of each among those given */
    const char *const *names;
    size_t count;
} ordered;

typedef char part_name[SPF_NAME_TEXT_MAX];

static const char *name_of(const ordered *o, size_t i, part_name text) {
    if (o->names) return spf_name_text(o->names[o->given[i]], text);
    snprintf(text, sizeof(part_name), "part %zu", o->given[i] + 1);
    return text;
}

static sporf_status order_parts(const sporf_forest_part *const *parts, ordered *o) {
    uint64_t *keys = spf_alloc(o->count, 2 * sizeof *keys);
    o->parts = spf_alloc(o->count, sizeof *o->parts);
    o->given = spf_alloc(o->count, sizeof *o->given);
    if (!keys || !o->parts || !o->given) {
        free(keys);
        return spf_raise_memory();
    }
    for (size_t i = 0; i < o->count; i++)
        keys[i] = (uint64_t)parts[i]->forest->part.first << 32 | i;
    spf_sort_keys(keys, keys + o->count, o->count);
    for (size_t i = 0; i < o->count; i++) {
        o->given[i] = (uint32_t)keys[i];
        o->parts[i] = parts[o->given[i]]->forest;
    }
    free(keys);
    return SPORF_OK;
}

static unsigned long last_tree(const sporf_forest *forest) {
    return (unsigned long)(forest->part.first + forest->trees_count);
}

static sporf_status check_version(const ordered *o, size_t i) {
    part_name name, version;
    if (strcmp(o->parts[i]->part.version, SPORF_VERSION) == 0) return SPORF_OK;
    return spf_raise(SPORF_ERROR_MODEL,
                     "%s was grown by sporf %s, and this is sporf " SPORF_VERSION SPF_HINT
                     "grow and join all parts with one version",
                     name_of(o, i, name), spf_name_text(o->parts[i]->part.version, version));
}

static int same_levels(const sporf_schema *a, const sporf_schema *b, size_t features) {
    for (size_t j = 0; j < features; j++)
        if (spf_schema_kind(a, j) != spf_schema_kind(b, j) ||
            spf_schema_levels(a, j) != spf_schema_levels(b, j) ||
            (spf_schema_levels(a, j) > 0 && !spf_strings_equal(&a->levels[j], &b->levels[j])))
            return 0;
    return 1;
}

static int same_array(const void *a, const void *b, size_t bytes) {
    return a && b ? memcmp(a, b, bytes) == 0 : !a && !b;
}

/* Whether two parts tell the same of their table: what they say of its checksum is not enough for
 * parts of unknown origin. Sizes are the same. */
static int same_table(const sporf_forest *a, const sporf_forest *b) {
    size_t rows = a->part.rows;
    return a->part.table == b->part.table && a->classes == b->classes && a->targets == b->targets &&
           a->keeps_samples == b->keeps_samples &&
           spf_strings_equal(&a->schema.names, &b->schema.names) &&
           spf_strings_equal(&a->schema.classes, &b->schema.classes) &&
           spf_strings_equal(&a->schema.target_names, &b->schema.target_names) &&
           same_levels(&a->schema, &b->schema, a->features) &&
           same_array(a->scale, b->scale, a->features * sizeof *a->scale) &&
           same_array(a->part.labels, b->part.labels, rows * sizeof *a->part.labels) &&
           same_array(a->part.values, b->part.values, a->targets * rows * sizeof *a->part.values) &&
           same_array(a->part.weights, b->part.weights, rows * sizeof *a->part.weights);
}

static sporf_status check_table(const ordered *o, size_t i) {
    const sporf_forest *a = o->parts[0], *b = o->parts[i];
    part_name one, other;
    if (a->part.rows != b->part.rows || a->features != b->features)
        return spf_raise(SPORF_ERROR_DATA,
                         "%s was grown on %zu rows and %zu features, %s on %zu rows and %zu "
                         "features",
                         name_of(o, 0, one), a->part.rows, a->features, name_of(o, i, other),
                         b->part.rows, b->features);
    if (same_table(a, b)) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "%s and %s were grown on different tables" SPF_HINT
                     "all parts need the same rows in the same order, with the same columns, "
                     "labels and weights",
                     name_of(o, 0, one), name_of(o, i, other));
}

/* The text at a place of a list of settings. */
static const char *setting_at(const spf_strings *settings, size_t index, part_name text) {
    if (index >= settings->count) return "nothing";
    return spf_name_text(spf_strings_at(settings, index), text);
}

static sporf_status check_settings(const ordered *o, size_t i) {
    const spf_strings *a = &o->parts[0]->settings, *b = &o->parts[i]->settings;
    part_name one, other, was[2], is[2];
    size_t at = spf_strings_mismatch(a, b) / 2 * 2;
    if (!spf_strings_equal(a, b))
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "%s was grown with %s %s, %s with %s %s" SPF_HINT
                         "settle the settings once, for all parts",
                         name_of(o, 0, one), setting_at(a, at, was[0]),
                         setting_at(a, at + 1, was[1]), name_of(o, i, other),
                         setting_at(b, at, is[0]), setting_at(b, at + 1, is[1]));
    if (o->parts[0]->part.whole == o->parts[i]->part.whole) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT, "%s is of a forest of %lu trees, %s of %lu",
                     name_of(o, 0, one), (unsigned long)o->parts[0]->part.whole,
                     name_of(o, i, other), (unsigned long)o->parts[i]->part.whole);
}

/* Part i follows the one before. */
static sporf_status check_place(const ordered *o, size_t i) {
    const sporf_forest *part = o->parts[i], *before = i > 0 ? o->parts[i - 1] : NULL;
    unsigned long expected = before ? last_tree(before) : 0, first = part->part.first;
    part_name one, other;
    if (first == expected) return SPORF_OK;
    if (first < expected)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "%s and %s both have tree %lu" SPF_HINT "give each part once",
                         name_of(o, i - 1, one), name_of(o, i, other), first + 1);
    if (!before)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "trees 1 to %lu are missing: %s begins with tree %lu", first,
                         name_of(o, i, one), first + 1);
    return spf_raise(SPORF_ERROR_ARGUMENT, "trees %lu to %lu are missing, between %s and %s",
                     expected + 1, first, name_of(o, i - 1, one), name_of(o, i, other));
}

static sporf_status check_parts(const ordered *o) {
    const sporf_forest *last = o->parts[o->count - 1];
    part_name name;
    for (size_t i = 0; i < o->count; i++) SPF_TRY(check_version(o, i));
    for (size_t i = 1; i < o->count; i++) SPF_TRY(check_table(o, i));
    for (size_t i = 1; i < o->count; i++) SPF_TRY(check_settings(o, i));
    for (size_t i = 0; i < o->count; i++) SPF_TRY(check_place(o, i));
    if (last_tree(last) == last->part.whole) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT, "trees %lu to %lu are missing: %s ends with tree %lu",
                     last_tree(last) + 1, (unsigned long)last->part.whole,
                     name_of(o, o->count - 1, name), last_tree(last));
}

/* The settings of the whole forest, on a table without columns. Nothing is drawn but bags. */
static sporf_status settings_of(const sporf_forest *part, unsigned threads,
                                const sporf_dataset *table, spf_settings *settings) {
    static const sporf_sampler none = {0};
    sporf_params recorded, params;
    sporf_params_init(&recorded);
    SPF_TRY(sporf_forest_params(part, &recorded));
    recorded.threads = threads;
    SPF_TRY(spf_params_read(&recorded, &params));
    return spf_settings_of_forest(part, table, &params, &none, settings);
}

/* Bags say whether there are out-of-bag rows. */
static sporf_status check_bags(const ordered *o, const spf_settings *settings) {
    part_name name;
    for (size_t i = 0; i < o->count; i++)
        if ((settings->params.bag == SPORF_BAG_NONE) != (o->parts[i]->part.out_of_bag == NULL))
            return spf_raise(SPORF_ERROR_MODEL,
                             "%s does not have the out-of-bag rows of its bags: it is damaged",
                             name_of(o, i, name));
    return SPORF_OK;
}

static sporf_status join(const ordered *o, const spf_settings *settings, sporf_forest **out) {
    sporf_forest *forest = NULL;
    SPF_TRY(check_bags(o, settings));
    SPF_TRY(spf_join(settings, o->parts, o->count, &forest));
    sporf_status status = spf_strings_copy(&o->parts[0]->settings, &forest->settings);
    if (status == SPORF_OK) status = spf_pack(forest);
    if (status != SPORF_OK) {
        sporf_forest_free(forest);
        return status;
    }
    *out = forest;
    return SPORF_OK;
}

static sporf_status join_ordered(const ordered *o, unsigned threads, sporf_forest **out) {
    sporf_dataset *table = NULL;
    spf_settings settings;
    SPF_TRY(check_parts(o));
    SPF_TRY(spf_part_table(o->parts[0], &table));
    sporf_status status = settings_of(o->parts[0], threads, table, &settings);
    if (status == SPORF_OK) {
        status = join(o, &settings, out);
        spf_settings_free(&settings);
    }
    sporf_dataset_free(table);
    return status;
}

sporf_status sporf_forest_join(const sporf_forest_part *const *parts, const char *const *names,
                               size_t count, unsigned threads, sporf_forest **out) {
    ordered o = {.names = names, .count = count};
    if (!parts || count == 0 || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "joining needs parts and a place for the forest");
    for (size_t i = 0; i < count; i++)
        if (!parts[i] || (names && !names[i]))
            return spf_raise(SPORF_ERROR_ARGUMENT, "part %zu to join is NULL", i + 1);
    sporf_status status = order_parts(parts, &o);
    if (status == SPORF_OK) status = join_ordered(&o, threads, out);
    free(o.parts);
    free(o.given);
    return status;
}
