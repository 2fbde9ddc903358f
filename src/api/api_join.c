/* The public functions that join parts of forests. Parts that come too early wait for those before
 * them; a part that is joined is freed. */
#include "api/extend.h"
#include "api/params.h"
#include "api/part_list.h"
#include "base/sort.h"
#include "learn/replay/join.h"
#include "learn/replay/part_rows.h"
#include "predict/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sporf_joining {
    unsigned threads;
    spf_part_list list;
    size_t given;         /* parts, also refused ones */
    size_t joined;        /* parts of the list */
    int owns;             /* the parts of the list */
    int ended;            /* there is a forest, or something failed half-way */
    sporf_dataset *table; /* from the first tree on, like the next */
    spf_settings settings;
    spf_join *join;
};

/* ---- the first trees ------------------------------------------------------------------------- */

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

static sporf_status start(sporf_joining *j, const sporf_forest *part) {
    SPF_TRY(spf_part_table(part, &j->table));
    sporf_status status = settings_of(part, j->threads, j->table, &j->settings);
    if (status == SPORF_OK) {
        status = spf_join_create(&j->settings, part->scale, &j->join);
        if (status != SPORF_OK) spf_settings_free(&j->settings);
    }
    return status;
}

/* Bags say whether there are out-of-bag rows. */
static sporf_status check_bags(const sporf_joining *j, const sporf_forest *part) {
    spf_part_name name;
    if ((j->settings.params.bag == SPORF_BAG_NONE) == (part->part.out_of_bag == NULL))
        return SPORF_OK;
    return spf_raise(SPORF_ERROR_MODEL,
                     "%s does not have the out-of-bag rows of its bags: it is damaged",
                     spf_part_list_name(&j->list, j->joined, name));
}

/* Others are still compared with the first part, but not with its trees. */
static void drop_part(sporf_joining *j, spf_listed_part *part) {
    sporf_forest *forest = (sporf_forest *)part->forest;
    part->forest = NULL;
    if (!j->owns) return;
    if (forest == j->list.model)
        spf_forest_drop_trees(forest);
    else
        sporf_forest_free(forest);
}

/* Joins the parts that are next. */
static sporf_status advance(sporf_joining *j) {
    for (; j->joined < j->list.count; j->joined++) {
        spf_listed_part *part = &j->list.parts[j->joined];
        if (part->first != (j->join ? spf_join_trees(j->join) : 0)) break;
        if (!j->join) SPF_TRY(start(j, part->forest));
        SPF_TRY(check_bags(j, part->forest));
        SPF_TRY(spf_join_add(j->join, part->forest));
        drop_part(j, part);
    }
    return SPORF_OK;
}

/* ---- the forest ------------------------------------------------------------------------------ */

/* The settings of the parts, with the number of trees that there are. */
static sporf_status record(const spf_strings *settings, size_t trees, spf_strings *recorded) {
    char count[32];
    snprintf(count, sizeof count, "%zu", trees);
    for (size_t i = 0; i < settings->count; i++) {
        const char *text = spf_strings_at(settings, i);
        if (i % 2 == 1 && strcmp(spf_strings_at(settings, i - 1), "trees") == 0) text = count;
        SPF_TRY(spf_strings_add(recorded, text, strlen(text)));
    }
    return SPORF_OK;
}

static sporf_status end(sporf_joining *j, sporf_forest **out) {
    sporf_forest *forest = NULL;
    j->ended = 1;
    SPF_TRY(spf_join_end(j->join, &forest));
    sporf_status status = record(&j->list.model->settings, forest->trees_count, &forest->settings);
    if (status == SPORF_OK)
        status =
            spf_decision_of_settings(&forest->settings, &forest->schema.classes, &forest->decision);
    if (status == SPORF_OK) status = spf_pack(forest, j->threads);
    if (status != SPORF_OK) {
        sporf_forest_free(forest);
        return status;
    }
    *out = forest;
    return SPORF_OK;
}

static void release(sporf_joining *j) {
    for (size_t i = 0; j->owns && i < j->list.count; i++)
        if (j->list.parts[i].forest != j->list.model)
            sporf_forest_free((sporf_forest *)j->list.parts[i].forest);
    if (j->owns) sporf_forest_free((sporf_forest *)j->list.model);
    spf_part_list_free(&j->list);
    if (j->join) {
        spf_join_free(j->join);
        spf_settings_free(&j->settings);
    }
    sporf_dataset_free(j->table);
}

