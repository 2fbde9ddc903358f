/* The table preparation of the paper's appendix: uninformative columns are dropped, missing values
 * filled in, categories one-hot encoded, ordinals numbered from 1. Values are filled in as by
 * na.roughfix of R's randomForest; labels are not used. */
#include "base/number.h"
#include "base/sort.h"
#include "base/sum.h"
#include "base/text.h"
#include "base/versioned.h"
#include "data/label_columns.h"
#include "read/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL_LEVELS SIZE_MAX

/* A column of the new table. */
typedef struct {
    size_t feature; /* of the old one */
    size_t level;   /* 1 for this level, otherwise 0; ALL_LEVELS: the value itself */
} source;

typedef struct {
    const sporf_dataset *data;
    float *fill; /* [features]: the value for missing ones */
    int *dropped;
    source *columns;
    size_t count, capacity;
    spf_notes left_out, filled;
} work;

static int is_number(const sporf_dataset *data, size_t feature) {
    return spf_schema_kind(&data->schema, feature) == SPORF_KIND_NUMBER;
}

static int is_category(const sporf_dataset *data, size_t feature) {
    return spf_schema_kind(&data->schema, feature) == SPORF_KIND_CATEGORY;
}

enum { NUMBER_MAX = 32, NOTE_MAX = 80 };

/* The name of a feature, or one made of its number. */
static const char *name_of(const sporf_dataset *data, size_t feature, char number[NUMBER_MAX]) {
    const char *given = sporf_schema_feature_name(sporf_dataset_schema(data), feature);
    if (given) return given;
    snprintf(number, NUMBER_MAX, "x%zu", feature + 1);
    return number;
}

/* ---- filling in ------------------------------------------------------------------------------ */

/* NaN if all values are missing. */
static sporf_status median_of(const float *values, size_t rows, float *median) {
    uint32_t *orders = spf_alloc(rows, sizeof *orders);
    size_t count = 0;
    if (!orders) return spf_raise_memory();
    for (size_t i = 0; i < rows; i++)
        if (!isnan(values[i])) orders[count++] = spf_float_order(values[i]);
    spf_sort_numbers(orders, count);
    *median = NAN;
    if (count > 0) {
        double low = spf_float_unorder(orders[(count - 1) / 2]);
        double high = spf_float_unorder(orders[count / 2]);
        *median = (float)((low + high) / 2);
    }
    free(orders);
    return SPORF_OK;
}

/* The most frequent level, the first in a tie. rows[levels] is the number of rows of each. */
static sporf_status count_levels(const sporf_dataset *data, size_t feature, size_t **rows,
                                 float *most) {
    size_t levels = spf_schema_levels(&data->schema, feature), best = 0;
    *rows = spf_alloc_zero(levels, sizeof **rows);
    if (!*rows) return spf_raise_memory();
    for (size_t i = 0; i < data->rows; i++)
        if (!isnan(data->columns[feature][i])) (*rows)[(size_t)data->columns[feature][i]]++;
    for (size_t k = 1; k < levels; k++)
        if ((*rows)[k] > (*rows)[best]) best = k;
    *most = levels > 0 && (*rows)[best] > 0 ? (float)best : NAN;
    return SPORF_OK;
}

static sporf_status note_filled(work *w, size_t feature, size_t missing) {
    char number[NUMBER_MAX], median[SPF_NUMBER_TEXT_MAX + 1];
    char shown[SPF_NAME_TEXT_MAX], level[SPF_NAME_TEXT_MAX];
    const char *name = name_of(w->data, feature, number);
    if (!is_number(w->data, feature))
        return spf_notes_add(
            &w->filled, SPORF_NOTE_FILLED, name,
            "column '%s': %zu missing, filled with the most frequent, '%s'",
            spf_name_text(name, shown), missing,
            spf_name_text(
                spf_strings_at(&w->data->schema.levels[feature], (size_t)w->fill[feature]), level));
    median[spf_number_write_float(w->fill[feature], median)] = '\0';
    return spf_notes_add(&w->filled, SPORF_NOTE_FILLED, name,
                         "column '%s': %zu missing, filled with the median, %s",
                         spf_name_text(name, shown), missing, median);
}

