/* Rows are predicted in blocks: first all leaves of a block are found, tree by tree; then the
 * samples of each row are sorted, once for all quantiles.
 *
 * Weights are integers, so that the order in which samples are added does not matter: each tree has
 * a total of 2^31. */
#include "predict/quantiles.h"

#include "base/parallel.h"
#include "base/sort.h"
#include "model/samples.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCK_BYTES = 16 << 20, PIECE_ROWS = 16 };

static const double whole = 0x1p31; /* the weight of a tree */

/* Buffers of one thread. */
typedef struct {
    spf_samples *found; /* [trees]: samples of the leaves of the current row */
    uint64_t *keys; /* samples: the order of the value in the upper half, the weight in the lower */
    size_t keys_capacity;
    uint64_t *spare;
    size_t spare_capacity;
} buffers;

/* One of several quantiles; those of a target are searched in ascending order. */
typedef struct {
    double level;
    size_t place;
} wanted;

typedef struct {
    const sporf_forest *forest;
    const uint32_t *leaves; /* [block rows x trees] */
    const wanted *wanted;   /* [targets x count] */
    size_t rows, count;
    double *out; /* [block rows x targets x count] */
    buffers *buffers_of;
} search;

/* ---- samples --------------------------------------------------------------------------------- */

/* A model that was not checked when it was opened is checked here. */
static sporf_status check_samples(const search *s, const uint32_t *leaf) {
    for (size_t t = 0; !s->forest->trusted && t < s->forest->trees_count; t++)
        if (!spf_samples_exist(s->forest, t, leaf[t]))
            return spf_raise(SPORF_ERROR_MODEL,
                             "the samples of the model are damaged" SPF_HINT
                             "restore the file from a backup or train the model again");
    return SPORF_OK;
}

/* Finds and prefetches the samples of all leaves of a row; *count is their number. */
static sporf_status find_samples(const search *s, const uint32_t *leaf, buffers *b, size_t *count) {
    *count = 0;
    for (size_t t = 0; t < s->forest->trees_count; t++) {
        b->found[t] = spf_forest_samples(s->forest, t, leaf[t]);
        *count += b->found[t].count;
        __builtin_prefetch(b->found[t].value);
        if (b->found[t].weight) __builtin_prefetch(b->found[t].weight);
    }
    SPF_TRY(SPF_RESERVE(b->keys, b->keys_capacity, *count));
    return SPF_RESERVE(b->spare, b->spare_capacity, *count);
}

static uint64_t key_of(float value, double weight) {
    return (uint64_t)spf_float_order(value) << 32 | (uint32_t)floor(weight + 0.5);
}

/* Writes the keys of a leaf's samples and returns the place of the next. */
static uint64_t *add_samples(const spf_samples *samples, size_t targets, size_t target,
                             uint64_t *key) {
    const float *value = samples->value + target, *weight = samples->weight;
    double sum = 0;
    for (size_t i = 0; weight && i < samples->count; i++) sum += weight[i];
    double share = whole / (weight ? sum : (double)samples->count);
    for (size_t i = 0; i < samples->count; i++)
        *key++ = key_of(value[i * targets], weight ? weight[i] * share : share);
    return key;
}

static void gather(const search *s, size_t target, const buffers *b) {
    uint64_t *key = b->keys;
    for (size_t t = 0; t < s->forest->trees_count; t++)
        key = add_samples(&b->found[t], s->forest->targets, target, key);
}

/* ---- quantiles ------------------------------------------------------------------------------- */

static uint64_t weight_of(uint64_t key) {
    return key & UINT32_MAX;
}

/* Each weight may be rounded by one half, which is allowed for. */
static void find_quantiles(const uint64_t *keys, size_t samples, const wanted *wanted, size_t count,
                           double *out) {
    uint64_t all = 0, sum = 0;
    size_t next = 0;
    for (size_t i = 0; i < samples; i++) all += weight_of(keys[i]);
    for (size_t i = 0; i < samples && next < count; i++) {
        sum += weight_of(keys[i]);
        int last = i + 1 == samples;
        while (next < count &&
               (last || (double)(sum + samples) >= wanted[next].level * (double)all))
            out[wanted[next++].place] = (double)spf_float_unorder((uint32_t)(keys[i] >> 32));
    }
}

