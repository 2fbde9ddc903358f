/* Trees are unpacked on all threads, and their out-of-bag rows counted in order, as in a training.
 */
#include "learn/replay/join.h"

#include "base/parallel.h"
#include "learn/growing/assemble.h"
#include "learn/outcome/outcomes.h"
#include "learn/replay/kept_trees.h"
#include "learn/replay/part_rows.h"
#include "model/unpack.h"

#include <stdlib.h>

enum { TREES_OF_A_THREAD = 4 };

typedef struct {
    const sporf_forest *const *parts;
    spf_outcome outcome;
    unsigned workers;
    uint32_t trees, next; /* of all parts; those below `next` are counted */
    spf_grown *grown;     /* [trees] */
    uint32_t *part_of;    /* [trees]: the part of each tree */
    spf_tally *tally;
    double *curve;
    float *scale;
} joining;

static sporf_status take_tree(void *context, size_t item, unsigned worker) {
    (void)worker;
    joining *j = context;
    uint32_t tree = j->next + (uint32_t)item;
    const sporf_forest *part = j->parts[j->part_of[tree]];
    spf_grown *grown = &j->grown[tree];
    SPF_TRY(spf_unpack_tree(part, tree - part->part.first, &grown->tree));
    if (!j->tally) return SPORF_OK;
    SPF_TRY(spf_part_oob(part, tree - part->part.first, grown));
    return j->outcome.samples ? spf_grown_sort(grown) : SPORF_OK; /* whose levels need it */
}

static void count_tree(joining *j, uint32_t tree) {
    spf_grown *grown = &j->grown[tree];
    if (j->tally) j->curve[tree] = j->tally->add(j->tally, grown);
    free(grown->oob_row);
    free(grown->oob_leaf);
    grown->oob_row = grown->oob_leaf = NULL;
}

/* Few trees have their out-of-bag rows in memory at a time. */
static sporf_status count_trees(joining *j) {
    uint32_t most = j->workers * TREES_OF_A_THREAD;
    while (j->next < j->trees) {
        uint32_t some = j->trees - j->next < most ? j->trees - j->next : most;
        SPF_TRY(spf_parallel(some, j->workers, take_tree, j));
        for (uint32_t end = j->next + some; j->next < end; j->next++) count_tree(j, j->next);
    }
    return SPORF_OK;
}

static void list_trees(joining *j, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < j->parts[i]->trees_count; k++)
            j->part_of[j->parts[i]->part.first + k] = (uint32_t)i;
}

static sporf_status prepare(const spf_settings *settings, size_t count, joining *j) {
    const sporf_params *params = &settings->params;
    const sporf_forest *first = j->parts[0];
    SPF_TRY(spf_outcome_open(settings->outcome, settings->data, settings->weights,
                             spf_settings_calibrate(settings), &j->outcome));
    j->grown = spf_alloc_zero(j->trees, sizeof *j->grown);
    j->part_of = spf_alloc(j->trees, sizeof *j->part_of);
    if (!j->grown || !j->part_of) return spf_raise_memory();
    list_trees(j, count);
    SPF_TRY(spf_copy_array(first->scale, first->features, sizeof *first->scale, &j->scale));
    if (params->bag == SPORF_BAG_NONE) return SPORF_OK;
    j->curve = spf_alloc(j->trees, sizeof *j->curve);
    if (!j->curve) return spf_raise_memory();
    return j->outcome.kind->tally(&j->outcome, &j->tally);
}

static sporf_status make_forest(const spf_settings *settings, joining *j, sporf_forest **out) {
    spf_assembly made = {.data = settings->data,
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

static void release(joining *j) {
    for (uint32_t i = 0; j->grown && i < j->trees; i++) spf_grown_free(&j->grown[i]);
    free(j->grown);
    free(j->part_of);
    free(j->curve);
    free(j->scale);
    if (j->tally) j->tally->free(j->tally);
    spf_outcome_close(&j->outcome);
}

sporf_status spf_join(const spf_settings *settings, const sporf_forest *const *parts, size_t count,
                      sporf_forest **out) {
    joining j = {.parts = parts,
                 .workers = spf_thread_count(settings->params.threads),
                 .trees = parts[0]->part.whole};
    sporf_status status = prepare(settings, count, &j);
    if (status == SPORF_OK) status = count_trees(&j);
    if (status == SPORF_OK) status = make_forest(settings, &j, out);
    release(&j);
    return status;
}
