/* Pilot forests with more and more candidates are grown as long as the out-of-bag error falls, and
 * then one of single features with the best number of candidates. Few candidates and larger leaves
 * suit noisy classes, many candidates those that only sums of certain features separate; no single
 * setting suits all (docs/decisions/0032). The winner's trees become the first ones of the forest,
 * unless it was grown on a part of the rows. The number of pilot trees does not depend on that of
 * the forest, so that adding trees gives the same forest as training it at once. */
#include "learn/settings/auto_settings.h"

#include "base/portable_math.h"
#include "base/rng.h"
#include "learn/growing/profile.h"
#include "learn/sampling/slots.h"

#include <math.h>
#include <stdlib.h>

enum { PILOT_TREES = 48, MOST_ROWS = 5000, LEAST_CANDIDATES = 20, NOISY_LEAF = 5 };

/* The steps: candidates as a power of p, with a limit for wide tables. */
typedef struct {
    sporf_amount projections;
    double wide, roots; /* at most the larger of wide and roots times the square root of p */
    double nonzeros;
    uint32_t min_leaf;
} step;

static const step steps[] = {
    {{1, 0.5}, INFINITY, 0, 2, NOISY_LEAF},
    {{1, 1}, 256, 2, 2, 1},
    {{4, 1}, 512, 4, 3, 1},
    {{16, 1}, 1024, 8, 3, 1},
};
enum { STEPS = sizeof steps / sizeof *steps, MIDDLE = 1 };

int spf_auto_serves(const spf_settings *usual, const sporf_params *given) {
    return usual->method && usual->method->chosen_by_pilots && usual->outcome->chosen_by_pilots &&
           spf_is_auto(given->projections) && spf_settings_leave_rows_out(usual);
}

/* From the middle step on there are at least a few, but no more than p^2. */
static double candidates_of(size_t index, double p) {
    const step *s = &steps[index];
    double d = s->projections.factor * pow(p, s->projections.exponent);
    d = spf_round_up(fmin(d, fmax(s->wide, s->roots * sqrt(p))));
    if (index <= MIDDLE) return d;
    return fmax(fmin(d, p * p), LEAST_CANDIDATES);
}

/* Sets the parameters of a step that are not given. */
static void take_step(size_t index, size_t features, const sporf_params *given,
                      sporf_params *tried) {
    tried->projections = (sporf_amount){candidates_of(index, (double)features), 0};
    if (spf_is_auto(given->density)) tried->density = (sporf_amount){steps[index].nonzeros, -1};
    if (given->min_leaf == 0) tried->min_leaf = steps[index].min_leaf;
}

/* Row weights as multiples of one of them: equal weights are then 1. */
typedef struct {
    const float *weights;
    double unit;
} ratios;

static ratios ratios_of(const sporf_dataset *data) {
    ratios r = {data->weights, 1};
    for (size_t i = 0; r.weights && i < data->rows; i++)
        if (r.weights[i] > 0) {
            r.unit = r.weights[i];
            break;
        }
    return r;
}

static double ratio_at(const ratios *r, size_t row) {
    return r->weights ? r->weights[row] / r->unit : 1;
}

/* The effective sample size of weighted rows (Kish 1965). */
static double effective_rows(const sporf_dataset *data) {
    double sum = 0, squares = 0;
    ratios r = ratios_of(data);
    for (size_t i = 0; i < data->rows; i++) {
        sum += ratio_at(&r, i);
        squares += ratio_at(&r, i) * ratio_at(&r, i);
    }
    return sum * sum / squares;
}

static double standard_error(const sporf_dataset *data, const sporf_forest *best) {
    return sqrt(best->oob_error * (1 - best->oob_error) / effective_rows(data));
}

/* How much lower an error must be to be preferred: by a standard error, and by a twentieth. */
static double least_gain(const sporf_dataset *data, const sporf_forest *best) {
    return fmax(standard_error(data, best), best->oob_error / 20);
}

typedef struct {
    const spf_settings *settings; /* the default ones, on the rows that are used for the choice */
    const sporf_params *given;
    spf_packed_training train;
    sporf_hooks hooks;
    size_t features;     /* number that candidates are drawn from */
    sporf_params chosen; /* the best so far */
    sporf_forest *best;  /* the forest grown with them */
} pilot_search;

/* Grows a forest, which becomes the best if its error is lower by more than `gain`. If it is
 * stopped halfway, nothing is chosen: other trees would not match. */
