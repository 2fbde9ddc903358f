/* Levels of rows, and what shares of the rows lie below them. */
#include "learn/oob_levels.h"

#include "base/sort.h"
#include "model/samples.h"

#include <stdlib.h>

sporf_status spf_oob_levels_create(const sporf_dataset *data, const spf_row_weights *weights,
                                   spf_oob_levels *tally) {
    *tally = (spf_oob_levels){.data = data, .weights = weights};
    tally->sums = spf_alloc_zero(data->targets * data->rows, sizeof *tally->sums);
    return tally->sums ? SPORF_OK : spf_raise_memory();
}

void spf_oob_levels_free(spf_oob_levels *tally) {
    free(tally->sums);
    *tally = (spf_oob_levels){0};
}

/* The weight of samples below a value, and half of that equal to it, of all. */
static double level_of(const spf_samples *samples, size_t targets, size_t target, float truth) {
    double below = 0, all = 0;
    for (size_t i = 0; i < samples->count; i++) {
        double weight = samples->weight ? (double)samples->weight[i] : 1;
        float value = samples->value[i * targets + target];
        all += weight;
        below += value < truth ? weight : value == truth ? weight / 2 : 0;
    }
    return below / all;
}

void spf_oob_levels_add(spf_oob_levels *tally, const spf_grown *grown) {
    size_t targets = tally->data->targets, rows = tally->data->rows;
    for (size_t i = 0; i < grown->oob_count; i++) {
        spf_samples samples = spf_tree_samples(&grown->tree, targets, grown->oob_leaf[i]);
        uint32_t row = grown->oob_row[i];
        for (size_t t = 0; t < targets; t++)
            tally->sums[t * rows + row] +=
                level_of(&samples, targets, t, spf_target_of(tally->data, t)[row]);
    }
}

/* The rows with a level, in the order of their levels. */
static size_t sort_rows(const spf_oob_levels *tally, const uint32_t *trees, size_t target,
                        uint64_t *keys, uint64_t *spare) {
    size_t rows = tally->data->rows, count = 0;
    for (size_t i = 0; i < rows; i++)
        if (trees[i] > 0) {
            double level = tally->sums[target * rows + i] / trees[i];
            keys[count++] = (uint64_t)spf_float_order((float)level) << 32 | i;
        }
    spf_sort_keys(keys, spare, count);
    return count;
}

static void find_levels(const spf_oob_levels *tally, const uint64_t *keys, size_t count,
                        float *levels) {
    uint64_t all = 0, sum = 0;
    size_t next = 0;
    for (size_t i = 0; i < count; i++) all += spf_row_units(tally->weights, (uint32_t)keys[i]);
    for (size_t i = 0; i < count; i++) {
        sum += spf_row_units(tally->weights, (uint32_t)keys[i]);
        while (next < SPF_LEVELS && sum * (SPF_LEVELS - 1) >= next * all)
            levels[next++] = spf_float_unorder((uint32_t)(keys[i] >> 32));
    }
}

sporf_status spf_oob_levels_result(const spf_oob_levels *tally, const uint32_t *trees,
                                   float **levels) {
    size_t rows = tally->data->rows, targets = tally->data->targets, count = 0;
    uint64_t *keys = spf_alloc(rows, 2 * sizeof *keys);
    *levels = spf_alloc(targets * SPF_LEVELS, sizeof **levels);
    sporf_status status = keys && *levels ? SPORF_OK : spf_raise_memory();
    for (size_t t = 0; status == SPORF_OK && t < targets; t++) {
        count = sort_rows(tally, trees, t, keys, keys + rows);
        find_levels(tally, keys, count, *levels + t * SPF_LEVELS);
    }
    free(keys);
    if (count == 0) {
        free(*levels);
        *levels = NULL;
    }
    return status;
}
