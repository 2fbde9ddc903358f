/* If settings are to be chosen, pilot forests come first. The winner's trees become the first ones
 * of the forest, unless it was grown on a part of the rows. */
#include "learn/settings/auto_settings.h"

#include "base/portable_math.h"
#include "base/system.h"
#include "learn/growing/profile.h"
#include "learn/sampling/slots.h"
#include "learn/settings/pilot_rows.h"

#include <math.h>

int spf_auto_serves(const spf_settings *usual, const sporf_params *given) {
    return usual->method && usual->method->chosen_by_pilots && spf_is_auto(given->projections) &&
           spf_settings_leave_rows_out(usual);
}

/* The trees that a search reckons with if it is not known how many there will be. */
enum { USUAL_TREES = 200 };

/* A tree takes about n log n. */
static double work_of_rows(double rows) {
    return rows * spf_log(fmax(rows, 2));
}

/* The forest in trees on the rows that are used for the choice. */
static double trees_on_used_rows(const sporf_dataset *data, uint32_t given) {
    double trees = given > 0 ? given : USUAL_TREES;
    double all = (double)spf_rows_with_weight(data), used = (double)spf_pilot_rows_count(data);
    return used == all ? trees : trees * (work_of_rows(all) / work_of_rows(used));
}

int spf_auto_searches(const spf_settings *usual, const sporf_params *given) {
    return spf_auto_serves(usual, given) &&
           spf_pilot_pays(given->effort, trees_on_used_rows(usual->data, given->trees));
}

/* Trees on most of the rows err less than on bootstraps, which leave out a third, where there are
 * many rows (docs/decisions/0066). Counts are repeated rows, which bootstraps draw one by one.
 * Pilot forests have the usual bags: with few trees, rows need the votes. */
static void choose_bag(const spf_settings *usual, const sporf_params *given, sporf_params *params) {
    int is_free = given->bag == SPORF_BAG_AUTO && given->bag_fraction == 0;
    int counted = usual->weights->units && usual->weights->counts;
    if (!is_free || !usual->outcome->labelled || counted || spf_pilot_takes_all(usual->data))
        return;
    params->bag = SPORF_BAG_SUBSAMPLE;
    params->bag_fraction = 0.8;
}

