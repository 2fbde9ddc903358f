/* NumPy's .npy files: a magic, a version, a Python dictionary of three known keys, the values. */
#include "base/text.h"
#include "read/reader.h"
#include "read/typed.h"

#include <stdio.h>
#include <string.h>

enum { MAGIC_BYTES = 6, DESCR_MAX = 64, DIMENSIONS_MAX = 32 };

static const char magic[] = "\x93NUMPY";

typedef struct {
    char descr[DESCR_MAX];
    int fortran_order;
    size_t dimensions, shape[DIMENSIONS_MAX];
    int has_descr, has_order, has_shape;
} npy_header;

/* The rest of the dictionary. */
typedef struct {
    const char *at, *end;
} npy_text;

int spf_is_npy(const spf_source *source) {
    return source->size >= MAGIC_BYTES && memcmp(source->bytes, magic, MAGIC_BYTES) == 0;
}

static void skip_space(npy_text *text) {
    while (text->at < text->end && strchr(" \t\r\n", *text->at) && *text->at) text->at++;
}

static int accept(npy_text *text, char c) {
    skip_space(text);
    if (text->at >= text->end || *text->at != c) return 0;
    text->at++;
    return 1;
}

static int accept_word(npy_text *text, const char *word) {
    size_t length = strlen(word);
    skip_space(text);
    if ((size_t)(text->end - text->at) < length || memcmp(text->at, word, length) != 0) return 0;
    text->at += length;
    return 1;
}

/* A quoted string without escapes. */
static int read_string(npy_text *text, char *out, size_t room) {
    char quote = accept(text, '\'') ? '\'' : accept(text, '"') ? '"' : '\0';
    if (!quote) return 0;
    const char *close = memchr(text->at, quote, (size_t)(text->end - text->at));
    if (!close || (size_t)(close - text->at) >= room) return 0;
    memcpy(out, text->at, (size_t)(close - text->at));
    out[close - text->at] = '\0';
    text->at = close + 1;
    return 1;
}

static int read_size(npy_text *text, size_t *size) {
    skip_space(text);
    const char *start = text->at;
    for (*size = 0; text->at < text->end && *text->at >= '0' && *text->at <= '9'; text->at++)
        if (__builtin_mul_overflow(*size, 10, size) ||
            __builtin_add_overflow(*size, (size_t)(*text->at - '0'), size))
            return 0;
    return text->at > start;
}

/* A tuple: (), (3,), (3, 4), (3, 4,). */
static int read_shape(npy_text *text, npy_header *header) {
    if (!accept(text, '(')) return 0;
    while (!accept(text, ')')) {
        if (header->dimensions == DIMENSIONS_MAX) return 0;
        if (!read_size(text, &header->shape[header->dimensions++])) return 0;
        if (accept(text, ',')) continue;
        return accept(text, ')');
    }
    return 1;
}

/* The type: a string, or a list for a structured type, which is stored as "[". */
static int read_descr(npy_text *text, npy_header *header) {
    header->has_descr = 1;
    if (accept(text, '[')) {
        strcpy(header->descr, "[");
        return 1;
    }
    return read_string(text, header->descr, sizeof header->descr);
}

static int read_order(npy_text *text, npy_header *header) {
    header->has_order = 1;
    header->fortran_order = accept_word(text, "True");
    return header->fortran_order || accept_word(text, "False");
}

/* Reads the entries; stops at a structured type, after which nothing else matters. */
static int read_dictionary(npy_text *text, npy_header *header) {
    char key[DESCR_MAX];
    if (!accept(text, '{')) return 0;
    while (!accept(text, '}')) {
        if (!read_string(text, key, sizeof key) || !accept(text, ':')) return 0;
        int good = 0;
        if (strcmp(key, "descr") == 0 && !header->has_descr)
            good = read_descr(text, header);
        else if (strcmp(key, "fortran_order") == 0 && !header->has_order)
            good = read_order(text, header);
        else if (strcmp(key, "shape") == 0 && !header->has_shape)
            good = header->has_shape = read_shape(text, header);
        if (!good) return 0;
        if (header->descr[0] == '[') return 1;
        if (accept(text, ',')) continue;
        if (!accept(text, '}')) return 0;
        break;
    }
    return header->has_descr && header->has_order && header->has_shape;
}

