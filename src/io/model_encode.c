/* Encoding of a forest. Each section has one function that emits its bytes into a sink; they run
 * twice, first into a hash to learn sizes and checksums, then into the file or buffer, so that a
 * large model is never held a second time. */
#include "base/checksum.h"
#include "io/model_file.h"
#include "io/model_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static sporf_status put(spf_sink sink, const void *bytes, size_t size) {
    return size == 0 ? SPORF_OK : sink.write(sink.context, bytes, size);
}

static sporf_status put_zeros(spf_sink sink, uint64_t count) {
    static const unsigned char zeros[SPF_MODEL_ALIGNMENT];
    return put(sink, zeros, count); /* less than one alignment */
}

static sporf_status put_string_list(spf_sink sink, uint64_t count, const uint64_t *offsets,
                                    const char *bytes) {
    SPF_TRY(put(sink, &count, sizeof count));
    SPF_TRY(put(sink, offsets, (count + 1) * sizeof *offsets));
    return put(sink, bytes, offsets[count]);
}

static sporf_status put_strings(spf_sink sink, const spf_strings *list) {
    return put_string_list(sink, list->count, list->offsets, list->bytes);
}

static sporf_status put_label_name(spf_sink sink, const sporf_forest *forest) {
    uint64_t offsets[2] = {0, strlen(forest->label_name) + 1};
    return put_string_list(sink, 1, offsets, forest->label_name);
}

/* Processors differ in the sign of the NaN they make; files do not. */
static double one_nan(double value) {
    static const uint64_t bits = 0x7ff8000000000000u;
    if (isnan(value)) memcpy(&value, &bits, sizeof value);
    return value;
}

static sporf_status put_oob(spf_sink sink, const sporf_forest *forest) {
    spf_model_oob oob = {.rows = forest->oob_rows,
                         .error = one_nan(forest->oob_error),
                         .kappa = one_nan(forest->oob_kappa),
                         .curve = forest->oob_curve ? forest->trees_count : 0};
    SPF_TRY(put(sink, &oob, sizeof oob));
    for (size_t i = 0; i < oob.curve; i++) {
        double value = one_nan(forest->oob_curve[i]);
        SPF_TRY(put(sink, &value, sizeof value));
    }
    return SPORF_OK;
}

static sporf_status put_oob_targets(spf_sink sink, const sporf_forest *forest) {
    for (size_t t = 0; t < forest->targets; t++) {
        const spf_target_scores *own = &forest->oob_targets[t];
        spf_target_scores scores = {one_nan(own->rmse), one_nan(own->mae), one_nan(own->r2)};
        SPF_TRY(put(sink, &scores, sizeof scores));
    }
    return SPORF_OK;
}

static sporf_status put_kinds(spf_sink sink, const sporf_schema *schema) {
    for (size_t i = 0; i < schema->count; i++) {
        spf_model_kind kind = {schema->kinds[i], (uint32_t)schema->levels[i].count};
        SPF_TRY(put(sink, &kind, sizeof kind));
    }
    return SPORF_OK;
}

/* The names of all levels of all features as one list. */
static sporf_status put_levels(spf_sink sink, const sporf_schema *schema) {
    uint64_t count = 0, end = 0;
    for (size_t i = 0; i < schema->count; i++) count += schema->levels[i].count;
    SPF_TRY(put(sink, &count, sizeof count));
    SPF_TRY(put(sink, &end, sizeof end));
    for (size_t i = 0; i < schema->count; i++) {
        const spf_strings *levels = &schema->levels[i];
        for (size_t k = 0; k < levels->count; k++) {
            uint64_t offset = end + levels->offsets[k + 1];
            SPF_TRY(put(sink, &offset, sizeof offset));
        }
        end += levels->count > 0 ? levels->offsets[levels->count] : 0;
    }
    for (size_t i = 0; i < schema->count; i++)
        if (schema->levels[i].count > 0)
            SPF_TRY(put(sink, schema->levels[i].bytes,
                        schema->levels[i].offsets[schema->levels[i].count]));
    return SPORF_OK;
}

