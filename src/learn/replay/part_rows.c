/* Rows of a part. */
#include "learn/replay/part_rows.h"

#include "base/parallel.h"
#include "data/table_checksum.h"
#include "learn/rows/bag.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first of the rows whose bits are set in the word from byte `at` on. */
static inline uint32_t first_row(uint64_t word, size_t at) {
    return (uint32_t)(8 * at) + (uint32_t)__builtin_ctzll(word);
}

int spf_part_tree_take(const spf_grown *grown, size_t rows, spf_part_tree *out) {
    size_t width = spf_part_width(grown->tree.leaves_count), bits = spf_part_bits(rows), count = 0;
    uint32_t *leaf_of = spf_alloc(rows, sizeof *leaf_of);
    out->size = bits + grown->oob_count * width;
    out->bytes = spf_alloc_zero(out->size, 1);
    if (!leaf_of || !out->bytes) {
        free(leaf_of);
        return 0;
    }
    for (size_t i = 0; i < grown->oob_count; i++) {
        uint32_t row = grown->oob_row[i];
        out->bytes[row / 8] |= (uint8_t)(1u << row % 8);
        leaf_of[row] = grown->oob_leaf[i];
    }
    for (size_t at = 0; at < bits; at += sizeof(uint64_t))
        for (uint64_t word = spf_part_word(out->bytes, rows, at); word; word &= word - 1)
            spf_part_put_leaf(out->bytes + bits, width, count++, leaf_of[first_row(word, at)]);
    free(leaf_of);
    return 1;
}

static inline void read_leaves(const uint8_t *bytes, size_t width, size_t count, uint32_t *leaves) {
    for (size_t i = 0; i < count; i++) leaves[i] = spf_part_leaf(bytes, width, i);
}

/* One loop for each width, which is a constant there. */
static void read_leaves_of_width(const uint8_t *bytes, size_t width, size_t count,
                                 uint32_t *leaves) {
    switch (width) {
    case 1:
        read_leaves(bytes, 1, count, leaves);
        break;
    case 2:
        read_leaves(bytes, 2, count, leaves);
        break;
    case 3:
        read_leaves(bytes, 3, count, leaves);
        break;
    default:
        read_leaves(bytes, 4, count, leaves);
    }
}

sporf_status spf_part_oob(const sporf_forest *forest, uint32_t tree, spf_grown *grown) {
    const spf_forest_part *part = &forest->part;
    const uint8_t *bits = part->out_of_bag + part->starts[tree];
    const uint8_t *leaves = bits + spf_part_bits(part->rows);
    size_t width = spf_part_width(grown->tree.leaves_count), count = 0;
    grown->oob_count = (size_t)(part->out_of_bag + part->starts[tree + 1] - leaves) / width;
    grown->oob_row = spf_alloc(grown->oob_count, sizeof *grown->oob_row);
    grown->oob_leaf = spf_alloc(grown->oob_count, sizeof *grown->oob_leaf);
    if (!grown->oob_row || !grown->oob_leaf) return spf_raise_memory();
    for (size_t at = 0; at < spf_part_bits(part->rows); at += sizeof(uint64_t))
        for (uint64_t word = spf_part_word(bits, part->rows, at); word; word &= word - 1)
            grown->oob_row[count++] = first_row(word, at);
    read_leaves_of_width(leaves, width, count, grown->oob_leaf);
    return SPORF_OK;
}

static sporf_status copy_trees(const spf_part_tree *trees, uint32_t count, spf_forest_part *part) {
    uint64_t size = 0;
    for (uint32_t i = 0; i < count; i++) size += trees[i].size;
    part->starts = spf_alloc(count + (size_t)1, sizeof *part->starts);
    part->out_of_bag = spf_alloc(size, 1);
    if (!part->starts || !part->out_of_bag) return spf_raise_memory();
    part->starts[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(part->out_of_bag + part->starts[i], trees[i].bytes, trees[i].size);
        part->starts[i + 1] = part->starts[i] + trees[i].size;
    }
    return SPORF_OK;
}

/* Out-of-bag rows may be there twice while they are put together; each thread has one array of all
 * rows. */
double spf_part_bytes(const spf_settings *settings) {
    const sporf_params *params = &settings->params;
    double rows = (double)settings->data->rows, columns = (double)settings->data->targets + 2;
    double outcome = spf_alloc_bytes(rows * columns, sizeof(float));
    if (params->bag == SPORF_BAG_NONE) return outcome;
    spf_bag_size size =
        spf_bag_expected(settings->classes, settings->weights, params->bag, params->bag_fraction);
    double tree = rows / 8 + fmax(rows - size.rows, 0.4 * rows) * sizeof(uint32_t);
    return outcome + 2 * params->trees * (tree + SPF_ALLOCATION_BYTES) +
           spf_thread_count(params->threads) * spf_alloc_bytes(rows, sizeof(uint32_t));
}

static sporf_status copy_outcome(const sporf_dataset *data, spf_forest_part *part) {
    const float *values = data->targets > 0 ? data->target_storage : NULL;
    const uint32_t *labels = data->targets > 0 ? NULL : data->labels;
    SPF_TRY(spf_copy_array(labels, data->rows, sizeof *labels, &part->labels));
    SPF_TRY(spf_copy_array(values, data->targets * data->rows, sizeof *values, &part->values));
    return spf_copy_array(data->weights, data->rows, sizeof *data->weights, &part->weights);
}

sporf_status spf_part_fill(const spf_settings *settings, const spf_part_tree *trees, uint32_t count,
                           spf_forest_part *part) {
    const sporf_dataset *data = settings->data;
    part->rows = data->rows;
    snprintf(part->version, sizeof part->version, "%s", SPORF_VERSION);
    SPF_TRY(spf_table_checksum(data, settings->params.threads, &part->table));
    SPF_TRY(copy_outcome(data, part));
    return trees ? copy_trees(trees, count, part) : SPORF_OK;
}

/* ---- the table ------------------------------------------------------------------------------- */

static sporf_status fill_table(const sporf_forest *forest, sporf_dataset *data) {
    const spf_forest_part *part = &forest->part;
    data->borrows = 0; /* no column is read */
    SPF_TRY(spf_schema_copy(&forest->schema, &data->schema));
    SPF_TRY(spf_copy_array(part->labels, part->rows, sizeof *part->labels, &data->labels));
    SPF_TRY(spf_copy_array(part->weights, part->rows, sizeof *part->weights, &data->weights));
    if (!part->values) return SPORF_OK;
    data->targets = forest->targets;
    return spf_copy_array(part->values, forest->targets * part->rows, sizeof *part->values,
                          &data->target_storage);
}

sporf_status spf_part_table(const sporf_forest *part, sporf_dataset **out) {
    sporf_dataset *data = NULL;
    SPF_TRY(spf_dataset_create_borrowing(part->part.rows, part->features, &data));
    sporf_status status = fill_table(part, data);
    if (status != SPORF_OK) {
        sporf_dataset_free(data);
        return status;
    }
    *out = data;
    return SPORF_OK;
}
