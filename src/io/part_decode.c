/* Decoding of what a part of a forest has beside its trees. As in model_decode.c, the bytes may be
 * hostile. */
#include "io/part_decode.h"

#include "data/dataset.h"
#include "io/sections.h"

#include <stdlib.h>
#include <string.h>

#define DAMAGED(...) spf_raise(SPORF_ERROR_MODEL, __VA_ARGS__)

/* A part has no out-of-bag results, and nothing that is learned from them. */
static sporf_status refuse_results(const spf_model_frame *frame) {
    static const spf_section_id ids[] = {SPF_SECTION_OUT_OF_BAG, SPF_SECTION_LEVELS,
                                         SPF_SECTION_OOB_TARGETS, SPF_SECTION_CALIBRATION};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (frame->parts[ids[i]].bytes)
            return DAMAGED("it is a part of a forest and has %s", spf_section_name(ids[i]));
    return SPORF_OK;
}

static sporf_status take_numbers(const spf_model_of_part *part, sporf_forest *forest) {
    spf_forest_part *own = &forest->part;
    if (part->whole > UINT32_MAX || part->first > part->whole ||
        forest->trees_count > part->whole - part->first)
        return DAMAGED("its trees are not among the %llu of the forest",
                       (unsigned long long)part->whole);
    if (part->rows == 0 || part->rows > SPF_ROWS_MAX || part->weighted > 1)
        return DAMAGED("the table of the part is out of range");
    if (!memchr(part->version, '\0', sizeof part->version))
        return DAMAGED("the version of the part has no end");
    own->first = (uint32_t)part->first;
    own->whole = (uint32_t)part->whole;
    own->rows = part->rows;
    own->table = part->table;
    memcpy(own->version, part->version, sizeof own->version);
    return SPORF_OK;
}

static sporf_status check_labels(const sporf_forest *forest) {
    const spf_forest_part *own = &forest->part;
    for (size_t i = 0; i < own->rows; i++)
        if (own->labels[i] >= forest->classes)
            return DAMAGED("row %zu of the part has no class", i);
    return SPORF_OK;
}

static sporf_status check_numbers(const float *values, size_t count, const char *what) {
    for (size_t i = 0; i < count; i++)
        if (!spf_value_ok(values[i])) return DAMAGED("%s %zu of the part is no number", what, i);
    return SPORF_OK;
}

static sporf_status take_rows(const spf_model_frame *frame, int weighted, sporf_forest *forest) {
    const spf_model_part *section = &frame->parts[SPF_SECTION_PART_ROWS];
    spf_forest_part *own = &forest->part;
    size_t targets = forest->targets, columns = (targets > 0 ? targets : 1) + (size_t)weighted;
    const float *cells = (const void *)section->bytes;
    if (section->size % (own->rows * sizeof *cells) != 0 ||
        section->size / (own->rows * sizeof *cells) != columns)
        return DAMAGED("the rows of the part are too few or too many");
    const float *weights = weighted ? cells + (columns - 1) * own->rows : NULL;
    SPF_TRY(spf_copy_array(weights, own->rows, sizeof *weights, &own->weights));
    if (weights) SPF_TRY(check_numbers(weights, own->rows, "weight"));
    if (targets > 0) {
        SPF_TRY(spf_copy_array(cells, targets * own->rows, sizeof *cells, &own->values));
        return check_numbers(own->values, targets * own->rows, "target");
    }
    SPF_TRY(spf_copy_array(cells, own->rows, sizeof *own->labels, &own->labels));
    return check_labels(forest);
}

static size_t count_bits(const uint8_t *bits, size_t rows) {
    size_t count = 0;
    for (size_t at = 0; at < spf_part_bits(rows); at += sizeof(uint64_t))
        count += (size_t)__builtin_popcountll(spf_part_word(bits, rows, at));
    return count;
}

static inline int leaves_exist(const uint8_t *bytes, size_t width, size_t count, uint32_t leaves) {
    uint32_t last = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t leaf = spf_part_leaf(bytes, width, i);
        last = leaf > last ? leaf : last;
    }
    return last < leaves;
}

/* One loop for each width, which is a constant there. */
static int leaves_of_width_exist(const uint8_t *bytes, size_t width, size_t count,
                                 uint32_t leaves) {
    switch (width) {
    case 1:
        return leaves_exist(bytes, 1, count, leaves);
    case 2:
        return leaves_exist(bytes, 2, count, leaves);
    case 3:
        return leaves_exist(bytes, 3, count, leaves);
    default:
        return leaves_exist(bytes, 4, count, leaves);
    }
}

/* The out-of-bag rows of one tree: as many leaves as bits, no bit beyond the rows, and no leaf that
 * the tree does not have. */
static int tree_fits(const uint8_t *bytes, uint64_t size, size_t rows, uint32_t leaves) {
    size_t bits = spf_part_bits(rows), width = spf_part_width(leaves);
    if (size < bits || (size - bits) % width != 0) return 0;
    size_t count = (size_t)(size - bits) / width;
    if (count_bits(bytes, rows) != count || (rows % 8 != 0 && bytes[bits - 1] >> rows % 8 != 0))
        return 0;
    return leaves_of_width_exist(bytes + bits, width, count, leaves);
}

static int trees_fit(const sporf_forest *forest, const uint64_t *starts, uint64_t size) {
    const uint8_t *bytes = (const uint8_t *)(starts + forest->trees_count + 1);
    if (starts[0] != 0 || starts[forest->trees_count] != size) return 0;
    for (size_t i = 0; i < forest->trees_count; i++)
        if (starts[i + 1] < starts[i] || starts[i + 1] > size ||
            !tree_fits(bytes + starts[i], starts[i + 1] - starts[i], forest->part.rows,
                       forest->packed.trees[i].leaves))
            return 0;
    return 1;
}

static sporf_status take_oob(const spf_model_frame *frame, sporf_forest *forest) {
    const spf_model_part *section = &frame->parts[SPF_SECTION_PART_OOB];
    const uint64_t *starts = (const void *)section->bytes;
    spf_forest_part *own = &forest->part;
    size_t count = forest->trees_count + 1;
    if (!starts) return SPORF_OK;
    if (section->size / sizeof *starts < count ||
        !trees_fit(forest, starts, section->size - count * sizeof *starts))
        return DAMAGED("the out-of-bag rows of the part do not fit its rows and trees");
    SPF_TRY(spf_copy_array(starts, count, sizeof *starts, &own->starts));
    return spf_copy_array(starts + count, own->starts[count - 1], 1, &own->out_of_bag);
}

sporf_status spf_part_decode(const spf_model_frame *frame, sporf_forest *forest) {
    const spf_model_part *section = &frame->parts[SPF_SECTION_PART];
    const spf_model_of_part *part = (const void *)section->bytes;
    int expected = frame->header->version == SPF_MODEL_PART_VERSION;
    if ((part != NULL) != expected ||
        (frame->parts[SPF_SECTION_PART_ROWS].bytes != NULL) != expected ||
        (!expected && frame->parts[SPF_SECTION_PART_OOB].bytes))
        return DAMAGED("a section of a part is %s", expected ? "missing" : "in a whole model");
    if (!part) return SPORF_OK;
    if (section->size != sizeof *part) return DAMAGED("the section with the part has another size");
    SPF_TRY(refuse_results(frame));
    SPF_TRY(take_numbers(part, forest));
    SPF_TRY(take_rows(frame, part->weighted != 0, forest));
    return take_oob(frame, forest);
}
