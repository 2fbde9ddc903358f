/* The search over settings. `all` grows one setting after the other and keeps the best. `race` lets
 * all of them grow together: after each round it drops those whose error is clearly above that of
 * the best, and ends when more trees change nothing; only the winner is then grown to the end.
 * Trees are added to existing forests, so that none is grown twice. */
#include "base/memory.h"
#include "base/rng.h"
#include "base/versioned.h"
#include "data/label_columns.h"
#include "tune/grid.h"
#include "tune/loss.h"
#include "tune/trial.h"

#include <math.h>
#include <stdlib.h>

/* The best so far; of equal ones each has the same probability to be chosen. */
typedef struct {
    size_t index, equals; /* none if equals is 0 */
    sporf_random random;
} leader;

typedef struct {
    spf_comparison comparison;
    spf_work work;
    spf_grid grid;
    spf_trial *trials; /* [grid.count] */
    leader ahead;      /* after the last complete round of a race */
    int all_or_nothing;
} search;

void sporf_search_free(sporf_search *result) {
    if (!result) return;
    free((void *)result->trials);
    sporf_forest_free(result->forest);
    free(result);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* Below 0 if a is better; NaN is worse than everything. */
static int compare_numbers(double a, double b) {
    if (isnan(a) || isnan(b)) return isnan(a) - isnan(b);
    return (a > b) - (a < b);
}

static int compare(const sporf_trial *a, const sporf_trial *b) {
    int errors = compare_numbers(a->error, b->error);
    return errors != 0 ? errors : compare_numbers(-a->auc, -b->auc);
}

static leader start_choice(const search *s) {
    return (leader){.random = spf_random_start(s->comparison.params.seed, 0, SPF_USE_TIES)};
}

/* Whether a setting takes the lead. */
static int leads(const search *s, leader *best, size_t index) {
    const sporf_trial *settings = s->grid.settings;
    int order = best->equals == 0 ? -1 : compare(&settings[index], &settings[best->index]);
    if (order > 0) return 0;
    best->equals = order < 0 ? 1 : best->equals + 1;
    if (order == 0 && spf_random_below(&best->random, (uint32_t)best->equals) > 0) return 0;
    best->index = index;
    return 1;
}

/* The best of the remaining settings with the most trees. */
static leader choose(const search *s) {
    leader best = start_choice(s);
    size_t most = 0;
    for (size_t i = 0; i < s->grid.count; i++)
        if (!s->trials[i].dropped && s->grid.settings[i].trees > most)
            most = s->grid.settings[i].trees;
    for (size_t i = 0; i < s->grid.count; i++)
        if (most > 0 && !s->trials[i].dropped && s->grid.settings[i].trees == most)
            leads(s, &best, i);
    return best;
}

/* ---- all ------------------------------------------------------------------------------------- */

static sporf_status grow_all(search *s) {
    leader best = start_choice(s);
    for (size_t i = 0; i < s->grid.count && !s->work.stopped; i++) {
        SPF_TRY(
            spf_trial_grow(&s->comparison, &s->trials[i], spf_work_size(&s->comparison.params)));
        if (s->work.stopped) break;
        size_t before = best.index;
        int was = best.equals > 0, takes = leads(s, &best, i);
        if (was) spf_trial_drop(&s->comparison, &s->trials[takes ? before : i]);
    }
    return SPORF_OK;
}

/* ---- race ------------------------------------------------------------------------------------ */

enum {
    FIRST_PART = 8,
    FEWEST = 32, /* trees needed to compare: with fewer, rows are left out too rarely */
    CLEARLY = 2  /* standard errors */
};

static size_t count_left(const search *s) {
    size_t left = 0;
    for (size_t i = 0; i < s->grid.count; i++) left += !s->trials[i].dropped;
    return left;
}

/* Drops settings that are clearly worse than the best. */
static void drop_losers(search *s) {
    const float *best = s->trials[choose(s).index].loss;
    for (size_t i = 0; i < s->grid.count; i++) {
        double mean, error;
        if (s->trials[i].dropped) continue;
        spf_comparison_compare(&s->comparison, s->trials[i].loss, best, &mean, &error);
        if (mean > CLEARLY * error) spf_trial_drop(&s->comparison, &s->trials[i]);
    }
}

/* Adds the change of the remaining settings' losses in the last round, row by row; returns 0 if
 * there was no round before. */
static int add_changes(const search *s, size_t rows, float *now, float *before) {
    for (size_t i = 0; i < s->grid.count; i++) {
        const spf_trial *trial = &s->trials[i];
        if (trial->dropped) continue;
        if (!trial->before) return 0;
        for (size_t row = 0; row < rows; row++) {
            now[row] += trial->loss[row];
            before[row] += trial->before[row];
        }
    }
    return 1;
}

/* Whether the last round lowered the losses of the remaining settings, taken together, by no more
 * than chance. */
static sporf_status find_flat(const search *s, int *flat) {
    size_t rows = sporf_dataset_rows(s->comparison.data);
    float *now = spf_alloc_zero(2 * rows, sizeof *now);
    double mean, error;
    if (!now) return spf_raise_memory();
    *flat = add_changes(s, rows, now, now + rows);
    spf_comparison_compare(&s->comparison, now + rows, now, &mean, &error);
    *flat = *flat && mean <= error;
    free(now);
    return SPORF_OK;
}

static void expect_trees(search *s, size_t grown) {
    size_t trees = spf_work_size(&s->comparison.params), more = trees > grown ? trees - grown : 0;
    s->work.total = s->work.done + count_left(s) * s->comparison.parts * more;
    if (s->comparison.folds) s->work.total += trees;
}

static sporf_status grow_round(search *s, size_t trees) {
    for (size_t i = 0; i < s->grid.count && !s->work.stopped; i++)
        if (!s->trials[i].dropped) SPF_TRY(spf_trial_grow(&s->comparison, &s->trials[i], trees));
    return SPORF_OK;
}

static sporf_status race(search *s) {
    size_t all = spf_work_size(&s->comparison.params);
    int flat = 0;
    for (size_t part = FIRST_PART; part >= 1 && !s->work.stopped; part /= 2) {
        size_t trees = (all + part - 1) / part;
        if (part > 1 && trees < FEWEST) continue;
        SPF_TRY(grow_round(s, trees));
        if (s->work.stopped) break;
        drop_losers(s);
        s->ahead = choose(s);
        expect_trees(s, trees);
        SPF_TRY(find_flat(s, &flat));
        if (count_left(s) == 1 || flat) break;
    }
    return SPORF_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* The forest of all rows with settings that were compared in folds. If the search is stopped
 * before, it gets at least as many trees as the settings were compared with. */
static sporf_status train_on_all(search *s, const sporf_trial *setting, sporf_forest **forest) {
    sporf_params params =
        spf_comparison_params(&s->comparison, setting, spf_work_size(&s->comparison.params));
    int boosted = params.learner == SPORF_LEARNER_BOOSTING;
    sporf_status status = SPORF_ERROR_CANCELLED;
    if (!s->work.stopped)
        status = spf_work_train(&s->work, s->comparison.data, &params, NULL, forest);
    int few = status == SPORF_OK && s->work.stopped &&
              (boosted || sporf_forest_trees(*forest) < setting->trees);
    if ((status != SPORF_ERROR_CANCELLED && !few) || s->all_or_nothing) return status;
    sporf_forest *first = *forest;
    spf_work last = s->work;
    last.interrupt = NULL;
    spf_work_set_size(&params, setting->trees);
    *forest = NULL;
    status = spf_work_train(&last, s->comparison.data, &params, first, forest);
    sporf_forest_free(first);
    return status;
}

/* Grows the winner's forest to the end. */
static sporf_status finish(search *s, spf_trial *winner, sporf_search *result) {
    size_t trees = spf_work_size(&s->comparison.params);
    if (s->comparison.folds) {
        SPF_TRY(train_on_all(s, winner->setting, &result->forest));
    } else {
        if (winner->setting->trees < trees && !s->work.stopped)
            SPF_TRY(spf_trial_grow(&s->comparison, winner, trees));
        result->forest = winner->forests[0];
        winner->forests[0] = NULL;
    }
    return SPORF_OK;
}

static sporf_status check_stopped(const search *s) {
    if (!s->work.stopped || !s->all_or_nothing) return SPORF_OK;
    return spf_raise(SPORF_ERROR_CANCELLED, "the search was stopped");
}

static sporf_status check_known(const sporf_trial *best) {
    if (!isnan(best->error)) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "settings cannot be compared: no row with a weight was left out" SPF_HINT
                     "use more rows, or another " SPF_OPTION("bag"));
}

static sporf_status run(search *s, sporf_search_way way, sporf_search *result) {
    s->trials = spf_alloc_zero(s->grid.count, sizeof *s->trials);
    if (!s->trials) return spf_raise_memory();
    for (size_t i = 0; i < s->grid.count; i++) s->trials[i].setting = &s->grid.settings[i];
    expect_trees(s, 0);
    int races = way == SPORF_SEARCH_RACE && s->grid.count > 1 &&
                s->comparison.params.learner == SPORF_LEARNER_FOREST;
    SPF_TRY(races ? race(s) : grow_all(s));
    leader best = s->work.stopped && s->ahead.equals > 0 ? s->ahead : choose(s);
    if (best.equals == 0)
        return spf_raise(SPORF_ERROR_CANCELLED, "stopped before the first setting was tried");
    SPF_TRY(check_stopped(s));
    SPF_TRY(check_known(&s->grid.settings[best.index]));
    SPF_TRY(finish(s, &s->trials[best.index], result));
    SPF_TRY(check_stopped(s));
    result->best = best.index;
    result->interrupted = s->work.stopped;
    result->count = s->grid.count;
    result->trials = s->grid.settings;
    s->grid.settings = NULL;
    return SPORF_OK;
}

static sporf_status check(const sporf_dataset *data, const sporf_search_options *options) {
    SPF_TRY(spf_check_one_label(data, "a search for settings"));
    if (sporf_dataset_classes(data) == 0 && sporf_dataset_targets(data) == 0)
        return spf_raise(SPORF_ERROR_DATA, "the data have no labels" SPF_HINT
                                           "name the column that holds them, or set them");
    if ((unsigned)options->way > SPORF_SEARCH_ALL)
        return spf_raise(SPORF_ERROR_ARGUMENT, "way must be race or all");
    if ((options->projections_count > 0 && !options->projections) ||
        (options->densities_count > 0 && !options->densities))
        return spf_raise(SPORF_ERROR_ARGUMENT, "a list of values to try is NULL");
    return SPORF_OK;
}

/* Settings are compared with equally many trees. */
static sporf_status check_trees(const sporf_params *params) {
    if (params->trees > 0 || params->learner == SPORF_LEARNER_BOOSTING) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     SPF_OPTION_AS("trees", "auto") " cannot be used in a search, which compares "
                                                    "settings with equally many trees" SPF_HINT
                                                    "give a number");
}