static sporf_status search_row(const search *s, size_t row, buffers *b) {
    size_t targets = s->forest->targets;
    const uint32_t *leaf = s->leaves + row * s->forest->trees_count;
    size_t samples = 0;
    SPF_TRY(check_samples(s, leaf));
    SPF_TRY(find_samples(s, leaf, b, &samples));
    for (size_t t = 0; t < targets; t++) {
        gather(s, t, b);
        spf_sort_keys(b->keys, b->spare, samples);
        find_quantiles(b->keys, samples, s->wanted + t * s->count, s->count,
                       s->out + (row * targets + t) * s->count);
    }
    return SPORF_OK;
}

static sporf_status search_piece(void *context, size_t piece, unsigned worker) {
    const search *s = context;
    size_t begin = piece * PIECE_ROWS, end = begin + PIECE_ROWS;
    for (size_t i = begin; i < end && i < s->rows; i++)
        SPF_TRY(search_row(s, i, &s->buffers_of[worker]));
    return SPORF_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static sporf_status search_blocks(search *s, const spf_values *values, unsigned threads,
                                  size_t block, const float **columns, uint32_t *leaves) {
    size_t width = s->forest->targets * s->count;
    s->leaves = leaves;
    for (size_t begin = 0; begin < values->rows; begin += block) {
        s->rows = values->rows - begin < block ? values->rows - begin : block;
        for (size_t j = 0; j < s->forest->features; j++) columns[j] = values->columns[j] + begin;
        SPF_TRY(spf_predict(s->forest, &(spf_values){columns, s->rows, values->has_missing},
                            (spf_combining){0}, threads, &(spf_predictions){.leaves = leaves}));
        SPF_TRY(spf_parallel((s->rows + PIECE_ROWS - 1) / PIECE_ROWS, spf_thread_count(threads),
                             search_piece, s));
        s->out += s->rows * width;
    }
    return SPORF_OK;
}

static void free_buffers(buffers *buffers_of, unsigned workers) {
    for (unsigned i = 0; buffers_of && i < workers; i++) {
        free(buffers_of[i].found);
        free(buffers_of[i].keys);
        free(buffers_of[i].spare);
    }
    free(buffers_of);
}

static buffers *make_benches(unsigned workers, size_t trees) {
    buffers *buffers_of = spf_alloc_zero(workers, sizeof *buffers_of);
    for (unsigned i = 0; buffers_of && i < workers; i++) {
        buffers_of[i].found = spf_alloc(trees, sizeof *buffers_of[i].found);
        if (buffers_of[i].found) continue;
        free_buffers(buffers_of, workers);
        return NULL;
    }
    return buffers_of;
}

static int by_level(const void *a, const void *b) {
    const wanted *x = a, *y = b;
    return (x->level > y->level) - (x->level < y->level);
}

static wanted *sort_levels(const double *levels, size_t targets, size_t count) {
    wanted *sorted = spf_alloc(targets * count, sizeof *sorted);
    for (size_t t = 0; sorted && t < targets; t++) {
        for (size_t i = 0; i < count; i++)
            sorted[t * count + i] = (wanted){levels[t * count + i], i};
        qsort(sorted + t * count, count, sizeof *sorted, by_level);
    }
    return sorted;
}

sporf_status spf_predict_quantiles(const sporf_forest *forest, const spf_values *values,
                                   unsigned threads, const double *levels, size_t count,
                                   double *out) {
    unsigned workers = spf_thread_count(threads);
    size_t trees = forest->trees_count, block = 1 + BLOCK_BYTES / (trees * sizeof(uint32_t));
    if (block > values->rows) block = values->rows;
    search s = {.forest = forest, .count = count, .out = out};
    wanted *sorted = sort_levels(levels, forest->targets, count);
    uint32_t *leaves = spf_alloc(block, trees * sizeof *leaves);
    const float **columns = spf_alloc(forest->features, sizeof *columns);
    s.wanted = sorted;
    s.buffers_of = make_benches(workers, trees);
    sporf_status status =
        sorted && leaves && columns && s.buffers_of ? SPORF_OK : spf_raise_memory();
    if (status == SPORF_OK) status = search_blocks(&s, values, threads, block, columns, leaves);
    free_buffers(s.buffers_of, workers);
    free(columns);
    free(leaves);
    free(sorted);
    return status;
}
