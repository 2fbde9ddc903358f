/* Several files read as one table are joined as bytes, before parsing, so that kinds, levels and
 * classes are those of a single file. CSV headers after the first are left out; the values of
 * matrices follow each other. */
#include "read/joined.h"

#include "base/machine_memory.h"
#include "base/text.h"
#include "data/cell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sporf_status raise_shape(const char *first, const char *name, const char *what) {
    return spf_raise(
        SPORF_ERROR_DATA,
        SPF_FILE ": %s %s" SPF_HINT
                 "files that are read as one table must have the same columns in the same order",
        name, what, first);
}

static sporf_status raise_name(const char *first_name, const spf_csv_layout *first,
                               const char *name, const spf_csv_layout *layout, size_t column) {
    char here[SPF_EXCERPT_MAX], there[SPF_EXCERPT_MAX], what[2 * SPF_EXCERPT_MAX + 64];
    const char *a = spf_strings_at(&layout->names, column);
    const char *b = spf_strings_at(&first->names, column);
    snprintf(what, sizeof what, "column %zu is '%s' in its first line, but '%s' in", column + 1,
             spf_excerpt(a, strlen(a), here), spf_excerpt(b, strlen(b), there));
    return raise_shape(first_name, name, what);
}

static sporf_status raise_count(const char *first_name, size_t first, const char *name,
                                size_t columns) {
    char what[80];
    snprintf(what, sizeof what, "%zu columns, but %zu in", columns, first);
    return raise_shape(first_name, name, what);
}

static int same_dialect(const spf_csv_dialect *a, const spf_csv_dialect *b) {
    return a->separator == b->separator && a->line_end == b->line_end && a->blanks == b->blanks &&
           a->trailing == b->trailing;
}

sporf_status spf_joined_check_csv(const char *first_name, const spf_csv_layout *first,
                                  const char *name, const spf_csv_layout *layout) {
    if (!same_dialect(&layout->dialect, &first->dialect))
        return raise_shape(first_name, name, "fields or lines are separated differently than in");
    if (layout->columns != first->columns)
        return raise_count(first_name, first->columns, name, layout->columns);
    if (spf_strings_equal(&layout->names, &first->names)) return SPORF_OK;
    size_t column = spf_strings_mismatch(&layout->names, &first->names);
    return raise_name(first_name, first, name, layout, column);
}

sporf_status spf_joined_check_matrix(const spf_typed *first, const spf_typed *matrix) {
    size_t row = matrix->columns * spf_type_size(matrix->type);
    if (matrix->columns != first->columns)
        return raise_count(first->name, first->columns, matrix->name, matrix->columns);
    if (matrix->type != first->type || matrix->big_endian != first->big_endian)
        return raise_shape(first->name, matrix->name, "values are of another type than in");
    if (matrix->row_stride == row && first->row_stride == row) return SPORF_OK;
    return spf_raise(
        SPORF_ERROR_DATA,
        SPF_FILE
        ": several files can be read as one table only if they are stored row by row" SPF_HINT
        "save this one in C order, not in Fortran order",
        matrix->row_stride == row ? first->name : matrix->name);
}

sporf_read_options spf_joined_options(const sporf_read_options *options, sporf_format format,
                                      const spf_csv_layout *layout) {
    sporf_read_options of_next = *options;
    of_next.format = format;
    of_next.more_files_count = 0;
    if (format == SPORF_FORMAT_CSV)
        of_next.header = layout->names.count > 0 ? SPORF_HEADER_YES : SPORF_HEADER_NO;
    return of_next;
}

/* The files while they are joined. */
typedef struct {
    const char *path;
    const sporf_read_options *options;
    sporf_format format;
    spf_source all; /* bytes in all.owned */
    size_t capacity;
    spf_source_part *parts; /* [files] */
    spf_csv_layout layout;  /* of the first file: its names and numbers; its bytes are gone */
    spf_typed matrix;       /* of the first file, then of all */
} joining;

static size_t file_count(const joining *j) {
    return 1 + j->options->more_files_count;
}

static const char *file_path(const joining *j, size_t file) {
    return file == 0 ? j->path : j->options->more_files[file - 1];
}

static sporf_status append(joining *j, const void *bytes, size_t size) {
    char limit[SPF_BYTES_TEXT_MAX];
    uint64_t allowed = spf_memory_limit(j->options->max_memory);
    if (j->all.size > allowed || size > allowed - j->all.size)
        return spf_raise(SPORF_ERROR_MEMORY,
                         SPF_FILE " and the files after it take more than the memory allowed, %s",
                         j->path, spf_bytes_text(allowed, limit));
    SPF_TRY(spf_reserve(&j->all.owned, &j->capacity, j->all.size + size + 1, 1));
    memcpy((char *)j->all.owned + j->all.size, bytes, size);
    j->all.size += size;
    ((char *)j->all.owned)[j->all.size] = '\0';
    j->all.bytes = j->all.owned;
    return SPORF_OK;
}

