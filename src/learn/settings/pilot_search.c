/* Pilot forests of a few trees try one setting after the other, and the one with the least
 * out-of-bag loss is chosen, where a costlier one must be worth its time (docs/decisions/0049).
 *
 * Time is counted in work, not in seconds, so that the choice is the same on every machine and with
 * any number of threads. The search takes at most a given share of the work of the forest, or what
 * a machine does in a moment. */
#include "learn/settings/pilot_search.h"

#include "base/portable_math.h"
#include "base/system.h"
#include "learn/growing/profile.h"
#include "learn/sampling/slots.h"
#include "learn/settings/pilot_loss.h"

#include <math.h>

enum { LOOK = 8 };

#define FREE_DOUBLINGS 1.25 /* of the cheap costs */
#define STEEPEST 1.5    /* doublings beyond these, from which on the price rises in proportion */
#define SMALL_LOSS 0.04 /* that few trees may have if more of them can be better */
#define LARGE_LOSS 0.1  /* the same if few trees tell little: see is_weak */
#define WEAK 0.4        /* loss of few trees that hardly agree */

/* A twelfth of a second, in units of work: nobody waits for it. */
#define MOMENT 2e7
#define WIDE_MOMENT (8 * MOMENT)
/* Four seconds. */
#define LONG 1e9

typedef struct {
    double price;       /* of costly settings: see price_of */
    double wide_price;  /* of a doubling, for all features of a wide table */
    double least_gain;  /* on the first setting, where few trees tell much */
    double weak_gain;   /* the same where they tell little, for less cost, and in regression */
    double share;       /* of the forest's work that a search may take */
    double trees_share; /* of the forest's trees that a pilot forest has */
    uint32_t most_trees;
    int patient; /* all trees of a pilot forest are grown before it is judged */
} effort_terms;

static effort_terms terms_of(sporf_effort effort) {
    static const effort_terms usual = {.price = 0.2,
                                       .wide_price = 0.015,
                                       .least_gain = 0.03,
                                       .weak_gain = 0.01,
                                       .share = 0.13,
                                       .trees_share = 0.04,
                                       .most_trees = 24};
    static const effort_terms high = {
        .share = 40, .trees_share = 1, .most_trees = SPF_PILOT_TREES, .patient = 1};
    return effort == SPORF_EFFORT_HIGH ? high : usual;
}

/* ---- pilot forests --------------------------------------------------------------------------- */

typedef struct {
    sporf_params params;
    sporf_forest *forest;
    double work;       /* of a tree */
    double first_loss; /* of the first trees */
    double loss;
} pilot;

typedef struct {
    const spf_pilot_task *task;
    const spf_pilot_plan *plan;
    effort_terms terms;
    double features; /* number that candidates are drawn from */
    uint32_t trees;  /* of a pilot forest */
    double cheap;    /* cost of settings that have no price */
    int wide;        /* all features of a wide table are tried */
    int at_first;    /* the best one is the first one */
    int guessing;    /* the best one is no better than a constant */
    double spent;    /* work so far */
    size_t grown;    /* trees so far */
    int late;        /* the time for the search is over */
    double told;     /* share of the allowance that was told last */
    pilot best;      /* so far */
} search;

static int is_labelled(const search *s) {
    return s->task->settings->outcome->labelled;
}

/* Whether the first trees hardly agree: then few of them tell little. */
static int is_weak(const search *s) {
    return s->guessing || (is_labelled(s) && s->best.first_loss > WEAK);
}

/* What the search may take if the best one stays the best. Regression starts with more candidates
 * than classification, and weak trees take a longer look. The forest of few candidates of a wide
 * table is no measure for all features. */
static double allowance(const search *s) {
    double moments = is_weak(s) || !is_labelled(s) ? 2 : 1;
    double forest = s->task->trees * s->best.work, moment = fmin(moments * MOMENT, 2 * forest);
    return fmax(s->terms.share * forest, s->wide ? WIDE_MOMENT : moment);
}

/* The work for nothing: the best one's trees will be used. */
static double lost(const search *s) {
    double used = s->task->keeps && s->best.forest ? (double)s->best.forest->trees_count : 0;
    return s->spent - used * s->best.work;
}

static void tell(void *payload, size_t done, size_t trees) {
    search *s = payload;
    (void)trees;
    double share = s->best.forest ? fmin(lost(s) / allowance(s), 1) : 0;
    s->told = fmax(s->told, share); /* a better one may allow more */
    s->task->hooks->choosing(s->task->hooks->payload, s->grown + done, s->told);
}

static int ask(void *payload) {
    const search *s = payload;
    return s->task->hooks->interrupt(s->task->hooks->payload);
}

