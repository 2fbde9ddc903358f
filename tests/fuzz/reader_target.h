/* What the fuzz targets of the readers share: a source of just these bytes, small memory, and the
 * rules that every table that comes out must keep. */
#ifndef FUZZ_READER_TARGET_H
#define FUZZ_READER_TARGET_H

#include "read/reader.h"

#include <stdlib.h>
#include <string.h>

enum { FUZZ_MEMORY = 1 << 20 };

typedef sporf_status (*fuzz_reader)(const spf_source *source, const sporf_read_options *options,
                                    sporf_dataset **out);

static inline void require(int condition) {
    if (!condition) abort();
}

static inline sporf_read_options fuzz_options(const char *label) {
    sporf_read_options options;
    sporf_read_options_init(&options);
    options.threads = 1;
    options.max_memory = FUZZ_MEMORY;
    options.label = label;
    return options;
}

/* A copy closed with a NUL, in a block that ends there. */
static inline spf_source fuzz_source(const uint8_t *bytes, size_t size) {
    char *copy = malloc(size + 1);
    require(copy != NULL);
    if (size > 0) memcpy(copy, bytes, size);
    copy[size] = '\0';
    return (spf_source){.name = "input", .bytes = copy, .size = size, .owned = copy};
}

static inline void check_table(const sporf_dataset *data) {
    int has_missing = 0;
    require(data->rows > 0);
    require(data->features > 0 || data->labels || data->notes.count > 0 || data->targets > 0);
    for (size_t j = 0; j < data->features; j++) {
        size_t levels = spf_schema_levels(&data->schema, j);
        for (size_t i = 0; i < data->rows; i++) {
            float value = data->columns[j][i];
            has_missing |= value != value;
            require(spf_value_ok(value) || value != value);
            if (levels > 0 && value == value)
                require(value >= 0 && value < (float)levels && value == (float)(size_t)value);
        }
        require((levels > 0) == (spf_schema_kind(&data->schema, j) != SPORF_KIND_NUMBER));
    }
    require(has_missing == data->has_missing);
    for (size_t i = 0; data->labels && i < data->rows; i++)
        require(data->labels[i] < data->schema.classes.count);
    for (size_t i = 0; i < data->schema.classes.count; i++)
        require(spf_strings_at(&data->schema.classes, i)[0] != '\0');
    require(data->schema.names.count == 0 || data->schema.names.count == data->features);
}

/* Reads and checks; every refusal must have words. Returns the status. */
static inline sporf_status fuzz_read(fuzz_reader reader, const spf_source *source,
                                     const sporf_read_options *options, sporf_dataset **out) {
    *out = NULL;
    sporf_status status = reader(source, options, out);
    require(status == SPORF_OK || status == SPORF_ERROR_DATA || status == SPORF_ERROR_MEMORY);
    require((status == SPORF_OK) == (*out != NULL));
    if (status == SPORF_OK)
        check_table(*out);
    else
        require(strlen(sporf_last_error()) > 10);
    return status;
}

static inline void fuzz_read_once(fuzz_reader reader, const spf_source *source,
                                  const sporf_read_options *options) {
    sporf_dataset *data = NULL;
    fuzz_read(reader, source, options, &data);
    sporf_dataset_free(data);
}

#endif