static float value_at(const work *w, size_t feature, size_t row) {
    float value = w->data->columns[feature][row];
    return isnan(value) ? w->fill[feature] : value;
}

/* ---- leaving out ----------------------------------------------------------------------------- */

static sporf_status drop(work *w, size_t feature, sporf_left_out reason, const char *words) {
    char number[NUMBER_MAX];
    const char *name = name_of(w->data, feature, number);
    w->dropped[feature] = 1;
    return reason == SPORF_LEFT_OUT_EMPTY ? spf_leave_out_empty(&w->left_out, name)
                                          : spf_notes_leave_out(&w->left_out, reason, name, words);
}

static int is_constant(const work *w, size_t feature) {
    for (size_t i = 1; i < w->data->rows; i++)
        if (value_at(w, feature, i) != value_at(w, feature, 0)) return 0;
    return 1;
}

/* Whether single precision may have rounded a value: some are above 2^24. */
static int may_be_rounded(const float *values, size_t rows) {
    for (size_t i = 0; i < rows; i++)
        if (fabsf(values[i]) > 0x1p24f) return 1;
    return 0;
}

static sporf_status drop_identifier(work *w, size_t feature) {
    const float *values = w->data->columns[feature];
    size_t rows = w->data->rows;
    const char *why;
    char words[NOTE_MAX];
    SPF_TRY(spf_identifier(sporf_schema_feature_name(sporf_dataset_schema(w->data), feature),
                           values, rows, may_be_rounded(values, rows), &why));
    if (!why) return SPORF_OK;
    snprintf(words, sizeof words, "an identifier: %s", why);
    return drop(w, feature, SPORF_LEFT_OUT_IDENTIFIER, words);
}

static sporf_status check_feature(work *w, size_t feature) {
    if (isnan(w->fill[feature])) return drop(w, feature, SPORF_LEFT_OUT_EMPTY, NULL);
    if (is_constant(w, feature))
        return drop(w, feature, SPORF_LEFT_OUT_CONSTANT,
                    sporf_dataset_missing(w->data, feature) > 0 ? "the same wherever it is known"
                                                                : "the same in every row");
    return is_number(w->data, feature) ? drop_identifier(w, feature) : SPORF_OK;
}

/* ---- the plan -------------------------------------------------------------------------------- */

static sporf_status add_column(work *w, size_t feature, size_t level) {
    if (w->count >= SPF_ROWS_MAX)
        return spf_raise(SPORF_ERROR_DATA,
                         "more than %zu columns" SPF_HINT
                         "leave out categories of many levels (" SPF_OPTION("ignore") ")",
                         SPF_ROWS_MAX);
    SPF_TRY(SPF_RESERVE(w->columns, w->capacity, w->count + 1));
    w->columns[w->count++] = (source){feature, level};
    return SPORF_OK;
}

/* A column for each level that occurs; missing values have the most frequent one. */
static sporf_status encode_levels(work *w, size_t feature) {
    size_t *rows = NULL;
    float most;
    sporf_status status = count_levels(w->data, feature, &rows, &most);
    for (size_t k = 0; status == SPORF_OK && k < spf_schema_levels(&w->data->schema, feature); k++)
        if (rows[k] > 0) status = add_column(w, feature, k);
    free(rows);
    return status;
}

static sporf_status plan_feature(work *w, size_t feature) {
    const sporf_dataset *data = w->data;
    size_t *rows = NULL, missing = sporf_dataset_missing(data, feature);
    sporf_status status = is_number(data, feature)
                              ? median_of(data->columns[feature], data->rows, &w->fill[feature])
                              : count_levels(data, feature, &rows, &w->fill[feature]);
    free(rows);
    if (status == SPORF_OK) status = check_feature(w, feature);
    if (status != SPORF_OK || missing == 0 || w->dropped[feature]) return status;
    return note_filled(w, feature, missing);
}