static int is_late(search *s) {
    int64_t deadline = s->task->deadline;
    s->late = deadline > 0 && spf_system_clock() >= deadline;
    return s->late;
}

static sporf_status raise_stopped(void) {
    return spf_raise(SPORF_ERROR_CANCELLED, "stopped before settings were chosen");
}

/* Grows a pilot forest to that many trees. If it is stopped halfway, it is not judged: other trees
 * would not match. */
static sporf_status grow(search *s, pilot *p, uint32_t trees) {
    spf_settings settings;
    sporf_forest *more = NULL, *before = p->forest;
    sporf_profile spent = {0};
    const sporf_hooks *told = s->task->hooks;
    sporf_hooks hooks = {.struct_size = sizeof hooks,
                         .payload = s,
                         .progress = told->choosing ? tell : NULL,
                         .interrupt = told->interrupt ? ask : NULL,
                         .profile = told->profile ? &spent : NULL};
    p->params.trees = trees;
    if (is_late(s)) return raise_stopped();
    SPF_TRY(spf_settings_vary(s->task->settings, &p->params, &settings));
    settings.device = NULL;                             /* a few trees at a time */
    settings.params.calibration = SPORF_CALIBRATE_NONE; /* nobody asks for probabilities */
    settings.until_enough = 0;
    settings.deadline = s->task->deadline;
    sporf_status status = s->task->train(&settings, &hooks, before, &more);
    if (told->profile) spf_profile_add(told->profile, &spent);
    if (status == SPORF_OK && more->trees_count < trees) {
        is_late(s);
        status = raise_stopped();
    }
    if (status != SPORF_OK) {
        sporf_forest_free(more);
        return status;
    }
    double had = before ? (double)before->trees_count : 0;
    s->spent += (double)more->work;
    s->grown += trees - (size_t)had;
    p->work = (p->work * had + (double)more->work) / trees;
    p->forest = more;
    sporf_forest_free(before);
    p->loss = spf_pilot_loss(s->task->settings, more);
    if (trees == LOOK) p->first_loss = p->loss;
    return SPORF_OK;
}

/* ---- which is better ------------------------------------------------------------------------- */

/* About as many as there are candidates with a term, and what a node costs without any. */
static double costs_of(const search *s, const sporf_params *params) {
    enum { NODE = 4 };
    double d = params->projections.factor, p = s->features;
    double nonzeros = params->density.factor * (params->density.exponent == 0 ? p : 1);
    return NODE + d * nonzeros / (nonzeros + 0.6);
}

/* What a setting must gain, as a logarithm: up to about twice the cost of a cheap one nothing, then
 * more and more for each doubling. Less if even the costly forest takes no more than seconds, and
 * nothing if all are as good as guessing. Large leaves are not chosen because they save time. */
static double price_of(const search *s, const pilot *p) {
    if (s->guessing) return 0;
    double doublings = spf_log(costs_of(s, &p->params) / s->cheap) / spf_log(2);
    double beyond = fmax(doublings - FREE_DOUBLINGS, 0), bent = fmin(beyond, STEEPEST);
    double waiting = fmin(s->task->trees * p->work / LONG, 1);
    return s->wide ? s->terms.wide_price * doublings
                   : s->terms.price * waiting * bent * (2 * beyond - bent);
}

/* By how much a loss is lower than that of the best, less what the work costs, as a logarithm. A
 * class that is right or wrong for a single row is no difference. */
static double gain_of(const search *s, const pilot *tried, double loss, double best) {
    double row = is_labelled(s) ? 1 / (double)s->task->settings->data->rows : 0;
    if (!(loss + row > 0 && best + row > 0)) return loss < best ? INFINITY : -INFINITY;
    return spf_log((best + row) / (loss + row)) + price_of(s, &s->best) - price_of(s, tried);
}

/* ---- the search ------------------------------------------------------------------------------ */

static int is_same(const sporf_params *a, const sporf_params *b) {
    return a->projections.factor == b->projections.factor &&
           a->density.factor == b->density.factor && a->density.exponent == b->density.exponent &&
           a->min_leaf == b->min_leaf;
}

/* What a setting must gain on the best one. The first suits most tables: others must be clearly
 * better, unless they cost less. */
static double least_gain(const search *s, const pilot *tried) {
    int is_cheaper = costs_of(s, &tried->params) < costs_of(s, &s->best.params);
    if (!s->at_first || s->guessing) return 0;
    return is_labelled(s) && !is_weak(s) && !is_cheaper ? s->terms.least_gain : s->terms.weak_gain;
}

