/* Folds are dealt like cards: the rows of a class are shuffled and go to the folds in turn, and the
 * next class continues where the last one ended, so that classes and folds are as even as possible.
 * In regression rows are sorted by target, and each run of neighbours, one for each fold, is dealt
 * in random order. */
#include "tune/folds.h"

#include "base/rng.h"
#include "base/sort.h"
#include "data/dataset.h"

#include <stdlib.h>

void sporf_folds_free(sporf_folds *folds) {
    if (!folds) return;
    free(folds->fold);
    free(folds->order);
    free(folds->start);
    free(folds);
}

/* ---- making ---------------------------------------------------------------------------------- */

static sporf_status allocate(size_t count, size_t rows, sporf_folds **out) {
    sporf_folds *folds = spf_alloc_zero(1, sizeof *folds);
    if (!folds) return spf_raise_memory();
    folds->count = count;
    folds->rows = rows;
    folds->fold = spf_alloc(rows, sizeof *folds->fold);
    folds->order = spf_alloc(rows, sizeof *folds->order);
    folds->start = spf_alloc_zero(count + 2, sizeof *folds->start);
    if (folds->fold && folds->order && folds->start) {
        *out = folds;
        return SPORF_OK;
    }
    sporf_folds_free(folds);
    return spf_raise_memory();
}

/* Sorts the rows by fold; start[k + 1] runs over fold k and ends where the next begins. */
static void sort_rows(sporf_folds *folds) {
    for (size_t i = 0; i < folds->rows; i++) folds->start[folds->fold[i] + 2]++;
    for (size_t k = 2; k < folds->count + 2; k++) folds->start[k] += folds->start[k - 1];
    for (size_t i = 0; i < folds->rows; i++)
        folds->order[folds->start[folds->fold[i] + 1]++] = (uint32_t)i;
}

static sporf_status check_given(const sporf_folds *folds) {
    if (folds->count < 2)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "folds: all rows are in one fold, but there must be at least two");
    for (size_t k = 0; k < folds->count; k++)
        if (folds->start[k] == folds->start[k + 1])
            return spf_raise(SPORF_ERROR_ARGUMENT, "folds: fold %zu has no rows", k);
    return SPORF_OK;
}

sporf_status sporf_folds_create(const uint32_t *fold, size_t rows, sporf_folds **out) {
    uint32_t last = 0;
    if (!fold || !out || rows == 0)
        return spf_raise(SPORF_ERROR_ARGUMENT, "folds need rows and a place for the result");
    for (size_t i = 0; i < rows; i++) last = fold[i] > last ? fold[i] : last;
    if (rows > SPF_ROWS_MAX || last >= rows)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "folds: fold %lu is named, but %zu rows make at most as many folds, "
                         "numbered from 0",
                         (unsigned long)last, rows);
    sporf_folds *folds = NULL;
    SPF_TRY(allocate((size_t)last + 1, rows, &folds));
    for (size_t i = 0; i < rows; i++) folds->fold[i] = fold[i];
    sort_rows(folds);
    sporf_status status = check_given(folds);
    if (status == SPORF_OK)
        *out = folds;
    else
        sporf_folds_free(folds);
    return status;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void shuffle(sporf_random *random, uint32_t *items, size_t count) {
    for (size_t i = count; i > 1; i--) {
        uint32_t other = spf_random_below(random, (uint32_t)i), kept = items[i - 1];
        items[i - 1] = items[other];
        items[other] = kept;
    }
}

/* Writes the rows of each class, in order, to `order`, and the ends of classes to `end`. */
static void sort_by_class(const sporf_dataset *data, uint32_t *order, size_t *end) {
    for (size_t i = 0; i < data->rows; i++) end[data->labels[i] + 1]++;
    for (size_t k = 1; k <= data->schema.classes.count; k++) end[k] += end[k - 1];
    for (size_t i = 0; i < data->rows; i++) order[end[data->labels[i]]++] = (uint32_t)i;
}

static sporf_status deal_classes(const sporf_dataset *data, sporf_random *random,
                                 sporf_folds *folds) {
    size_t *end = spf_alloc_zero(data->schema.classes.count + 1, sizeof *end);
    if (!end) return spf_raise_memory();
    sort_by_class(data, folds->order, end);
    for (size_t k = 0, begin = 0; k < data->schema.classes.count; begin = end[k++])
        shuffle(random, folds->order + begin, end[k] - begin);
    for (size_t i = 0; i < data->rows; i++)
        folds->fold[folds->order[i]] = (uint32_t)(i % folds->count);
    free(end);
    return SPORF_OK;
}