/* Numbers first, as in the paper's files, and then the categories. */
static sporf_status plan(work *w) {
    for (size_t j = 0; j < w->data->features; j++) SPF_TRY(plan_feature(w, j));
    for (size_t j = 0; j < w->data->features; j++)
        if (!w->dropped[j] && !is_category(w->data, j)) SPF_TRY(add_column(w, j, ALL_LEVELS));
    for (size_t j = 0; j < w->data->features; j++)
        if (!w->dropped[j] && is_category(w->data, j)) SPF_TRY(encode_levels(w, j));
    if (w->count > 0) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA, "nothing is left of the table: every column is the same in "
                                       "all rows, empty, or an identifier");
}

/* ---- the new table --------------------------------------------------------------------------- */

/* Adds a name, which must be new. */
static sporf_status add_name(const char *name, spf_dictionary *names) {
    char shown[SPF_EXCERPT_MAX];
    size_t before = names->words.count, length = strlen(name);
    uint32_t number;
    SPF_TRY(spf_dictionary_add(names, name, length, &number));
    if (number == before) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "two columns of the new table would be named '%s'" SPF_HINT
                     "rename one of the columns that they are made of",
                     spf_excerpt(name, length, shown));
}

static sporf_status add_level_name(const char *name, const char *level, spf_dictionary *names) {
    size_t size = strlen(name) + strlen(level) + sizeof "=";
    char *whole = spf_alloc(size, 1);
    if (!whole) return spf_raise_memory();
    snprintf(whole, size, "%s=%s", name, level);
    sporf_status status = add_name(whole, names);
    free(whole);
    return status;
}

static sporf_status name_column(const work *w, const source *from, spf_dictionary *names) {
    char number[NUMBER_MAX];
    const char *name = name_of(w->data, from->feature, number);
    if (from->level == ALL_LEVELS) return add_name(name, names);
    return add_level_name(name, spf_strings_at(&w->data->schema.levels[from->feature], from->level),
                          names);
}

/* The names of the label and the targets stay, and must differ from those of columns. */
static sporf_status add_outcomes(const sporf_dataset *data, spf_dictionary *names) {
    if (data->schema.label_name) SPF_TRY(add_name(data->schema.label_name, names));
    for (size_t t = 0; t < data->schema.target_names.count; t++)
        SPF_TRY(add_name(spf_strings_at(&data->schema.target_names, t), names));
    return SPORF_OK;
}

static sporf_status name_columns(const work *w, spf_strings *names) {
    spf_dictionary known = {0};
    sporf_status status = SPORF_OK;
    for (size_t j = 0; status == SPORF_OK && j < w->count; j++)
        status = name_column(w, &w->columns[j], &known);
    if (status == SPORF_OK) status = spf_strings_copy(&known.words, names);
    if (status == SPORF_OK) status = add_outcomes(w->data, &known);
    spf_dictionary_free(&known);
    return status;
}

static void fill_column(const work *w, const source *from, float *column) {
    for (size_t i = 0; i < w->data->rows; i++) {
        float value = value_at(w, from->feature, i);
        if (from->level != ALL_LEVELS)
            column[i] = value == (float)from->level;
        else
            column[i] = is_number(w->data, from->feature) ? value : value + 1;
    }
}

/* With the mean and the standard deviation of all rows, as R's scale does. */
static void standardise(float *column, size_t rows) {
    spf_sum sum = {0}, squares = {0};
    for (size_t i = 0; i < rows; i++) spf_sum_add(&sum, column[i]);
    double mean = spf_sum_value(&sum) / (double)rows;
    for (size_t i = 0; i < rows; i++)
        spf_sum_add(&squares, (column[i] - mean) * (column[i] - mean));
    double sd = sqrt(spf_sum_value(&squares) / (double)(rows - 1));
    for (size_t i = 0; i < rows; i++) column[i] = (float)((column[i] - mean) / sd);
}