static sporf_status prepare(search *s, const sporf_dataset *data, const sporf_params *given,
                            const sporf_search_options *options) {
    sporf_params params;
    SPF_TRY(check(data, options));
    SPF_TRY(spf_work_params(given, &params));
    SPF_TRY(check_trees(&params));
    s->work = (spf_work){.payload = options->payload,
                         .progress = options->progress,
                         .interrupt = options->interrupt,
                         .note = options->note};
    s->all_or_nothing = options->all_or_nothing;
    SPF_TRY(spf_grid_create(data, &params, options, &s->grid));
    return spf_comparison_create(data, &params, options, &s->work, &s->comparison);
}

static void release(search *s) {
    for (size_t i = 0; s->trials && i < s->grid.count; i++)
        spf_trial_free(&s->comparison, &s->trials[i]);
    free(s->trials);
    spf_grid_free(&s->grid);
    spf_comparison_free(&s->comparison);
}

sporf_status sporf_search_run(const sporf_dataset *data, const sporf_params *params,
                              const sporf_search_options *given, sporf_search **out) {
    sporf_search_options options;
    search s = {0};
    if (!data || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "a search needs data and a place for the result");
    sporf_search_options_init(&options);
    SPF_TRY(spf_versioned_read(given, &options, sizeof options, "sporf_search_options_init"));
    sporf_search *result = spf_alloc_zero(1, sizeof *result);
    if (!result) return spf_raise_memory();
    sporf_status status = prepare(&s, data, params, &options);
    if (status == SPORF_OK) status = run(&s, options.way, result);
    release(&s);
    if (status != SPORF_OK) {
        sporf_search_free(result);
        return status;
    }
    *out = result;
    return SPORF_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Two losses of each row and setting, their sums, the votes and, with an AUC, the shares to be
 * sorted. */
static double bytes_of_comparing(const sporf_dataset *data, size_t trees, size_t settings) {
    double losses = 2 * (double)settings + 3, classes = (double)sporf_dataset_classes(data);
    double row = losses * sizeof(float) + sizeof(double);
    if (spf_loss_of(data)->labelled)
        row += classes * sizeof(uint32_t) + fmin(classes, (double)trees) * 2 * sizeof(uint64_t);
    return (double)sporf_dataset_rows(data) * row;
}

static sporf_status find_most(const sporf_dataset *data, const sporf_params *params,
                              const spf_grid *grid, uint64_t *most) {
    sporf_params tried = *params;
    for (size_t i = 0; i < grid->count; i++) {
        sporf_preview preview = {.struct_size = sizeof preview};
        tried.projections = grid->settings[i].projections;
        tried.density = grid->settings[i].density;
        SPF_TRY(sporf_train_preview(data, &tried, &preview));
        if (preview.memory > *most) *most = preview.memory;
    }
    return SPORF_OK;
}

sporf_status sporf_search_memory(const sporf_dataset *data, const sporf_params *given,
                                 const sporf_search_options *given_options, uint64_t *bytes) {
    sporf_search_options options;
    sporf_params params;
    spf_grid grid;
    uint64_t most = 0;
    if (!data || !bytes)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "the estimate needs data and a place for the result");
    sporf_search_options_init(&options);
    SPF_TRY(
        spf_versioned_read(given_options, &options, sizeof options, "sporf_search_options_init"));
    SPF_TRY(check(data, &options));
    SPF_TRY(spf_work_params(given, &params));
    sporf_status status = spf_grid_create(data, &params, &options, &grid);
    if (status == SPORF_OK) status = find_most(data, &params, &grid, &most);
    if (status == SPORF_OK) {
        double all = (double)most + bytes_of_comparing(data, spf_work_size(&params), grid.count);
        *bytes = all < 0x1p63 ? (uint64_t)all : UINT64_MAX;
    }
    spf_grid_free(&grid);
    return status;
}
