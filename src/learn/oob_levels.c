/* Levels of rows, and what shares of the rows lie below them. */
#include "learn/oob_levels.h"

#include "base/sort.h"
#include "model/samples.h"

#include <stdlib.h>

sporf_status spf_oob_levels_create(const sporf_dataset *data, const spf_row_weights *weights,
                                   spf_oob_levels *tally) {
    *tally = (spf_oob_levels){.data = data, .weights = weights};
    tally->sums = spf_alloc_zero(data->targets * data->rows, sizeof *tally->sums);
    tally->keys = spf_alloc(data->rows, sizeof *tally->keys);
    tally->spare = spf_alloc(data->rows, sizeof *tally->spare);
    if (tally->sums && tally->keys && tally->spare) return SPORF_OK;
    spf_oob_levels_free(tally);
    return spf_raise_memory();
}

void spf_oob_levels_free(spf_oob_levels *tally) {
    free(tally->sums);
    free(tally->keys);
    free(tally->spare);
    *tally = (spf_oob_levels){0};
}

/* Out-of-bag rows that are in one leaf, with the leaf's samples of one target. */
typedef struct {
    spf_samples samples;
    const uint32_t *row;
    size_t rows, target;
} leaf_rows;

/* Samples by their numbers and, behind them, rows by theirs, in the order of values. */
static size_t sort_leaf(spf_oob_levels *tally, const leaf_rows *leaf) {
    const sporf_dataset *data = tally->data;
    const float *truth = spf_target_of(data, leaf->target);
    size_t samples = leaf->samples.count, count = samples + leaf->rows;
    for (size_t i = 0; i < count; i++) {
        float value = i < samples ? leaf->samples.value[i * data->targets + leaf->target]
                                  : truth[leaf->row[i - samples]];
        tally->keys[i] = (uint64_t)spf_float_order(value) << 32 | i;
    }
    spf_sort_keys(tally->keys, tally->spare, count);
    return count;
}

static double weight_of(const leaf_rows *leaf, uint32_t sample) {
    if (sample >= leaf->samples.count) return 0; /* a row */
    return leaf->samples.weight ? leaf->samples.weight[sample] : 1;
}

/* A row's level is the weight of samples below its value, and half of that equal to it, of all. */
static void add_levels(spf_oob_levels *tally, const leaf_rows *leaf, double *sums) {
    size_t count = sort_leaf(tally, leaf), samples = leaf->samples.count;
    const uint64_t *keys = tally->keys;
    double all = 0, below = 0;
    for (size_t i = 0; i < samples; i++) all += weight_of(leaf, (uint32_t)i);
    for (size_t begin = 0, end; begin < count; begin = end) {
        double equal = 0;
        for (end = begin; end < count && keys[end] >> 32 == keys[begin] >> 32; end++)
            equal += weight_of(leaf, (uint32_t)keys[end]);
        for (size_t i = begin; i < end; i++)
            if ((uint32_t)keys[i] >= samples)
                sums[leaf->row[(uint32_t)keys[i] - samples]] += (below + equal / 2) / all;
        below += equal;
    }
}

void spf_oob_levels_add(spf_oob_levels *tally, const spf_grown *grown) {
    size_t targets = tally->data->targets;
    for (size_t begin = 0, end; begin < grown->oob_count; begin = end) {
        uint32_t number = grown->oob_leaf[begin];
        for (end = begin + 1; end < grown->oob_count && grown->oob_leaf[end] == number;) end++;
        leaf_rows leaf = {.samples = spf_tree_samples(&grown->tree, targets, number),
                          .row = grown->oob_row + begin,
                          .rows = end - begin};
        for (; leaf.target < targets; leaf.target++)
            add_levels(tally, &leaf, tally->sums + leaf.target * tally->data->rows);
    }
}

/* The rows with a level, in the order of their levels. */
static size_t sort_rows(spf_oob_levels *tally, const uint32_t *trees, size_t target) {
    size_t rows = tally->data->rows, count = 0;
    for (size_t i = 0; i < rows; i++)
        if (trees[i] > 0) {
            double level = tally->sums[target * rows + i] / trees[i];
            tally->keys[count++] = (uint64_t)spf_float_order((float)level) << 32 | i;
        }
    spf_sort_keys(tally->keys, tally->spare, count);
    return count;
}

static void find_levels(const spf_oob_levels *tally, size_t count, float *levels) {
    const uint64_t *keys = tally->keys;
    uint64_t all = 0, sum = 0;
    size_t next = 0;
    for (size_t i = 0; i < count; i++) all += spf_row_units(tally->weights, (uint32_t)keys[i]);
    for (size_t i = 0; i < count; i++) {
        sum += spf_row_units(tally->weights, (uint32_t)keys[i]);
        while (next < SPF_LEVELS && sum * (SPF_LEVELS - 1) >= next * all)
            levels[next++] = spf_float_unorder((uint32_t)(keys[i] >> 32));
    }
}

sporf_status spf_oob_levels_result(spf_oob_levels *tally, const uint32_t *trees, float **levels) {
    size_t targets = tally->data->targets, count = 0;
    *levels = spf_alloc(targets * SPF_LEVELS, sizeof **levels);
    if (!*levels) return spf_raise_memory();
    for (size_t t = 0; t < targets; t++) {
        count = sort_rows(tally, trees, t);
        find_levels(tally, count, *levels + t * SPF_LEVELS);
    }
    if (count > 0) return SPORF_OK;
    free(*levels);
    *levels = NULL;
    return SPORF_OK;
}