static sporf_status try_settings(pilot_search *c, const sporf_params *tried, double gain,
                                 double *error) {
    sporf_forest *forest = NULL;
    sporf_profile spent = {0};
    sporf_hooks hooks = c->hooks;
    if (hooks.profile) hooks.profile = &spent;
    spf_settings settings;
    SPF_TRY(spf_settings_vary(c->settings, tried, &settings));
    settings.params.calibration = SPORF_CALIBRATE_NONE; /* only the error counts */
    sporf_status status = c->train(&settings, &hooks, NULL, &forest);
    if (hooks.profile) spf_profile_add(c->hooks.profile, &spent);
    if (status == SPORF_OK && forest->trees_count < PILOT_TREES)
        status = spf_raise(SPORF_ERROR_CANCELLED, "stopped before settings were chosen");
    if (status != SPORF_OK) {
        sporf_forest_free(forest);
        return status;
    }
    *error = forest->oob_error;
    if (c->best && !(*error < c->best->oob_error - gain)) {
        sporf_forest_free(forest);
        return SPORF_OK;
    }
    sporf_forest_free(c->best);
    c->best = forest;
    c->chosen = *tried;
    return SPORF_OK;
}

/* A table with too few rows cannot have leaves of the first step's size. */
static size_t first_step(const sporf_dataset *data) {
    return data->rows < 4 * NOISY_LEAF ? MIDDLE : 0;
}

/* Goes up until a step is not better at all, although being chosen takes more than that. If the
 * first two are about equal, for instance because both guess, the third one is tried as well. */
static sporf_status try_steps(pilot_search *c) {
    double p = (double)c->features;
    const sporf_dataset *data = c->settings->data;
    for (size_t i = first_step(data); i < STEPS; i++) {
        sporf_params tried = c->settings->params;
        double error, before = c->best ? c->best->oob_error : INFINITY;
        double gain = c->best ? least_gain(data, c->best) : 0;
        if (i > MIDDLE && candidates_of(i, p) == candidates_of(i - 1, p)) break;
        tried.trees = PILOT_TREES;
        take_step(i, c->features, c->given, &tried);
        SPF_TRY(try_settings(c, &tried, i > MIDDLE ? gain : 0, &error));
        if (error >= (i > MIDDLE ? before : before + gain)) break;
    }
    return SPORF_OK;
}

/* The error rate of always predicting the most frequent class. */
static double error_of_guessing(const spf_settings *settings, double *shares) {
    const spf_row_classes *classes = &settings->classes;
    double all = 0, most = 0;
    ratios r = ratios_of(settings->data);
    for (size_t k = 0; k < classes->count; k++) shares[k] = 0;
    for (size_t i = 0; i < classes->rows; i++) {
        double weight = ratio_at(&r, i);
        all += weight;
        shares[classes->label[i]] += weight;
    }
    for (size_t k = 0; k < classes->count; k++) most = fmax(most, shares[k]);
    return 1 - most / all;
}

/* Whether the best so far is within two standard errors of guessing. */
static sporf_status find_if_guessing(const pilot_search *c, int *guessing) {
    double *shares = spf_alloc(c->settings->classes.count, sizeof *shares);
    if (!shares) return spf_raise_memory();
    double limit =
        error_of_guessing(c->settings, shares) - 2 * standard_error(c->settings->data, c->best);
    *guessing = c->best->oob_error > limit;
    free(shares);
    return SPORF_OK;
}

/* If class boundaries follow the axes, as they may with few features, sums only blur them. If
 * nothing beats guessing and there are more features than candidates, all features are tried as
 * candidates: a few of very many may be informative. */
static sporf_status try_axes(pilot_search *c) {
    sporf_params tried = c->chosen;
    double error;
    int guessing = 0;
    if (!spf_is_auto(c->given->density) || c->features == 1) return SPORF_OK;
    SPF_TRY(find_if_guessing(c, &guessing));
    tried.density = (sporf_amount){1, -1};
    if (c->given->min_leaf == 0) tried.min_leaf = 1;
    if (guessing) tried.projections.factor = fmax(tried.projections.factor, (double)c->features);
    return try_settings(c, &tried, least_gain(c->settings->data, c->best), &error);
}

sporf_status spf_auto_bound(const spf_settings *usual, const sporf_params *given,
                            spf_settings *bound) {
    sporf_params most = usual->params;
    size_t features = spf_slots_count(usual->data);
    take_step(STEPS - 1, features, given, &most);
    most.projections.factor = fmax(most.projections.factor, (double)features);
    most.trees += 2 * PILOT_TREES; /* the best so far, and the one being tried */
    return spf_settings_vary(usual, &most, bound);
}

