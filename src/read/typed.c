/* Matrices of any number type: one inline loop over a block, compiled for each type and byte order,
 * run over blocks of rows by several threads. */
#include "read/typed.h"

#include "base/number.h"
#include "base/parallel.h"
#include "base/text.h"
#include "data/cell.h"
#include "read/columns.h"
#include "read/kept.h"
#include "read/reader.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TILE_ROWS = 64,    /* a tile's rows stay in the L1 cache during a pass over its columns */
    BLOCK_ROWS = 1024, /* of one item of the parallel loop */
    COLUMNS_BYTES = 1 << 20,
};

static const unsigned char type_size[] = {
    [SPF_I8] = 1,  [SPF_U8] = 1,  [SPF_I16] = 2, [SPF_U16] = 2, [SPF_I32] = 4, [SPF_U32] = 4,
    [SPF_I64] = 8, [SPF_U64] = 8, [SPF_F16] = 2, [SPF_F32] = 4, [SPF_F64] = 8,
};

size_t spf_type_size(spf_type type) {
    return type_size[type];
}

/* The bytes of one value as an unsigned number. */
static inline uint64_t load_bits(const unsigned char *p, size_t size, int big_endian) {
    uint64_t bits = 0;
    if (big_endian)
        for (size_t i = 0; i < size; i++) bits = bits << 8 | p[i];
    else
        for (size_t i = size; i-- > 0;) bits = bits << 8 | p[i];
    return bits;
}

/* IEEE 754 binary16: 1 sign, 5 exponent, 10 fraction bits. */
static inline double half_value(uint64_t bits) {
    int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    double size = exponent == 31  ? (fraction ? NAN : INFINITY)
                  : exponent == 0 ? ldexp(fraction, -24)
                                  : ldexp(fraction + 1024, exponent - 25);
    return bits >> 15 ? -size : size;
}

