/* Trees are replayed in groups, so that few are in memory at a time: those of a group on all
 * threads, and their results are collected in order. */
#include "learn/replay/oob_replay.h"

#include "base/parallel.h"
#include "learn/outcome/outcomes.h"

#include <math.h>
#include <stdlib.h>

/* ---- visiting -------------------------------------------------------------------------------- */

sporf_status spf_oob_replay_check_interrupt(const spf_oob_replay *replay) {
    const sporf_hooks *hooks = replay->hooks;
    if (!hooks->interrupt || !hooks->interrupt(hooks->payload)) return SPORF_OK;
    return spf_raise(SPORF_ERROR_CANCELLED, "interrupted before all trees were looked at");
}

enum { TREES_OF_A_THREAD = 8 };

typedef struct {
    const spf_oob_replay *replay;
    spf_tree_visitor visit;
    void *context;
    uint32_t first;
    spf_grown *grown; /* the trees from `first` on */
} group;

static sporf_status visit_tree(void *context, size_t item, unsigned worker) {
    group *g = context;
    uint32_t tree = g->first + (uint32_t)item;
    SPF_TRY(spf_oob_replay_check_interrupt(g->replay));
    SPF_TRY(spf_kept_tree(&g->replay->plan, g->replay->forest, tree, &g->grown[item]));
    return g->visit ? g->visit(g->context, tree, &g->grown[item], worker) : SPORF_OK;
}

static sporf_status visit_group(group *g, size_t count, spf_tree_collector collect) {
    for (size_t i = 0; i < count; i++) g->grown[i] = (spf_grown){0};
    sporf_status status = spf_parallel(count, g->replay->workers, visit_tree, g);
    for (size_t i = 0; i < count; i++) {
        if (status == SPORF_OK && collect)
            collect(g->context, g->first + (uint32_t)i, &g->grown[i]);
        spf_grown_free(&g->grown[i]);
    }
    return status;
}

sporf_status spf_oob_replay_trees(const spf_oob_replay *replay, spf_tree_visitor visit,
                                  spf_tree_collector collect, void *context) {
    size_t trees = replay->forest->trees_count, most = (size_t)replay->workers * TREES_OF_A_THREAD;
    group g = {.replay = replay, .visit = visit, .context = context};
    g.grown = spf_alloc(most < trees ? most : trees, sizeof *g.grown);
    if (!g.grown) return spf_raise_memory();
    sporf_status status = SPORF_OK;
    for (size_t done = 0; status == SPORF_OK && done < trees; done += most) {
        g.first = (uint32_t)done;
        status = visit_group(&g, trees - done < most ? trees - done : most, collect);
    }
    free(g.grown);
    return status;
}

/* ---- the same data --------------------------------------------------------------------------- */

typedef struct {
    spf_oob_replay *replay;
    double *curve;
} recount;

static void count_tree(void *context, uint32_t tree, const spf_grown *grown) {
    recount *r = context;
    r->curve[tree] = r->replay->tally->add(r->replay->tally, grown);
}

static sporf_status count_again(recount *r) {
    const spf_outcome *outcome = &r->replay->plan.outcome;
    r->curve = spf_alloc(r->replay->forest->trees_count, sizeof *r->curve);
    if (!r->curve) return spf_raise_memory();
    SPF_TRY(outcome->kind->tally(outcome, &r->replay->tally));
    SPF_TRY(spf_oob_replay_trees(r->replay, NULL, count_tree, r));
    SPF_TRY(spf_kept_trees_check(r->replay->forest, r->curve));
    if (!isnan(r->curve[r->replay->forest->trees_count - 1])) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA, "no row was out of the bag of any tree" SPF_HINT
                                       "grow more trees, or draw smaller bags");
}

static sporf_status check_bags(sporf_bag kind) {
    if (kind != SPORF_BAG_NONE) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "the forest was grown without bags, so that no row is out of bag" SPF_HINT
                     "train with " SPF_OPTION_AS("bag", "bootstrap") ", " SPF_OPTION_AS(
                         "bag", "stratified") " or " SPF_OPTION_AS("bag", "subsample"));
}

sporf_status spf_oob_replay_open(const sporf_forest *forest, const spf_settings *settings,
                                 const sporf_hooks *hooks, spf_oob_replay *replay) {
    recount r = {.replay = replay};
    const sporf_params *params = &settings->params;
    *replay = (spf_oob_replay){
        .forest = forest,
        .hooks = hooks,
        .workers = spf_thread_count(params->threads),
        .weights = settings->weights,
        .plan = {.data = settings->data, .seed = params->seed, .honest = params->honest}};
    SPF_TRY(check_bags(params->bag));
    SPF_TRY(spf_outcome_open(settings->outcome, settings->data, settings->weights, 0,
                             &replay->plan.outcome));
    SPF_TRY(spf_bagger_create(settings->classes, settings->weights, params->bag,
                              params->bag_fraction, &replay->plan.bagger));
    sporf_status status = count_again(&r);
    free(r.curve);
    return status;
}

void spf_oob_replay_close(spf_oob_replay *replay) {
    if (replay->tally) replay->tally->free(replay->tally);
    spf_outcome_close(&replay->plan.outcome);
    spf_bagger_free(&replay->plan.bagger);
}
