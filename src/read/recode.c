/* Options about columns for numeric tables from .npy, idx and svmlight files. The numbers of a
 * categorical column are the names of its levels. */
#include "read/recode.h"

#include "base/number.h"
#include "read/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Integers up to this are distinct in single precision. */
#define WHOLE_MAX 0x1p24f

typedef struct {
    sporf_dataset *data;
    const char *file;
    size_t column;
    const spf_dictionary *known; /* NULL: any numbers */
    int lenient;                 /* an unknown number counts as missing */
} recoding;

static sporf_status raise_number(const recoding *r, size_t row, const char *text) {
    if (r->known)
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE " " SPF_CELL ": %s is not a level of its order" SPF_HINT
                                  "add it there",
                         r->file, row + 1, r->column + 1, text);
    return spf_raise(
        SPORF_ERROR_DATA,
        SPF_FILE " " SPF_CELL
                 ": %s is the name of a level, and numbers above 2^24 cannot be told apart" SPF_HINT
                 "renumber the levels",
        r->file, row + 1, r->column + 1, text);
}

static void count_unknown(spf_unknown_levels *unknown, const char *text, size_t length) {
    if (unknown->cells++ == 0) spf_excerpt(text, length, unknown->example);
}

static sporf_status code_value(const recoding *r, size_t row, spf_dictionary *words) {
    float *value = &spf_dataset_column(r->data, r->column)[row];
    char text[SPF_NUMBER_TEXT_MAX];
    uint32_t code;
    size_t length = spf_number_write_float(*value + 0.0f, text);
    if (!r->known) {
        if (fabsf(*value) > WHOLE_MAX) return raise_number(r, row, text);
        SPF_TRY(spf_dictionary_add(words, text, length, &code));
        *value = (float)code;
        return SPORF_OK;
    }
    int found = spf_level_find(r->known, text, length, &code);
    if (!found && !r->lenient) return raise_number(r, row, text);
    *value = found ? (float)code : NAN;
    r->data->has_missing |= !found;
    if (!found && r->data->unknown) count_unknown(&r->data->unknown[r->column], text, length);
    return SPORF_OK;
}

static sporf_status code_column(const recoding *r, spf_dictionary *words) {
    const float *values = r->data->columns[r->column];
    for (size_t i = 0; i < r->data->rows; i++)
        if (!isnan(values[i])) SPF_TRY(code_value(r, i, words));
    return SPORF_OK;
}

/* Numbers the levels in order. */
static sporf_status order_levels(const recoding *r, const spf_dictionary *words,
                                 spf_strings *levels) {
    float *values = spf_dataset_column(r->data, r->column);
    uint32_t *place = spf_alloc(words->words.count, sizeof *place);
    if (!place) return spf_raise_memory();
    sporf_status status = spf_dictionary_order(words, levels, place);
    for (size_t i = 0; status == SPORF_OK && i < r->data->rows; i++)
        if (!isnan(values[i])) values[i] = (float)place[(size_t)values[i]];
    free(place);
    return status;
}

static sporf_status recode(const recoding *r, sporf_kind kind) {
    spf_dictionary words = {0};
    spf_strings levels = {0};
    sporf_status status = code_column(r, &words);
    if (status == SPORF_OK)
        status = r->known ? spf_strings_copy(&r->known->words, &levels)
                          : order_levels(r, &words, &levels);
    if (status == SPORF_OK && kind == SPORF_KIND_ORDINAL && !r->known && !spf_all_integers(&levels))
        status =
            spf_raise(SPORF_ERROR_DATA,
                      SPF_FILE ": " SPF_COLUMN " has values that are not whole numbers" SPF_HINT
                               "list them in order: " SPF_OPTION_AS("ordinal", "%zu=1<1.5<2"),
                      r->file, r->column + 1, r->column + 1);
    if (status == SPORF_OK)
        status =
            spf_schema_set_levels(&r->data->schema, r->data->features, r->column, kind, &levels);
    spf_strings_free(&levels);
    spf_dictionary_free(&words);
    return status;
}