static sporf_status deal_numbers(const sporf_dataset *data, sporf_random *random,
                                 sporf_folds *folds) {
    uint64_t *keys = spf_alloc(2 * data->rows, sizeof *keys);
    uint32_t *hand = spf_alloc(folds->count, sizeof *hand);
    if (!keys || !hand) {
        free(keys);
        free(hand);
        return spf_raise_memory();
    }
    for (size_t i = 0; i < data->rows; i++)
        keys[i] = (uint64_t)spf_float_order(spf_target_of(data, 0)[i]) << 32 | i;
    spf_sort_keys(keys, keys + data->rows, data->rows);
    for (size_t k = 0; k < folds->count; k++) hand[k] = (uint32_t)k;
    for (size_t i = 0; i < data->rows; i++) {
        if (i % folds->count == 0) shuffle(random, hand, folds->count);
        folds->fold[(uint32_t)keys[i]] = hand[i % folds->count];
    }
    free(keys);
    free(hand);
    return SPORF_OK;
}

static void deal_rows(sporf_random *random, sporf_folds *folds) {
    for (size_t i = 0; i < folds->rows; i++) folds->order[i] = (uint32_t)i;
    shuffle(random, folds->order, folds->rows);
    for (size_t i = 0; i < folds->rows; i++)
        folds->fold[folds->order[i]] = (uint32_t)(i % folds->count);
}

static sporf_status deal(const sporf_dataset *data, uint64_t seed, sporf_folds *folds) {
    sporf_random random = spf_random_start(seed, folds->count, SPF_USE_FOLDS);
    if (data->targets > 0) return deal_numbers(data, &random, folds);
    if (data->labels) return deal_classes(data, &random, folds);
    deal_rows(&random, folds);
    return SPORF_OK;
}

sporf_status sporf_folds_draw(const sporf_dataset *data, size_t count, uint64_t seed,
                              sporf_folds **out) {
    if (!data || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "folds need data and a place for the result");
    if (count < 2 || count > data->rows)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("folds") " must be from 2 to the number of rows, %zu, got %zu",
                         data->rows, count);
    sporf_folds *folds = NULL;
    SPF_TRY(allocate(count, data->rows, &folds));
    sporf_status status = deal(data, seed, folds);
    if (status != SPORF_OK) {
        sporf_folds_free(folds);
        return status;
    }
    sort_rows(folds);
    *out = folds;
    return SPORF_OK;
}

/* ---- asking ---------------------------------------------------------------------------------- */

size_t sporf_folds_count(const sporf_folds *folds) {
    return folds->count;
}

size_t sporf_folds_rows(const sporf_folds *folds) {
    return folds->rows;
}

const uint32_t *sporf_folds_of_rows(const sporf_folds *folds) {
    return folds->fold;
}

const uint32_t *sporf_folds_test(const sporf_folds *folds, size_t fold, size_t *count) {
    int exists = fold < folds->count;
    if (count) *count = exists ? folds->start[fold + 1] - folds->start[fold] : 0;
    return exists ? folds->order + folds->start[fold] : NULL;
}

static sporf_status select_others(const sporf_folds *folds, const sporf_dataset *data, size_t fold,
                                  sporf_dataset **out) {
    uint32_t *rows = spf_alloc(folds->rows, sizeof *rows);
    size_t count = 0;
    if (!rows) return spf_raise_memory();
    for (size_t i = 0; i < folds->rows; i++)
        if (folds->fold[i] != fold) rows[count++] = (uint32_t)i;
    sporf_status status = sporf_dataset_select(data, rows, count, out);
    free(rows);
    return status;
}

sporf_status sporf_folds_split(const sporf_folds *folds, const sporf_dataset *data, size_t fold,
                               sporf_dataset **train, sporf_dataset **test) {
    if (!folds || !data) return spf_raise(SPORF_ERROR_ARGUMENT, "splitting needs folds and data");
    if (fold >= folds->count || folds->rows != data->rows)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "fold %zu of %zu folds of %zu rows cannot be split off %zu rows", fold,
                         folds->count, folds->rows, data->rows);
    sporf_dataset *others = NULL;
    size_t count = 0;
    const uint32_t *rows = sporf_folds_test(folds, fold, &count);
    if (train) SPF_TRY(select_others(folds, data, fold, &others));
    sporf_status status = test ? sporf_dataset_select(data, rows, count, test) : SPORF_OK;
    if (status != SPORF_OK)
        sporf_dataset_free(others);
    else if (train)
        *train = others;
    return status;
}
