/* Quantile levels of rows, and their distribution. */
#include "learn/outcome/regression_levels.h"

#include "base/rng.h"
#include "base/sort.h"
#include "model/samples.h"

#include <math.h>
#include <stdlib.h>

/* ---- the rows -------------------------------------------------------------------------------- */

/* Chooses rows with equal probability, and numbers them. */
static void choose_rows(spf_oob_levels *tally) {
    size_t rows = tally->outcome->rows;
    sporf_random random = spf_random_start(rows, 0, SPF_USE_LEVELS);
    for (size_t i = 0; i < rows; i++) {
        int chosen =
            rows <= SPF_LEVEL_ROWS || spf_random_below(&random, (uint32_t)rows) < SPF_LEVEL_ROWS;
        tally->number[i] = chosen ? (uint32_t)tally->count++ : UINT32_MAX;
    }
}

static sporf_status make_room(spf_oob_levels *tally) {
    size_t count = tally->count;
    tally->sums = spf_alloc_zero(tally->outcome->targets * count, sizeof *tally->sums);
    tally->trees = spf_alloc_zero(count, sizeof *tally->trees);
    tally->keys = spf_alloc(count, sizeof *tally->keys);
    tally->spare = spf_alloc(count, sizeof *tally->spare);
    tally->below = spf_alloc(count, sizeof *tally->below);
    tally->equal = spf_alloc(count, sizeof *tally->equal);
    return tally->sums && tally->trees && tally->keys && tally->spare && tally->below &&
                   tally->equal
               ? SPORF_OK
               : spf_raise_memory();
}

sporf_status spf_oob_levels_create(const spf_outcome *outcome, spf_oob_levels *tally) {
    *tally = (spf_oob_levels){.outcome = outcome};
    tally->number = spf_alloc(outcome->rows, sizeof *tally->number);
    if (!tally->number) return spf_raise_memory();
    choose_rows(tally);
    return make_room(tally);
}

void spf_oob_levels_free(spf_oob_levels *tally) {
    free(tally->number);
    free(tally->sums);
    free(tally->trees);
    free(tally->keys);
    free(tally->spare);
    free(tally->below);
    free(tally->equal);
    *tally = (spf_oob_levels){0};
}

/* ---- one tree -------------------------------------------------------------------------------- */

/* Sorts rows by their targets; the lower half of a key is the row. */
static size_t sort_targets(spf_oob_levels *tally, const uint32_t *rows, size_t count,
                           const float *truth) {
    size_t chosen = 0;
    for (size_t i = 0; i < count; i++)
        if (tally->number[rows[i]] != UINT32_MAX)
            tally->keys[chosen++] =
                (uint64_t)spf_float_order(truth[rows[i]]) << 32 | tally->number[rows[i]];
    spf_sort_keys(tally->keys, tally->spare, chosen);
    for (size_t i = 0; i < chosen; i++) tally->below[i] = tally->equal[i] = 0;
    return chosen;
}

/* The first key whose value is not below `value`. */
static size_t find_value(const uint64_t *keys, size_t count, uint32_t value) {
    size_t begin = 0;
    while (count > 0) {
        size_t half = count / 2;
        int less = keys[begin + half] >> 32 < value;
        begin += less ? half + 1 : 0;
        count = less ? count - half - 1 : half;
    }
    return begin;
}

/* Adds each sample to the first row with a target at or above it; returns the total weight. */
static double weigh_samples(spf_oob_levels *tally, const spf_samples *samples, size_t target,
                            size_t chosen) {
    double all = 0;
    for (size_t i = 0; i < samples->count; i++) {
        double weight = samples->weight ? (double)samples->weight[i] : 1;
        uint32_t value = spf_float_order(samples->value[i * tally->outcome->targets + target]);
        size_t place = find_value(tally->keys, chosen, value);
        all += weight;
        if (place == chosen) continue;
        *(tally->keys[place] >> 32 == value ? &tally->equal[place] : &tally->below[place]) +=
            weight;
    }
    return all;
}

/* A row's level is the weight of samples below its target plus half of those equal to it, divided
 * by the total. */
