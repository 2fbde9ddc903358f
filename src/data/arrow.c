/* Datasets of Arrow record batches, through the C data interface: numbers become features, one
 * child the labels. A batch is a struct array, whose offset adds to that of its children. */
#include "data/arrow_abi.h"
#include "data/text.h"
#include "data/typed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One child, seen through the offsets of batch and child. */
typedef struct {
    const struct ArrowSchema *schema;
    const struct ArrowArray *array;
    size_t number; /* from 0 */
    size_t first;  /* element of row 0 */
    size_t rows;
    char place[SPF_EXCERPT_MAX + 32]; /* for messages */
} arrow_column;

/* Text in an array: offsets of 32 or 64 bits into bytes. */
typedef struct {
    const char *offsets, *bytes;
    int large;
    size_t first, count;
} arrow_text;

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

static int bit_at(const void *bits, size_t index) {
    return ((const unsigned char *)bits)[index / 8] >> (index % 8) & 1;
}

static size_t count_nulls(const struct ArrowArray *array, size_t first, size_t count) {
    if (array->null_count == 0 || array->n_buffers < 1 || !array->buffers || !array->buffers[0])
        return 0;
    size_t nulls = 0;
    for (size_t i = 0; i < count; i++) nulls += !bit_at(array->buffers[0], first + i);
    return nulls;
}

/* Checks that a column has values and no nulls. */
static sporf_status check_column(const arrow_column *column) {
    const struct ArrowArray *array = column->array;
    if (array->n_buffers < 2 || !array->buffers || !array->buffers[1])
        return spf_raise(SPORF_ERROR_ARGUMENT, "%s: a buffer is missing", column->place);
    size_t nulls = count_nulls(array, column->first, column->rows);
    if (nulls > 0)
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: %zu nulls; missing values are not supported yet: fill or drop them",
                         column->place, nulls);
    return SPORF_OK;
}

