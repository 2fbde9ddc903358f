/* Datasets from Arrow record batches, through the C data interface: children of numbers or text
 * become features; options make some the label, weights or targets. A batch is a struct array,
 * whose offset adds to that of its children. */
#include "base/text.h"
#include "base/versioned.h"
#include "data/targets.h"
#include "data/weights.h"
#include "read/arrow_column.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sporf_status raise_malformed(const char *what) {
    return spf_raise(SPORF_ERROR_ARGUMENT, "Arrow batch: %s", what);
}

static sporf_status check_batch(const struct ArrowSchema *schema, const struct ArrowArray *array) {
    if (!schema || !array) return raise_malformed("schema and array must not be NULL");
    if (!schema->release || !array->release) return raise_malformed("already released");
    if (!schema->format || strcmp(schema->format, "+s") != 0)
        return raise_malformed("not a struct array (format '+s'); export a record batch");
    if (schema->n_children != array->n_children || schema->n_children < 0 ||
        (schema->n_children > 0 && (!schema->children || !array->children)))
        return raise_malformed("schema and array have different children");
    if (array->length < 0 || array->offset < 0) return raise_malformed("a negative length");
    if (array->length == 0 || array->n_children == 0)
        return spf_raise(SPORF_ERROR_DATA, "Arrow batch: %lld rows x %lld columns; nothing to use",
                         (long long)array->length, (long long)array->n_children);
    return SPORF_OK;
}

static size_t count_nulls(const struct ArrowArray *array, size_t first, size_t count) {
    size_t nulls = 0;
    for (size_t i = 0; spf_arrow_nullable(array) && i < count; i++)
        nulls += (size_t)spf_arrow_is_null(array, first + i);
    return nulls;
}

static sporf_status open_column(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                size_t number, spf_arrow_column *column) {
    char shown[SPF_EXCERPT_MAX];
    *column = (spf_arrow_column){.schema = schema->children[number],
                                 .array = array->children[number],
                                 .number = number,
                                 .rows = (size_t)array->length};
    if (!column->schema || !column->array || !column->schema->format)
        return raise_malformed("a child is NULL");
    const char *name = column->schema->name ? column->schema->name : "";
    snprintf(column->place, sizeof column->place, "column %zu ('%s')", number + 1,
             spf_excerpt(name, strlen(name), shown));
    const struct ArrowArray *child = column->array;
    if (child->offset < 0 || child->length < 0 ||
        (uint64_t)array->offset + (uint64_t)array->length > (uint64_t)child->length)
        return spf_raise(SPORF_ERROR_ARGUMENT, "%s: shorter than the batch", column->place);
    column->first = (size_t)array->offset + (size_t)child->offset;
    return SPORF_OK;
}

static int is_boolean(const spf_arrow_column *column) {
    return strcmp(column->schema->format, "b") == 0;
}

/* Whether a child's values can be used in place. */
static int can_borrow(const struct ArrowSchema *schema, const struct ArrowArray *array) {
    return schema && schema->format && strcmp(schema->format, "f") == 0 && !schema->dictionary &&
           array && array->n_buffers >= 2 && array->buffers && !spf_arrow_nullable(array) &&
           (uintptr_t)array->buffers[1] % _Alignof(float) == 0;
}

/* ---- features -------------------------------------------------------------------------------- */

/* The bytes of a null may be anything: only the values between nulls are checked. */
static sporf_status load_numbers(const spf_arrow_column *column, spf_type type, float *room,
                                 int *has_missing) {
    spf_typed all = spf_arrow_typed(column, type);
    for (size_t begin = 0, end; begin < column->rows; begin = end) {
        int null = spf_arrow_is_null(column->array, column->first + begin);
        for (end = begin + 1; end < column->rows; end++)
            if (spf_arrow_is_null(column->array, column->first + end) != null) break;
        spf_typed part = all;
        part.bytes += begin * all.row_stride;
        part.first_row = begin;
        part.rows = end - begin;
        for (size_t i = begin; null && i < end; i++) room[i] = NAN;
        *has_missing |= null;
        if (!null) SPF_TRY(spf_typed_load(&part, SPF_NO_COLUMN, 1, room + begin, has_missing));
    }
    return SPORF_OK;
}

static void load_booleans(const spf_arrow_column *column, float *room, int *has_missing) {
    for (size_t i = 0; i < column->rows; i++) {
        int null = spf_arrow_is_null(column->array, column->first + i);
        room[i] = null ? NAN : (float)spf_arrow_bit(column->array->buffers[1], column->first + i);
        *has_missing |= null;
    }
}

