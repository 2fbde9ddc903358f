/* Rounds, when to stop, and the model. */
#include "learn/boosting/boost.h"
#include "learn/boosting/boost_memory.h"
#include "learn/boosting/booster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rounds ---------------------------------------------------------------------------------- */

static void tell(const spf_booster *b) {
    const sporf_hooks *hooks = b->hooks;
    size_t rounds = b->settings->params.rounds;
    sporf_boost_round told = {b->tried, rounds, b->train_losses[b->tried - 1],
                              b->valid_losses[b->tried - 1], b->best};
    if (hooks->round) hooks->round(hooks->payload, &told);
    if (hooks->progress) hooks->progress(hooks->payload, b->tried, rounds);
}

static int is_done(const spf_booster *b) {
    const sporf_params *params = &b->settings->params;
    return b->tried >= params->rounds ||
           (b->valid_rows > 0 && b->tried > 0 && b->tried >= b->fell + params->patience);
}

static sporf_status run_round(spf_booster *b, spf_pool *pool, unsigned worker) {
    size_t each = b->bags_count * b->outputs;
    spf_mean_losses mean;
    SPF_TRY(spf_booster_check(b));
    SPF_TRY(SPF_RESERVE(b->trees, b->trees_capacity, b->trees_count + each));
    spf_tree *trees = b->trees + b->trees_count;
    memset(trees, 0, each * sizeof *trees);
    b->round = b->tried;
    spf_round_features_draw(&b->chosen, b->settings->params.seed, (uint32_t)b->round);
    SPF_TRY(spf_sums_draw(&b->sums, (uint32_t)b->round, pool, worker));
    b->trees_count += each; /* freed, also if some are missing */
    SPF_TRY(spf_booster_grow(b, pool, worker, trees));
    SPF_TRY(spf_booster_derive(b, pool, worker, &mean));
    if (!isfinite(mean.train) || (b->valid_rows > 0 && !isfinite(mean.valid)))
        return spf_raise(SPORF_ERROR_DATA,
                         "the loss is no longer a finite number after round %zu" SPF_HINT
                         "lower the " SPF_OPTION("rate"),
                         b->tried + 1);
    spf_booster_note(b, mean.train, mean.valid);
    tell(b);
    return SPORF_OK;
}

static sporf_status run(void *context, size_t seed, spf_pool *pool, unsigned worker) {
    (void)seed;
    spf_booster *b = context;
    spf_mean_losses start;
    if (b->given) SPF_TRY(spf_booster_replay(b, pool, worker));
    SPF_TRY(spf_booster_derive(b, pool, worker, &start));
    if (b->given) SPF_TRY(spf_booster_check_replay(b, &start));
    while (!is_done(b)) SPF_TRY(run_round(b, pool, worker));
    return SPORF_OK;
}

/* ---- the model ------------------------------------------------------------------------------- */

static sporf_status hand_over_losses(const spf_booster *b, spf_boosting *to) {
    size_t parts = b->valid_rows > 0 ? 2 : 1;
    to->losses = spf_alloc(parts * b->tried, sizeof *to->losses);
    if (!to->losses) return spf_raise_memory();
    memcpy(to->losses, b->train_losses, b->tried * sizeof *to->losses);
    if (parts > 1) memcpy(to->losses + b->tried, b->valid_losses, b->tried * sizeof *to->losses);
    to->tried = b->tried;
    return SPORF_OK;
}

/* The rounds up to the best one; later trees are dropped. */
static sporf_status hand_over(spf_booster *b, sporf_forest *forest) {
    size_t kept = b->best * b->bags_count * b->outputs;
    forest->boosting = (spf_boosting){.link = b->loss.link,
                                      .outputs = b->outputs,
                                      .bags = b->bags_count,
                                      .valid_rows = b->valid_rows,
                                      .base = b->base};
    b->base = NULL;
    SPF_TRY(hand_over_losses(b, &forest->boosting));
    forest->trees = spf_alloc(kept, sizeof *forest->trees);
    if (!forest->trees) return spf_raise_memory();
    memcpy(forest->trees, b->trees, kept * sizeof *forest->trees);
    memset(b->trees, 0, kept * sizeof *b->trees);
    forest->trees_count = kept;
    forest->scale = b->scale;
    b->scale = NULL;
    return SPORF_OK;
}

static sporf_status make_forest(spf_booster *b, sporf_forest **out) {
    const sporf_dataset *data = b->settings->data;
    sporf_forest *forest = spf_alloc_zero(1, sizeof *forest);
    if (!forest) return spf_raise_memory();
    forest->features = data->features;
    forest->weighted = b->settings->weights->units != NULL;
    forest->oob_error = forest->oob_score = NAN;
    sporf_status status = spf_schema_copy(&data->schema, &forest->schema);
    if (status == SPORF_OK) status = b->settings->outcome->name(data, forest);
    if (status == SPORF_OK) status = hand_over(b, forest);
    if (status != SPORF_OK) {
        sporf_forest_free(forest);
        return status;
    }
    *out = forest;
    return SPORF_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

sporf_status spf_boost(const spf_settings *settings, const spf_boost_valid *valid,
                       const sporf_hooks *hooks, const sporf_forest *given, sporf_forest **out) {
    SPF_TRY(spf_boost_check_memory(settings, valid->rows));
    spf_booster b = {.settings = settings, .hooks = hooks, .valid = valid, .given = given};
    sporf_status status = spf_booster_prepare(&b);
    if (status == SPORF_OK) status = spf_pool_run(1, b.workers, run, &b);
    int stopped = status == SPORF_ERROR_CANCELLED && b.best > 0;
    if (status == SPORF_OK || stopped) status = make_forest(&b, out);
    if (status == SPORF_OK && stopped)
        (*out)->stopped = spf_booster_is_late(&b) ? SPF_STOPPED_TIME : SPF_STOPPED_INTERRUPT;
    spf_booster_release(&b);
    return status;
}
