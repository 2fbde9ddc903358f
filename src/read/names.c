/* Matches columns by name or by position. */
#include "read/names.h"

#include "base/spelling.h"
#include "base/text.h"
#include "data/cell.h"
#include "read/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE_FOUND = -1, NAMES_MAX = 400 };

/* "new.csv: ", or nothing if the data are no file. */
static const char *place_of(const spf_columns *columns, char out[SPF_PLACE_MAX]) {
    out[0] = '\0';
    if (columns->file) snprintf(out, SPF_PLACE_MAX, SPF_FILE_CUT ": ", columns->file);
    return out;
}

/* Whether a column may be a feature: it has no other role. */
static int is_free(const spf_column_plan *plan, size_t column) {
    return !plan || plan[column].use == SPF_USE_FEATURE;
}

/* ---- by name --------------------------------------------------------------------------------- */

/* The names of a schema, with and without units. */
typedef struct {
    const spf_strings *names;
    spf_dictionary whole; /* numbered as the features */
    spf_dictionary bases;
    int64_t *feature_of; /* [bases]: the one feature with the base, NONE_FOUND for several */
} name_index;

static sporf_status index_names(const spf_strings *names, name_index *index) {
    char shown[SPF_NAME_TEXT_MAX];
    index->names = names;
    index->feature_of = spf_alloc(names->count, sizeof *index->feature_of);
    if (!index->feature_of) return spf_raise_memory();
    for (size_t i = 0; i < names->count; i++) {
        const char *name = spf_strings_at(names, i);
        size_t bases = index->bases.words.count;
        uint32_t number;
        SPF_TRY(spf_dictionary_add(&index->whole, name, strlen(name), &number));
        if (number != i)
            return spf_raise(SPORF_ERROR_MODEL,
                             "the model was trained with two columns named '%s'" SPF_HINT
                             "give it the same columns in the same order",
                             spf_name_text(name, shown));
        SPF_TRY(
            spf_dictionary_add(&index->bases, name, spf_base_length(name, strlen(name)), &number));
        index->feature_of[number] = number == bases ? (int64_t)i : NONE_FOUND;
    }
    return SPORF_OK;
}

static void index_free(name_index *index) {
    spf_dictionary_free(&index->whole);
    spf_dictionary_free(&index->bases);
    free(index->feature_of);
}

/* The feature with a name, or NONE_FOUND. */
static int64_t feature_of(const name_index *index, const char *name) {
    uint32_t number;
    if (spf_dictionary_find(&index->whole, name, strlen(name), &number)) return number;
    if (!spf_dictionary_find(&index->bases, name, spf_base_length(name, strlen(name)), &number))
        return NONE_FOUND;
    return index->feature_of[number];
}

static sporf_status take_column(const name_index *index, const spf_columns *columns, size_t column,
                                size_t *found) {
    char place[SPF_PLACE_MAX], shown[SPF_NAME_TEXT_MAX], other[SPF_NAME_TEXT_MAX];
    const char *name = spf_strings_at(columns->names, column);
    int64_t feature = feature_of(index, name);
    if (feature == NONE_FOUND) return SPORF_OK;
    const char *known = spf_strings_at(index->names, (size_t)feature);
    spf_name_text(known, shown);
    if (spf_units_differ(known, name))
        return spf_raise(SPORF_ERROR_DATA,
                         "%scolumn '%s': the model was trained with '%s'" SPF_HINT
                         "convert the values to that unit and rename the column",
                         place_of(columns, place), spf_name_text(name, other), shown);
    if (found[feature] != SIZE_MAX && columns->file)
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE ": the data have two columns named '%s', %zu and %zu" SPF_HINT
                                  "remove or rename one of them, or leave it out (" SPF_OPTION_AS(
                                      "ignore", "%zu") ")",
                         columns->file, shown, found[feature] + 1, column + 1, column + 1);
    if (found[feature] != SIZE_MAX)
        return spf_raise(
            SPORF_ERROR_DATA,
            "the data have two columns named '%s'" SPF_HINT "remove or rename one of them", shown);
    found[feature] = column;
    return SPORF_OK;
}

/* Lists names in quotes, as many as fit, and the number of the others. */
static void list_names(const spf_strings *names, char out[NAMES_MAX]) {
    size_t used = 0, i = 0;
    out[0] = '\0';
    for (; i < names->count; i++) {
        char shown[SPF_EXCERPT_MAX];
        const char *name = spf_strings_at(names, i);
        spf_excerpt(name, strlen(name), shown);
        if (used + strlen(shown) + sizeof ", '' and 9999999 more" > NAMES_MAX) break;
        used += (size_t)snprintf(out + used, NAMES_MAX - used, "%s'%s'", i > 0 ? ", " : "", shown);
    }
    if (i < names->count) snprintf(out + used, NAMES_MAX - used, " and %zu more", names->count - i);
}

