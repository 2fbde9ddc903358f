/* Model files taken apart, changed and given right checksums again, so that what lies behind these
 * is tested. Written from docs/model-format.md alone: neither the library's structs nor its code
 * are used. */
#ifndef TEST_MODEL_CHECKSUMS_H
#define TEST_MODEL_CHECKSUMS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    MODEL_HEADER = 64,
    MODEL_ENTRY = 32,
    MODEL_ALIGNMENT = 64,
    MODEL_CHECKSUM_AT = 8,
    MODEL_COVERED_FROM = 16,
    MODEL_COUNT_AT = 20,
    MODEL_SIZE_AT = 24,
};

/* A model file in memory of its own. */
typedef struct {
    unsigned char *bytes;
    size_t size;
} model;

static inline uint32_t get32(const model *m, size_t at) {
    uint32_t value;
    memcpy(&value, m->bytes + at, sizeof value);
    return value;
}

static inline uint64_t get64(const model *m, size_t at) {
    uint64_t value;
    memcpy(&value, m->bytes + at, sizeof value);
    return value;
}

static inline void set32(model *m, size_t at, uint32_t value) {
    memcpy(m->bytes + at, &value, sizeof value);
}

static inline void set64(model *m, size_t at, uint64_t value) {
    memcpy(m->bytes + at, &value, sizeof value);
}

/* ---- checksums ------------------------------------------------------------------------------- */

static inline void fix_section_checksum(unsigned char *bytes, size_t size, unsigned char *entry) {
    uint64_t offset, length, checksum;
    memcpy(&offset, entry + 8, sizeof offset);
    memcpy(&length, entry + 16, sizeof length);
    if (offset > size || length > size - offset) return;
    checksum = XXH3_64bits(bytes + offset, length);
    memcpy(entry + 24, &checksum, sizeof checksum);
}

/* Rewrites the file size and every checksum that can be found in bytes[size]; leaves alone what
 * does not lie inside. */
static inline void fix_model_checksums(void *model, size_t size) {
    unsigned char *bytes = model;
    uint64_t file_size = size, checksum;
    uint32_t count;
    if (size < MODEL_HEADER) return;
    memcpy(&count, bytes + MODEL_COUNT_AT, sizeof count);
    if (count > (size - MODEL_HEADER) / MODEL_ENTRY) return;
    memcpy(bytes + MODEL_SIZE_AT, &file_size, sizeof file_size);
    for (size_t i = 0; i < count; i++)
        fix_section_checksum(bytes, size, bytes + MODEL_HEADER + i * MODEL_ENTRY);
    size_t covered = MODEL_HEADER + (size_t)count * MODEL_ENTRY - MODEL_COVERED_FROM;
    checksum = XXH3_64bits(bytes + MODEL_COVERED_FROM, covered);
    memcpy(bytes + MODEL_CHECKSUM_AT, &checksum, sizeof checksum);
}

/* ---- sections -------------------------------------------------------------------------------- */

/* Where the table's entry for section `id` lies; 0 where there is none. */
static inline size_t entry_of(const model *m, uint32_t id) {
    for (uint32_t i = 0; i < get32(m, MODEL_COUNT_AT); i++)
        if (get32(m, MODEL_HEADER + i * MODEL_ENTRY) == id) return MODEL_HEADER + i * MODEL_ENTRY;
    return 0;
}

static inline size_t offset_of(const model *m, uint32_t id) {
    return (size_t)get64(m, entry_of(m, id) + 8);
}

static inline size_t size_of(const model *m, uint32_t id) {
    return (size_t)get64(m, entry_of(m, id) + 16);
}

/* Appends a section to a file whose table has room for its entry. */
static inline void append_section(model *m, uint32_t id, const void *bytes, size_t size) {
    uint32_t count = get32(m, MODEL_COUNT_AT);
    size_t entry = MODEL_HEADER + (size_t)count * MODEL_ENTRY;
    size_t offset = (m->size + MODEL_ALIGNMENT - 1) / MODEL_ALIGNMENT * MODEL_ALIGNMENT;
    m->bytes = realloc(m->bytes, offset + size + 1);
    memset(m->bytes + m->size, 0, offset - m->size);
    if (size > 0) memcpy(m->bytes + offset, bytes, size);
    m->size = offset + size;
    set32(m, MODEL_COUNT_AT, count + 1);
    set32(m, entry, id);
    set64(m, entry + 8, offset);
    set64(m, entry + 16, size);
}

/* The start of a file: a header without sections, and zeros where the table of `sections` will be.
 */
static inline model begin_model(const unsigned char *header, uint32_t sections) {
    model m = {.size = MODEL_HEADER + (size_t)sections * MODEL_ENTRY};
    m.bytes = calloc(m.size, 1);
    memcpy(m.bytes, header, MODEL_HEADER);
    set32(&m, MODEL_COUNT_AT, 0);
    return m;
}

/* A copy in which section `id` holds other bytes, or is new, or with NULL for them is left out. */
static inline model with_section(const model *m, uint32_t id, const void *bytes, size_t size) {
    uint32_t count = get32(m, MODEL_COUNT_AT);
    int there = entry_of(m, id) != 0;
    model copy = begin_model(m->bytes, count - (uint32_t)there + (bytes != NULL));
    for (uint32_t i = 0; i <= count; i++) {
        size_t entry = MODEL_HEADER + (size_t)i * MODEL_ENTRY;
        uint32_t other = i < count ? get32(m, entry) : UINT32_MAX;
        uint32_t before = i > 0 ? get32(m, entry - MODEL_ENTRY) : 0;
        if (bytes && id > before && id <= other) append_section(&copy, id, bytes, size);
        if (i < count && other != id)
            append_section(&copy, other, m->bytes + get64(m, entry + 8), get64(m, entry + 16));
    }
    fix_model_checksums(copy.bytes, copy.size);
    return copy;
}

#endif
