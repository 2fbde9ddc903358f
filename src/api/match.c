/* Matches columns, and translates level numbers of the data to those of the model. */
#include "api/match.h"

#include "base/text.h"
#include "model/combine.h"
#include "read/names.h"
#include "read/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *kind_word(sporf_kind kind) {
    return kind == SPORF_KIND_NUMBER ? "numbers" : "categories";
}

/* The column of each feature, and which ones need translation. */
typedef struct {
    const sporf_forest *forest;
    const sporf_dataset *data;
    size_t *found;            /* [features] */
    unsigned char *translate; /* [features] */
    int has_missing;
} matching;

static sporf_status raise_kind(const matching *m, size_t feature, sporf_kind wanted,
                               sporf_kind got) {
    const char *name = sporf_schema_feature_name(sporf_dataset_schema(m->data), m->found[feature]);
    char shown[SPF_NAME_TEXT_MAX];
    return spf_raise(SPORF_ERROR_MODEL,
                     SPF_COLUMN "%s has %s, but the model was trained with %s" SPF_HINT
                                "give the column as it was in training",
                     m->found[feature] + 1, spf_named(" ('", name, "')", shown), kind_word(got),
                     kind_word(wanted));
}

static int is_missing(const float *values, size_t rows) {
    size_t i = 0;
    while (i < rows && isnan(values[i])) i++;
    return i == rows;
}

/* A column without values fits any kind: its reader could not know it. */
static sporf_status compare_kinds(matching *m, size_t feature) {
    const sporf_schema *of_model = &m->forest->schema, *of_data = &m->data->schema;
    size_t column = m->found[feature];
    sporf_kind wanted = spf_schema_kind(of_model, feature), got = spf_schema_kind(of_data, column);
    m->translate[feature] = 0;
    if ((wanted == SPORF_KIND_NUMBER) != (got == SPORF_KIND_NUMBER))
        return is_missing(m->data->columns[column], m->data->rows)
                   ? SPORF_OK
                   : raise_kind(m, feature, wanted, got);
    m->translate[feature] =
        wanted != SPORF_KIND_NUMBER &&
        !spf_strings_equal(&of_model->levels[feature], &of_data->levels[column]);
    return SPORF_OK;
}

static sporf_status find_columns(matching *m) {
    const sporf_forest *forest = m->forest;
    const spf_columns columns = {NULL, &m->data->schema.names, m->data->features};
    SPF_TRY(spf_match_names(&forest->schema, forest->features, &columns, NULL, m->found, NULL));
    for (size_t i = 0; i < forest->features; i++) SPF_TRY(compare_kinds(m, i));
    return SPORF_OK;
}

/* The model's number of each level of the data; NaN for unknown levels. */
static sporf_status map_levels(const spf_strings *of_data, const spf_strings *of_model,
                               float *map) {
    spf_dictionary known = {0};
    uint32_t number;
    sporf_status status = spf_dictionary_of(of_model, &known);
    for (size_t i = 0; status == SPORF_OK && i < of_data->count; i++) {
        const char *level = spf_strings_at(of_data, i);
        int found = spf_level_find(&known, level, strlen(level), &number);
        map[i] = found ? (float)number : NAN;
    }
    spf_dictionary_free(&known);
    return status;
}

static const spf_strings *levels_of(const matching *m, size_t feature) {
    return &m->data->schema.levels[m->found[feature]];
}

/* The same for a feature; free *map with free(). */
static sporf_status make_map(const matching *m, size_t feature, float **map) {
    const spf_strings *levels = levels_of(m, feature);
    *map = spf_alloc(levels->count, sizeof **map);
    if (!*map) return spf_raise_memory();
    return map_levels(levels, &m->forest->schema.levels[feature], *map);
}

static sporf_status translate(matching *m, size_t feature, float *out) {
    const float *values = m->data->columns[m->found[feature]];
    float *map;
    sporf_status status = make_map(m, feature, &map);
    for (size_t i = 0; status == SPORF_OK && i < m->data->rows; i++) {
        out[i] = isnan(values[i]) ? NAN : map[(size_t)values[i]];
        m->has_missing |= isnan(out[i]);
    }
    free(map);
    return status;
}

/* Pointers to the columns, followed by the translated columns, in one block. */
static sporf_status gather(matching *m, const float ***columns) {
    size_t features = m->forest->features, rows = m->data->rows, others = 0, bytes;
    for (size_t i = 0; i < features; i++) others += m->translate[i];
    if (__builtin_mul_overflow(rows * sizeof(float), others, &bytes)) return spf_raise_memory();
    const float **matched = spf_alloc(features * sizeof *matched + bytes, 1);
    if (!matched) return spf_raise_memory();
    float *room = (float *)(matched + features);
    sporf_status status = SPORF_OK;
    for (size_t i = 0; status == SPORF_OK && i < features; i++) {
        matched[i] = m->data->columns[m->found[i]];
        if (!m->translate[i]) continue;
        status = translate(m, i, room);
        matched[i] = room;
        room += rows;
    }
    if (status != SPORF_OK)
        free(matched);
    else
        *columns = matched;
    return status;
}