/* Loads numbers, or booleans as numbers; `fault` is the message for other types. */
static sporf_status load_values(const spf_arrow_column *column, float *room, const char *fault,
                                int *has_missing) {
    spf_type type = SPF_F32;
    if (column->schema->dictionary ||
        (!is_boolean(column) && !spf_arrow_number_type(column->schema->format, &type)))
        return spf_arrow_raise_type(column, fault);
    SPF_TRY(spf_arrow_check(column));
    if (!is_boolean(column)) return load_numbers(column, type, room, has_missing);
    load_booleans(column, room, has_missing);
    return SPORF_OK;
}

static int is_ordered(const spf_arrow_column *column) {
    return column->schema->dictionary && (column->schema->flags & ARROW_FLAG_DICTIONARY_ORDERED);
}

/* The levels, and the level number of each word: an ordered dictionary keeps its order, otherwise
 * words are sorted. */
static sporf_status order_words(const spf_arrow_column *column, const spf_dictionary *words,
                                spf_strings *levels, uint32_t *place) {
    if (!is_ordered(column)) return spf_dictionary_order(words, levels, place);
    for (size_t i = 0; i < words->words.count; i++) place[i] = (uint32_t)i;
    return spf_strings_copy(&words->words, levels);
}

static void put_levels(const uint32_t *codes, const uint32_t *place, size_t rows, float *room,
                       int *has_missing) {
    for (size_t i = 0; i < rows; i++) {
        int null = codes[i] == SPF_ARROW_NULL;
        room[i] = null ? NAN : (float)place[codes[i]];
        *has_missing |= null;
    }
}

static sporf_status load_words(const spf_arrow_column *column, float *room, int *has_missing,
                               spf_strings *levels) {
    spf_dictionary words = {0};
    uint32_t *place = NULL, *codes = spf_alloc(column->rows, sizeof *codes);
    sporf_status status = codes ? SPORF_OK : spf_raise_memory();
    if (status == SPORF_OK && is_ordered(column)) status = spf_arrow_dictionary(column, &words);
    if (status == SPORF_OK) status = spf_arrow_code(column, &words, codes);
    if (status == SPORF_OK && words.words.count > SPF_LEVELS_MAX)
        status =
            spf_raise(SPORF_ERROR_DATA, "%s: more than %zu different texts" SPF_HINT "leave it out",
                      column->place, SPF_LEVELS_MAX);
    if (status == SPORF_OK && !(place = spf_alloc(words.words.count, sizeof *place)))
        status = spf_raise_memory();
    if (status == SPORF_OK) status = order_words(column, &words, levels, place);
    if (status == SPORF_OK) put_levels(codes, place, column->rows, room, has_missing);
    free(place);
    free(codes);
    spf_dictionary_free(&words);
    return status;
}

/* A text column becomes a category; one without any text is numeric with all values missing. */
static sporf_status load_category(const spf_arrow_column *column, float *room, size_t feature,
                                  sporf_dataset *data) {
    spf_strings levels = {0};
    sporf_kind kind = is_ordered(column) ? SPORF_KIND_ORDINAL : SPORF_KIND_CATEGORY;
    sporf_status status = load_words(column, room, &data->has_missing, &levels);
    if (status == SPORF_OK && levels.count > 0)
        status = spf_schema_set_levels(&data->schema, data->features, feature, kind, &levels);
    spf_strings_free(&levels);
    return status;
}

/* The values of a feature, in place or converted into `room`. A column of nulls is numeric. */
static sporf_status load_feature(const spf_arrow_column *column, float *room, size_t feature,
                                 sporf_dataset *data) {
    data->columns[feature] = room;
    if (spf_arrow_is_nothing(column)) {
        for (size_t i = 0; i < column->rows; i++) room[i] = NAN;
        data->has_missing = 1;
        return SPORF_OK;
    }
    if (spf_arrow_is_text(column)) return load_category(column, room, feature, data);
    if (!can_borrow(column->schema, column->array))
        return load_values(column, room, "neither a number nor text", &data->has_missing);
    SPF_TRY(spf_arrow_check(column));
    data->columns[feature] = (const float *)column->array->buffers[1] + column->first;
    return SPORF_OK;
}

/* ---- labels ---------------------------------------------------------------------------------- */

