/* Rows of a part. Which rows are out of bag is not stored: bags are drawn again. */
#include "learn/replay/part_rows.h"

#include "data/table_checksum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int spf_oob_leaves_take(const spf_grown *grown, size_t rows, spf_oob_leaves *leaves) {
    size_t width = spf_part_width(grown->tree.leaves_count), count = 0;
    uint32_t *of_row = spf_alloc(rows, sizeof *of_row);
    leaves->size = grown->oob_count * width;
    leaves->bytes = spf_alloc(leaves->size, 1);
    if (!of_row || !leaves->bytes) {
        free(of_row);
        return 0;
    }
    memset(of_row, 0xff, rows * sizeof *of_row);
    for (size_t i = 0; i < grown->oob_count; i++) of_row[grown->oob_row[i]] = grown->oob_leaf[i];
    for (size_t row = 0; row < rows; row++)
        if (of_row[row] != UINT32_MAX)
            spf_part_put_leaf(leaves->bytes, width, count++, of_row[row]);
    free(of_row);
    return 1;
}

static sporf_status copy_leaves(const spf_oob_leaves *leaves, uint32_t trees,
                                spf_forest_part *part) {
    uint64_t size = 0;
    for (uint32_t i = 0; i < trees; i++) size += leaves[i].size;
    part->starts = spf_alloc(trees + (size_t)1, sizeof *part->starts);
    part->leaves = spf_alloc(size, 1);
    if (!part->starts || !part->leaves) return spf_raise_memory();
    part->starts[0] = 0;
    for (uint32_t i = 0; i < trees; i++) {
        memcpy(part->leaves + part->starts[i], leaves[i].bytes, leaves[i].size);
        part->starts[i + 1] = part->starts[i] + leaves[i].size;
    }
    return SPORF_OK;
}

static sporf_status copy_outcome(const sporf_dataset *data, spf_forest_part *part) {
    const float *values = data->targets > 0 ? data->target_storage : NULL;
    const uint32_t *labels = data->targets > 0 ? NULL : data->labels;
    SPF_TRY(spf_copy_array(labels, data->rows, sizeof *labels, &part->labels));
    SPF_TRY(spf_copy_array(values, data->targets * data->rows, sizeof *values, &part->values));
    return spf_copy_array(data->weights, data->rows, sizeof *data->weights, &part->weights);
}

sporf_status spf_part_fill(const spf_settings *settings, const spf_oob_leaves *leaves,
                           uint32_t trees, spf_forest_part *part) {
    const sporf_dataset *data = settings->data;
    part->rows = data->rows;
    snprintf(part->version, sizeof part->version, "%s", SPORF_VERSION);
    SPF_TRY(spf_table_checksum(data, settings->params.threads, &part->table));
    SPF_TRY(copy_outcome(data, part));
    return leaves ? copy_leaves(leaves, trees, part) : SPORF_OK;
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