static sporf_status start(const sporf_forest *forest, const sporf_dataset *data, matching *m) {
    *m = (matching){.forest = forest, .data = data, .has_missing = data->has_missing};
    m->found = spf_alloc(forest->features, sizeof *m->found);
    m->translate = spf_alloc(forest->features, sizeof *m->translate);
    return m->found && m->translate ? find_columns(m) : spf_raise_memory();
}

static void finish(matching *m) {
    free(m->found);
    free(m->translate);
}

sporf_status spf_match_columns(const sporf_forest *forest, const sporf_dataset *data,
                               const float ***columns, int *has_missing) {
    matching m;
    sporf_status status = start(forest, data, &m);
    if (status == SPORF_OK) status = gather(&m, columns);
    *has_missing = m.has_missing;
    finish(&m);
    return status;
}

/* ---- unknown levels -------------------------------------------------------------------------- */

static sporf_status count_unknown(const matching *m, size_t feature, size_t *rows,
                                  const char **example) {
    const float *values = m->data->columns[m->found[feature]];
    float *map;
    sporf_status status = make_map(m, feature, &map);
    for (size_t i = 0; status == SPORF_OK && i < m->data->rows; i++) {
        if (isnan(values[i]) || !isnan(map[(size_t)values[i]])) continue;
        if (++*rows == 1 && example)
            *example = spf_strings_at(levels_of(m, feature), (size_t)values[i]);
    }
    free(map);
    return status;
}

sporf_status sporf_forest_unknown_levels(const sporf_forest *forest, const sporf_dataset *data,
                                         size_t feature, size_t *rows, const char **example) {
    if (!forest || !data || !rows)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "unknown levels: forest, data and rows must not be NULL");
    if (feature >= forest->features)
        return spf_raise(SPORF_ERROR_ARGUMENT, "there is no feature %zu: the forest has %zu",
                         feature, forest->features);
    *rows = 0;
    if (example) *example = NULL;
    if (spf_schema_kind(&forest->schema, feature) == SPORF_KIND_NUMBER) return SPORF_OK;
    matching m;
    sporf_status status = start(forest, data, &m);
    if (status == SPORF_OK && m.translate[feature])
        status = count_unknown(&m, feature, rows, example);
    finish(&m);
    return status;
}

/* ---- targets --------------------------------------------------------------------------------- */

sporf_status spf_raise_no_class(const sporf_forest *forest) {
    return spf_raise(SPORF_ERROR_MODEL, spf_has_several_labels(forest)
                                            ? "the model predicts several labels, not one class"
                                            : "the model predicts numbers, not classes");
}

sporf_status spf_check_numbers(const sporf_forest *forest) {
    if (spf_is_regression(forest)) return SPORF_OK;
    return spf_raise(SPORF_ERROR_MODEL, "the model predicts classes, not numbers");
}

sporf_status spf_check_targets(const sporf_dataset *data) {
    if (data->targets > 0 && data->rows > 0) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "evaluation needs targets" SPF_HINT
                     "name the columns that hold them (" SPF_OPTION("target") ")");
}

/* The index of a name; the number of names if it is not there. */
static size_t find_name(const spf_strings *names, const char *name) {
    size_t place = names->count;
    spf_find_name(names, name, strlen(name), &place);
    return place;
}

/* By name; or by position, if the data have no target names, or as many as the model and an unknown
 * name here. */
static size_t find_target(const sporf_forest *forest, const sporf_dataset *data, size_t target) {
    const spf_strings *names = &data->schema.target_names, *wanted = &forest->schema.target_names;
    if (names->count == 0) return target;
    size_t found = find_name(names, spf_strings_at(wanted, target));
    if (found < names->count || names->count != wanted->count) return found;
    int renamed = find_name(wanted, spf_strings_at(names, target)) == wanted->count;
    return renamed ? target : found;
}

sporf_status spf_match_target(const sporf_forest *forest, const sporf_dataset *data, size_t target,
                              const float **values) {
    const char *wanted = spf_strings_at(&forest->schema.target_names, target);
    size_t found = find_target(forest, data, target);
    char shown[SPF_NAME_TEXT_MAX], other[SPF_NAME_TEXT_MAX];
    if (found >= data->targets)
        return spf_raise(SPORF_ERROR_DATA, "the data have no target '%s'",
                         spf_name_text(wanted, shown));
    const char *name = sporf_schema_target_name(sporf_dataset_schema(data), found);
    if (name && spf_units_differ(wanted, name))
        return spf_raise(SPORF_ERROR_DATA,
                         "target '%s': the model was trained with '%s'" SPF_HINT
                         "convert the values to that unit and rename the column",
                         spf_name_text(name, other), spf_name_text(wanted, shown));
    *values = spf_target_of(data, found);
    return SPORF_OK;
}
