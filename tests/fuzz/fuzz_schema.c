/* libFuzzer target for tables that are read as somebody else's schema wants them, as a whole and in
 * blocks. The first byte chooses options, the first line is the schema, the rest is the table. In
 * the schema columns are separated by commas; "a" is a number, "a=x=y" a category with the levels x
 * and y, "a<x<y" an order. Names may be equal; where the first is empty, no column has one.
 *
 * Whatever is read has the columns of the schema in their order, no two of them the same, and
 * blocks hold together what the whole does. */
#include "reader_target.h"

#include "api/match.h"
#include "data/labels.h"
#include "read/blocks.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COLUMNS_MAX = 64 };

/* ---- the schema ------------------------------------------------------------------------------ */

static size_t length_to(const char *text, const char *end, const char *stops) {
    size_t length = 0;
    while (text + length < end && !strchr(stops, text[length])) length++;
    return length;
}

static void add_levels(const char *text, const char *end, size_t columns, size_t column,
                       sporf_schema *schema) {
    spf_dictionary levels = {0};
    sporf_kind kind = *text == '=' ? SPORF_KIND_CATEGORY : SPORF_KIND_ORDINAL;
    while (text < end) {
        uint32_t number;
        size_t length = length_to(++text, end, "=<");
        if (length > 0) require(spf_dictionary_add(&levels, text, length, &number) == SPORF_OK);
        text += length;
    }
    if (levels.words.count > 0)
        require(spf_schema_set_levels(schema, columns, column, kind, &levels.words) == SPORF_OK);
    spf_dictionary_free(&levels);
}

static void make_schema(const char *text, const char *end, sporf_schema *schema) {
    size_t columns = 1, column = 0;
    int named = length_to(text, end, ",=<") > 0;
    for (const char *p = text; p < end; p++) columns += *p == ',';
    for (; column < columns && columns <= COLUMNS_MAX; column++) {
        size_t field = length_to(text, end, ","), name = length_to(text, text + field, "=<");
        if (named) require(spf_strings_add(&schema->names, text, name) == SPORF_OK);
        if (name < field) add_levels(text + name, text + field, columns, column, schema);
        text += field + 1;
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static char path[PATH_MAX];

static void remove_file(void) {
    unlink(path);
}

/* One file for all inputs: readers of blocks want a path. */
static const char *file_of(const char *bytes, size_t size) {
    static int file = -1;
    if (file < 0) {
        const char *folder = getenv("TMPDIR");
        snprintf(path, sizeof path, "%s/sporf-fuzz-XXXXXX", folder && *folder ? folder : "/tmp");
        file = mkstemp(path);
        require(file >= 0 && atexit(remove_file) == 0);
    }
    require(ftruncate(file, 0) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size);
    return path;
}

static void check_columns(const sporf_dataset *data, const sporf_schema *schema) {
    size_t columns = spf_schema_columns(schema);
    check_table(data);
    if (columns == 0 || schema->names.count == 0) return;
    sporf_forest forest = {.features = columns, .schema = *schema};
    const float **matched = NULL;
    int has_missing = 0;
    sporf_status status = spf_match_columns(&forest, data, &matched, &has_missing);
    require(status == SPORF_OK || status == SPORF_ERROR_MODEL || status == SPORF_ERROR_DATA);
    for (size_t i = 0; matched && i < columns; i++)
        for (size_t j = 0; j < i; j++) require(matched[i] != matched[j]);
    free(matched);
}

/* The rows of a block are those of the whole from `first` on. An svmlight file has as many features
 * as some row of it, or of a block, names. */
static void compare_rows(const sporf_dataset *whole, const sporf_dataset *block, size_t first,
                         sporf_format format) {
    require(first + block->rows <= whole->rows && block->features <= whole->features);
    require(block->features == whole->features || format == SPORF_FORMAT_SVMLIGHT);
    for (size_t j = 0; j < block->features; j++)
        require(memcmp(block->columns[j], whole->columns[j] + first, block->rows * sizeof(float)) ==
                0);
}

static void read_blocks(const char *file, const sporf_read_options *options, size_t bytes,
                        const sporf_dataset *whole) {
    sporf_reader *reader = NULL;
    sporf_dataset *block = NULL;
    size_t rows = 0;
    sporf_status status = spf_reader_open(file, options, bytes, &reader);
    while (status == SPORF_OK) {
        status = sporf_reader_next(reader, 3, &block);
        if (status != SPORF_OK || !block) break;
        check_columns(block, options->schema);
        if (whole) compare_rows(whole, block, rows, reader->format);
        rows += block->rows;
        sporf_dataset_free(block);
        block = NULL;
    }
    require(status != SPORF_OK || !whole || rows == whole->rows);
    sporf_reader_free(reader);
}

static void read_table(const char *bytes, size_t size, const sporf_read_options *options) {
    const char *file = file_of(bytes, size);
    sporf_dataset *whole = NULL;
    sporf_status status = sporf_dataset_read(file, options, &whole);
    require((status == SPORF_OK) == (whole != NULL));
    if (whole) check_columns(whole, options->schema);
    for (size_t block = 1; block <= 64; block *= 64) read_blocks(file, options, block, whole);
    sporf_dataset_free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char *const labels[] = {NULL, "last", "1", "a"};
    const char *text = (const char *)bytes, *end = text + size;
    if (size < 2 || size > 1 << 13) return 0;
    size_t line = length_to(text + 1, end, "\n");
    if (1 + line == size || memchr(text + 1, '\0', line)) return 0;
    sporf_schema schema = {0};
    make_schema(text + 1, text + 1 + line, &schema);
    sporf_read_options options = fuzz_options(labels[bytes[0] % 4]);
    options.header = (sporf_header)(bytes[0] / 4 % 3);
    options.schema = &schema;
    read_table(text + line + 2, size - line - 2, &options);
    spf_schema_free(&schema);
    return 0;
}