/* The names of columns that are not features of the schema. */
static sporf_status list_new(const name_index *index, const spf_columns *columns,
                             const spf_column_plan *plan, spf_strings *names) {
    for (size_t i = 0; i < columns->names->count; i++) {
        const char *name = spf_strings_at(columns->names, i);
        if (!is_free(plan, i) || feature_of(index, name) != NONE_FOUND) continue;
        SPF_TRY(spf_strings_add(names, name, strlen(name)));
    }
    return SPORF_OK;
}

/* "; is 'heigth' meant for 'height'?" of the first missing feature that resembles a new column. */
static void suggest(const spf_strings *missing, const spf_strings *fresh, char out[SPF_LIST_MAX]) {
    enum { TRIED = 20 }; /* with more names the search is not worth it */
    char one[SPF_EXCERPT_MAX], other[SPF_EXCERPT_MAX];
    out[0] = '\0';
    for (size_t i = 0; i < missing->count && i < TRIED && !out[0]; i++) {
        const char *name = spf_strings_at(missing, i);
        const char *near = spf_nearest_name(name, strlen(name), fresh);
        if (near)
            snprintf(out, SPF_LIST_MAX, SPF_HINT "is '%s' meant for '%s'?",
                     spf_excerpt(near, strlen(near), one), spf_excerpt(name, strlen(name), other));
    }
}

static sporf_status raise_lists(const spf_columns *columns, size_t features,
                                const spf_strings *missing, const spf_strings *fresh) {
    char lost[NAMES_MAX], found[NAMES_MAX], hint[SPF_LIST_MAX], place[SPF_PLACE_MAX];
    list_names(missing, lost);
    list_names(fresh, found);
    suggest(missing, fresh, hint);
    return spf_raise(SPORF_ERROR_MODEL,
                     "%sthe data have no column %s, of the %zu that the model was trained "
                     "with%s%s%s",
                     place_of(columns, place), lost, features, *found ? "; other columns are " : "",
                     found, hint);
}

/* Lists the missing columns and the new ones: a renamed column is in both lists. */
static sporf_status raise_missing(const name_index *index, const spf_columns *columns,
                                  const spf_column_plan *plan, const size_t *found) {
    spf_strings missing = {0}, fresh = {0};
    size_t features = index->names->count;
    sporf_status status = list_new(index, columns, plan, &fresh);
    for (size_t i = 0; status == SPORF_OK && i < features; i++) {
        const char *name = spf_strings_at(index->names, i);
        if (found[i] == SIZE_MAX) status = spf_strings_add(&missing, name, strlen(name));
    }
    if (status == SPORF_OK) status = raise_lists(columns, features, &missing, &fresh);
    spf_strings_free(&missing);
    spf_strings_free(&fresh);
    return status;
}

/* The part of a date that a name ends with; *length is that of the name before it. */
static spf_date_part part_of(const char *name, size_t *length) {
    const char *point = strrchr(name, '.');
    for (int part = SPF_DATE_YEAR; point && part < SPF_DATE_PARTS; part++) {
        if (strcmp(point + 1, spf_date_part_name[part]) != 0) continue;
        *length = (size_t)(point - name);
        return (spf_date_part)part;
    }
    return SPF_DATE_NONE;
}

/* Looks for the missing features among the parts of dates. */
static sporf_status take_dates(const name_index *index, const spf_columns *columns,
                               const spf_column_plan *plan, size_t *found, spf_date_part *parts) {
    spf_dictionary known = {0};
    sporf_status status = SPORF_OK;
    uint32_t number;
    size_t length = 0;
    for (size_t i = 0; status == SPORF_OK && i < columns->count; i++) {
        const char *name = spf_strings_at(columns->names, i);
        status = spf_dictionary_add(&known, name, strlen(name), &number);
        if (number != i) break; /* the names are not distinct */
    }
    for (size_t i = 0; status == SPORF_OK && i < index->names->count; i++) {
        const char *name = spf_strings_at(index->names, i);
        spf_date_part part = found[i] == SIZE_MAX ? part_of(name, &length) : SPF_DATE_NONE;
        if (part == SPF_DATE_NONE || !spf_dictionary_find(&known, name, length, &number)) continue;
        if (!is_free(plan, number) ||
            feature_of(index, spf_strings_at(columns->names, number)) != NONE_FOUND)
            continue;
        found[i] = number;
        parts[i] = part;
    }
    spf_dictionary_free(&known);
    return status;
}