sporf_status spf_auto_first(const spf_settings *usual, const sporf_params *given,
                            spf_settings *first) {
    const spf_pilot_plan *plan = spf_pilot_plan_of(usual->outcome->classifies);
    double features = (double)spf_slots_count(usual->data);
    sporf_params params =
        spf_pilot_change(&usual->params, given, &plan->steps[0], features, usual->data->rows);
    choose_bag(usual, given, &params);
    return spf_settings_vary(usual, &params, first);
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* A search may take half of the time. */
static int64_t search_deadline(const spf_settings *usual) {
    int64_t now = spf_system_clock(), end = usual->deadline;
    return end > now ? now + (end - now) / 2 : end;
}

/* Runs the search on all rows or a part of them. */
static sporf_status search(const spf_settings *usual, const sporf_dataset *part,
                           spf_pilot_task *task, sporf_params *chosen, sporf_forest **forest) {
    spf_settings of_part = {0};
    task->settings = usual;
    if (part) {
        SPF_TRY(spf_settings_create(part, &usual->params, NULL, &of_part));
        task->settings = &of_part;
    }
    sporf_status status = spf_pilot_search(task, chosen, forest);
    spf_settings_free(&of_part);
    return status;
}

/* Chooses those of projections, density and min_leaf that are auto in the given params, and the
 * bag; all else is as usual. *out is the winning pilot forest, grown with these settings
 * except for its number of trees; NULL if there is none, if no row was ever out of bag, or if
 * `part`, some of the rows, was used. Adds to the profile in the hooks. */
static sporf_status choose(const spf_settings *usual, const sporf_dataset *part,
                           const sporf_params *given, const sporf_hooks *hooks,
                           spf_packed_training train, spf_settings *chosen, sporf_forest **out) {
    sporf_params params;
    sporf_forest *best = NULL;
    *out = NULL;
    spf_pilot_task task = {.given = given,
                           .hooks = hooks,
                           .train = train,
                           .trees = trees_on_used_rows(usual->data, given->trees),
                           .deadline = search_deadline(usual),
                           .keeps = !part};
    sporf_status status = search(usual, part, &task, &params, &best);
    if (status == SPORF_OK) {
        int known = !best || !isnan(best->oob_error);
        params.trees = usual->params.trees;
        choose_bag(usual, given, &params);
        status = spf_settings_vary(usual, known ? &params : &usual->params, chosen);
        if (status == SPORF_OK && known && task.keeps) {
            *out = best;
            best = NULL;
        }
    }
    sporf_forest_free(best);
    return status;
}

/* ---- the forest ------------------------------------------------------------------------------ */

/* The trees of the pilot forest come first: progress and profile include them. */
typedef struct {
    const sporf_hooks *hooks;
    size_t trees;
} started;

static void count_on(void *payload, size_t done, size_t trees) {
    const started *s = payload;
    s->hooks->progress(s->hooks->payload, s->trees + done, s->trees + trees);
}

static int ask(void *payload) {
    const started *s = payload;
    return s->hooks->interrupt(s->hooks->payload);
}

static void pass_on(void *payload, const char *text) {
    const started *s = payload;
    s->hooks->note(s->hooks->payload, text);
}

static sporf_status go_on(const spf_settings *settings, const sporf_hooks *hooks,
                          spf_packed_training train, const sporf_forest *given,
                          sporf_forest **out) {
    started from = {hooks, given ? given->trees_count : 0};
    sporf_profile spent = {0};
    sporf_hooks own = {.struct_size = sizeof own,
                       .payload = &from,
                       .progress = hooks->progress ? count_on : NULL,
                       .interrupt = hooks->interrupt ? ask : NULL,
                       .profile = hooks->profile ? &spent : NULL,
                       .note = hooks->note ? pass_on : NULL};
    sporf_status status = train(settings, &own, given, out);
    if (hooks->profile) spf_profile_add(hooks->profile, &spent);
    return status;
}

static double seconds_now(void) {
    return 1e-9 * (double)spf_system_clock();
}

/* Chooses by pilot forests, and measures the time. */
static sporf_status choose_timed(const spf_settings *usual, const sporf_params *given,
                                 const sporf_hooks *hooks, spf_packed_training train,
                                 spf_settings *chosen, sporf_forest **pilot) {
    double start = seconds_now();
    sporf_dataset *part;
    if (hooks->profile) *hooks->profile = (sporf_profile){0};
    SPF_TRY(spf_pilot_rows_draw(usual->data, given->seed, &part));
    sporf_status status = choose(usual, part, given, hooks, train, chosen, pilot);
    sporf_dataset_free(part);
    SPF_TRY(status);
    if (hooks->search_seconds) *hooks->search_seconds = seconds_now() - start;
    return SPORF_OK;
}

sporf_status spf_auto_settle(const spf_settings *usual, const sporf_params *given,
                             const sporf_hooks *hooks, spf_packed_training train,
                             spf_settings *settled) {
    sporf_forest *pilot = NULL;
    if (!spf_auto_searches(usual, given)) return spf_auto_first(usual, given, settled);
    SPF_TRY(choose_timed(usual, given, hooks, train, settled, &pilot));
    sporf_forest_free(pilot);
    return SPORF_OK;
}

sporf_status spf_auto_settle_on(const spf_settings *usual, const sporf_dataset *part,
                                const sporf_params *given, const sporf_hooks *hooks,
                                spf_packed_training train, spf_settings *settled) {
    sporf_forest *pilot = NULL;
    double start = seconds_now();
    SPF_TRY(choose(usual, part, given, hooks, train, settled, &pilot));
    if (hooks->search_seconds) *hooks->search_seconds = seconds_now() - start;
    sporf_forest_free(pilot);
    return SPORF_OK;
}

sporf_status spf_auto_train(const spf_settings *usual, const sporf_params *given,
                            const sporf_hooks *hooks, spf_packed_training train,
                            sporf_forest **out) {
    sporf_forest *pilot = NULL;
    spf_settings chosen;
    if (!spf_auto_searches(usual, given)) {
        SPF_TRY(spf_auto_first(usual, given, &chosen));
        return train(&chosen, hooks, NULL, out);
    }
    SPF_TRY(choose_timed(usual, given, hooks, train, &chosen, &pilot));
    int fits = pilot && pilot->trees_count <= usual->params.trees;
    sporf_status status = go_on(&chosen, hooks, train, fits ? pilot : NULL, out);
    sporf_forest_free(pilot);
    return status;
}

sporf_status spf_auto_bound(const spf_settings *usual, const sporf_params *given,
                            spf_settings *bound) {
    sporf_params most = usual->params;
    const spf_pilot_plan *plan = spf_pilot_plan_of(usual->outcome->classifies);
    double features = (double)spf_slots_count(usual->data), nonzeros = 0;
    for (size_t i = 0; i < plan->count; i++) nonzeros = fmax(nonzeros, plan->steps[i].nonzeros);
    most.projections = (sporf_amount){spf_pilot_most_candidates(plan, features), 0};
    if (spf_is_auto(given->density)) most.density = (sporf_amount){nonzeros, -1};
    most.trees += 2 * SPF_PILOT_TREES; /* the best so far, and the one tried */
    choose_bag(usual, given, &most);
    return spf_settings_vary(usual, &most, bound);
}