static inline double single_value(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static inline double double_value(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double value_of_type(const unsigned char *p, spf_type type, int big_endian) {
    uint64_t bits = load_bits(p, type_size[type], big_endian);
    switch (type) {
    case SPF_I8:
        return (int8_t)bits;
    case SPF_I16:
        return (int16_t)bits;
    case SPF_I32:
        return (int32_t)bits;
    case SPF_I64:
        return (double)(int64_t)bits;
    case SPF_F16:
        return half_value(bits);
    case SPF_F32:
        return single_value(bits);
    case SPF_F64:
        return double_value(bits);
    default:
        return (double)bits;
    }
}

static const unsigned char *cell(const spf_typed *matrix, size_t row, size_t column) {
    return matrix->bytes + row * matrix->row_stride + column * matrix->column_stride;
}

static double value_at(const spf_typed *matrix, size_t row, size_t column) {
    return value_of_type(cell(matrix, row, column), matrix->type, matrix->big_endian);
}

/* What values were found: only good ones, some missing, some that cannot be used. */
enum { VALUES_GOOD = 0, VALUES_MISSING = 1, VALUES_BAD = 2 };

/* Copies count values and returns what was found. */
static inline __attribute__((always_inline)) int copy_values(const unsigned char *p, size_t stride,
                                                             size_t count, spf_type type,
                                                             int big_endian, float *out) {
    int good = 1, known = 1;
    for (size_t i = 0; i < count; i++, p += stride) {
        double value = value_of_type(p, type, big_endian);
        int missing = value != value, fits = spf_double_ok(value) | missing;
        good &= fits;
        known &= !missing;
        out[i] = fits ? (float)value : 0;
    }
    return (good ? 0 : VALUES_BAD) | (known ? 0 : VALUES_MISSING);
}

#define SPF_COPY_CASE(type)                                                                        \
    case type:                                                                                     \
        return matrix->big_endian ? copy_values(p, matrix->row_stride, count, type, 1, out)        \
                                  : copy_values(p, matrix->row_stride, count, type, 0, out)

static int copy_rows(const spf_typed *matrix, size_t row, size_t column, size_t count, float *out) {
    const unsigned char *p = cell(matrix, row, column);
    switch (matrix->type) {
        SPF_COPY_CASE(SPF_I8);
        SPF_COPY_CASE(SPF_U8);
        SPF_COPY_CASE(SPF_I16);
        SPF_COPY_CASE(SPF_U16);
        SPF_COPY_CASE(SPF_I32);
        SPF_COPY_CASE(SPF_U32);
        SPF_COPY_CASE(SPF_I64);
        SPF_COPY_CASE(SPF_U64);
        SPF_COPY_CASE(SPF_F16);
        SPF_COPY_CASE(SPF_F32);
        SPF_COPY_CASE(SPF_F64);
    }
    return VALUES_BAD;
}

/* Whether a value can be used. */
static int value_fits(const spf_typed *matrix, double value) {
    return spf_double_ok(value) || (isnan(value) && !matrix->complete);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

typedef struct {
    const spf_typed *matrix;
    int64_t label;
    float *storage;
    atomic_int has_missing;
} load_job;

/* Notes missing values; returns whether some value cannot be used. */
static int note_values(load_job *job, int found) {
    if (found & VALUES_MISSING) atomic_store_explicit(&job->has_missing, 1, memory_order_relaxed);
    return (found & VALUES_BAD) || ((found & VALUES_MISSING) && job->matrix->complete);
}

/* A place and value as text, for messages. */
static sporf_status raise_value(const spf_typed *matrix, size_t row, size_t column) {
    char place[SPF_PLACE_MAX], text[SPF_NUMBER_TEXT_MAX];
    size_t length = spf_number_write_double(value_at(matrix, row, column), text);
    int used = snprintf(place, sizeof place, "%s%s" SPF_ROW, matrix->name ? matrix->name : "",
                        matrix->name ? ", " : "", matrix->first_row + row + 1);
    if (matrix->columns > 1)
        snprintf(place + used, sizeof place - (size_t)used, SPF_CELL_COMMA SPF_COLUMN, column + 1);
    return spf_raise_cell(place, text, length);
}

/* Raises the first bad value, by row, of rows first .. end-1. */
static sporf_status raise_first(const load_job *job, size_t first, size_t end) {
    const spf_typed *matrix = job->matrix;
    for (size_t i = first; i < end; i++)
        for (size_t j = 0; j < matrix->columns; j++)
            if ((int64_t)j != job->label && !value_fits(matrix, value_at(matrix, i, j)))
                return raise_value(matrix, i, j);
    return SPORF_OK;
}

static sporf_status load_block(void *context, size_t item, unsigned worker) {
    (void)worker;
    load_job *job = context;
    const spf_typed *matrix = job->matrix;
    size_t end = least((item + 1) * BLOCK_ROWS, matrix->rows);
    for (size_t i = item * BLOCK_ROWS; i < end; i += TILE_ROWS) {
        size_t count = least(TILE_ROWS, end - i);
        float *out = job->storage + i;
        int found = VALUES_GOOD;
        for (size_t j = 0; j < matrix->columns; j++) {
            if ((int64_t)j == job->label) continue;
            found |= copy_rows(matrix, i, j, count, out);
            out += matrix->rows;
        }
        if (note_values(job, found)) return raise_first(job, i, i + count);
    }
    if (matrix->row_stride > matrix->column_stride)
        spf_source_release(matrix->source, cell(matrix, item * BLOCK_ROWS, 0),
                           (end - item * BLOCK_ROWS) * matrix->row_stride);
    return SPORF_OK;
}

/* Columns for one item of the loop over columns, if a column is contiguous. */
static size_t columns_at_once(const spf_typed *matrix) {
    size_t bytes = matrix->rows * matrix->row_stride + 1;
    return bytes < COLUMNS_BYTES ? COLUMNS_BYTES / bytes : 1;
}

static sporf_status load_columns(void *context, size_t item, unsigned worker) {
    (void)worker;
    load_job *job = context;
    const spf_typed *matrix = job->matrix;
    size_t count = columns_at_once(matrix), begin = item * count;
    size_t end = least(begin + count, matrix->columns);
    for (size_t j = begin; j < end; j++) {
        if ((int64_t)j == job->label) continue;
        size_t place = j - (job->label != SPF_NO_COLUMN && (int64_t)j > job->label);
        int found = copy_rows(matrix, 0, j, matrix->rows, job->storage + place * matrix->rows);
        if (note_values(job, found)) return raise_first(job, 0, matrix->rows);
    }
    spf_source_release(matrix->source, cell(matrix, 0, begin),
                       (end - begin - 1) * matrix->column_stride +
                           matrix->rows * matrix->row_stride);
    return SPORF_OK;
}

sporf_status spf_typed_load(const spf_typed *matrix, int64_t label, unsigned threads,
                            float *storage, int *has_missing) {
    load_job job = {.matrix = matrix, .label = label, .storage = storage};
    int by_column = matrix->row_stride < matrix->column_stride;
    size_t at_once = by_column ? columns_at_once(matrix) : BLOCK_ROWS;
    size_t items = ((by_column ? matrix->columns : matrix->rows) + at_once - 1) / at_once;
    sporf_status status =
        spf_parallel(items, spf_thread_count(threads), by_column ? load_columns : load_block, &job);
    *has_missing |= atomic_load(&job.has_missing);
    if (status != SPORF_ERROR_DATA) return status;
    SPF_TRY(spf_source_restore(matrix->source));
    return raise_first(&job, 0, matrix->rows);
}

static int is_float(spf_type type) {
    return type == SPF_F16 || type == SPF_F32 || type == SPF_F64;
}

int64_t spf_typed_integer(const spf_typed *matrix, size_t row, size_t column) {
    const unsigned char *p = cell(matrix, row, column);
    if (type_size[matrix->type] == 8) return (int64_t)load_bits(p, 8, matrix->big_endian);
    return (int64_t)value_of_type(p, matrix->type, matrix->big_endian);
}

static size_t label_text(const spf_typed *matrix, size_t row, size_t column,
                         char text[SPF_NUMBER_TEXT_MAX]) {
    if (is_float(matrix->type)) {
        double value = value_at(matrix, row, column) + 0.0; /* -0 and 0 are the same class */
        return matrix->type == SPF_F64 ? spf_number_write_double(value, text)
                                       : spf_number_write_float((float)value, text);
    }
    int64_t value = spf_typed_integer(matrix, row, column);
    if (matrix->type == SPF_U64)
        return (size_t)snprintf(text, SPF_NUMBER_TEXT_MAX, "%llu", (unsigned long long)value);
    return (size_t)snprintf(text, SPF_NUMBER_TEXT_MAX, "%lld", (long long)value);
}

static sporf_status code_labels(const spf_typed *matrix, size_t column, spf_dictionary *dictionary,
                                uint32_t *codes) {
    char text[SPF_NUMBER_TEXT_MAX];
    for (size_t i = 0; i < matrix->rows; i++) {
        size_t size = type_size[matrix->type];
        if (i > 0 && memcmp(cell(matrix, i, column), cell(matrix, i - 1, column), size) == 0) {
            codes[i] = codes[i - 1];
            continue;
        }
        if (is_float(matrix->type) && !isfinite(value_at(matrix, i, column)))
            return raise_value(matrix, i, column);
        size_t length = label_text(matrix, i, column, text);
        SPF_TRY(spf_dictionary_add(dictionary, text, length, &codes[i]));
    }
    return SPORF_OK;
}

/* Refuses missing labels, and reports how many there are. */
static sporf_status check_labels(const spf_typed *matrix, size_t column) {
    size_t missing = 0, first = 0;
    for (size_t i = matrix->rows; is_float(matrix->type) && i-- > 0;)
        if (isnan(value_at(matrix, i, column))) {
            missing++;
            first = i;
        }
    if (missing == 0) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     SPF_FILE ": no class label in %zu of %zu rows, first in " SPF_ROW SPF_HINT
                              "give them labels or remove them",
                     matrix->name ? matrix->name : "labels", missing, matrix->rows,
                     matrix->first_row + first + 1);
}

sporf_status spf_typed_load_labels(const spf_typed *matrix, size_t column, sporf_dataset *data) {
    SPF_TRY(check_labels(matrix, column));
    spf_dictionary dictionary = {0};
    uint32_t *codes = spf_alloc(matrix->rows, sizeof *codes);
    sporf_status status =
        codes ? code_labels(matrix, column, &dictionary, codes) : spf_raise_memory();
    if (status == SPORF_OK) status = spf_dataset_take_labels(data, &dictionary, codes);
    if (status != SPORF_OK) free(codes);
    spf_dictionary_free(&dictionary);
    return status;
}

/* The column of the label, or SPF_NO_COLUMN. */
static sporf_status find_label(const spf_typed *matrix, const char *label, int64_t *column) {
    char shown[SPF_EXCERPT_MAX];
    size_t found = 0;
    *column = SPF_NO_COLUMN;
    if (!label) return SPORF_OK;
    if (!spf_find_number(label, strlen(label), matrix->columns, &found))
        return spf_raise(
            SPORF_ERROR_DATA,
            SPF_FILE
            ": no column '%s'" SPF_HINT
            "its columns have no names: the label must be a number from 1 to %zu or 'last'",
            matrix->name, spf_excerpt(label, strlen(label), shown), matrix->columns);
    *column = (int64_t)found;
    return SPORF_OK;
}

/* Copies numbers as text, missing ones as empty fields. */
static sporf_status keep_columns(const spf_typed *matrix, const sporf_read_options *options,
                                 sporf_dataset *data) {
    static const spf_strings nameless;
    const spf_columns columns = {matrix->name, &nameless, matrix->columns};
    char text[SPF_NUMBER_TEXT_MAX];
    size_t *kept, count = options->kept_count;
    SPF_TRY(spf_kept_find(&columns, options, &kept));
    sporf_status status = spf_kept_name(&nameless, kept, count, data);
    for (size_t i = 0; status == SPORF_OK && i < matrix->rows * count; i++) {
        size_t row = i / count, column = kept[i % count];
        int missing = is_float(matrix->type) && isnan(value_at(matrix, row, column));
        size_t length = missing ? 0 : label_text(matrix, row, column, text);
        status = spf_strings_add(&data->kept_fields, text, length);
    }
    free(kept);
    return status;
}

/* Everything but the features. */
static sporf_status load_others(const spf_typed *matrix, int64_t label,
                                const sporf_read_options *options, sporf_dataset *data) {
    if (label != SPF_NO_COLUMN) SPF_TRY(spf_typed_load_labels(matrix, (size_t)label, data));
    return keep_columns(matrix, options, data);
}

/* The features come last, since their bytes are released after loading. */
sporf_status spf_typed_read(const spf_typed *matrix, const sporf_read_options *options,
                            sporf_dataset **out) {
    sporf_dataset *data = NULL;
    int64_t label;
    SPF_TRY(find_label(matrix, options->label, &label));
    size_t features = matrix->columns - (label != SPF_NO_COLUMN);
    SPF_TRY(spf_dataset_create(matrix->rows, features, &data));
    sporf_status others = load_others(matrix, label, options, data);
    sporf_status status =
        spf_typed_load(matrix, label, options->threads, data->storage, &data->has_missing);
    if (status == SPORF_OK) status = others; /* of two faults the features' is reported */
    if (status == SPORF_OK) status = spf_apply_columns(data, matrix->name, label, options);
    if (status != SPORF_OK) {
        sporf_dataset_free(data);
        return status;
    }
    *out = data;
    return SPORF_OK;
}
