/* The columns of an Arrow batch as typed numbers or numbered words: text, dictionaries of text and
 * booleans. */
#include "data/arrow_column.h"

#include <string.h>

/* Text in an array: offsets of 32 or 64 bits into bytes. */
typedef struct {
    const char *offsets, *bytes;
    int large;
    size_t first, count;
} arrow_text;

int spf_arrow_number_type(const char *format, spf_type *type) {
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

spf_typed spf_arrow_typed(const spf_arrow_column *column, spf_type type) {
    size_t size = spf_type_size(type);
    return (spf_typed){.bytes =
                           (const unsigned char *)column->array->buffers[1] + column->first * size,
                       .type = type,
                       .rows = column->rows,
                       .columns = 1,
                       .row_stride = size,
                       .name = column->place};
}

sporf_status spf_arrow_check(const spf_arrow_column *column) {
    const struct ArrowArray *array = column->array;
    if (array->n_buffers < 2 || !array->buffers || !array->buffers[1])
        return spf_raise(SPORF_ERROR_ARGUMENT, "%s: a buffer is missing", column->place);
    return SPORF_OK;
}

static int is_text_format(const char *format) {
    return format && (strcmp(format, "u") == 0 || strcmp(format, "U") == 0);
}

int spf_arrow_is_text(const spf_arrow_column *column) {
    const struct ArrowSchema *schema = column->schema;
    return is_text_format(schema->dictionary ? schema->dictionary->format : schema->format);
}

static sporf_status open_text(const spf_arrow_column *column, const char *format,
                              const struct ArrowArray *array, size_t first, size_t count,
                              arrow_text *text) {
    if (!is_text_format(format))
        return spf_raise(SPORF_ERROR_DATA, "%s: words of Arrow type '%.16s'; give numbers or text",
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
static sporf_status add_text(const spf_arrow_column *column, const arrow_text *text, size_t i,
                             spf_dictionary *words, uint32_t *code) {
    int64_t begin = text_offset(text, text->first + i),
            end = text_offset(text, text->first + i + 1);
    *code = SPF_ARROW_NULL;
    if (begin < 0 || end < begin || (end > begin && !text->bytes))
        return spf_raise(SPORF_ERROR_ARGUMENT, "%s: text offsets that make no sense",
                         column->place);
    if (end == begin) return SPORF_OK;
    if (memchr(text->bytes + begin, '\0', (size_t)(end - begin)))
        return spf_raise(SPORF_ERROR_DATA, "%s: a text with a NUL byte", column->place);
    return spf_dictionary_add(words, text->bytes + begin, (size_t)(end - begin), code);
}

static sporf_status code_text(const spf_arrow_column *column, spf_dictionary *words,
                              uint32_t *codes) {
    arrow_text text;
    SPF_TRY(open_text(column, column->schema->format, column->array, column->first, column->rows,
                      &text));
    for (size_t i = 0; i < column->rows; i++) {
        codes[i] = SPF_ARROW_NULL;
        if (!spf_arrow_is_null(column->array, column->first + i))
            SPF_TRY(add_text(column, &text, i, words, &codes[i]));
    }
    return SPORF_OK;
}

static sporf_status open_dictionary(const spf_arrow_column *column, arrow_text *text,
                                    spf_type *type) {
    const struct ArrowArray *values = column->array->dictionary;
    *type = SPF_F64;
    if (!values || !column->schema->dictionary->format || values->offset < 0 ||
        values->length < 0 || !spf_arrow_number_type(column->schema->format, type) ||
        *type > SPF_U64)
        return spf_raise(SPORF_ERROR_ARGUMENT, "%s: a dictionary that makes no sense",
                         column->place);
    return open_text(column, column->schema->dictionary->format, values, (size_t)values->offset,
                     (size_t)values->length, text);
}

/* One element of a dictionary-encoded column: an index of any integer type, checked. */
static sporf_status code_index(const spf_arrow_column *column, const arrow_text *text,
                               int64_t index, spf_dictionary *words, uint32_t *code) {
    if (index < 0 || (uint64_t)index >= text->count)
        return spf_raise(SPORF_ERROR_ARGUMENT, "%s: index %lld in a dictionary of %zu",
                         column->place, (long long)index, text->count);
    *code = SPF_ARROW_NULL;
    if (spf_arrow_is_null(column->array->dictionary, text->first + (size_t)index)) return SPORF_OK;
    return add_text(column, text, (size_t)index, words, code);
}

static sporf_status code_dictionary(const spf_arrow_column *column, spf_dictionary *words,
                                    uint32_t *codes) {
    arrow_text text;
    spf_type type;
    SPF_TRY(open_dictionary(column, &text, &type));
    SPF_TRY(spf_arrow_check(column));
    spf_typed indices = spf_arrow_typed(column, type);
    for (size_t i = 0; i < column->rows; i++) {
        codes[i] = SPF_ARROW_NULL;
        if (!spf_arrow_is_null(column->array, column->first + i))
            SPF_TRY(code_index(column, &text, spf_typed_integer(&indices, i, 0), words, &codes[i]));
    }
    return SPORF_OK;
}

sporf_status spf_arrow_dictionary(const spf_arrow_column *column, spf_dictionary *words) {
    arrow_text text;
    spf_type type;
    uint32_t code;
    SPF_TRY(open_dictionary(column, &text, &type));
    for (size_t i = 0; i < text.count; i++)
        SPF_TRY(code_index(column, &text, (int64_t)i, words, &code));
    return SPORF_OK;
}

static sporf_status code_booleans(const spf_arrow_column *column, spf_dictionary *words,
                                  uint32_t *codes) {
    SPF_TRY(spf_arrow_check(column));
    for (size_t i = 0; i < column->rows; i++) {
        const char *word = spf_arrow_bit(column->array->buffers[1], column->first + i) ? "1" : "0";
        codes[i] = SPF_ARROW_NULL;
        if (!spf_arrow_is_null(column->array, column->first + i))
            SPF_TRY(spf_dictionary_add(words, word, 1, &codes[i]));
    }
    return SPORF_OK;
}

sporf_status spf_arrow_code(const spf_arrow_column *column, spf_dictionary *words,
                            uint32_t *codes) {
    if (column->schema->dictionary) return code_dictionary(column, words, codes);
    if (strcmp(column->schema->format, "b") == 0) return code_booleans(column, words, codes);
    return code_text(column, words, codes);
}