static sporf_status raise_unlabelled(const spf_arrow_column *column, size_t missing) {
    return spf_raise(SPORF_ERROR_DATA,
                     "%s: no class label in %zu of %zu rows (nulls or empty)" SPF_HINT
                     "give them labels or remove them",
                     column->place, missing, column->rows);
}

static sporf_status load_word_labels(const spf_arrow_column *column, sporf_dataset *data) {
    spf_dictionary words = {0};
    uint32_t *codes = spf_alloc(column->rows, sizeof *codes);
    sporf_status status = codes ? spf_arrow_code(column, &words, codes) : spf_raise_memory();
    size_t missing = 0;
    for (size_t i = 0; status == SPORF_OK && i < column->rows; i++)
        missing += codes[i] == SPF_ARROW_NULL;
    if (status == SPORF_OK && missing > 0) status = raise_unlabelled(column, missing);
    if (status == SPORF_OK) status = spf_dataset_take_labels(data, &words, codes);
    if (status != SPORF_OK) free(codes);
    spf_dictionary_free(&words);
    return status;
}

static sporf_status load_labels(const spf_arrow_column *column, sporf_dataset *data) {
    spf_type type;
    const char *name = column->schema->name;
    data->schema.label_name = name && *name ? spf_strdup(name) : NULL;
    if (name && *name && !data->schema.label_name) return spf_raise_memory();
    if (spf_arrow_is_nothing(column)) return raise_unlabelled(column, column->rows);
    if (column->schema->dictionary || !spf_arrow_number_type(column->schema->format, &type))
        return load_word_labels(column, data);
    SPF_TRY(spf_arrow_check(column));
    size_t missing = count_nulls(column->array, column->first, column->rows);
    if (missing > 0) return raise_unlabelled(column, missing);
    spf_typed typed = spf_arrow_typed(column, type);
    return spf_typed_load_labels(&typed, 0, data);
}

/* ---- weights and targets --------------------------------------------------------------------- */

static sporf_status load_weights(const spf_arrow_column *column, sporf_dataset *data) {
    int has_missing = 0;
    data->weights = spf_alloc(data->rows, sizeof *data->weights);
    if (!data->weights) return spf_raise_memory();
    SPF_TRY(load_values(column, data->weights, "not a number", &has_missing));
    SPF_TRY(spf_weights_check(data->weights, data->rows));
    return sporf_dataset_set_weight_name(data, column->schema->name);
}

/* Memory for all targets, and their names. */
static sporf_status make_targets(const sporf_read_options *options, sporf_dataset *data) {
    if (options->targets_count == 0) return SPORF_OK;
    data->targets = options->targets_count;
    data->target_storage = spf_alloc(data->targets * data->rows, sizeof *data->target_storage);
    if (!data->target_storage) return spf_raise_memory();
    for (size_t t = 0; t < data->targets; t++)
        SPF_TRY(spf_strings_add(&data->schema.target_names, options->targets[t],
                                strlen(options->targets[t])));
    return SPORF_OK;
}

/* ---- the batch ------------------------------------------------------------------------------- */

/* The role of a child; targets are TARGET, TARGET + 1, ... */
enum { FEATURE, LABEL, WEIGHT, TARGET };

static int is_called(const struct ArrowSchema *child, const char *name) {
    return name && child && child->name && strcmp(child->name, name) == 0;
}

static size_t role_of(const struct ArrowSchema *child, const sporf_read_options *options) {
    if (is_called(child, options->label)) return LABEL;
    if (is_called(child, options->weight)) return WEIGHT;
    for (size_t t = 0; t < options->targets_count; t++)
        if (is_called(child, options->targets[t])) return TARGET + t;
    return FEATURE;
}

/* Refuses a column that is missing, ambiguous, or has another role already. */
static sporf_status check_role(const struct ArrowSchema *schema, const sporf_read_options *options,
                               const char *name, size_t role, const char *what) {
    char shown[SPF_NAME_TEXT_MAX];
    size_t found = 0;
    if (!name) return SPORF_OK;
    for (int64_t i = 0; i < schema->n_children; i++)
        found += role_of(schema->children[i], options) == role;
    if (found == 1) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA, "Arrow batch: %zu columns are named '%s', the %s%s", found,
                     spf_name_text(name, shown), what, found == 0 ? ", and nothing else" : "");
}

