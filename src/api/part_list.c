/* Messages name both parts that do not belong together. */
#include "api/part_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

static const char *text_of(const char *name, size_t number, spf_part_name text) {
    if (name) return spf_name_text(name, text);
    snprintf(text, sizeof(spf_part_name), "part %zu", number);
    return text;
}

const char *spf_part_list_name(const spf_part_list *list, size_t i, spf_part_name text) {
    return text_of(list->parts[i].name, list->parts[i].number, text);
}

static const char *model_name(const spf_part_list *list, spf_part_name text) {
    size_t i = 0;
    while (list->parts[i].number != list->model_number) i++;
    return spf_part_list_name(list, i, text);
}

/* ---- whether parts are of one training ------------------------------------------------------- */

/* A part that is to be added. */
typedef struct {
    const sporf_forest *forest;
    const char *name;
} candidate;

static sporf_status check_version(const candidate *c) {
    spf_part_name version;
    if (strcmp(c->forest->part.version, SPORF_VERSION) == 0) return SPORF_OK;
    return spf_raise(SPORF_ERROR_MODEL,
                     "%s was grown by sporf %s, and this is sporf " SPORF_VERSION SPF_HINT
                     "grow and join all parts with one version",
                     c->name, spf_name_text(c->forest->part.version, version));
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

static sporf_status check_table(const spf_part_list *list, const candidate *c) {
    const sporf_forest *a = list->model, *b = c->forest;
    spf_part_name model;
    if (a->part.rows != b->part.rows || a->features != b->features)
        return spf_raise(SPORF_ERROR_DATA,
                         "%s was grown on %zu rows and %zu features, %s on %zu rows and %zu "
                         "features",
                         model_name(list, model), a->part.rows, a->features, c->name, b->part.rows,
                         b->features);
    if (same_table(a, b)) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "%s and %s were grown on different tables" SPF_HINT
                     "all parts need the same rows in the same order, with the same columns, "
                     "labels and weights",
                     model_name(list, model), c->name);
}

/* The text at a place of a list of settings. */
static const char *setting_at(const spf_strings *settings, size_t index, spf_part_name text) {
    if (index >= settings->count) return "nothing";
    return spf_name_text(spf_strings_at(settings, index), text);
}

static sporf_status check_settings(const spf_part_list *list, const candidate *c) {
    const spf_strings *a = &list->model->settings, *b = &c->forest->settings;
    spf_part_name model, was[2], is[2];
    size_t at = spf_strings_mismatch(a, b) / 2 * 2;
    if (!spf_strings_equal(a, b))
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "%s was grown with %s %s, %s with %s %s" SPF_HINT
                         "settle the settings once, for all parts",
                         model_name(list, model), setting_at(a, at, was[0]),
                         setting_at(a, at + 1, was[1]), c->name, setting_at(b, at, is[0]),
                         setting_at(b, at + 1, is[1]));
    if (list->model->part.whole == c->forest->part.whole) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT, "%s is of a forest of %lu trees, %s of %lu",
                     model_name(list, model), (unsigned long)list->model->part.whole, c->name,
                     (unsigned long)c->forest->part.whole);
}

/* ---- places ---------------------------------------------------------------------------------- */

static unsigned long end_of(const spf_listed_part *part) {
    return (unsigned long)part->first + part->trees;
}

/* How many parts begin before a tree, or with it. */
static size_t parts_up_to(const spf_part_list *list, uint32_t tree) {
    size_t place = list->count;
    while (place > 0 && list->parts[place - 1].first > tree) place--;
    return place;
}

static sporf_status raise_overlap(const char *one, const char *other, unsigned long tree) {
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "%s and %s both have tree %lu" SPF_HINT "give each part once", one, other,
                     tree + 1);
}

static sporf_status check_place(const spf_part_list *list, const candidate *c, size_t place) {
    uint32_t first = c->forest->part.first;
    spf_part_name other;
    if (place > 0 && end_of(&list->parts[place - 1]) > first)
        return raise_overlap(spf_part_list_name(list, place - 1, other), c->name, first);
    if (place < list->count && list->parts[place].first - first < c->forest->trees_count)
        return raise_overlap(c->name, spf_part_list_name(list, place, other),
                             list->parts[place].first);
    return SPORF_OK;
}

sporf_status spf_part_list_check_first(const spf_part_list *list) {
    spf_part_name name;
    if (list->count == 0) return spf_raise(SPORF_ERROR_ARGUMENT, "joining needs parts");
    unsigned long first = list->parts[0].first;
    if (first == 0) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT, "trees 1 to %lu are missing: %s begins with tree %lu",
                     first, spf_part_list_name(list, 0, name), first + 1);
}

sporf_status spf_part_list_check_whole(const spf_part_list *list) {
    spf_part_name one, other;
    SPF_TRY(spf_part_list_check_first(list));
    for (size_t i = 1; i < list->count; i++) {
        unsigned long end = end_of(&list->parts[i - 1]), first = list->parts[i].first;
        if (first != end)
            return spf_raise(
                SPORF_ERROR_ARGUMENT, "trees %lu to %lu are missing, between %s and %s", end + 1,
                first, spf_part_list_name(list, i - 1, one), spf_part_list_name(list, i, other));
    }
    unsigned long end = end_of(&list->parts[list->count - 1]), whole = list->model->part.whole;
    if (end == whole) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT, "trees %lu to %lu are missing: %s ends with tree %lu",
                     end + 1, whole, spf_part_list_name(list, list->count - 1, one), end);
}

/* ---- the list -------------------------------------------------------------------------------- */

static sporf_status check(const spf_part_list *list, const candidate *c, size_t place) {
    SPF_TRY(check_version(c));
    if (!list->model) return SPORF_OK;
    SPF_TRY(check_table(list, c));
    SPF_TRY(check_settings(list, c));
    return check_place(list, c, place);
}

sporf_status spf_part_list_add(spf_part_list *list, const sporf_forest *forest, const char *name,
                               size_t number) {
    size_t place = parts_up_to(list, forest->part.first);
    spf_listed_part part = {.first = forest->part.first,
                            .trees = (uint32_t)forest->trees_count,
                            .number = number,
                            .forest = forest};
    spf_part_name text;
    candidate c = {forest, text_of(name, number, text)};
    SPF_TRY(check(list, &c, place));
    SPF_TRY(SPF_RESERVE(list->parts, list->capacity, list->count + 1));
    if (name && !(part.name = spf_strdup(name))) return spf_raise_memory();
    if (!list->model) {
        list->model = forest;
        list->model_number = number;
    }
    memmove(list->parts + place + 1, list->parts + place,
            (list->count - place) * sizeof *list->parts);
    list->parts[place] = part;
    list->count++;
    return SPORF_OK;
}

void spf_part_list_free(spf_part_list *list) {
    for (size_t i = 0; i < list->count; i++) free(list->parts[i].name);
    free(list->parts);
    *list = (spf_part_list){0};
}