static sporf_status open_column(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                size_t number, arrow_column *column) {
    char shown[SPF_EXCERPT_MAX];
    *column = (arrow_column){.schema = schema->children[number],
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

/* The type of a format of one letter. Booleans, in bits, are not among them. */
static int number_type(const char *format, spf_type *type) {
    static const struct {
        char letter;
        spf_type type;
    } types[] = {{'c', SPF_I8},  {'C', SPF_U8},  {'s', SPF_I16}, {'S', SPF_U16},
                 {'i', SPF_I32}, {'I', SPF_U32}, {'l', SPF_I64}, {'L', SPF_U64},
                 {'e', SPF_F16}, {'f', SPF_F32}, {'g', SPF_F64}};
    for (size_t i = 0; format[0] && !format[1] && i < sizeof types / sizeof *types; i++)
        if (format[0] == types[i].letter) {
            *type = types[i].type;
            return 1;
        }
    return 0;
}

static spf_typed typed_column(const arrow_column *column, spf_type type) {
    size_t size = spf_type_size(type);
    return (spf_typed){.bytes =
                           (const unsigned char *)column->array->buffers[1] + column->first * size,
                       .type = type,
                       .rows = column->rows,
                       .columns = 1,
                       .row_stride = size,
                       .name = column->place};
}

static int is_boolean(const arrow_column *column) {
    return strcmp(column->schema->format, "b") == 0;
}

/* Whether a child's values can be used where they are. */
static int can_borrow(const struct ArrowSchema *schema, const struct ArrowArray *array) {
    return schema && schema->format && strcmp(schema->format, "f") == 0 && !schema->dictionary &&
           array && array->n_buffers >= 2 && array->buffers &&
           (uintptr_t)array->buffers[1] % _Alignof(float) == 0;
}

/* The values of a feature: in place, or in room of its own. */
static sporf_status load_feature(const arrow_column *column, float *room, const float **values) {
    spf_type type = SPF_F32;
    if (column->schema->dictionary ||
        (!is_boolean(column) && !number_type(column->schema->format, &type)))
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: Arrow type '%.16s'%s is not a number; text and categories are not "
                         "supported yet: turn the column into numbers or leave it out",
                         column->place, column->schema->format,
                         column->schema->dictionary ? " with a dictionary" : "");
    SPF_TRY(check_column(column));
    *values = room;
    if (is_boolean(column)) {
        for (size_t i = 0; i < column->rows; i++)
            room[i] = (float)bit_at(column->array->buffers[1], column->first + i);
        return SPORF_OK;
    }
    spf_typed typed = typed_column(column, type);
    if (!can_borrow(column->schema, column->array))
        return spf_typed_load(&typed, SPF_NO_COLUMN, 1, room);
    *values = (const float *)column->array->buffers[1] + column->first;
    return SPORF_OK;
}

static sporf_status open_text(const arrow_column *column, const char *format,
                              const struct ArrowArray *array, size_t first, size_t count,
                              arrow_text *text) {
    if (strcmp(format, "u") != 0 && strcmp(format, "U") != 0)
        return spf_raise(SPORF_ERROR_DATA, "%s: labels of Arrow type '%.16s'; give numbers or text",
                         column->place, format);
    if (array->n_buffers < 3 || !array->buffers || !array->buffers[1])
        return spf_raise(SPORF_ERROR_ARGUMENT, "%s: a buffer is missing", column->place);
    *text = (arrow_text){.offsets = array->buffers[1],
                         .bytes = array->buffers[2],
                         .large = format[0] == 'U',
                         .first = first,
                         .count = count};
    return SPORF_OK;
}

static int64_t text_offset(const arrow_text *text, size_t index) {
    int64_t large;
    int32_t small;
    if (text->large) {
        memcpy(&large, text->offsets + index * sizeof large, sizeof large);
        return large;
    }
    memcpy(&small, text->offsets + index * sizeof small, sizeof small);
    return small;
}

/* Adds element i, counted from text->first, to the words. */
static sporf_status add_text(const arrow_column *column, const arrow_text *text, size_t i,
                             spf_dictionary *words, uint32_t *code) {
    int64_t begin = text_offset(text, text->first + i),
            end = text_offset(text, text->first + i + 1);
    if (begin < 0 || end < begin || (end > begin && !text->bytes))
        return spf_raise(SPORF_ERROR_ARGUMENT, "%s: text offsets that make no sense",
                         column->place);
    if (end == begin || memchr(text->bytes + begin, '\0', (size_t)(end - begin)))
        return spf_raise(SPORF_ERROR_DATA, "%s: a label that is empty or has a NUL byte",
                         column->place);
    return spf_dictionary_add(words, text->bytes + begin, (size_t)(end - begin), code);
}

static sporf_status code_text(const arrow_column *column, spf_dictionary *words, uint32_t *codes) {
    arrow_text text;
    SPF_TRY(open_text(column, column->schema->format, column->array, column->first, column->rows,
                      &text));
    SPF_TRY(check_column(column));
    for (size_t i = 0; i < column->rows; i++) SPF_TRY(add_text(column, &text, i, words, &codes[i]));
    return SPORF_OK;
}

/* One element of a dictionary-encoded column: an index of any integer type, checked. */
static sporf_status code_index(const arrow_column *column, const arrow_text *text, int64_t index,
                               spf_dictionary *words, uint32_t *code) {
    const struct ArrowArray *values = column->array->dictionary;
    if (index < 0 || (uint64_t)index >= text->count)
        return spf_raise(SPORF_ERROR_ARGUMENT, "%s: index %lld in a dictionary of %zu",
                         column->place, (long long)index, text->count);
    if (count_nulls(values, text->first + (size_t)index, 1) > 0)
        return spf_raise(SPORF_ERROR_DATA, "%s: a null label in the dictionary", column->place);
    return add_text(column, text, (size_t)index, words, code);
}

static sporf_status code_dictionary(const arrow_column *column, spf_dictionary *words,
                                    uint32_t *codes) {
    const struct ArrowArray *values = column->array->dictionary;
    arrow_text text;
    spf_type type = SPF_F64;
    if (!values || !column->schema->dictionary->format || values->offset < 0 ||
        values->length < 0 || !number_type(column->schema->format, &type) || type > SPF_U64)
        return spf_raise(SPORF_ERROR_ARGUMENT, "%s: a dictionary that makes no sense",
                         column->place);
    SPF_TRY(open_text(column, column->schema->dictionary->format, values, (size_t)values->offset,
                      (size_t)values->length, &text));
    SPF_TRY(check_column(column));
    spf_typed indices = typed_column(column, type);
    for (size_t i = 0; i < column->rows; i++)
        SPF_TRY(code_index(column, &text, spf_typed_integer(&indices, i, 0), words, &codes[i]));
    return SPORF_OK;
}

static sporf_status code_booleans(const arrow_column *column, spf_dictionary *words,
                                  uint32_t *codes) {
    SPF_TRY(check_column(column));
    for (size_t i = 0; i < column->rows; i++) {
        const char *word = bit_at(column->array->buffers[1], column->first + i) ? "1" : "0";
        SPF_TRY(spf_dictionary_add(words, word, 1, &codes[i]));
    }
    return SPORF_OK;
}

static sporf_status load_word_labels(const arrow_column *column, sporf_dataset *data) {
    spf_dictionary words = {0};
    uint32_t *codes = spf_alloc(column->rows, sizeof *codes);
    sporf_status status = codes ? SPORF_OK : spf_raise_memory();
    if (status == SPORF_OK)
        status = column->schema->dictionary ? code_dictionary(column, &words, codes)
                 : is_boolean(column)       ? code_booleans(column, &words, codes)
                                            : code_text(column, &words, codes);
    if (status == SPORF_OK) status = spf_dataset_take_labels(data, &words, codes);
    if (status != SPORF_OK) free(codes);
    spf_dictionary_free(&words);
    return status;
}

static sporf_status load_labels(const arrow_column *column, sporf_dataset *data) {
    spf_type type;
    const char *name = column->schema->name;
    data->label_name = name && *name ? spf_strdup(name) : NULL;
    if (name && *name && !data->label_name) return spf_raise_memory();
    if (column->schema->dictionary || !number_type(column->schema->format, &type))
        return load_word_labels(column, data);
    SPF_TRY(check_column(column));
    spf_typed typed = typed_column(column, type);
    return spf_typed_load_labels(&typed, 0, data);
}

static int is_label(const struct ArrowSchema *child, const char *label) {
    return label && child && child->name && strcmp(child->name, label) == 0;
}

/* How many children are features; a label that is missing or ambiguous is refused. */
static sporf_status count_features(const struct ArrowSchema *schema, const char *label,
                                   size_t *features) {
    size_t labels = 0;
    for (int64_t i = 0; i < schema->n_children; i++) labels += is_label(schema->children[i], label);
    *features = (size_t)schema->n_children - labels;
    if (label && labels != 1)
        return spf_raise(SPORF_ERROR_DATA, "Arrow batch: %zu columns are called '%.64s', the label",
                         labels, label);
    if (*features == 0)
        return spf_raise(SPORF_ERROR_DATA, "Arrow batch: no feature columns beside the label");
    return SPORF_OK;
}

/* Room for the columns that must be converted. */
static sporf_status make_room(const struct ArrowSchema *schema, const struct ArrowArray *array,
                              const char *label, sporf_dataset *data) {
    size_t copies = 0;
    for (int64_t i = 0; i < schema->n_children; i++)
        copies += !is_label(schema->children[i], label) &&
                  !can_borrow(schema->children[i], array->children[i]);
    if (copies == 0) return SPORF_OK;
    data->storage = spf_alloc(copies * data->rows, sizeof *data->storage);
    return data->storage ? SPORF_OK : spf_raise_memory();
}

static sporf_status load_children(const struct ArrowSchema *schema, const struct ArrowArray *array,
                                  const char *label, sporf_dataset *data) {
    float *room = data->storage;
    size_t feature = 0;
    for (size_t i = 0; i < (size_t)array->n_children; i++) {
        arrow_column column;
        SPF_TRY(open_column(schema, array, i, &column));
        if (is_label(column.schema, label)) {
            SPF_TRY(load_labels(&column, data));
            continue;
        }
        SPF_TRY(load_feature(&column, room, &data->columns[feature]));
        if (data->columns[feature++] == room) room += data->rows;
        const char *name = column.schema->name ? column.schema->name : "";
        SPF_TRY(spf_strings_add(&data->schema.names, name, strlen(name)));
    }
    return spf_dataset_check_values(data);
}

sporf_status sporf_dataset_from_arrow(const struct ArrowSchema *schema,
                                      const struct ArrowArray *array, const char *label,
                                      sporf_dataset **out) {
    size_t features = 0;
    sporf_dataset *data = NULL;
    if (!out) return raise_malformed("out must not be NULL");
    *out = NULL;
    SPF_TRY(check_batch(schema, array));
    SPF_TRY(count_features(schema, label, &features));
    size_t nulls = count_nulls(array, (size_t)array->offset, (size_t)array->length);
    if (nulls > 0) return spf_raise(SPORF_ERROR_DATA, "Arrow batch: %zu rows are null", nulls);
    SPF_TRY(spf_dataset_create_borrowing((size_t)array->length, features, &data));
    sporf_status status = make_room(schema, array, label, data);
    if (status == SPORF_OK) status = load_children(schema, array, label, data);
    if (status != SPORF_OK)
        sporf_dataset_free(data);
    else
        *out = data;
    return status;
}
