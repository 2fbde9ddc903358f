/* Trees grow in any order on all threads and join the forest in the order of their numbers: so the
 * error curve is that of the growing forest, and an interrupted training leaves exactly the first
 * trees of the full one. */
#include "learn/train.h"

#include "base/machine_memory.h"
#include "base/parallel.h"
#include "base/system.h"
#include "learn/device.h"
#include "learn/growing/assemble.h"
#include "learn/growing/layout.h"
#include "learn/memory_estimate.h"
#include "learn/outcome/enough.h"
#include "learn/replay/kept_trees.h"
#include "learn/replay/part_rows.h"
#include "learn/rows/copies.h"
#include "learn/sampling/scale.h"
#include "learn/settings/checks.h"
#include "learn/settings/start_plan.h"

#include "base/text.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Why a training ends before all trees are grown. */
typedef enum { GOES_ON, ENOUGH, TIME_IS_UP, INTERRUPTED } ending;

typedef struct {
    const spf_settings *settings;
    spf_plan plan;
    spf_copies copies;
    spf_workspace *workspaces; /* [workers] */
    unsigned workers;
    const spf_device *device; /* that grows the trees; NULL: threads do */
    spf_growth growth;
    spf_growing **growing; /* [trees] */
    uint32_t trees;
    uint32_t first;            /* number of the first tree: not 0 in a part of a forest */
    spf_part_tree *part_trees; /* [trees]; NULL for a whole forest, or without bags */
    const sporf_forest *given; /* its trees come first; NULL for none */
    uint32_t kept;             /* how many there are */
    const sporf_hooks *hooks;
    spf_tally *tally; /* NULL if no row is out of bag */
    float *fill;
    double *curve;
    float *scale;
    atomic_int ends; /* an ending: the first one */
    atomic_int some; /* a tree has joined */
    /* protected by the lock */
    pthread_mutex_t lock;
    spf_grown *grown; /* [trees]: finished, and from `joined` on not yet joined */
    char *finished;   /* [trees] */
    uint32_t joined;
    int lacks_memory; /* for the out-of-bag rows of a part */
} training;

/* ---- memory ---------------------------------------------------------------------------------- */

static uint64_t whole_bytes(double bytes) {
    return bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
}

/* The arrays of this file. */
static double own_bytes(const spf_settings *settings) {
    double trees = settings->params.trees, features = (double)settings->data->features;
    return spf_alloc_bytes(trees, sizeof(spf_grown)) + spf_alloc_bytes(trees, sizeof(char)) +
           spf_alloc_bytes(trees, sizeof(spf_growing *)) + spf_alloc_bytes(trees, sizeof(double)) +
           2 * spf_alloc_bytes(features, sizeof(float)) + SPF_ALLOCATION_BYTES +
           (settings->until_enough ? spf_alloc_bytes((double)settings->data->rows, sizeof(double))
                                   : 0);
}

/* Workspaces and plan are freed before the forest is packed. */
static double most_bytes(const spf_settings *settings, const spf_memory_estimate *estimate) {
    return estimate->forest + fmax(estimate->growing + own_bytes(settings), estimate->packing);
}

/* The memory for blocks beyond what two threads have: no more than is left of what is allowed, or
 * than a part of the machine's. */
static double spare_bytes(const spf_settings *settings) {
    enum { MACHINE_PARTS = 4 };
    uint64_t most = settings->params.max_memory;
    double wanted =
        spf_layout_spare_bytes(settings->data, spf_thread_count(settings->params.threads));
    if (wanted == 0) return 0;
    if (most == 0) return fmin(wanted, (double)spf_machine_memory() / MACHINE_PARTS);
    spf_memory_estimate thrifty = spf_estimate_memory(settings, 0);
    return fmax(fmin(wanted, (double)most - most_bytes(settings, &thrifty)), 0);
}

uint64_t spf_train_memory(const spf_settings *settings) {
    spf_memory_estimate estimate = spf_estimate_memory(settings, spare_bytes(settings));
    return whole_bytes(most_bytes(settings, &estimate));
}

