/* The columns of an Arrow batch as typed numbers or numbered words: text, dictionaries of text and
 * booleans. */
#include "read/arrow_column.h"

#include <string.h>

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

static const char *value_format(const spf_arrow_column *column) {
    const struct ArrowSchema *schema = column->schema;
    return schema->dictionary ? schema->dictionary->format : schema->format;
}

int spf_arrow_is_text(const spf_arrow_column *column) {
    return spf_arrow_is_text_format(value_format(column));
}

int spf_arrow_is_nothing(const spf_arrow_column *column) {
    const char *format = value_format(column);
    return format && strcmp(format, "n") == 0;
}

/* ---- types that cannot be used --------------------------------------------------------------- */

typedef struct {
    const char *start; /* beginning of the format; the last entry matches any */
    const char *what, *remedy;
} unusable;

static const char as_numbers[] = "turn it into numbers, such as days or seconds since some time";
static const char as_columns[] = "give each of its parts a column of its own";
static const char as_text[] = "turn it into text or numbers";

static const unusable unusables[] = {
    {"td", "dates", as_numbers},
    {"ts", "timestamps", as_numbers},
    {"tt", "times of day", as_numbers},
    {"tD", "durations", as_numbers},
    {"ti", "intervals of time", as_numbers},
    {"d:", "decimal numbers", "cast it to float64"},
    {"+l", "lists", as_columns},
    {"+L", "lists", as_columns},
    {"+v", "lists", as_columns},
    {"+w", "lists", as_columns},
    {"+s", "structs", as_columns},
    {"+m", "maps", as_columns},
    {"+u", "unions", as_columns},
    {"+r", "run-end encoded", "decode it"},
    {"z", "bytes", as_text},
    {"Z", "bytes", as_text},
    {"vz", "bytes", as_text},
    {"w:", "bytes", as_text},
    {"n", "nothing but nulls", "fill them"},
    {"u", "text", "turn it into numbers"},
    {"U", "text", "turn it into numbers"},
    {"vu", "text", "turn it into numbers"},
    {"", "unknown here", "convert it"},
};

static const unusable *find_unusable(const char *format) {
    const unusable *type = unusables;
    while (strncmp(format, type->start, strlen(type->start)) != 0) type++;
    return type;
}

sporf_status spf_arrow_raise_type(const spf_arrow_column *column, const char *fault) {
    const char *format = column->schema->format;
    if (column->schema->dictionary)
        return spf_raise(
            SPORF_ERROR_DATA,
            "%s: Arrow type '%.16s' with a dictionary is %s" SPF_HINT
            "turn it into plain numbers, or its dictionary into text, or leave the column out",
            column->place, format, fault);
    const unusable *type = find_unusable(format);
    return spf_raise(SPORF_ERROR_DATA,
                     "%s: Arrow type '%.16s' (%s) is %s" SPF_HINT "%s, or leave the column out",
                     column->place, format, type->what, fault, type->remedy);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* The texts of a column or its dictionary, from `first` on. */
typedef struct {
    spf_arrow_text all;
    size_t first, count;
} texts;

static sporf_status open_texts(const spf_arrow_column *column, const char *format,
                               const struct ArrowArray *array, size_t first, size_t count,
                               texts *t) {
    *t = (texts){.first = first, .count = count};
    if (!spf_arrow_is_text_format(format))
        return spf_raise(SPORF_ERROR_DATA,
                         "%s: words of Arrow type '%.16s' (%s)" SPF_HINT "give numbers or text",
                         column->place, format, find_unusable(format)->what);
    return spf_arrow_text_open(format, array, column->place, &t->all);
}

/* Adds text i to the words, unless it is empty. */
static sporf_status add_text(const texts *t, size_t i, spf_dictionary *words, uint32_t *code) {
    const char *bytes = NULL;
    size_t length = 0;
    *code = SPF_ARROW_NULL;
    SPF_TRY(spf_arrow_text_at(&t->all, t->first + i, &bytes, &length));
    if (length == 0) return SPORF_OK;
    if (memchr(bytes, '\0', length))
        return spf_raise(SPORF_ERROR_DATA, "%s: a text with a NUL byte", t->all.place);
    return spf_dictionary_add(words, bytes, length, code);
}

static sporf_status code_text(const spf_arrow_column *column, spf_dictionary *words,
                              uint32_t *codes) {
    texts text = {0};
    SPF_TRY(open_texts(column, column->schema->format, column->array, column->first, column->rows,
                       &text));
    for (size_t i = 0; i < column->rows; i++) {
        codes[i] = SPF_ARROW_NULL;
        if (!spf_arrow_is_null(column->array, column->first + i))
            SPF_TRY(add_text(&text, i, words, &codes[i]));
    }
    return SPORF_OK;
}

static sporf_status open_dictionary(const spf_arrow_column *column, texts *text, spf_type *type) {
    const struct ArrowArray *values = column->array->dictionary;
    *type = SPF_F64;
    if (!values || !column->schema->dictionary->format || values->offset < 0 ||
        values->length < 0 || !spf_arrow_number_type(column->schema->format, type) ||
        *type > SPF_U64)
        return spf_raise(SPORF_ERROR_ARGUMENT, "%s: an invalid dictionary", column->place);
    return open_texts(column, column->schema->dictionary->format, values, (size_t)values->offset,
                      (size_t)values->length, text);
}

/* One element of a dictionary-encoded column: an index of any integer type, checked. */
static sporf_status code_index(const spf_arrow_column *column, const texts *text, int64_t index,
                               spf_dictionary *words, uint32_t *code) {
    if (index < 0 || (uint64_t)index >= text->count)
        return spf_raise(SPORF_ERROR_ARGUMENT, "%s: index %lld in a dictionary of %zu",
                         column->place, (long long)index, text->count);
    *code = SPF_ARROW_NULL;
    if (spf_arrow_is_null(column->array->dictionary, text->first + (size_t)index)) return SPORF_OK;
    return add_text(text, (size_t)index, words, code);
}

static sporf_status code_dictionary(const spf_arrow_column *column, spf_dictionary *words,
                                    uint32_t *codes) {
    texts text = {0};
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
    texts text = {0};
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