static sporf_status match_by_name(const sporf_schema *schema, const spf_columns *columns,
                                  const spf_column_plan *plan, size_t *found,
                                  spf_date_part *parts) {
    name_index index = {0};
    size_t features = schema->names.count;
    sporf_status status = index_names(&schema->names, &index);
    for (size_t i = 0; i < features; i++) found[i] = SIZE_MAX;
    for (size_t i = 0; status == SPORF_OK && i < columns->count; i++)
        if (is_free(plan, i)) status = take_column(&index, columns, i, found);
    if (status == SPORF_OK && parts) status = take_dates(&index, columns, plan, found, parts);
    int complete = 1;
    for (size_t i = 0; i < features; i++) complete = complete && found[i] != SIZE_MAX;
    if (status == SPORF_OK && !complete) status = raise_missing(&index, columns, plan, found);
    index_free(&index);
    return status;
}

/* ---- by place -------------------------------------------------------------------------------- */

static size_t count_free(const spf_columns *columns, const spf_column_plan *plan) {
    size_t count = 0;
    for (size_t i = 0; i < columns->count; i++) count += (size_t)is_free(plan, i);
    return count;
}

/* The column of the label; the number of columns if there is none. */
static size_t label_of(const spf_columns *columns, const spf_column_plan *plan) {
    size_t label = 0;
    while (label < columns->count && !(plan && plan[label].use == SPF_USE_LABEL)) label++;
    return label;
}

/* Weights, targets and ignored columns count in positions, the label does not. taken[columns]
 * starts as zeros. */
static sporf_status find_numbers(const sporf_schema *schema, const spf_columns *columns,
                                 const spf_column_plan *plan, unsigned char *taken, size_t *found) {
    char place[SPF_PLACE_MAX];
    size_t label = label_of(columns, plan), count = columns->count - (label < columns->count);
    for (size_t i = 0; i < schema->names.count; i++) {
        size_t number = strtoull(spf_strings_at(&schema->names, i), NULL, 10);
        if (number == 0 || number > count)
            return spf_raise(
                SPORF_ERROR_MODEL,
                "%sthe data have %zu columns, but the model was trained with column %zu" SPF_HINT
                "give it the same columns, without the label",
                place_of(columns, place), count, number);
        found[i] = number - (number <= label);
        if (!is_free(plan, found[i]))
            return spf_raise(SPORF_ERROR_MODEL,
                             "%s" SPF_COLUMN " is named as %s, but for the model it is a feature",
                             place_of(columns, place), found[i] + 1,
                             plan[found[i]].claimed ? plan[found[i]].claimed : "left out");
        if (taken[found[i]]++)
            return spf_raise(SPORF_ERROR_MODEL,
                             "%sthe model was trained with two columns named '%zu'" SPF_HINT
                             "give it the same columns in the same order",
                             place_of(columns, place), number);
    }
    return SPORF_OK;
}

static sporf_status match_by_number(const sporf_schema *schema, const spf_columns *columns,
                                    const spf_column_plan *plan, size_t *found) {
    unsigned char *taken = spf_alloc_zero(columns->count, 1);
    if (!taken) return spf_raise_memory();
    sporf_status status = find_numbers(schema, columns, plan, taken, found);
    free(taken);
    return status;
}

static sporf_status match_by_place(const sporf_schema *schema, size_t features,
                                   const spf_columns *columns, const spf_column_plan *plan,
                                   size_t *found) {
    char place[SPF_PLACE_MAX];
    int headless = schema->names.count > 0 && columns->file;
    size_t count = count_free(columns, plan), next = 0;
    if (count != features)
        return spf_raise(
            SPORF_ERROR_MODEL,
            "%sthe data have %zu features, but the model was trained with %zu" SPF_HINT
            "give it the same columns, without the label%s",
            place_of(columns, place), count, features,
            headless ? " (" SPF_OPTION("label") " says which it is), or name them in a header"
                     : "");
    for (size_t i = 0; i < columns->count; i++)
        if (is_free(plan, i)) found[next++] = i;
    return SPORF_OK;
}

/* Whether both sides have the same names in the same order; names may then repeat. */
static int same_names(const sporf_schema *schema, const spf_columns *columns,
                      const spf_column_plan *plan) {
    size_t feature = 0;
    for (size_t i = 0; i < columns->count; i++) {
        if (!is_free(plan, i)) continue;
        if (feature == schema->names.count) return 0;
        const char *name = spf_strings_at(&schema->names, feature++);
        if (strcmp(name, spf_strings_at(columns->names, i)) != 0) return 0;
    }
    return feature == schema->names.count;
}

sporf_status spf_match_names(const sporf_schema *schema, size_t features,
                             const spf_columns *columns, const spf_column_plan *plan, size_t *found,
                             spf_date_part *parts) {
    int named = schema->names.count > 0 && columns->names->count > 0;
    if (named && !same_names(schema, columns, plan))
        return match_by_name(schema, columns, plan, found, parts);
    if (!named && schema->names.count > 0 && spf_all_integers(&schema->names) &&
        count_free(columns, plan) != features)
        return match_by_number(schema, columns, plan, found);
    return match_by_place(schema, features, columns, plan, found);
}