/* Finds the dictionary by the version and length in front of it, and the values after it. */
static sporf_status read_header(const spf_source *source, npy_header *header, size_t *values) {
    const unsigned char *bytes = (const unsigned char *)source->bytes;
    if (!spf_is_npy(source))
        return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": not a .npy file (no NUMPY magic)",
                         source->name);
    unsigned version = source->size > MAGIC_BYTES ? bytes[MAGIC_BYTES] : 0;
    size_t start = version == 1 ? MAGIC_BYTES + 4 : MAGIC_BYTES + 6;
    if (source->size < start)
        return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": cut off in the header", source->name);
    if (version < 1 || version > 3)
        return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": .npy version %u is not known (1 to 3 are)",
                         source->name, version);
    size_t length = bytes[8] | (size_t)bytes[9] << 8;
    if (version > 1) length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (length > source->size - start)
        return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": cut off in the header", source->name);
    npy_text text = {source->bytes + start, source->bytes + start + length};
    if (!read_dictionary(&text, header)) {
        char shown[SPF_EXCERPT_MAX];
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE ": the .npy header cannot be understood near '%s'", source->name,
                         spf_excerpt(text.at, (size_t)(text.end - text.at), shown));
    }
    *values = start + length;
    return SPORF_OK;
}

static sporf_status read_type(const spf_source *source, const char *descr, spf_typed *matrix) {
    static const struct {
        const char *code;
        spf_type type;
    } types[] = {{"b1", SPF_U8},  {"i1", SPF_I8},  {"u1", SPF_U8},  {"i2", SPF_I16},
                 {"u2", SPF_U16}, {"i4", SPF_I32}, {"u4", SPF_U32}, {"i8", SPF_I64},
                 {"u8", SPF_U64}, {"f2", SPF_F16}, {"f4", SPF_F32}, {"f8", SPF_F64}};
    const char *code = descr;
    if (*code && strchr("<>|=", *code)) code++;
    matrix->big_endian = *descr == '>';
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(code, types[i].code) == 0) {
            matrix->type = types[i].type;
            return SPORF_OK;
        }
    if (*descr == '[')
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE ": a structured array" SPF_HINT
                                  "save one plain array of numbers instead",
                         source->name);
    return spf_raise(SPORF_ERROR_DATA,
                     SPF_FILE ": values of type '%s'" SPF_HINT
                              "save them as integers, float32 or float64 instead",
                     source->name, spf_excerpt(descr, strlen(descr), (char[SPF_EXCERPT_MAX]){0}));
}

static sporf_status read_layout(const spf_source *source, uint64_t file_bytes,
                                const npy_header *header, size_t values, spf_typed *matrix) {
    size_t size = spf_type_size(matrix->type), cells, bytes;
    if (header->dimensions < 1 || header->dimensions > 2)
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE ": an array of %zu dimensions" SPF_HINT
                                  "reshape it to rows x features",
                         source->name, header->dimensions);
    matrix->rows = header->shape[0];
    matrix->columns = header->dimensions == 2 ? header->shape[1] : 1;
    if (matrix->rows == 0 || matrix->columns == 0)
        return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": an empty array of %zu x %zu values",
                         source->name, matrix->rows, matrix->columns);
    if (__builtin_mul_overflow(matrix->rows, matrix->columns, &cells) ||
        __builtin_mul_overflow(cells, size, &bytes) ||
        (file_bytes > 0 && bytes != file_bytes - values))
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE ": %zu x %zu values of %zu bytes do not fit the %llu bytes there "
                                  "are: the file was not written or copied completely",
                         source->name, matrix->rows, matrix->columns, size,
                         (unsigned long long)(file_bytes - values));
    matrix->bytes = (const unsigned char *)source->bytes + values;
    matrix->row_stride = header->fortran_order ? size : matrix->columns * size;
    matrix->column_stride = header->fortran_order ? matrix->rows * size : size;
    return SPORF_OK;
}

sporf_status spf_npy_matrix(const spf_source *source, uint64_t file_bytes, spf_typed *matrix) {
    npy_header header = {0};
    size_t values = 0;
    *matrix = (spf_typed){.name = source->name, .source = source};
    SPF_TRY(read_header(source, &header, &values));
    SPF_TRY(read_type(source, header.descr, matrix));
    return read_layout(source, file_bytes, &header, values, matrix);
}

sporf_status spf_read_npy(const spf_source *source, const sporf_read_options *options,
                          sporf_dataset **out) {
    spf_typed matrix;
    SPF_TRY(spf_npy_matrix(source, source->size, &matrix));
    SPF_TRY(spf_source_check_table(source, matrix.rows, matrix.columns, options->max_memory));
    return spf_typed_read(&matrix, options, out);
}
