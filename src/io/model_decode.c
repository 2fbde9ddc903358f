/* Decoding of a model file in place: names and results are copied, trees point into the bytes. The
 * bytes may be hostile: every number is checked against the file before it is used, each byte is
 * looked at a bounded number of times, and what is allocated is bounded by a small multiple of the
 * file. */
#include "io/model_file.h"
#include "io/model_format.h"
#include "model/validate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAMAGED(...) spf_raise(SPORF_ERROR_MODEL, __VA_ARGS__)

typedef struct {
    spf_model_frame frame;
    sporf_forest *forest;
} decoder;

/* ---- names, settings, scale, out-of-bag results ---------------------------------------------- */

static sporf_status check_strings(const char *what, const uint64_t *offsets, uint64_t count,
                                  const char *bytes, uint64_t length) {
    if (offsets[0] != 0 || offsets[count] != length)
        return DAMAGED("the %s do not fill their section", what);
    for (uint64_t i = 0; i < count; i++) {
        if (offsets[i + 1] <= offsets[i] || offsets[i + 1] > length)
            return DAMAGED("string %llu of the %s has no proper place", (unsigned long long)i,
                           what);
        const char *start = bytes + offsets[i];
        uint64_t size = offsets[i + 1] - offsets[i];
        if (memchr(start, '\0', size) != start + size - 1)
            return DAMAGED("string %llu of the %s is not closed by its only NUL",
                           (unsigned long long)i, what);
    }
    return SPORF_OK;
}

/* A list of strings, copied: count, count + 1 offsets, bytes. Absent sections leave it empty. */
static sporf_status decode_strings(const decoder *d, spf_section_id id, spf_strings *list) {
    const spf_model_part *part = &d->frame.parts[id];
    const uint64_t *words = (const void *)part->bytes;
    if (!part->bytes) return SPORF_OK;
    if (part->size < 2 * sizeof *words || words[0] == 0 ||
        words[0] > part->size / sizeof *words - 2)
        return DAMAGED("the %s do not fit into their section", spf_section_name(id));
    uint64_t count = words[0], length = part->size - (count + 2) * sizeof *words;
    const char *bytes = (const char *)(words + count + 2);
    SPF_TRY(check_strings(spf_section_name(id), words + 1, count, bytes, length));
    SPF_TRY(SPF_RESERVE(list->offsets, list->offsets_capacity, count + 1));
    SPF_TRY(SPF_RESERVE(list->bytes, list->bytes_capacity, length));
    memcpy(list->offsets, words + 1, (count + 1) * sizeof *words);
    memcpy(list->bytes, bytes, length);
    list->count = count;
    return SPORF_OK;
}

static sporf_status decode_label_name(const decoder *d) {
    spf_strings list = {0};
    sporf_status status = decode_strings(d, SPF_SECTION_LABEL_NAME, &list);
    if (status == SPORF_OK && list.count > 1) status = DAMAGED("there is more than one label name");
    if (status == SPORF_OK) {
        d->forest->label_name = list.bytes;
        list.bytes = NULL;
    }
    spf_strings_free(&list);
    return status;
}

static sporf_status decode_names(const decoder *d) {
    sporf_forest *forest = d->forest;
    SPF_TRY(decode_strings(d, SPF_SECTION_CLASS_NAMES, &forest->class_names));
    SPF_TRY(decode_strings(d, SPF_SECTION_FEATURE_NAMES, &forest->feature_names));
    SPF_TRY(decode_strings(d, SPF_SECTION_SETTINGS, &forest->settings));
    SPF_TRY(decode_label_name(d));
    if (forest->class_names.count != forest->classes)
        return DAMAGED("there are %zu class names for %zu classes", forest->class_names.count,
                       forest->classes);
    if (forest->feature_names.count > 0 && forest->feature_names.count != forest->features)
        return DAMAGED("there are %zu feature names for %zu features", forest->feature_names.count,
                       forest->features);
    if (forest->settings.count % 2 != 0) return DAMAGED("the last setting has no value");
    return SPORF_OK;
}

static sporf_status decode_scale(const decoder *d) {
    const spf_model_part *part = &d->frame.parts[SPF_SECTION_SCALE];
    const float *scale = (const void *)part->bytes;
    size_t features = d->forest->features;
    if (!scale) return SPORF_OK;
    if (part->size != features * sizeof *scale)
        return DAMAGED("there is not one scale factor for each feature");
    for (size_t i = 0; i < features; i++)
        if (!isfinite(scale[i])) return DAMAGED("scale factor %zu is %g", i, scale[i]);
    d->forest->scale = spf_alloc(features, sizeof *scale);
    if (!d->forest->scale) return spf_raise_memory();
    memcpy(d->forest->scale, scale, part->size);
    return SPORF_OK;
}