/* Appends the lines of a file from `from` on. Each gets a line end; blank lines at the end are
 * dropped. */
static sporf_status append_lines(joining *j, const spf_source *source, const char *from,
                                 char line_end) {
    const char *end = spf_csv_trim(from, source->bytes + source->size);
    spf_source_part *part = &j->parts[j->all.parts_count++];
    *part = (spf_source_part){.name = source->name, .begin = j->all.size};
    for (const char *p = source->bytes; (p = memchr(p, line_end, (size_t)(from - p))); p++)
        part->lines++;
    if (from >= end) return SPORF_OK;
    SPF_TRY(append(j, from, (size_t)(end - from)));
    return append(j, &line_end, 1);
}

static const char *trimmed_end(const spf_source *source) {
    return spf_csv_trim(source->bytes, source->bytes + source->size);
}

/* The first file with its header, the others without. */
static sporf_status add_csv(joining *j, const spf_source *source, size_t file) {
    if (file == 0) {
        SPF_TRY(spf_csv_layout_find(source, trimmed_end(source), j->options, &j->layout));
        return append_lines(j, source, source->bytes, j->layout.dialect.line_end);
    }
    sporf_read_options options = spf_joined_options(j->options, j->format, &j->layout);
    spf_csv_layout layout;
    sporf_status status = spf_csv_layout_find(source, trimmed_end(source), &options, &layout);
    if (status == SPORF_OK)
        status = spf_joined_check_csv(j->all.name, &j->layout, source->name, &layout);
    if (status == SPORF_OK) status = append_lines(j, source, layout.body, layout.dialect.line_end);
    spf_csv_layout_free(&layout);
    return status;
}

static sporf_status add_svmlight(joining *j, const spf_source *source) {
    return append_lines(j, source, spf_skip_mark(source->bytes, source->size), '\n');
}

static sporf_status add_matrix(joining *j, const spf_source *source, size_t file) {
    spf_typed matrix;
    SPF_TRY(j->format == SPORF_FORMAT_NPY ? spf_npy_matrix(source, source->size, &matrix)
                                          : spf_idx_matrix(source, source->size, &matrix));
    if (file == 0) j->matrix = matrix;
    SPF_TRY(spf_joined_check_matrix(&j->matrix, &matrix));
    if (file > 0) j->matrix.rows += matrix.rows;
    return append(j, matrix.bytes, matrix.rows * matrix.row_stride);
}

static sporf_status add(joining *j, const spf_source *source, size_t file) {
    if (file == 0) {
        j->all.name = source->name;
        SPF_TRY(spf_find_format(source, j->options, &j->format));
    }
    switch (j->format) {
    case SPORF_FORMAT_NPY:
    case SPORF_FORMAT_IDX:
        return add_matrix(j, source, file);
    case SPORF_FORMAT_SVMLIGHT:
        return add_svmlight(j, source);
    default:
        return add_csv(j, source, file);
    }
}

static sporf_status add_all(joining *j) {
    sporf_status status = SPORF_OK;
    for (size_t i = 0; status == SPORF_OK && i < file_count(j); i++) {
        spf_source source;
        status = spf_source_open(file_path(j, i), j->options->max_memory, &source);
        if (status == SPORF_OK) status = add(j, &source, i);
        spf_source_close(&source);
    }
    return status;
}

static sporf_status read_all(joining *j, sporf_dataset **out) {
    sporf_read_options options = spf_joined_options(j->options, j->format, &j->layout);
    if (j->format != SPORF_FORMAT_NPY && j->format != SPORF_FORMAT_IDX)
        return spf_read_source(&j->all, &options, out);
    j->matrix.bytes = (const unsigned char *)j->all.bytes;
    j->matrix.column_stride = spf_type_size(j->matrix.type);
    j->matrix.source = &j->all;
    SPF_TRY(spf_source_check_table(&j->all, j->matrix.rows, j->matrix.columns, options.max_memory));
    return spf_typed_read(&j->matrix, &options, out);
}

sporf_status spf_read_joined(const char *path, const sporf_read_options *options,
                             sporf_dataset **out) {
    joining j = {.path = path, .options = options};
    j.parts = spf_alloc_zero(file_count(&j), sizeof *j.parts);
    j.all.parts = j.parts;
    sporf_status status = j.parts ? add_all(&j) : spf_raise_memory();
    if (status == SPORF_OK) status = read_all(&j, out);
    spf_csv_layout_free(&j.layout);
    spf_source_close(&j.all);
    free(j.parts);
    return status;
}