static sporf_status check_roles(const struct ArrowSchema *schema,
                                const sporf_read_options *options) {
    SPF_TRY(check_role(schema, options, options->label, LABEL, "label"));
    SPF_TRY(check_role(schema, options, options->weight, WEIGHT, "weight"));
    for (size_t t = 0; t < options->targets_count; t++) {
        if (!options->targets[t]) return raise_malformed("the name of a target is NULL");
        SPF_TRY(check_role(schema, options, options->targets[t], TARGET + t, "target"));
    }
    return SPORF_OK;
}

static sporf_status count_features(const struct ArrowSchema *schema,
                                   const sporf_read_options *options, size_t *features) {
    SPF_TRY(check_roles(schema, options));
    *features = 0;
    for (int64_t i = 0; i < schema->n_children; i++)
        *features += role_of(schema->children[i], options) == FEATURE;
    if (*features > 0) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA, "Arrow batch: no feature columns beside the %s",
                     options->targets_count > 0 ? "target" : "label");
}

/* Memory for the columns that must be converted. */
static sporf_status make_room(const struct ArrowSchema *schema, const struct ArrowArray *array,
                              const sporf_read_options *options, sporf_dataset *data) {
    size_t copies = 0;
    for (int64_t i = 0; i < schema->n_children; i++)
        copies += role_of(schema->children[i], options) == FEATURE &&
                  !can_borrow(schema->children[i], array->children[i]);
    if (copies > 0) {
        data->storage = spf_alloc(copies * data->rows, sizeof *data->storage);
        if (!data->storage) return spf_raise_memory();
    }
    return make_targets(options, data);
}

static sporf_status load_outcome(const spf_arrow_column *column, size_t role, sporf_dataset *data) {
    int has_missing = 0;
    if (role == LABEL) return load_labels(column, data);
    if (role == WEIGHT) return load_weights(column, data);
    return load_values(column, data->target_storage + (role - TARGET) * data->rows, "not a number",
                       &has_missing);
}

static sporf_status load_children(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                  const sporf_read_options *options, sporf_dataset *data) {
    float *room = data->storage;
    size_t feature = 0;
    for (size_t i = 0; i < (size_t)array->n_children; i++) {
        spf_arrow_column column;
        SPF_TRY(open_column(schema, array, i, &column));
        size_t role = role_of(column.schema, options);
        if (role != FEATURE) {
            SPF_TRY(load_outcome(&column, role, data));
            continue;
        }
        SPF_TRY(load_feature(&column, room, feature, data));
        if (data->columns[feature++] == room) room += data->rows;
        const char *name = column.schema->name ? column.schema->name : "";
        SPF_TRY(spf_strings_add(&data->schema.names, name, strlen(name)));
    }
    SPF_TRY(spf_targets_check(data));
    return spf_dataset_check_values(data);
}

/* A batch knows the types of its own columns. */
static sporf_status check_options(const sporf_read_options *options) {
    if (!options->label_file && options->columns_count + options->categorical_count == 0 &&
        options->ignored_count + options->ordinal_count + options->kept_count == 0 &&
        options->labels_count == 0 && !options->schema)
        return SPORF_OK;
    return raise_malformed(
        "of the options that name columns it takes label, weight and targets" SPF_HINT
        "choose the columns, and turn them into dictionaries, in the batch");
}

sporf_status sporf_dataset_from_arrow(const struct ArrowSchema *schema,
                                      const struct ArrowArray *array,
                                      const sporf_read_options *given, sporf_dataset **out) {
    size_t features = 0;
    sporf_dataset *data = NULL;
    sporf_read_options options;
    if (!out) return raise_malformed("out must not be NULL");
    *out = NULL;
    sporf_read_options_init(&options);
    SPF_TRY(spf_versioned_read(given, &options, sizeof options, "sporf_read_options_init"));
    SPF_TRY(check_options(&options));
    SPF_TRY(check_batch(schema, array));
    SPF_TRY(count_features(schema, &options, &features));
    size_t nulls = count_nulls(array, (size_t)array->offset, (size_t)array->length);
    if (nulls > 0) return spf_raise(SPORF_ERROR_DATA, "Arrow batch: %zu rows are null", nulls);
    SPF_TRY(spf_dataset_create_borrowing((size_t)array->length, features, &data));
    sporf_status status = make_room(schema, array, &options, data);
    if (status == SPORF_OK) status = load_children(schema, array, &options, data);
    if (status != SPORF_OK)
        sporf_dataset_free(data);
    else
        *out = data;
    return status;
}