/* `more` is what a part needs besides. */
static sporf_status check_memory(const spf_settings *settings, double more) {
    uint64_t most = settings->params.max_memory;
    char all[SPF_BYTES_TEXT_MAX], forest[SPF_BYTES_TEXT_MAX], limit[SPF_BYTES_TEXT_MAX];
    if (most == 0) return SPORF_OK;
    spf_memory_estimate estimate = spf_estimate_memory(settings, spare_bytes(settings));
    double bytes = most_bytes(settings, &estimate) + more;
    if (bytes < (double)most + 1) return SPORF_OK;
    return spf_raise(
        SPORF_ERROR_MEMORY,
        "training may need up to %s besides the table (%s of it for the forest), but only %s are "
        "allowed" SPF_HINT
        "raise " SPF_OPTION("max-memory") ", grow fewer trees, use fewer threads, or limit the "
                                          "depth (" SPF_OPTION("max-depth") ")",
        spf_bytes_text(whole_bytes(bytes), all),
        spf_bytes_text(whole_bytes(estimate.forest), forest), spf_bytes_text(most, limit));
}

/* ---- ending ---------------------------------------------------------------------------------- */

static int end_by(training *t, ending why) {
    int none = GOES_ON;
    atomic_compare_exchange_strong(&t->ends, &none, why);
    return 1;
}

/* Asked often, by all threads: whether trees that are still growing are in vain. */
static int is_ending(void *payload) {
    training *t = payload;
    int64_t deadline = t->settings->deadline;
    if (atomic_load(&t->ends) != GOES_ON) return 1;
    if (t->hooks->interrupt && t->hooks->interrupt(t->hooks->payload))
        return end_by(t, INTERRUPTED);
    if (deadline > 0 && atomic_load(&t->some) && spf_system_clock() >= deadline)
        return end_by(t, TIME_IS_UP);
    return 0;
}

static void attach_hooks(training *t) {
    if (!t->hooks->interrupt && !t->settings->until_enough && t->settings->deadline == 0) return;
    t->plan.interrupt = is_ending;
    t->plan.interrupt_payload = t;
}

/* Only the trees before decide, in their order: not the time, and not the number of threads. Given
 * trees are never too many. */
static void judge(training *t) {
    spf_evidence evidence = {0};
    if (!t->settings->until_enough || !spf_is_judged_at(t->joined, t->kept)) return;
    t->tally->weigh(t->tally, &evidence);
    if (spf_is_enough(&evidence, t->joined)) end_by(t, ENOUGH);
}

/* What the model records; NULL if it has all trees. */
static const char *why_ended(const training *t) {
    switch ((ending)atomic_load(&t->ends)) {
    case ENOUGH:
        return SPF_STOPPED_ENOUGH;
    case TIME_IS_UP:
        return t->joined < t->trees ? SPF_STOPPED_TIME : NULL;
    case INTERRUPTED:
        return t->joined < t->trees ? SPF_STOPPED_INTERRUPT : NULL;
    default:
        return NULL;
    }
}

/* ---- growing --------------------------------------------------------------------------------- */

static void join_next(training *t) {
    t->joined++;
    atomic_store(&t->some, 1);
    judge(t);
    if (t->hooks->progress && t->joined > t->kept)
        t->hooks->progress(t->hooks->payload, t->joined - t->kept, t->trees - t->kept);
}

/* How many finished trees are next, up to the one after which the forest is judged. */
static uint32_t count_next(const training *t) {
    uint32_t end = t->joined;
    while (end < t->trees && t->finished[end]) {
        end++;
        if (t->settings->until_enough && spf_is_judged_at(end, t->kept)) break;
    }
    return end - t->joined;
}

/* Joins finished trees in order. Some threads may help, which are not busy growing trees. The lock
 * is held. */
static void join_finished(training *t, unsigned helpers) {
    for (uint32_t next; atomic_load(&t->ends) != ENOUGH && (next = count_next(t)) > 0;) {
        spf_grown *grown = &t->grown[t->joined];
        if (helpers == 0) next = 1;
        if (next > 1)
            spf_grown_count_all(grown, next, helpers, t->tally, t->curve, t->joined);
        else
            spf_grown_count(grown, t->tally, t->curve, t->joined);
        for (uint32_t i = 0; i < next; i++) join_next(t);
    }
}