static sporf_status recode_planned(sporf_dataset *data, const char *file, size_t column,
                                   const spf_column_plan *plan) {
    recoding r = {.data = data, .file = file, .column = column};
    spf_dictionary known = {0};
    spf_strings levels = {0};
    sporf_status status = SPORF_OK;
    char name[32];
    if (!plan->has_kind || plan->kind == SPORF_KIND_NUMBER) return SPORF_OK;
    snprintf(name, sizeof name, "%zu", column + 1);
    if (plan->order) {
        status = spf_plan_order(plan->order, name, &levels);
        if (status == SPORF_OK) status = spf_dictionary_of(&levels, &known);
        r.known = &known;
    }
    if (status == SPORF_OK) status = recode(&r, plan->kind);
    spf_strings_free(&levels);
    spf_dictionary_free(&known);
    return status;
}

static sporf_status recode_known(sporf_dataset *data, const char *file, size_t column,
                                 sporf_kind kind, const spf_strings *levels) {
    spf_dictionary known = {0};
    const recoding r = {
        .data = data, .file = file, .column = column, .known = &known, .lenient = 1};
    sporf_status status = spf_dictionary_of(levels, &known);
    if (status == SPORF_OK) status = recode(&r, kind);
    spf_dictionary_free(&known);
    return status;
}

/* Keeps only the columns that were found. */
static sporf_status keep_found(sporf_dataset *data, const char *file, const size_t *found,
                               size_t count) {
    spf_column_plan *plan = spf_alloc_zero(data->features, sizeof *plan);
    if (!plan) return spf_raise_memory();
    for (size_t j = 0; j < data->features; j++) plan[j].use = SPF_USE_NONE;
    for (size_t i = 0; i < count; i++) plan[found[i]].use = SPF_USE_FEATURE;
    sporf_status status = spf_dataset_part(data, file, plan);
    free(plan);
    return status;
}

/* Translates numbers to the levels of the schema, by name. */
static sporf_status use_schema(sporf_dataset *data, const char *file, const sporf_schema *schema) {
    const spf_columns columns = {file, &data->schema.names, data->features};
    size_t *found = spf_alloc(schema->count, sizeof *found);
    data->unknown = spf_alloc_zero(data->features, sizeof *data->unknown);
    sporf_status status = found && data->unknown ? SPORF_OK : spf_raise_memory();
    if (status == SPORF_OK)
        status = spf_match_names(schema, schema->count, &columns, NULL, found, NULL);
    for (size_t i = 0; status == SPORF_OK && i < schema->count; i++)
        if (schema->kinds[i] != SPORF_KIND_NUMBER)
            status = recode_known(data, file, found[i], schema->kinds[i], &schema->levels[i]);
    if (status == SPORF_OK) status = keep_found(data, file, found, schema->count);
    free(found);
    return status;
}

int spf_asks_for_columns(const sporf_read_options *options) {
    return options->categorical_count > 0 || options->ignored_count > 0 ||
           options->ordinal_count > 0 || options->targets_count > 0 || options->labels_count > 0 ||
           options->weight;
}

/* The plan for the columns of the table, without the label's. */
static void drop_label(spf_column_plan *plan, size_t columns, int64_t label) {
    if (label >= 0)
        memmove(plan + label, plan + label + 1, (columns - (size_t)label - 1) * sizeof *plan);
}

static sporf_status use_options(sporf_dataset *data, const char *file, int64_t label,
                                const sporf_read_options *options) {
    static const spf_strings nameless = {0};
    const spf_columns columns = {file, &nameless, data->features + (label >= 0)};
    spf_column_plan *plan = spf_alloc_zero(columns.count, sizeof *plan);
    if (!plan) return spf_raise_memory();
    if (label >= 0) plan[label] = (spf_column_plan){.use = SPF_USE_LABEL, .claimed = "label"};
    sporf_status status = spf_plan_columns(&columns, options, plan);
    drop_label(plan, columns.count, label);
    for (size_t j = 0; status == SPORF_OK && j < data->features; j++)
        status = recode_planned(data, file, j, &plan[j]);
    if (status == SPORF_OK) status = spf_dataset_part(data, file, plan);
    free(plan);
    return status;
}

sporf_status spf_apply_columns(sporf_dataset *data, const char *file, int64_t label,
                               const sporf_read_options *options) {
    if (spf_asks_for_columns(options)) SPF_TRY(use_options(data, file, label, options));
    if (!options->schema || !options->schema->kinds) return SPORF_OK;
    return use_schema(data, file, options->schema);
}
