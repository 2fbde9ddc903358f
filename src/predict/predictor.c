/* Threads copy some rows in row-major order, the device walks them, and threads turn its votes and
 * sums into results. */
#include "predict/predictor.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "predict/prediction.h"

#include <math.h>
#include <stdlib.h>

enum { PIECE_ROWS = 4096 }; /* of a thread at a time */

/* ---- which device ---------------------------------------------------------------------------- */

const char *spf_predictor_lack(const sporf_forest *forest, const spf_predictions *out) {
    if (!forest->trusted) return "mapped models that were not checked";
    if (out->leaves || out->tree_leaves || out->tree_classes) return "results of single trees";
    if (forest->classes / SPF_MANY_CLASSES > forest->trees_count)
        return "many more classes than trees";
    return NULL;
}

static double bytes_of(const spf_packed *packed) {
    const double of_node = 32, of_leaf = 16;
    return of_node * (double)packed->nodes_count + of_leaf * (double)packed->leaves_count;
}

/* In seconds, roughly: a step down a tree takes as long as a read from memory. */
int spf_predictor_pays(const sporf_forest *forest, size_t rows, unsigned threads) {
    const double thread_step = 4e-9, device_step = 1e-10, byte = 2.5e-10, start = 0.5, sure = 1.5;
    const double least_walks = 5e7;
    double trees = (double)forest->trees_count, walks = (double)rows * trees;
    if (walks < least_walks) return 0;
    double steps = walks * log2((double)forest->packed.leaves_count / trees + 1);
    double copied = bytes_of(&forest->packed) + 4.0 * (double)rows * (double)forest->features;
    return steps * thread_step / threads > sure * (start + copied * byte + steps * device_step);
}

/* ---- prediction ------------------------------------------------------------------------------ */

/* Rows that are predicted together. */
typedef struct {
    spf_prediction p;
    size_t most;         /* rows at a time */
    size_t begin, count; /* those of now */
    float *values;       /* [most x features] */
    uint32_t *votes;     /* [most x classes], or NULL */
    double *sums;        /* [most x outputs], or NULL */
} batch;

static void free_batch(batch *b, unsigned workers) {
    for (unsigned i = 0; b->p.buffers_of && i < workers; i++) free(b->p.buffers_of[i].row);
    free(b->p.buffers_of);
    free(b->values);
    free(b->votes);
    free(b->sums);
}

static sporf_status create_batch(batch *b, const spf_predictor_work *work, unsigned workers) {
    const sporf_forest *forest = b->p.forest;
    b->p.buffers_of = spf_alloc_zero(workers, sizeof *b->p.buffers_of);
    b->values = spf_alloc(b->most, forest->features * sizeof *b->values);
    if (!b->p.buffers_of || !b->values) return spf_raise_memory();
    if (work->votes && !(b->votes = spf_alloc(b->most, forest->classes * sizeof *b->votes)))
        return spf_raise_memory();
    if (work->sums && !(b->sums = spf_alloc(b->most, spf_outputs(forest) * sizeof *b->sums)))
        return spf_raise_memory();
    for (unsigned i = 0; i < workers; i++)
        SPF_TRY(spf_prediction_create_row(&b->p, &b->p.buffers_of[i]));
    return SPORF_OK;
}

static size_t piece_of(const batch *b, size_t first) {
    return b->count - first < PIECE_ROWS ? b->count - first : PIECE_ROWS;
}

static sporf_status fill_piece(void *context, size_t number, unsigned worker) {
    (void)worker;
    const batch *b = context;
    size_t features = b->p.forest->features, first = number * PIECE_ROWS;
    spf_rows_fill(SPF_ROWS_FLOATS, b->p.columns, features, b->begin + first, piece_of(b, first),
                  b->values + first * features);
    return SPORF_OK;
}

static sporf_status finish_piece(void *context, size_t number, unsigned worker) {
    const batch *b = context;
    size_t first = number * PIECE_ROWS;
    spf_prediction_buffers own = b->p.buffers_of[worker];
    if (b->votes) own.votes = b->votes + first * b->p.forest->classes;
    if (b->sums) own.sums = b->sums + first * spf_outputs(b->p.forest);
    spf_prediction_finish(&b->p, &own, b->begin + first, piece_of(b, first));
    return SPORF_OK;
}

static sporf_status predict_batch(const spf_predictor *device, void *opened, batch *b,
                                  unsigned workers) {
    size_t pieces = (b->count + PIECE_ROWS - 1) / PIECE_ROWS;
    SPF_TRY(spf_parallel(pieces, workers, fill_piece, b));
    SPF_TRY(device->predict(opened, b->values, b->count, b->votes, b->sums));
    return spf_parallel(pieces, workers, finish_piece, b);
}

static sporf_status predict_all(const spf_predictor *device, void *opened, batch *b,
                                unsigned workers) {
    size_t rows = b->p.rows;
    for (; b->begin < rows; b->begin += b->count) {
        b->count = rows - b->begin < b->most ? rows - b->begin : b->most;
        SPF_TRY(predict_batch(device, opened, b, workers));
    }
    return SPORF_OK;
}

sporf_status spf_predict_on(const spf_predictor *device, const sporf_forest *forest,
                            const spf_values *values, spf_combining how, unsigned threads,
                            const spf_predictions *out) {
    if (values->rows == 0) return SPORF_OK;
    unsigned workers = spf_thread_count(threads);
    batch b = {.p = {.forest = forest,
                     .columns = values->columns,
                     .rows = values->rows,
                     .mixed = values->has_missing || forest->packed.sets.count > 0,
                     .how = how,
                     .out = *out}};
    const spf_predictor_work work = {forest, how.adds, b.p.mixed, spf_counts_votes(&b.p),
                                     spf_adds_sums(&b.p)};
    void *opened = NULL;
    SPF_TRY(device->open(&work, &b.most, &opened));
    if (b.most > values->rows) b.most = values->rows;
    sporf_status status = create_batch(&b, &work, workers);
    if (status == SPORF_OK) status = predict_all(device, opened, &b, workers);
    device->close(opened);
    free_batch(&b, workers);
    return status;
}