static void put_in_line(training *t, size_t tree, const spf_grown *grown, uint32_t count,
                        unsigned helpers) {
    pthread_mutex_lock(&t->lock);
    for (uint32_t i = 0; i < count; i++) {
        t->grown[tree + i] = grown[i];
        t->finished[tree + i] = 1;
    }
    join_finished(t, helpers);
    pthread_mutex_unlock(&t->lock);
}

/* What a part tells of the out-of-bag rows of a tree. */
static void keep_oob(training *t, uint32_t tree, const spf_grown *grown) {
    if (spf_part_tree_take(grown, t->plan.data->rows, &t->part_trees[tree])) return;
    pthread_mutex_lock(&t->lock);
    t->lacks_memory = 1;
    pthread_mutex_unlock(&t->lock);
}

static void finish_tree(training *t, uint32_t tree, spf_grown *grown) {
    spf_grown_weigh(grown, t->plan.bagger.unit_of_leaf);
    if (t->part_trees) keep_oob(t, tree, grown);
}

static void take_tree(void *context, uint32_t number, spf_grown *grown) {
    training *t = context;
    uint32_t tree = number - t->first;
    finish_tree(t, tree, grown);
    put_in_line(t, tree, grown, 1, 0);
}

/* Trees of a device. */
typedef struct {
    training *training;
    uint32_t first;
    spf_grown *grown;
} arrival;

static sporf_status finish_arrived(void *context, size_t item, unsigned worker) {
    (void)worker;
    arrival *a = context;
    finish_tree(a->training, a->first + (uint32_t)item, &a->grown[item]);
    return SPORF_OK;
}

static void take_trees(void *context, uint32_t number, spf_grown *grown, uint32_t count) {
    training *t = context;
    arrival a = {t, number - t->first, grown};
    if (spf_parallel(count, t->workers, finish_arrived, &a) != SPORF_OK)
        for (uint32_t i = 0; i < count; i++) finish_arrived(&a, i, 0);
    put_in_line(t, a.first, grown, count, t->workers);
}

/* Passes over the trees that a device has grown. */
static sporf_status start_tree(void *context, size_t seed, spf_pool *pool, unsigned worker) {
    training *t = context;
    size_t tree = t->kept + seed;
    if (t->finished[tree]) return SPORF_OK;
    return spf_grow(&t->growth, t->first + (uint32_t)tree, pool, worker, &t->growing[tree]);
}

static sporf_status keep_tree(void *context, size_t tree, unsigned worker) {
    (void)worker;
    training *t = context;
    spf_grown kept;
    SPF_TRY(spf_kept_tree(&t->plan, t->given, (uint32_t)tree, &kept));
    put_in_line(t, tree, &kept, 1, 0);
    return SPORF_OK;
}

/* The copies of the table that threads read. */
static sporf_status lay_out(training *t) {
    spf_plan *plan = &t->plan;
    const sporf_traits *traits = &plan->sampler.traits;
    unsigned threads = t->settings->params.threads;
    if (traits->ignores_rows && !traits->makes_basis)
        SPF_TRY(spf_copies_create(plan->data, plan->whole, spf_layout_copy_bytes(plan->data),
                                  threads, &t->copies));
    plan->by_row = t->copies.by_row;
    if (t->copies.by_column.rows > 0) plan->table = t->copies.by_column;
    spf_layout_choose(plan, spf_terms_of_node(t->settings), t->trees - t->kept, t->workers,
                      spare_bytes(t->settings));
    return SPORF_OK;
}

static sporf_status prepare_threads(training *t) {
    SPF_TRY(lay_out(t));
    t->growing = spf_alloc_zero(t->trees, sizeof *t->growing);
    t->workspaces = spf_alloc_zero(t->workers, sizeof *t->workspaces);
    if (!t->growing || !t->workspaces) return spf_raise_memory();
    for (unsigned i = 0; i < t->workers; i++) {
        SPF_TRY(spf_workspace_create(&t->plan, &t->workspaces[i]));
        t->workspaces[i].searcher.profile.on = t->hooks->profile != NULL;
    }
    t->growth = (spf_growth){
        .plan = &t->plan, .workspaces = t->workspaces, .done = take_tree, .context = t};
    return SPORF_OK;
}

static sporf_status grow_on_threads(training *t) {
    SPF_TRY(prepare_threads(t));
    return spf_pool_run(t->trees - t->kept, t->workers, start_tree, t);
}