static sporf_status number_classes(const sporf_dataset *data, sporf_dataset *made) {
    if (!data->labels) return SPORF_OK;
    made->labels = spf_alloc(data->rows, sizeof *made->labels);
    if (!made->labels) return spf_raise_memory();
    memcpy(made->labels, data->labels, data->rows * sizeof *made->labels);
    for (size_t k = 0; k < data->schema.classes.count; k++) {
        char name[32];
        int length = snprintf(name, sizeof name, "%zu", k);
        SPF_TRY(spf_strings_add(&made->schema.classes, name, (size_t)length));
    }
    return sporf_dataset_set_label_name(made, data->schema.label_name);
}

static sporf_status copy_targets(const sporf_dataset *data, sporf_dataset *made) {
    if (data->targets == 0) return SPORF_OK;
    made->target_storage = spf_alloc(data->rows * data->targets, sizeof *made->target_storage);
    if (!made->target_storage) return spf_raise_memory();
    made->targets = data->targets;
    memcpy(made->target_storage, data->target_storage,
           data->rows * data->targets * sizeof *made->target_storage);
    return spf_strings_copy(&data->schema.target_names, &made->schema.target_names);
}

/* Notes from the reader come first. */
static sporf_status add_notes(const work *w, sporf_dataset *made) {
    const spf_notes *of_file = &w->data->notes;
    for (size_t i = 0; i < of_file->count; i++)
        if (of_file->items[i].kind == SPORF_NOTE_LEFT_OUT)
            SPF_TRY(spf_notes_repeat(&of_file->items[i], &made->notes));
    SPF_TRY(spf_notes_copy(&w->left_out, &made->notes));
    return spf_notes_copy(&w->filled, &made->notes);
}

static sporf_status build(const work *w, int standardised, sporf_dataset *made) {
    SPF_TRY(name_columns(w, &made->schema.names));
    for (size_t j = 0; j < w->count; j++) {
        fill_column(w, &w->columns[j], spf_dataset_column(made, j));
        if (standardised) standardise(spf_dataset_column(made, j), made->rows);
    }
    SPF_TRY(number_classes(w->data, made));
    SPF_TRY(copy_targets(w->data, made));
    return add_notes(w, made);
}

static sporf_status make(const work *w, int standardised, sporf_dataset **out, size_t **feature) {
    sporf_dataset *made = NULL;
    size_t *features = spf_alloc(w->count, sizeof *features);
    if (!features) return spf_raise_memory();
    for (size_t j = 0; j < w->count; j++) features[j] = w->columns[j].feature;
    sporf_status status = spf_dataset_create(w->data->rows, w->count, &made);
    if (status == SPORF_OK) status = build(w, standardised, made);
    if (status != SPORF_OK || !feature) {
        free(features);
        features = NULL;
    }
    if (status != SPORF_OK) {
        sporf_dataset_free(made);
        return status;
    }
    if (feature) *feature = features;
    *out = made;
    return SPORF_OK;
}

sporf_status sporf_dataset_prepare(const sporf_dataset *data, const sporf_prepare_options *given,
                                   sporf_dataset **out, size_t **feature) {
    sporf_prepare_options options;
    if (!data || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "preparing needs data and a place for the new data");
    SPF_TRY(spf_check_one_label(data, "preparing"));
    sporf_prepare_options_init(&options);
    SPF_TRY(spf_versioned_read(given, &options, sizeof options, "sporf_prepare_options_init"));
    work w = {.data = data};
    w.fill = spf_alloc(data->features, sizeof *w.fill);
    w.dropped = spf_alloc_zero(data->features, sizeof *w.dropped);
    sporf_status status = w.fill && w.dropped ? plan(&w) : spf_raise_memory();
    if (status == SPORF_OK) status = make(&w, options.standardise, out, feature);
    free(w.fill);
    free(w.dropped);
    free(w.columns);
    spf_notes_free(&w.left_out);
    spf_notes_free(&w.filled);
    return status;
}
