/* Encodes a forest. Its sections are written twice, first into a hash for sizes and checksums, then
 * into the file or buffer, so that a large model is never held twice. */
#include "base/checksum.h"
#include "io/model_file.h"
#include "io/sections.h"

#include <stdlib.h>
#include <string.h>

static sporf_status put_zeros(spf_sink sink, uint64_t count) {
    static const unsigned char zeros[SPF_MODEL_ALIGNMENT];
    return spf_put(sink, zeros, count); /* less than one alignment */
}

static sporf_status measure_bytes(void *context, const void *bytes, size_t size) {
    spf_checksum_add(context, bytes, size);
    return SPORF_OK;
}

static uint64_t align(uint64_t offset) {
    return (offset + SPF_MODEL_ALIGNMENT - 1) & ~(uint64_t)(SPF_MODEL_ALIGNMENT - 1);
}

/* Fills the section table; offsets follow once its length is known. */
static sporf_status plan_sections(spf_encoding *encoding) {
    uint32_t count = 0;
    for (spf_section_id id = 1; id < SPF_SECTION_END; id++) {
        if (!spf_section_is_there(id, encoding->forest)) continue;
        spf_checksum total;
        spf_checksum_start(&total);
        SPF_TRY(spf_section_put(id, encoding->forest, (spf_sink){measure_bytes, &total}));
        encoding->sections[count++] = (spf_model_section){
            .id = id, .size = total.size, .checksum = spf_checksum_value(&total)};
    }
    encoding->header.sections = count;
    return SPORF_OK;
}

static void plan_offsets(spf_encoding *encoding) {
    uint64_t end = sizeof encoding->header + encoding->header.sections * sizeof *encoding->sections;
    for (uint32_t i = 0; i < encoding->header.sections; i++) {
        encoding->sections[i].offset = align(end);
        end = encoding->sections[i].offset + encoding->sections[i].size;
    }
    encoding->header.file_size = end;
}

static uint64_t header_checksum(const spf_encoding *encoding) {
    size_t skip = offsetof(spf_model_header, version);
    spf_checksum total;
    spf_checksum_start(&total);
    spf_checksum_add(&total, (const char *)&encoding->header + skip,
                     sizeof encoding->header - skip);
    spf_checksum_add(&total, encoding->sections,
                     encoding->header.sections * sizeof *encoding->sections);
    return spf_checksum_value(&total);
}

static uint32_t version_of(const sporf_forest *forest) {
    if (spf_has_several_labels(forest)) return SPF_MODEL_LABELS_VERSION;
    if (spf_is_part(forest)) return SPF_MODEL_PART_VERSION;
    return spf_is_boosted(forest) ? SPF_MODEL_BOOSTED_VERSION : SPF_MODEL_FOREST_VERSION;
}

/* Checksums of damaged bytes would make them look valid: a model that was mapped without checks is
 * checked first. */
sporf_status spf_encoding_plan(const sporf_forest *forest, spf_encoding *encoding) {
    SPF_TRY(spf_model_verify(forest));
    *encoding = (spf_encoding){.forest = forest,
                               .header = {.magic = SPF_MODEL_MAGIC,
                                          .version = version_of(forest),
                                          .trees = forest->trees_count,
                                          .features = forest->features,
                                          .classes = forest->classes}};
    SPF_TRY(plan_sections(encoding));
    plan_offsets(encoding);
    encoding->header.checksum = header_checksum(encoding);
    return SPORF_OK;
}

sporf_status spf_encoding_write(const spf_encoding *encoding, spf_sink sink) {
    size_t table = encoding->header.sections * sizeof *encoding->sections;
    SPF_TRY(spf_put(sink, &encoding->header, sizeof encoding->header));
    SPF_TRY(spf_put(sink, encoding->sections, table));
    uint64_t end = sizeof encoding->header + table;
    for (uint32_t i = 0; i < encoding->header.sections; i++) {
        const spf_model_section *section = &encoding->sections[i];
        SPF_TRY(put_zeros(sink, section->offset - end));
        SPF_TRY(spf_section_put(section->id, encoding->forest, sink));
        end = section->offset + section->size;
    }
    return SPORF_OK;
}

static sporf_status append(void *context, const void *bytes, size_t size) {
    unsigned char **end = context;
    memcpy(*end, bytes, size);
    *end += size;
    return SPORF_OK;
}

sporf_status spf_model_encode(const sporf_forest *forest, void **bytes, size_t *size) {
    spf_encoding encoding;
    SPF_TRY(spf_encoding_plan(forest, &encoding));
    unsigned char *copy = spf_alloc(encoding.header.file_size, 1), *end = copy;
    if (!copy) return spf_raise_memory();
    sporf_status status = spf_encoding_write(&encoding, (spf_sink){append, &end});
    if (status != SPORF_OK) {
        free(copy);
        return status;
    }
    *bytes = copy;
    *size = encoding.header.file_size;
    return SPORF_OK;
}
