/* Folds are dealt like cards: the rows of a class are shuffled and go to the folds in turn, and the
 * next class continues where the last one ended, so that classes and folds are as even as possible.
 * In regression rows are sorted by target, and each run of neighbours, one for each fold, is dealt
 * in random order. */
#include "base/rng.h"
#include "base/sort.h"
#include "data/dataset.h"

#include <stdlib.h>

/* Folds with the arrays that their members point to. */
typedef struct {
    sporf_folds all; /* first: a pointer to it is one to the whole */
    uint32_t *fold, *order;
    sporf_fold *test;
} made_folds;

static void free_made(made_folds *made) {
    free(made->fold);
    free(made->order);
    free(made->test);
    free(made);
}

void sporf_folds_free(sporf_folds *folds) {
    if (folds) free_made((made_folds *)folds);
}

/* ---- making ---------------------------------------------------------------------------------- */

static sporf_status allocate(size_t count, size_t rows, made_folds **out) {
    made_folds *made = spf_alloc_zero(1, sizeof *made);
    if (!made) return spf_raise_memory();
    made->fold = spf_alloc(rows, sizeof *made->fold);
    made->order = spf_alloc(rows, sizeof *made->order);
    made->test = spf_alloc_zero(count, sizeof *made->test);
    made->all = (sporf_folds){.count = count, .test = made->test, .rows = rows, .fold = made->fold};
    if (made->fold && made->order && made->test) {
        *out = made;
        return SPORF_OK;
    }
    free_made(made);
    return spf_raise_memory();
}

/* Sorts the rows by their folds. */
static void sort_rows(made_folds *made) {
    uint32_t *end = made->order;
    for (size_t i = 0; i < made->all.rows; i++) made->test[made->fold[i]].count++;
    for (size_t k = 0; k < made->all.count; k++) {
        made->test[k].rows = end;
        end += made->test[k].count;
        made->test[k].count = 0;
    }
    for (size_t i = 0; i < made->all.rows; i++) {
        sporf_fold *test = &made->test[made->fold[i]];
        made->order[(size_t)(test->rows - made->order) + test->count++] = (uint32_t)i;
    }
}

static sporf_status check_given(const sporf_folds *folds) {
    if (folds->count < 2)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "folds: all rows are in one fold, but there must be at least two");
    for (size_t k = 0; k < folds->count; k++)
        if (folds->test[k].count == 0)
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
    made_folds *made = NULL;
    SPF_TRY(allocate((size_t)last + 1, rows, &made));
    for (size_t i = 0; i < rows; i++) made->fold[i] = fold[i];
    sort_rows(made);
    sporf_status status = check_given(&made->all);
    if (status == SPORF_OK)
        *out = &made->all;
    else
        free_made(made);
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
                                 made_folds *made) {
    size_t *end = spf_alloc_zero(data->schema.classes.count + 1, sizeof *end);
    if (!end) return spf_raise_memory();
    sort_by_class(data, made->order, end);
    for (size_t k = 0, begin = 0; k < data->schema.classes.count; begin = end[k++])
        shuffle(random, made->order + begin, end[k] - begin);
    for (size_t i = 0; i < data->rows; i++)
        made->fold[made->order[i]] = (uint32_t)(i % made->all.count);
    free(end);
    return SPORF_OK;
}

static sporf_status deal_numbers(const sporf_dataset *data, sporf_random *random,
                                 made_folds *made) {
    size_t count = made->all.count;
    uint64_t *keys = spf_alloc(2 * data->rows, sizeof *keys);
    uint32_t *hand = spf_alloc(count, sizeof *hand);
    if (!keys || !hand) {
        free(keys);
        free(hand);
        return spf_raise_memory();
    }
    for (size_t i = 0; i < data->rows; i++)
        keys[i] = (uint64_t)spf_float_order(spf_target_of(data, 0)[i]) << 32 | i;
    spf_sort_keys(keys, keys + data->rows, data->rows);
    for (size_t k = 0; k < count; k++) hand[k] = (uint32_t)k;
    for (size_t i = 0; i < data->rows; i++) {
        if (i % count == 0) shuffle(random, hand, count);
        made->fold[(uint32_t)keys[i]] = hand[i % count];
    }
    free(keys);
    free(hand);
    return SPORF_OK;
}

static void deal_rows(sporf_random *random, made_folds *made) {
    for (size_t i = 0; i < made->all.rows; i++) made->order[i] = (uint32_t)i;
    shuffle(random, made->order, made->all.rows);
    for (size_t i = 0; i < made->all.rows; i++)
        made->fold[made->order[i]] = (uint32_t)(i % made->all.count);
}

static sporf_status deal(const sporf_dataset *data, uint64_t seed, made_folds *made) {
    sporf_random random = spf_random_start(seed, made->all.count, SPF_USE_FOLDS);
    if (data->targets > 0) return deal_numbers(data, &random, made);
    if (data->labels) return deal_classes(data, &random, made);
    deal_rows(&random, made);
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
    made_folds *made = NULL;
    SPF_TRY(allocate(count, data->rows, &made));
    sporf_status status = deal(data, seed, made);
    if (status != SPORF_OK) {
        free_made(made);
        return status;
    }
    sort_rows(made);
    *out = &made->all;
    return SPORF_OK;
}

/* ---- splitting ------------------------------------------------------------------------------- */

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
    const sporf_fold *tested = &folds->test[fold];
    if (train) SPF_TRY(select_others(folds, data, fold, &others));
    sporf_status status =
        test ? sporf_dataset_select(data, tested->rows, tested->count, test) : SPORF_OK;
    if (status != SPORF_OK)
        sporf_dataset_free(others);
    else if (train)
        *train = others;
    return status;
}