/* Becomes the best if it is better; frees the other. */
static sporf_status compare(search *s, pilot *tried, int *taken) {
    *taken = gain_of(s, tried, tried->loss, s->best.loss) > least_gain(s, tried);
    pilot *worse = *taken ? &s->best : tried;
    sporf_forest_free(worse->forest);
    tried->forest = *taken ? tried->forest : NULL;
    if (!*taken) return SPORF_OK;
    s->best = *tried;
    s->at_first = 0;
    return spf_pilot_guesses(s->task->settings, s->best.forest, &s->guessing);
}

/* Whether a few trees are about as good as those of the best, and the rest can be afforded. */
static int is_promising(const search *s, const pilot *tried) {
    double loss = is_weak(s) ? LARGE_LOSS : SMALL_LOSS;
    double gain = gain_of(s, tried, tried->first_loss, s->best.first_loss);
    return (gain > -loss || s->terms.patient) &&
           lost(s) + (s->trees - LOOK) * tried->work <= allowance(s);
}

/* Tries settings, unless that would take too long: first a few trees, and the rest if these are
 * promising. */
static sporf_status try_settings(search *s, const sporf_params *params, int *taken) {
    pilot tried = {.params = *params};
    double expected = s->best.work * costs_of(s, params) / costs_of(s, &s->best.params);
    *taken = 0;
    if (is_same(params, &s->best.params) || lost(s) + LOOK * expected > allowance(s))
        return SPORF_OK;
    sporf_status status = grow(s, &tried, LOOK);
    if (status == SPORF_OK && !is_promising(s, &tried)) {
        sporf_forest_free(tried.forest);
        return SPORF_OK;
    }
    if (status == SPORF_OK && s->trees > LOOK) status = grow(s, &tried, s->trees);
    if (status == SPORF_OK) return compare(s, &tried, taken);
    sporf_forest_free(tried.forest);
    return status;
}

/* The best settings so far, with what a step changes. */
static sporf_params params_of(const search *s, const spf_pilot_step *step) {
    return spf_pilot_change(&s->best.params, s->task->given, step, s->features,
                            s->task->settings->data->rows);
}

static sporf_status try_steps(search *s) {
    for (unsigned i = s->plan->steps[0].if_taken; i != 0;) {
        const spf_pilot_step *step = &s->plan->steps[i];
        sporf_params params = params_of(s, step);
        int taken = 0;
        SPF_TRY(try_settings(s, &params, &taken));
        i = taken ? step->if_taken : step->if_not;
    }
    return SPORF_OK;
}

/* In a wide table the steps try few of the features, and a few of very many may be informative. The
 * rows are mostly few there, so that time is cheap. */
static sporf_status try_all_features(search *s) {
    sporf_params params = s->best.params;
    int taken;
    if (!spf_pilot_leaves_features_out(s->plan, s->features)) return SPORF_OK;
    s->wide = 1;
    params.projections.factor = s->features;
    return try_settings(s, &params, &taken);
}

/* Starts with a few trees, whose work tells how many are affordable. */
static sporf_status start(search *s) {
    enum { PILOTS = 6 };
    sporf_params cheap = s->best.params; /* in regression the first one */
    if (s->task->settings->outcome->classifies)
        cheap.projections.factor = spf_round_up(sqrt(s->features));
    SPF_TRY(grow(s, &s->best, LOOK));
    double trees = fmax(s->terms.trees_share * s->task->trees, MOMENT / PILOTS / s->best.work);
    if (!s->terms.patient) trees = fmin(trees, s->task->trees);
    s->trees = (uint32_t)fmin(fmax(trees, LOOK), s->terms.most_trees);
    s->cheap = costs_of(s, &cheap);
    s->at_first = 1;
    if (s->trees > LOOK) SPF_TRY(grow(s, &s->best, s->trees));
    return spf_pilot_guesses(s->task->settings, s->best.forest, &s->guessing);
}

static sporf_status run(search *s) {
    s->best.params = s->task->settings->params;
    s->best.params = params_of(s, &s->plan->steps[0]);
    SPF_TRY(start(s));
    SPF_TRY(try_steps(s));
    return try_all_features(s);
}

int spf_pilot_pays(sporf_effort effort, double trees) {
    return effort == SPORF_EFFORT_HIGH || (effort == SPORF_EFFORT_DEFAULT && trees >= LOOK);
}

sporf_status spf_pilot_search(const spf_pilot_task *task, sporf_params *chosen,
                              sporf_forest **forest) {
    search s = {.task = task,
                .plan = spf_pilot_plan_of(task->settings->outcome->classifies),
                .terms = terms_of(task->given->effort),
                .features = (double)spf_slots_count(task->settings->data)};
    sporf_status status = run(&s);
    if (s.late && status == SPORF_ERROR_CANCELLED) status = SPORF_OK;
    *chosen = s.best.params;
    *forest = s.best.forest;
    return status;
}