static void add_levels(spf_oob_levels *tally, const spf_samples *samples, size_t target,
                       size_t chosen) {
    const uint64_t *keys = tally->keys;
    double all = weigh_samples(tally, samples, target, chosen), below = 0, equal = 0;
    for (size_t i = 0; i < chosen; i++) {
        if (i == 0 || keys[i] >> 32 != keys[i - 1] >> 32) { /* equal targets share a level */
            below += equal + tally->below[i];
            equal = tally->equal[i];
        }
        tally->sums[target * tally->count + (uint32_t)keys[i]] += (below + equal / 2) / all;
    }
}

/* Rows are sorted by leaf. */
void spf_oob_levels_add(spf_oob_levels *tally, const spf_grown *grown) {
    size_t targets = tally->outcome->targets;
    for (size_t begin = 0, end; begin < grown->oob_count; begin = end) {
        uint32_t leaf = grown->oob_leaf[begin];
        for (end = begin + 1; end < grown->oob_count && grown->oob_leaf[end] == leaf;) end++;
        spf_samples samples = spf_tree_samples(&grown->tree, targets, leaf);
        for (size_t t = 0; t < targets; t++) {
            size_t chosen = sort_targets(tally, grown->oob_row + begin, end - begin,
                                         spf_outcome_values(tally->outcome, t));
            if (chosen == 0) break;
            add_levels(tally, &samples, t, chosen);
        }
    }
    for (size_t i = 0; i < grown->oob_count; i++) {
        uint32_t number = tally->number[grown->oob_row[i]];
        if (number != UINT32_MAX) tally->trees[number]++;
    }
}

/* ---- all trees ------------------------------------------------------------------------------- */

/* The rows with a level, sorted by level; the lower half of a key is the row. */
static size_t sort_levels(spf_oob_levels *tally, size_t target) {
    size_t count = 0;
    for (size_t i = 0; i < tally->count; i++)
        if (tally->trees[i] > 0) {
            double level = tally->sums[target * tally->count + i] / tally->trees[i];
            tally->keys[count++] = (uint64_t)spf_float_order((float)level) << 32 | i;
        }
    spf_sort_keys(tally->keys, tally->spare, count);
    return count;
}

/* Row weights, by number. */
static void weigh_rows(spf_oob_levels *tally) {
    for (size_t i = 0; i < tally->outcome->rows; i++)
        if (tally->number[i] != UINT32_MAX)
            tally->below[tally->number[i]] = spf_row_units(tally->outcome->weights, i);
}

static void find_levels(const spf_oob_levels *tally, size_t count, float *levels) {
    const uint64_t *keys = tally->keys;
    double all = 0, sum = 0;
    size_t next = 0;
    for (size_t i = 0; i < count; i++) all += tally->below[(uint32_t)keys[i]];
    for (size_t i = 0; i < count; i++) {
        sum += tally->below[(uint32_t)keys[i]];
        while (next < SPF_LEVELS && sum * (SPF_LEVELS - 1) >= (double)next * all)
            levels[next++] = spf_float_unorder((uint32_t)(keys[i] >> 32));
    }
}

sporf_status spf_oob_levels_result(spf_oob_levels *tally, float **levels) {
    size_t targets = tally->outcome->targets, count = 0;
    *levels = spf_alloc(targets * SPF_LEVELS, sizeof **levels);
    if (!*levels) return spf_raise_memory();
    weigh_rows(tally);
    for (size_t t = 0; t < targets; t++) {
        count = sort_levels(tally, t);
        find_levels(tally, count, *levels + t * SPF_LEVELS);
    }
    if (count > 0) return SPORF_OK;
    free(*levels);
    *levels = NULL;
    return SPORF_OK;
}

double spf_oob_levels_bytes(double rows, double targets) {
    double chosen = fmin(rows, 2 * SPF_LEVEL_ROWS);
    return rows * sizeof(uint32_t) +
           chosen * ((targets + 4) * sizeof(uint64_t) + sizeof(uint32_t)) +
           8 * SPF_ALLOCATION_BYTES;
}