static int has_levels(const sporf_schema *schema) {
    for (size_t i = 0; schema->kinds && i < schema->count; i++)
        if (schema->levels[i].count > 0) return 1;
    return 0;
}

/* Whether some section has to list the features of a forest that has neither names, kinds nor scale
 * factors: then scale factors, which are all 1. */
static int needs_list(const sporf_forest *forest) {
    return forest->features > SPF_MODEL_UNLISTED_FEATURES && forest->schema.names.count == 0 &&
           !has_levels(&forest->schema);
}

static sporf_status put_scale(spf_sink sink, const sporf_forest *forest) {
    static const float one = 1;
    if (forest->scale) return put(sink, forest->scale, forest->features * sizeof one);
    for (size_t i = 0; i < forest->features; i++) SPF_TRY(put(sink, &one, sizeof one));
    return SPORF_OK;
}

static sporf_status put_array(spf_sink sink, const void *elements, uint64_t count, size_t size) {
    return put(sink, elements, count * size);
}

static sporf_status put_section(spf_sink sink, const sporf_forest *forest, spf_section_id id) {
    const spf_packed *packed = &forest->packed;
    switch (id) {
    case SPF_SECTION_CLASS_NAMES:
        return put_strings(sink, &forest->class_names);
    case SPF_SECTION_FEATURE_NAMES:
        return put_strings(sink, &forest->schema.names);
    case SPF_SECTION_LABEL_NAME:
        return put_label_name(sink, forest);
    case SPF_SECTION_SETTINGS:
        return put_strings(sink, &forest->settings);
    case SPF_SECTION_SCALE:
        return put_scale(sink, forest);
    case SPF_SECTION_OUT_OF_BAG:
        return put_oob(sink, forest);
    case SPF_SECTION_KINDS:
        return put_kinds(sink, &forest->schema);
    case SPF_SECTION_LEVEL_NAMES:
        return put_levels(sink, &forest->schema);
    case SPF_SECTION_TARGET_NAMES:
        return put_strings(sink, &forest->target_names);
    case SPF_SECTION_LEAF_VALUES:
        return put_array(sink, packed->leaf_value, packed->leaves_count * forest->targets,
                         sizeof *packed->leaf_value);
    case SPF_SECTION_SAMPLE_STARTS:
        return put_array(sink, packed->sample_tree, packed->trees_count + 1,
                         sizeof *packed->sample_tree);
    case SPF_SECTION_SAMPLE_ENDS:
        return put_array(sink, packed->sample_end, packed->leaves_count,
                         sizeof *packed->sample_end);
    case SPF_SECTION_SAMPLE_VALUES:
        return put_array(sink, packed->sample_value, packed->samples_count * forest->targets,
                         sizeof *packed->sample_value);
    case SPF_SECTION_SAMPLE_WEIGHTS:
        return put_array(sink, packed->sample_weight, packed->samples_count,
                         sizeof *packed->sample_weight);
    case SPF_SECTION_LEVELS:
        return put_array(sink, forest->oob_levels, forest->targets * SPF_LEVELS,
                         sizeof *forest->oob_levels);
    case SPF_SECTION_OOB_TARGETS:
        return put_oob_targets(sink, forest);
    case SPF_SECTION_SETS:
        return put_array(sink, packed->sets.sets, packed->sets.count, sizeof *packed->sets.sets);
    case SPF_SECTION_SET_WORDS:
        return put_array(sink, packed->sets.words, packed->sets.words_count,
                         sizeof *packed->sets.words);
    case SPF_SECTION_TREES:
        return put_array(sink, packed->trees, forest->trees_count, sizeof *packed->trees);
    case SPF_SECTION_NODES:
        return put_array(sink, packed->nodes, packed->nodes_count, sizeof *packed->nodes);
    case SPF_SECTION_PROJECTION_STARTS:
        return put_array(sink, packed->projection_start, (uint64_t)packed->projections_count + 1,
                         sizeof *packed->projection_start);
    case SPF_SECTION_TERM_FEATURES:
        return put_array(sink, packed->term_feature, packed->terms_count,
                         sizeof *packed->term_feature);
    case SPF_SECTION_TERM_WEIGHTS:
        return put_array(sink, packed->term_weight, packed->terms_count,
                         sizeof *packed->term_weight);
    case SPF_SECTION_LEAF_WEIGHTS:
        return put_array(sink, packed->leaf_weight, packed->leaves_count,
                         sizeof *packed->leaf_weight);
    case SPF_SECTION_LEAF_CLASSES:
        return put_array(sink, packed->leaf_class, packed->leaves_count,
                         sizeof *packed->leaf_class);
    case SPF_SECTION_MIXED_STARTS:
        return put_array(sink, packed->mixed_start, packed->mixed_count + 1,
                         sizeof *packed->mixed_start);
    case SPF_SECTION_ENTRY_CLASSES:
        return put_array(sink, packed->entry_class, packed->entries_count,
                         sizeof *packed->entry_class);
    default:
        return put_array(sink, packed->entry_weight, packed->entries_count,
                         sizeof *packed->entry_weight);
    }
}