/* SPORF_ERROR_DEVICE if trees are left for threads. */
static sporf_status grow_on_device(training *t) {
    spf_device_work work = {.settings = t->settings,
                            .plan = &t->plan,
                            .first = t->first + t->kept,
                            .count = t->trees - t->kept,
                            .threads = t->workers,
                            .done = take_trees,
                            .context = t};
    sporf_status status = t->device->grow(&work);
    if (status != SPORF_ERROR_DEVICE) return status;
    SPF_TRY(spf_check_interrupt(&t->plan)); /* then nothing is left to do */
    spf_device_note_failure(t->hooks);
    return SPORF_ERROR_DEVICE;
}

/* Existing trees join first, so that nothing can interrupt before. */
static sporf_status run(training *t) {
    if (t->kept > 0) {
        SPF_TRY(spf_parallel(t->kept, t->workers, keep_tree, t));
        SPF_TRY(spf_kept_trees_check(t->given, t->curve));
    }
    if (t->trees == t->kept || atomic_load(&t->ends) == ENOUGH) return SPORF_OK;
    if (t->device) {
        sporf_status status = grow_on_device(t);
        if (status != SPORF_ERROR_DEVICE) return status;
    }
    return grow_on_threads(t);
}

static sporf_status find_scale(training *t) {
    const sporf_dataset *data = t->plan.data;
    const sporf_params *params = &t->settings->params;
    const spf_row_weights *weights = t->settings->weights;
    if (params->scale == SPORF_SCALE_NONE && !spf_has_constant(data, weights)) return SPORF_OK;
    t->scale = spf_alloc(data->features, sizeof *t->scale);
    if (!t->scale) return spf_raise_memory();
    t->plan.scale = t->scale;
    return spf_scale_factors(data, weights, params->scale, params->threads, t->scale);
}

/* The values that replace missing ones in sums of several terms. The patch method does not fill
 * in. */
static sporf_status find_fill(training *t) {
    const sporf_dataset *data = t->plan.data;
    if (!data->has_missing || !t->plan.sampler.traits.draws_slots) return SPORF_OK;
    t->fill = spf_alloc(data->features, sizeof *t->fill);
    if (!t->fill) return spf_raise_memory();
    for (size_t j = 0; j < data->features; j++)
        t->fill[j] = spf_column_has_missing(data, j)
                         ? (float)spf_mean_of(data->columns[j], t->settings->weights, data->rows)
                         : NAN;
    t->plan.fill = t->fill;
    return SPORF_OK;
}

static sporf_status prepare_plan(training *t) {
    const sporf_dataset *data = t->settings->data;
    SPF_TRY(spf_plan_start(t->settings, t->hooks, &t->plan));
    attach_hooks(t);
    t->plan.table = (spf_table){
        .rows = data->rows, .features = data->features, .stride = 1, .columns = data->columns};
    t->plan.has_missing = data->has_missing;
    SPF_TRY(spf_dataset_holds_bytes(data, t->settings->params.threads, &t->plan.whole));
    SPF_TRY(find_fill(t));
    SPF_TRY(find_scale(t));
    if (!t->plan.sampler.traits.draws_slots) return SPORF_OK;
    return spf_slots_create(data, t->scale, &t->plan.slots);
}

/* Out-of-bag results belong to a whole forest; a part keeps what they are made of. */
static sporf_status prepare_oob(training *t, int is_part) {
    if (t->plan.bagger.kind == SPORF_BAG_NONE) return SPORF_OK;
    if (is_part) {
        t->part_trees = spf_alloc_zero(t->trees, sizeof *t->part_trees);
        return t->part_trees ? SPORF_OK : spf_raise_memory();
    }
    t->curve = spf_alloc(t->trees, sizeof *t->curve);
    if (!t->curve) return spf_raise_memory();
    t->plan.outcome.judged = t->settings->until_enough;
    return t->plan.outcome.kind->tally(&t->plan.outcome, &t->tally);
}

static sporf_status prepare(training *t) {
    t->trees = t->settings->params.trees;
    t->workers = spf_thread_count(t->settings->params.threads);
    t->device = spf_device_choose(t->settings, t->hooks, t->workers);
    SPF_TRY(prepare_plan(t));
    t->grown = spf_alloc_zero(t->trees, sizeof *t->grown);
    t->finished = spf_alloc_zero(t->trees, 1);
    return t->grown && t->finished ? SPORF_OK : spf_raise_memory();
}

