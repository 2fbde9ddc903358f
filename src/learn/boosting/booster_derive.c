/* The derivatives of the loss, chunk by chunk; sums over chunks are in their order. */
#include "learn/boosting/booster.h"

#include "base/sum.h"

#include <math.h>

/* A fall by less than this share of the first round's loss is no reason to go on. */
#define LEAST_FALL 1e-5

static sporf_scored view_chunk(const spf_booster *b, const spf_scored_table *table,
                               const double *scores, size_t begin, size_t rows,
                               const float **target) {
    size_t targets = b->settings->data->targets;
    for (size_t k = 0; k < targets; k++) target[k] = table->target[k] + begin;
    return (sporf_scored){.rows = rows,
                          .outputs = b->outputs,
                          .targets = targets,
                          .scores = scores + begin * b->outputs,
                          .labels = table->labels ? table->labels + begin : NULL,
                          .target = targets > 0 ? target : NULL};
}

/* Row i of the chunk that begins there is derivative i + skipped. Returns whether all are finite.
 */
static int store_derivatives(const spf_booster *b, spf_booster_bag *own, const spf_desk *from,
                             size_t skipped, size_t begin, size_t rows) {
    int finite = 1;
    for (size_t k = 0; k < b->outputs; k++) {
        float *gradient = own->gradient + k * b->table.rows + begin;
        float *hessian = own->hessian + k * b->table.rows + begin;
        for (size_t i = 0; i < rows; i++) {
            double weight = spf_weight_at(&b->table, begin + i);
            size_t at = (i + skipped) * b->outputs + k;
            gradient[i] = (float)(weight * from->gradients[at]);
            hessian[i] = (float)(weight * from->hessians[at]);
            finite &= isfinite(gradient[i]) && isfinite(hessian[i]);
        }
    }
    return finite;
}

static spf_mean_losses sum_losses(const spf_scored_table *table, const uint8_t *held,
                                  const double *loss, size_t begin, size_t rows) {
    spf_mean_losses sum = {0, 0};
    for (size_t i = 0; i < rows; i++)
        *(held && held[begin + i] ? &sum.valid : &sum.train) +=
            spf_weight_at(table, begin + i) * loss[i];
    return sum;
}

/* Keeps what was derived for one chunk. */
static sporf_status keep_chunk(const spf_booster *b, spf_booster_bag *own,
                               const spf_scored_table *table, const spf_desk *desk, size_t skipped,
                               size_t begin, size_t rows) {
    int other = table == &b->other;
    size_t chunk = begin / b->chunk_rows;
    spf_mean_losses sum =
        sum_losses(table, other ? NULL : own->held, desk->losses + skipped, begin, rows);
    if (other) {
        own->valid_parts[chunk] = (spf_mean_losses){.valid = sum.train};
        return SPORF_OK;
    }
    own->parts[chunk] = sum;
    if (store_derivatives(b, own, desk, skipped, begin, rows)) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "a gradient or hessian times the weight of its row is too large, in rows %zu "
                     "to %zu" SPF_HINT "use smaller weights, or a smaller loss",
                     begin + 1, begin + rows);
}

/* Some rows of a table, one chunk or all of them. */
static sporf_status derive_rows(const spf_booster *b, spf_booster_bag *own,
                                const spf_scored_table *table, spf_desk *desk, size_t begin,
                                size_t end) {
    const double *scores = table == &b->other ? own->valid_scores : own->scores;
    sporf_scored scored = view_chunk(b, table, scores, begin, end - begin, desk->target);
    SPF_TRY(b->loss.derive(&b->loss, &scored,
                           &(spf_derived){desk->gradients, desk->hessians, desk->losses}));
    for (size_t at = begin; at < end; at += b->chunk_rows)
        SPF_TRY(keep_chunk(b, own, table, desk, at - begin, at,
                           end - at < b->chunk_rows ? end - at : b->chunk_rows));
    return SPORF_OK;
}

/* One chunk of one bag; chunks of the table to stop by come last. */
static sporf_status derive_chunk(void *context, size_t item, unsigned worker) {
    spf_booster *b = context;
    size_t each = b->chunks + b->valid_chunks, chunk = item % each;
    int other = chunk >= b->chunks;
    const spf_scored_table *table = other ? &b->other : &b->table;
    size_t begin = (other ? chunk - b->chunks : chunk) * b->chunk_rows, left = table->rows - begin;
    size_t end = begin + (left < b->chunk_rows ? left : b->chunk_rows);
    return derive_rows(b, &b->bags[item / each], table, &b->desks[worker], begin, end);
}

/* A user's functions get all rows at once. */
static sporf_status derive_by_user(spf_booster *b) {
    for (size_t i = 0; i < b->bags_count; i++) {
        SPF_TRY(derive_rows(b, &b->bags[i], &b->table, &b->users, 0, b->table.rows));
        if (b->other.rows > 0)
            SPF_TRY(derive_rows(b, &b->bags[i], &b->other, &b->users, 0, b->other.rows));
    }
    return SPORF_OK;
}

sporf_status spf_booster_derive(spf_booster *b, spf_pool *pool, unsigned worker,
                                spf_mean_losses *mean) {
    size_t items = b->bags_count * (b->chunks + b->valid_chunks);
    spf_sum train = {0, 0}, valid = {0, 0};
    SPF_TRY(b->loss.user ? derive_by_user(b) : spf_pool_for(pool, worker, items, derive_chunk, b));
    for (size_t i = 0; i < b->bags_count; i++) {
        for (size_t c = 0; c < b->chunks; c++) {
            spf_sum_add(&train, b->bags[i].parts[c].train);
            spf_sum_add(&valid, b->bags[i].parts[c].valid);
        }
        for (size_t c = 0; c < b->valid_chunks; c++)
            spf_sum_add(&valid, b->bags[i].valid_parts[c].valid);
    }
    mean->train = spf_sum_value(&train) / b->train_weight;
    mean->valid = b->valid_rows > 0 ? spf_sum_value(&valid) / b->valid_weight : NAN;
    return SPORF_OK;
}

void spf_booster_note(spf_booster *b, double train, double valid) {
    b->train_losses[b->tried] = train;
    b->valid_losses[b->tried] = valid;
    b->tried++;
    if (b->valid_rows == 0 || b->best == 0 || valid < b->valid_losses[b->best - 1])
        b->best = b->tried;
    if (b->fell == 0 ||
        valid < b->valid_losses[b->fell - 1] - LEAST_FALL * fabs(b->valid_losses[0]))
        b->fell = b->tried;
}