static int has_section(const sporf_forest *forest, spf_section_id id) {
    switch (id) {
    case SPF_SECTION_FEATURE_NAMES:
        return forest->schema.names.count > 0;
    case SPF_SECTION_LABEL_NAME:
        return forest->label_name != NULL;
    case SPF_SECTION_SETTINGS:
        return forest->settings.count > 0;
    case SPF_SECTION_SCALE:
        return forest->scale != NULL || needs_list(forest);
    case SPF_SECTION_OUT_OF_BAG:
        return forest->oob_rows > 0 || forest->oob_curve != NULL;
    case SPF_SECTION_LEAF_CLASSES:
        return forest->packed.leaf_class != NULL;
    case SPF_SECTION_KINDS:
    case SPF_SECTION_LEVEL_NAMES:
        return has_levels(&forest->schema);
    case SPF_SECTION_SETS:
    case SPF_SECTION_SET_WORDS:
        return forest->packed.sets.count > 0;
    case SPF_SECTION_TARGET_NAMES:
    case SPF_SECTION_LEAF_VALUES:
        return forest->targets > 0;
    case SPF_SECTION_SAMPLE_STARTS:
        return forest->keeps_samples;
    case SPF_SECTION_SAMPLE_ENDS:
    case SPF_SECTION_SAMPLE_VALUES:
        return forest->packed.sample_end != NULL;
    case SPF_SECTION_SAMPLE_WEIGHTS:
        return forest->packed.sample_weight != NULL;
    case SPF_SECTION_LEVELS:
        return forest->oob_levels != NULL;
    case SPF_SECTION_OOB_TARGETS:
        return forest->oob_targets != NULL;
    default:
        return 1;
    }
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
        if (!has_section(encoding->forest, id)) continue;
        spf_checksum total;
        spf_checksum_start(&total);
        SPF_TRY(put_section((spf_sink){measure_bytes, &total}, encoding->forest, id));
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

/* Checksums of damaged bytes would make them look whole: what was opened unread is checked first.
 */
sporf_status spf_encoding_plan(const sporf_forest *forest, spf_encoding *encoding) {
    SPF_TRY(spf_model_verify(forest));
    *encoding = (spf_encoding){.forest = forest,
                               .header = {.magic = SPF_MODEL_MAGIC,
                                          .version = SPF_MODEL_VERSION,
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
    SPF_TRY(put(sink, &encoding->header, sizeof encoding->header));
    SPF_TRY(put(sink, encoding->sections, table));
    uint64_t end = sizeof encoding->header + table;
    for (uint32_t i = 0; i < encoding->header.sections; i++) {
        const spf_model_section *section = &encoding->sections[i];
        SPF_TRY(put_zeros(sink, section->offset - end));
        SPF_TRY(put_section(sink, encoding->forest, section->id));
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
