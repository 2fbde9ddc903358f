/* The frame of a model file: header, section table, padding and checksums. The sections that it
 * returns are inside the file and have the bytes that were written; the decoder interprets them. */
#include "base/checksum.h"
#include "io/sections.h"

#include <string.h>

#define DAMAGED(...) spf_raise(SPORF_ERROR_MODEL, __VA_ARGS__)

sporf_status spf_model_buffer_create(size_t size, spf_model_buffer *buffer, unsigned char **bytes) {
    size_t room;
    if (__builtin_add_overflow(size, SPF_MODEL_ALIGNMENT - 1, &room)) return spf_raise_memory();
    void *base = spf_alloc_large(room);
    if (!base) return spf_raise_memory();
    uintptr_t aligned =
        ((uintptr_t)base + SPF_MODEL_ALIGNMENT - 1) & ~(uintptr_t)(SPF_MODEL_ALIGNMENT - 1);
    *bytes = (unsigned char *)aligned;
    *buffer = (spf_model_buffer){.storage = {.base = base}, .bytes = *bytes, .size = size};
    return SPORF_OK;
}

void spf_model_buffer_free(spf_model_buffer *buffer) {
    spf_storage_free(&buffer->storage);
}

sporf_status spf_model_check_header(const void *bytes, uint64_t size, const char *name) {
    spf_model_header header;
    size_t magic = size < sizeof header.magic ? (size_t)size : sizeof header.magic;
    if (size == 0 || memcmp(bytes, SPF_MODEL_MAGIC, magic) != 0)
        return DAMAGED("%s is not a sporf model" SPF_HINT "give a file that was saved as one",
                       name);
    if (size < sizeof header)
        return DAMAGED("%s is cut off after %llu bytes" SPF_HINT
                       "restore it from a backup or train the model again",
                       name, (unsigned long long)size);
    memcpy(&header, bytes, sizeof header);
    if (header.version < SPF_MODEL_FOREST_VERSION || header.version > SPF_MODEL_LAST_VERSION)
        return DAMAGED("%s has the format version %u and this version of sporf reads %u to %u: %s",
                       name, header.version, SPF_MODEL_FOREST_VERSION, SPF_MODEL_LAST_VERSION,
                       header.version < SPF_MODEL_FOREST_VERSION
                           ? "it was made by an older version; train the model again"
                           : "it was made by a newer version (update sporf) or is damaged");
    if (header.file_size != size)
        return DAMAGED("%s is %s: it has %llu bytes instead of %llu" SPF_HINT
                       "restore it from a backup or train the model again",
                       name, size < header.file_size ? "cut off" : "longer than it says",
                       (unsigned long long)size, (unsigned long long)header.file_size);
    return SPORF_OK;
}

static sporf_status check_header_fields(const spf_model_header *header) {
    if (header->sections > (header->file_size - sizeof *header) / sizeof(spf_model_section))
        return DAMAGED("the section table does not fit into the file");
    size_t skip = offsetof(spf_model_header, version);
    size_t size = sizeof *header + header->sections * sizeof(spf_model_section) - skip;
    if (spf_checksum_of((const char *)header + skip, size) != header->checksum)
        return DAMAGED("the checksum of the header does not match");
    if (header->reserved != 0) return DAMAGED("a reserved field of the header is not 0");
    if (header->trees == 0 || header->trees > UINT32_MAX)
        return DAMAGED("the header names %llu trees", (unsigned long long)header->trees);
    if (header->features == 0 || header->features > UINT32_MAX)
        return DAMAGED("the header names %llu features", (unsigned long long)header->features);
    if (header->classes == 0 || header->classes > UINT32_MAX)
        return DAMAGED("the header names %llu classes", (unsigned long long)header->classes);
    return SPORF_OK;
}

static int all_zero(const unsigned char *bytes, uint64_t count) {
    return count == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0);
}

/* Whether a section that this version knows has a trait. */
static int has_trait(uint32_t id, unsigned trait) {
    return id < SPF_SECTION_END && (spf_sections[id].traits & trait) != 0;
}

/* Checks the place and the bytes of one section; *end moves from the end of the previous one to its
 * own. */
static sporf_status check_section(const spf_model_frame *frame, const spf_model_section *entry,
                                  spf_model_care care, uint64_t *end) {
    uint64_t size = frame->header->file_size;
    if (entry->flags != 0) return DAMAGED("section %u has unknown flags", entry->id);
    if (entry->offset % SPF_MODEL_ALIGNMENT != 0)
        return DAMAGED("section %u is not aligned", entry->id);
    if (entry->offset < *end) return DAMAGED("section %u overlaps what lies before it", entry->id);
    if (entry->offset > size || entry->size > size - entry->offset)
        return DAMAGED("section %u reaches beyond the end of the file", entry->id);
    if (!all_zero(frame->bytes + *end, entry->offset - *end))
        return DAMAGED("the padding before section %u is not zero", entry->id);
    int skips = care == SPF_MODEL_CHECK_FRAME && has_trait(entry->id, SPF_SECTION_LARGE);
    if (!skips && spf_checksum_of(frame->bytes + entry->offset, entry->size) != entry->checksum)
        return DAMAGED("the checksum of section %u (%s) does not match", entry->id,
                       spf_section_name(entry->id));
    *end = entry->offset + entry->size;
    return SPORF_OK;
}

static sporf_status find_sections(spf_model_frame *frame, spf_model_care care) {
    const spf_model_section *table = (const void *)(frame->bytes + sizeof *frame->header);
    uint64_t end = sizeof *frame->header + frame->header->sections * sizeof *table;
    uint32_t last = 0;
    for (uint32_t i = 0; i < frame->header->sections; i++) {
        if (table[i].id <= last) return DAMAGED("the sections are not in order of their numbers");
        last = table[i].id;
        SPF_TRY(check_section(frame, &table[i], care, &end));
        if (last < SPF_SECTION_END)
            frame->parts[last] = (spf_model_part){frame->bytes + table[i].offset, table[i].size};
        else if (!(last & SPF_SECTION_SKIPPABLE))
            return DAMAGED("section %u needs a newer version of sporf", last);
    }
    if (end != frame->header->file_size) return DAMAGED("bytes follow the last section");
    return SPORF_OK;
}

static sporf_status check_presence(const spf_model_frame *frame) {
    for (uint32_t id = 1; id < SPF_SECTION_END; id++) {
        const spf_model_part *part = &frame->parts[id];
        if (!part->bytes && has_trait(id, SPF_SECTION_REQUIRED))
            return DAMAGED("the section with the %s is missing", spf_section_name(id));
        if (part->bytes && part->size == 0 && !has_trait(id, SPF_SECTION_MAY_BE_EMPTY))
            return DAMAGED("the section with the %s is empty", spf_section_name(id));
    }
    return SPORF_OK;
}

sporf_status spf_model_frame_open(const unsigned char *bytes, spf_model_care care,
                                  spf_model_frame *frame) {
    *frame = (spf_model_frame){.bytes = bytes, .header = (const void *)bytes};
    SPF_TRY(check_header_fields(frame->header));
    SPF_TRY(find_sections(frame, care));
    return check_presence(frame);
}
