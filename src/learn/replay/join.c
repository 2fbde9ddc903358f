/* Trees are unpacked on all threads, and their out-of-bag rows counted in order, as in a training.
 */
#include "learn/replay/join.h"

#include "base/parallel.h"
#include "learn/growing/assemble.h"
#include "learn/outcome/outcomes.h"
#include "learn/replay/kept_trees.h"
#include "learn/replay/part_rows.h"
#include "model/own_tree.h"
#include "model/unpack.h"

#include <stdlib.h>

enum { TREES_OF_A_THREAD = 4 };

struct spf_join {
    const spf_settings *settings;
    spf_outcome outcome;
    unsigned workers;
    uint32_t trees;   /* unpacked and counted */
    spf_grown *grown; /* [trees] */
    double *curve;    /* [trees] */
    size_t grown_capacity, curve_capacity;
    const sporf_forest *part; /* that is being added */
    spf_tally *tally;         /* NULL without bags */
    float *scale;
};

static sporf_status take_tree(void *context, size_t item, unsigned worker) {
    (void)worker;
    const spf_join *j = context;
    uint32_t tree = j->trees + (uint32_t)item, number = tree - j->part->part.first;
    spf_grown *grown = &j->grown[tree];
    SPF_TRY(spf_unpack_tree(j->part, number, &grown->tree));
    SPF_TRY(spf_tree_own(j->part, &grown->tree));
    if (!j->tally) return SPORF_OK;
    SPF_TRY(spf_part_oob(j->part, number, grown));
    return j->outcome.samples ? spf_grown_sort(grown) : SPORF_OK; /* whose levels need it */
}

static void count_tree(spf_join *j) {
    spf_grown_count(&j->grown[j->trees], j->tally, j->curve, j->trees);
    j->trees++;
}

/* Few trees have their out-of-bag rows in memory at a time. */
static sporf_status add_trees(spf_join *j, uint32_t some) {
    uint32_t end = j->trees + some;
    for (uint32_t i = j->trees; i < end; i++) j->grown[i] = (spf_grown){0};
    sporf_status status = spf_parallel(some, j->workers, take_tree, j);
    if (status != SPORF_OK)
        for (uint32_t i = j->trees; i < end; i++) spf_grown_free(&j->grown[i]);
    while (status == SPORF_OK && j->trees < end) count_tree(j);
    return status;
}

sporf_status spf_join_add(spf_join *j, const sporf_forest *part) {
    uint32_t end = j->trees + (uint32_t)part->trees_count, most = j->workers * TREES_OF_A_THREAD;
    sporf_status status = SPORF_OK;
    SPF_TRY(SPF_RESERVE(j->grown, j->grown_capacity, end));
    SPF_TRY(SPF_RESERVE(j->curve, j->curve_capacity, end));
    j->part = part;
    while (status == SPORF_OK && j->trees < end)
        status = add_trees(j, end - j->trees < most ? end - j->trees : most);
    j->part = NULL;
    return status;
}

uint32_t spf_join_trees(const spf_join *j) {
    return j->trees;
}

sporf_status spf_join_end(spf_join *j, sporf_forest **out) {
    const spf_settings *settings = j->settings;
    spf_assembly made = {.threads = spf_thread_count(settings->params.threads),
                         .data = settings->data,
                         .outcome = &j->outcome,
                         .weighted = settings->weights->units != NULL,
                         .trees = j->trees,
                         .grown = j->grown,
                         .tally = j->tally,
                         .curve = j->curve,
                         .scale = j->scale};
    sporf_status status = spf_assemble(&made, out);
    j->curve = made.curve;
    j->scale = made.scale;
    return status;
}

void spf_join_free(spf_join *j) {
    if (!j) return;
    for (uint32_t i = 0; i < j->trees; i++) spf_grown_free(&j->grown[i]);
    free(j->grown);
    free(j->curve);
    free(j->scale);
    if (j->tally) j->tally->free(j->tally);
    spf_outcome_close(&j->outcome);
    free(j);
}

static sporf_status prepare(spf_join *j, const float *scale) {
    const spf_settings *settings = j->settings;
    SPF_TRY(spf_outcome_open(settings->outcome, settings->data, settings->weights,
                             spf_settings_calibrate(settings), &j->outcome));
    SPF_TRY(spf_copy_array(scale, settings->data->features, sizeof *scale, &j->scale));
    if (settings->params.bag == SPORF_BAG_NONE) return SPORF_OK;
    return j->outcome.kind->tally(&j->outcome, &j->tally);
}

sporf_status spf_join_create(const spf_settings *settings, const float *scale, spf_join **out) {
    spf_join *j = spf_alloc_zero(1, sizeof *j);
    if (!j) return spf_raise_memory();
    j->settings = settings;
    j->workers = spf_thread_count(settings->params.threads);
    sporf_status status = prepare(j, scale);
    if (status != SPORF_OK) {
        spf_join_free(j);
        return status;
    }
    *out = j;
    return SPORF_OK;
}
