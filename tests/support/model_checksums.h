/* Makes the checksums of a damaged model file right again, so that what lies behind them is tested.
 * Written from docs/model-format.md alone: neither the library's structs nor its code are used. */
#ifndef TEST_MODEL_CHECKSUMS_H
#define TEST_MODEL_CHECKSUMS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <xxhash.h>

static inline void fix_section_checksum(unsigned char *bytes, size_t size, unsigned char *entry) {
    uint64_t offset, length, checksum;
    memcpy(&offset, entry + 8, sizeof offset);
    memcpy(&length, entry + 16, sizeof length);
    if (offset > size || length > size - offset) return;
    checksum = XXH3_64bits(bytes + offset, length);
    memcpy(entry + 24, &checksum, sizeof checksum);
}

/* Rewrites the file size and every checksum that can be found in model[size]; leaves alone what
 * does not lie inside. */
static inline void fix_model_checksums(void *model, size_t size) {
    enum {
        HEADER = 64,
        ENTRY = 32,
        CHECKSUM_AT = 8,
        COVERED_FROM = 16,
        COUNT_AT = 20,
        SIZE_AT = 24
    };
    unsigned char *bytes = model;
    uint64_t file_size = size, checksum;
    uint32_t count;
    if (size < HEADER) return;
    memcpy(&count, bytes + COUNT_AT, sizeof count);
    if (count > (size - HEADER) / ENTRY) return;
    memcpy(bytes + SIZE_AT, &file_size, sizeof file_size);
    for (size_t i = 0; i < count; i++)
        fix_section_checksum(bytes, size, bytes + HEADER + i * ENTRY);
    size_t covered = HEADER + (size_t)count * ENTRY - COVERED_FROM;
    checksum = XXH3_64bits(bytes + COVERED_FROM, covered);
    memcpy(bytes + CHECKSUM_AT, &checksum, sizeof checksum);
}

#endif