static void release(training *t) {
    for (unsigned i = 0; t->workspaces && i < t->workers; i++)
        spf_workspace_free(&t->workspaces[i]);
    for (uint32_t i = 0; t->growing && i < t->trees; i++) spf_growing_free(t->growing[i]);
    for (uint32_t i = 0; t->grown && i < t->trees; i++) spf_grown_free(&t->grown[i]);
    for (uint32_t i = 0; t->part_trees && i < t->trees; i++) free(t->part_trees[i].bytes);
    free(t->part_trees);
    free(t->workspaces);
    free(t->growing);
    spf_copies_free(&t->copies);
    free(t->grown);
    free(t->finished);
    free(t->curve);
    free(t->scale);
    if (t->tally) t->tally->free(t->tally);
    free(t->fill);
    spf_plan_end(&t->plan);
}

static void sum_profiles(const training *t) {
    if (!t->hooks->profile) return;
    *t->hooks->profile = (sporf_profile){0};
    for (unsigned i = 0; t->workspaces && i < t->workers; i++)
        spf_profile_add(t->hooks->profile, &t->workspaces[i].searcher.profile.sums);
}

/* ---- the forest ------------------------------------------------------------------------------ */

static uint64_t work_of(const training *t) {
    uint64_t work = 0;
    for (unsigned i = 0; t->workspaces && i < t->workers; i++) work += t->workspaces[i].work;
    return work;
}

/* Moves the joined trees and the out-of-bag results to a forest. */
static sporf_status make_forest(training *t, sporf_forest **out) {
    spf_assembly made = {.data = t->plan.data,
                         .outcome = &t->plan.outcome,
                         .weighted = t->settings->weights->units != NULL,
                         .trees = t->joined,
                         .grown = t->grown,
                         .tally = t->tally,
                         .curve = t->curve,
                         .scale = t->scale,
                         .work = work_of(t),
                         .threads = t->workers};
    sporf_status status = spf_assemble(&made, out);
    t->curve = made.curve;
    t->scale = made.scale;
    if (status == SPORF_OK) (*out)->stopped = why_ended(t);
    return status;
}

static void start(const spf_settings *settings, const sporf_hooks *hooks, training *t) {
    *t = (training){.settings = settings, .hooks = hooks};
    pthread_mutex_init(&t->lock, NULL);
}

static void end(training *t) {
    sum_profiles(t);
    release(t);
    pthread_mutex_destroy(&t->lock);
}

sporf_status spf_train(const spf_settings *settings, const sporf_hooks *hooks,
                       const sporf_forest *given, sporf_forest **out) {
    training t;
    SPF_TRY(check_memory(settings, 0));
    start(settings, hooks, &t);
    t.given = given;
    t.kept = given ? (uint32_t)given->trees_count : 0;
    sporf_status status = prepare(&t);
    if (status == SPORF_OK) status = prepare_oob(&t, 0);
    if (status == SPORF_OK) status = run(&t);
    if (status == SPORF_OK || (status == SPORF_ERROR_CANCELLED && t.joined > 0))
        status = make_forest(&t, out);
    end(&t);
    return status;
}

static sporf_status make_part(training *t, sporf_forest **out) {
    sporf_forest *forest = NULL;
    if (t->lacks_memory) return spf_raise_memory();
    SPF_TRY(make_forest(t, &forest));
    sporf_status status = spf_part_fill(t->settings, t->part_trees, t->trees, &forest->part);
    if (status != SPORF_OK) {
        sporf_forest_free(forest);
        return status;
    }
    forest->part.first = t->first;
    *out = forest;
    return SPORF_OK;
}

sporf_status spf_train_part(const spf_settings *settings, const sporf_hooks *hooks, uint32_t first,
                            sporf_forest **out) {
    training t;
    SPF_TRY(check_memory(settings, spf_part_bytes(settings)));
    start(settings, hooks, &t);
    t.first = first;
    sporf_status status = prepare(&t);
    if (status == SPORF_OK) status = prepare_oob(&t, 1);
    if (status == SPORF_OK) status = run(&t);
    if (status == SPORF_OK) status = make_part(&t, out);
    end(&t);
    return status;
}