/* Rows with a positive weight; others do not influence the choice. */
static size_t rows_with_weight(const sporf_dataset *data) {
    size_t count = 0;
    if (!data->weights) return data->rows;
    for (size_t i = 0; i < data->rows; i++) count += data->weights[i] != 0;
    return count;
}

/* Each row is taken with probability (rows still wanted) / (rows left) (selection sampling, Knuth
 * 1969). */
static void draw_rows(const sporf_dataset *data, size_t left, uint64_t seed,
                      uint32_t rows[MOST_ROWS]) {
    sporf_random random = spf_random_start(seed, 0, SPF_USE_PILOT);
    for (size_t i = 0, taken = 0; taken < MOST_ROWS; i++) {
        if (data->weights && data->weights[i] == 0) continue;
        if (spf_random_below64(&random, left--) < MOST_ROWS - taken) rows[taken++] = (uint32_t)i;
    }
}

/* Draws a part of a tall table, so that the time of the choice does not grow with the rows; *out is
 * NULL if all rows are used. */
static sporf_status draw_part(const sporf_dataset *data, uint64_t seed, sporf_dataset **out) {
    *out = NULL;
    size_t count = rows_with_weight(data);
    if (count <= MOST_ROWS) return SPORF_OK;
    uint32_t *rows = spf_alloc(MOST_ROWS, sizeof *rows);
    if (!rows) return spf_raise_memory();
    draw_rows(data, count, seed, rows);
    sporf_status status = sporf_dataset_select(data, rows, MOST_ROWS, out);
    free(rows);
    return status;
}

/* Tries the settings on all data or a part of them. */
static sporf_status search_on(pilot_search *c, const sporf_dataset *part) {
    spf_settings of_part = {0};
    if (part) {
        SPF_TRY(spf_settings_create(part, &c->settings->params, NULL, &of_part));
        c->settings = &of_part;
    }
    sporf_status status = try_steps(c);
    if (status == SPORF_OK) status = try_axes(c);
    spf_settings_free(&of_part);
    return status;
}

/* Chooses those of projections, density and min_leaf that are auto in the given params; all else is
 * as usual. *out is the winning pilot forest, grown with these settings except for its number of
 * trees; NULL if no row was ever out of bag, or if a part of the rows was used. Adds to the profile
 * in the hooks. */
static sporf_status choose(const spf_settings *usual, const sporf_params *given,
                           const sporf_hooks *hooks, spf_packed_training train,
                           spf_settings *chosen, sporf_forest **out) {
    sporf_dataset *part;
    *out = NULL;
    SPF_TRY(draw_part(usual->data, given->seed, &part));
    pilot_search c = {usual, given, train, *hooks, .features = spf_slots_count(usual->data)};
    c.hooks.progress = NULL;
    sporf_status status = search_on(&c, part);
    if (status == SPORF_OK) {
        int known = !isnan(c.best->oob_error);
        c.chosen.trees = usual->params.trees;
        status = spf_settings_vary(usual, known ? &c.chosen : &usual->params, chosen);
        if (status == SPORF_OK && known && !part) {
            *out = c.best;
            c.best = NULL;
        }
    }
    sporf_forest_free(c.best);
    sporf_dataset_free(part);
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

static sporf_status go_on(const spf_settings *settings, const sporf_hooks *hooks,
                          spf_packed_training train, const sporf_forest *given,
                          sporf_forest **out) {
    started from = {hooks, given ? given->trees_count : 0};
    sporf_profile spent = {0};
    sporf_hooks own = {.struct_size = sizeof own,
                       .payload = &from,
                       .progress = hooks->progress ? count_on : NULL,
                       .interrupt = hooks->interrupt ? ask : NULL,
                       .profile = hooks->profile ? &spent : NULL};
    sporf_status status = train(settings, &own, given, out);
    if (hooks->profile) spf_profile_add(hooks->profile, &spent);
    return status;
}

sporf_status spf_auto_train(const spf_settings *usual, const sporf_params *given,
                            const sporf_hooks *hooks, spf_packed_training train,
                            sporf_forest **out) {
    sporf_forest *pilot = NULL;
    spf_settings chosen;
    if (hooks->profile) *hooks->profile = (sporf_profile){0};
    SPF_TRY(choose(usual, given, hooks, train, &chosen, &pilot));
    int fits = pilot && pilot->trees_count <= given->trees;
    sporf_status status = go_on(&chosen, hooks, train, fits ? pilot : NULL, out);
    sporf_forest_free(pilot);
    return status;
}
