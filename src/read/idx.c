/* The idx files of MNIST: two zero bytes, a type, the number of dimensions, the dimensions and the
 * values, all big-endian. The first dimension counts rows, the others together the features. */
#include "read/reader.h"
#include "read/typed.h"

#include <string.h>

enum { DIMENSIONS_MAX = 8, MAGIC_BYTES = 4 };

static int type_of(unsigned char code, spf_type *type) {
    switch (code) {
    case 0x08:
        *type = SPF_U8;
        return 1;
    case 0x09:
        *type = SPF_I8;
        return 1;
    case 0x0b:
        *type = SPF_I16;
        return 1;
    case 0x0c:
        *type = SPF_I32;
        return 1;
    case 0x0d:
        *type = SPF_F32;
        return 1;
    case 0x0e:
        *type = SPF_F64;
        return 1;
    default:
        return 0;
    }
}

int spf_is_idx(const spf_source *source) {
    const unsigned char *bytes = (const unsigned char *)source->bytes;
    spf_type type;
    return source->size >= MAGIC_BYTES && bytes[0] == 0 && bytes[1] == 0 &&
           type_of(bytes[2], &type) && bytes[3] >= 1 && bytes[3] <= DIMENSIONS_MAX;
}

static size_t big_endian_32(const unsigned char *p) {
    return (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
}

/* Rows and columns; 0 if the dimensions overflow. */
static int read_shape(const unsigned char *p, size_t dimensions, spf_typed *matrix) {
    matrix->rows = big_endian_32(p);
    matrix->columns = 1;
    for (size_t i = 1; i < dimensions; i++)
        if (__builtin_mul_overflow(matrix->columns, big_endian_32(p + 4 * i), &matrix->columns))
            return 0;
    return 1;
}

sporf_status spf_idx_matrix(const spf_source *source, uint64_t file_bytes, spf_typed *matrix) {
    const unsigned char *bytes = (const unsigned char *)source->bytes;
    if (!spf_is_idx(source))
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE
                         ": not an idx file (it starts with 0, 0, a type and 1 to %d dimensions)",
                         source->name, DIMENSIONS_MAX);
    *matrix = (spf_typed){.big_endian = 1, .complete = 1, .name = source->name, .source = source};
    type_of(bytes[2], &matrix->type);
    size_t dimensions = bytes[3], start = MAGIC_BYTES + 4 * dimensions;
    size_t size = spf_type_size(matrix->type), cells, need;
    if (source->size < start || !read_shape(bytes + MAGIC_BYTES, dimensions, matrix) ||
        __builtin_mul_overflow(matrix->rows, matrix->columns, &cells) ||
        __builtin_mul_overflow(cells, size, &need) ||
        (file_bytes > 0 && need != file_bytes - start))
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FILE ": the idx header does not fit the %llu bytes of the file, which "
                                  "was not written or copied completely",
                         source->name,
                         (unsigned long long)(file_bytes ? file_bytes : source->size));
    if (cells == 0)
        return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": an idx file without values", source->name);
    matrix->bytes = bytes + start;
    matrix->row_stride = matrix->columns * size;
    matrix->column_stride = size;
    return SPORF_OK;
}

sporf_status spf_read_idx(const spf_source *source, const sporf_read_options *options,
                          sporf_dataset **out) {
    spf_typed matrix = {0};
    SPF_TRY(spf_idx_matrix(source, source->size, &matrix));
    SPF_TRY(spf_source_check_table(source, matrix.rows, matrix.columns, options->max_memory));
    return spf_typed_read(&matrix, options, out);
}
