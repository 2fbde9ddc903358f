/* Each replicate draws as many rows as there are, with replacement, from a random stream of its
 * own. */
#include "score/bootstrap.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const spf_row_scores *rows;
    const double *weights;
    const spf_bootstrap *how;
    size_t end;     /* of the row numbers */
    double *drawn;  /* [workers x (end + scratch)]: weights of a replicate, then scratch memory */
    size_t stride;  /* of workers in it */
    double *scores; /* [SPF_SCORES x replicates] */
} draws;

static void draw_rows(const draws *d, size_t replicate, double *drawn) {
    const spf_scored *scored = d->rows->scored;
    sporf_random random = spf_random_start(d->how->seed, replicate, SPF_USE_BOOTSTRAP);
    memset(drawn, 0, d->end * sizeof *drawn);
    for (size_t i = 0; i < scored->count; i++) {
        uint32_t row = scored->row[spf_random_below64(&random, scored->count)];
        drawn[row] += d->weights[row];
    }
}

static sporf_status check_interrupt(const sporf_hooks *hooks) {
    if (!hooks || !hooks->interrupt || !hooks->interrupt(hooks->payload)) return SPORF_OK;
    return spf_raise(SPORF_ERROR_CANCELLED, "interrupted before all intervals were found");
}

static sporf_status score_replicate(void *context, size_t replicate, unsigned worker) {
    const draws *d = context;
    double *drawn = d->drawn + worker * d->stride, values[SPF_SCORES];
    SPF_TRY(check_interrupt(d->how->hooks));
    draw_rows(d, replicate, drawn);
    spf_scores_find(d->rows, drawn, drawn + d->end, values, NULL);
    for (size_t i = 0; i < SPF_SCORES; i++)
        d->scores[i * d->how->replicates + replicate] = values[i];
    return SPORF_OK;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* On a line between the two values around it. */
static double percentile(const double *sorted, size_t count, double share) {
    double at = share * (double)(count - 1);
    size_t below = (size_t)at;
    if (below + 1 >= count) return sorted[count - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

static void find_percentiles(double *scores, const spf_bootstrap *how, double *low, double *high) {
    size_t count = 0;
    for (size_t i = 0; i < how->replicates; i++)
        if (!isnan(scores[i])) scores[count++] = scores[i];
    *low = *high = NAN;
    if (count == 0) return;
    qsort(scores, count, sizeof *scores, compare);
    *low = percentile(scores, count, (1 - how->confidence) / 2);
    *high = percentile(scores, count, (1 + how->confidence) / 2);
}

sporf_status spf_bootstrap_scores(const spf_row_scores *rows, const double *weights,
                                  const spf_bootstrap *how, double *low, double *high) {
    const spf_scored *scored = rows->scored;
    unsigned workers = spf_thread_count(how->threads);
    draws d = {.rows = rows, .weights = weights, .how = how};
    if (workers > how->replicates) workers = (unsigned)how->replicates;
    d.end = scored->row[scored->count - 1] + (size_t)1;
    d.stride = d.end + spf_scores_memory(scored->classes);
    d.drawn = spf_alloc(d.stride, workers * sizeof *d.drawn);
    d.scores = spf_alloc(how->replicates, SPF_SCORES * sizeof *d.scores);
    sporf_status status = d.drawn && d.scores ? SPORF_OK : spf_raise_memory();
    if (status == SPORF_OK) status = spf_parallel(how->replicates, workers, score_replicate, &d);
    for (size_t i = 0; status == SPORF_OK && i < SPF_SCORES; i++)
        find_percentiles(d.scores + i * how->replicates, how, &low[i], &high[i]);
    free(d.drawn);
    free(d.scores);
    return status;
}