/* ---- part by part ---------------------------------------------------------------------------- */

sporf_status sporf_joining_create(unsigned threads, sporf_joining **out) {
    if (!out) return spf_raise(SPORF_ERROR_ARGUMENT, "joining needs a place for it");
    sporf_joining *j = spf_alloc_zero(1, sizeof *j);
    if (!j) return spf_raise_memory();
    j->threads = threads;
    j->owns = 1;
    *out = j;
    return SPORF_OK;
}

void sporf_joining_free(sporf_joining *joining) {
    if (!joining) return;
    release(joining);
    free(joining);
}

static sporf_status check_open(const sporf_joining *j) {
    if (!j->ended) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT, "the joining has ended, or failed");
}

static sporf_status add(sporf_joining *j, const sporf_forest *forest, const char *name) {
    SPF_TRY(check_open(j));
    return spf_part_list_add(&j->list, forest, name, ++j->given);
}

sporf_status sporf_joining_add(sporf_joining *joining, sporf_forest_part *part, const char *name) {
    if (!joining || !part) {
        sporf_forest_part_free(part);
        return spf_raise(SPORF_ERROR_ARGUMENT, "joining needs a joining and a part");
    }
    sporf_status status = add(joining, part->forest, name);
    if (status != SPORF_OK) {
        sporf_forest_part_free(part);
        return status;
    }
    free(part); /* the list has the forest */
    status = advance(joining);
    if (status != SPORF_OK) joining->ended = 1;
    return status;
}

uint32_t sporf_joining_trees(const sporf_joining *joining) {
    return joining && joining->join ? spf_join_trees(joining->join) : 0;
}

sporf_status sporf_joining_end(sporf_joining *joining, int first_trees, sporf_forest **out) {
    if (!joining || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "joining needs a joining and a place for the forest");
    SPF_TRY(check_open(joining));
    SPF_TRY(first_trees ? spf_part_list_check_first(&joining->list)
                        : spf_part_list_check_whole(&joining->list));
    return end(joining, out);
}

/* ---- all at once ----------------------------------------------------------------------------- */

/* The parts in the order of their trees: keys whose lower half is the place of a part. */
static sporf_status order_parts(const sporf_forest_part *const *parts, size_t count,
                                uint64_t **out) {
    uint64_t *keys = spf_alloc(count, 2 * sizeof *keys);
    if (!keys) return spf_raise_memory();
    for (size_t i = 0; i < count; i++) keys[i] = (uint64_t)parts[i]->forest->part.first << 32 | i;
    spf_sort_keys(keys, keys + count, count);
    *out = keys;
    return SPORF_OK;
}

static sporf_status list_parts(sporf_joining *j, const sporf_forest_part *const *parts,
                               const char *const *names, size_t count) {
    uint64_t *keys = NULL;
    sporf_status status = SPORF_OK;
    SPF_TRY(order_parts(parts, count, &keys));
    for (size_t k = 0; status == SPORF_OK && k < count; k++) {
        size_t i = (uint32_t)keys[k];
        status = spf_part_list_add(&j->list, parts[i]->forest, names ? names[i] : NULL, i + 1);
    }
    free(keys);
    return status == SPORF_OK ? spf_part_list_check_whole(&j->list) : status;
}

sporf_status sporf_forest_join(const sporf_forest_part *const *parts, const char *const *names,
                               size_t count, unsigned threads, sporf_forest **out) {
    sporf_joining j = {.threads = threads};
    if (!parts || count == 0 || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "joining needs parts and a place for the forest");
    for (size_t i = 0; i < count; i++)
        if (!parts[i] || (names && !names[i]))
            return spf_raise(SPORF_ERROR_ARGUMENT, "part %zu to join is NULL", i + 1);
    sporf_status status = list_parts(&j, parts, names, count);
    if (status == SPORF_OK) status = advance(&j);
    if (status == SPORF_OK) status = end(&j, out);
    release(&j);
    return status;
}