static int share_or_nan(double value) {
    return isnan(value) || (value >= 0 && value <= 1);
}

static sporf_status decode_curve(const decoder *d, const double *curve) {
    size_t trees = d->forest->trees_count;
    for (size_t i = 0; i < trees; i++)
        if (!share_or_nan(curve[i])) return DAMAGED("out-of-bag error %zu is %g", i, curve[i]);
    d->forest->oob_curve = spf_alloc(trees, sizeof *curve);
    if (!d->forest->oob_curve) return spf_raise_memory();
    memcpy(d->forest->oob_curve, curve, trees * sizeof *curve);
    return SPORF_OK;
}

static sporf_status decode_oob(const decoder *d) {
    const spf_model_part *part = &d->frame.parts[SPF_SECTION_OUT_OF_BAG];
    const spf_model_oob *oob = (const void *)part->bytes;
    d->forest->oob_error = d->forest->oob_kappa = NAN;
    if (!oob) return SPORF_OK;
    if (part->size < sizeof *oob || (oob->curve != 0 && oob->curve != d->frame.header->trees) ||
        part->size - sizeof *oob != oob->curve * sizeof(double))
        return DAMAGED("the out-of-bag results do not fill their section");
    if (oob->rows > UINT32_MAX || !share_or_nan(oob->error) || isinf(oob->kappa))
        return DAMAGED("the out-of-bag results are out of range");
    d->forest->oob_rows = oob->rows;
    d->forest->oob_error = oob->error;
    d->forest->oob_kappa = oob->kappa;
    return oob->curve ? decode_curve(d, (const double *)(oob + 1)) : SPORF_OK;
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* The arrays of all trees, with the number of elements of each; `used` belongs to the trees before
 * the present one. */
typedef struct {
    const void *elements;
    uint64_t count, used;
} pool;

enum {
    NODES,
    PROJECTION_STARTS,
    TERM_FEATURES,
    TERM_WEIGHTS,
    LEAF_STARTS,
    LEAF_CLASSES,
    LEAF_WEIGHTS,
    POOLS,
};

static const struct {
    spf_section_id id;
    size_t element;
} pool_sections[POOLS] = {
    [NODES] = {SPF_SECTION_NODES, sizeof(spf_node)},
    [PROJECTION_STARTS] = {SPF_SECTION_PROJECTION_STARTS, sizeof(uint32_t)},
    [TERM_FEATURES] = {SPF_SECTION_TERM_FEATURES, sizeof(uint32_t)},
    [TERM_WEIGHTS] = {SPF_SECTION_TERM_WEIGHTS, sizeof(float)},
    [LEAF_STARTS] = {SPF_SECTION_LEAF_STARTS, sizeof(uint32_t)},
    [LEAF_CLASSES] = {SPF_SECTION_LEAF_CLASSES, sizeof(uint32_t)},
    [LEAF_WEIGHTS] = {SPF_SECTION_LEAF_WEIGHTS, sizeof(float)},
};

static sporf_status open_pools(const decoder *d, pool *pools) {
    for (int i = 0; i < POOLS; i++) {
        const spf_model_part *part = &d->frame.parts[pool_sections[i].id];
        if (part->size % pool_sections[i].element != 0)
            return DAMAGED("the %s end in the middle of one",
                           spf_section_name(pool_sections[i].id));
        pools[i] = (pool){part->bytes, part->size / pool_sections[i].element, 0};
    }
    return SPORF_OK;
}

/* The next `count` elements of a pool, which must begin at `start`: trees lie one after the other,
 * so that no two share elements and checking them all takes linear time. */
static const void *take(pool *pools, int index, uint64_t start, uint64_t count) {
    pool *from = &pools[index];
    if (start != from->used || count > from->count - from->used) return NULL;
    from->used += count;
    return (const unsigned char *)from->elements + start * pool_sections[index].element;
}

static sporf_status decode_tree(const decoder *d, size_t number, const spf_model_tree *e,
                                pool *pools) {
    spf_tree *tree = &d->forest->trees[number];
    tree->nodes_count = e->nodes;
    tree->projections_count = e->projections;
    tree->leaves_count = e->leaves;
    tree->nodes = take(pools, NODES, e->node, e->nodes);
    tree->projection_start =
        take(pools, PROJECTION_STARTS, e->projection_start, (uint64_t)e->projections + 1);
    tree->term_feature = take(pools, TERM_FEATURES, e->term, e->terms);
    tree->term_weight = take(pools, TERM_WEIGHTS, e->term, e->terms);
    tree->leaf_start = take(pools, LEAF_STARTS, e->leaf_start, (uint64_t)e->leaves + 1);
    tree->leaf_class = take(pools, LEAF_CLASSES, e->leaf_entry, e->leaf_entries);
    tree->leaf_weight = take(pools, LEAF_WEIGHTS, e->leaf_entry, e->leaf_entries);
    if (e->reserved != 0) return DAMAGED("tree %zu: a reserved field is not 0", number);
    if (!tree->nodes || !tree->projection_start || !tree->term_feature || !tree->term_weight ||
        !tree->leaf_start || !tree->leaf_class || !tree->leaf_weight)
        return DAMAGED("tree %zu: its parts do not lie in the file one after the other", number);
    spf_tree_extent extent = {.terms = e->terms, .leaf_entries = e->leaf_entries};
    return spf_tree_validate(tree, &extent, d->forest->features, d->forest->classes, number);
}

static sporf_status decode_trees(const decoder *d) {
    const spf_model_part *part = &d->frame.parts[SPF_SECTION_TREES];
    const spf_model_tree *table = (const void *)part->bytes;
    size_t trees = d->forest->trees_count;
    pool pools[POOLS];
    if (part->size / sizeof *table != trees || part->size % sizeof *table != 0)
        return DAMAGED("the tree table does not have %zu entries", trees);
    SPF_TRY(open_pools(d, pools));
    d->forest->trees = spf_alloc_zero(trees, sizeof *d->forest->trees);
    if (!d->forest->trees) return spf_raise_memory();
    for (size_t i = 0; i < trees; i++) SPF_TRY(decode_tree(d, i, &table[i], pools));
    for (int i = 0; i < POOLS; i++)
        if (pools[i].used != pools[i].count)
            return DAMAGED("there are more %s than the trees have",
                           spf_section_name(pool_sections[i].id));
    return SPORF_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static sporf_status decode_body(decoder *d, const spf_model_buffer *buffer) {
    SPF_TRY(spf_model_frame_open(buffer, &d->frame));
    d->forest->trees_count = d->frame.header->trees;
    d->forest->features = d->frame.header->features;
    d->forest->classes = d->frame.header->classes;
    SPF_TRY(decode_names(d));
    SPF_TRY(decode_scale(d));
    SPF_TRY(decode_oob(d));
    return decode_trees(d);
}

/* Adds to a fault where it is and what to do. */
static sporf_status raise_in_file(sporf_status status, const char *name) {
    char fault[SPF_ERROR_TEXT_MAX];
    if (status != SPORF_ERROR_MODEL) return status;
    snprintf(fault, sizeof fault, "%s", sporf_last_error());
    return DAMAGED("%s cannot be used: %s; restore it from a backup or train the model again", name,
                   fault);
}

sporf_status spf_model_decode_buffer(const spf_model_buffer *buffer, const char *name,
                                     sporf_forest **out) {
    SPF_TRY(spf_model_check_header(buffer->bytes, buffer->size, name));
    decoder d = {0};
    d.forest = spf_alloc_zero(1, sizeof *d.forest);
    if (!d.forest) return spf_raise_memory();
    d.forest->storage = buffer->storage;
    sporf_status status = decode_body(&d, buffer);
    if (status != SPORF_OK) {
        status = raise_in_file(status, name);
        d.forest->storage = NULL;
        d.forest->trees_count = 0;
        sporf_forest_free(d.forest);
        return status;
    }
    *out = d.forest;
    return SPORF_OK;
}

sporf_status spf_model_decode(const void *bytes, size_t size, sporf_forest **out) {
    spf_model_buffer buffer = {0};
    SPF_TRY(spf_model_check_header(bytes, size, "the model"));
    SPF_TRY(spf_model_buffer_create(size, &buffer));
    memcpy(buffer.bytes, bytes, size);
    sporf_status status = spf_model_decode_buffer(&buffer, "the model", out);
    if (status != SPORF_OK) free(buffer.storage);
    return status;
}
