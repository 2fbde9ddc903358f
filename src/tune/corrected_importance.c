/* Corrected impurity importances: each forest sees the features and shuffled copies of them. If a
 * feature is noise, it and its copy are exchangeable, whatever the method draws and however a split
 * shares out its decrease; so the expected difference of their importances is 0. */
#include "base/rng.h"
#include "tune/retrain.h"

#include <math.h>
#include <stdlib.h>

enum { REPEATS = 99, REPEATS_MAX = 1000000 }; /* for p-values, by default and at most */

typedef struct {
    spf_retrain retrain;
    size_t repeats;
    uint32_t *rows;             /* [rows]: the permutation of the current copies */
    spf_column_source *columns; /* [2 x features]: the features, then their copies */
    double *decrease;           /* [2 x features]: importances in one forest */
    double *own;                /* [groups]: sums over the forests */
    double *copies;             /* [groups x repeats] */
} correction;

/* ---- one forest ------------------------------------------------------------------------------ */

static void shuffle_rows(const correction *c, size_t repeat) {
    uint32_t rows = (uint32_t)c->retrain.data->rows;
    sporf_random random = spf_random_start(c->retrain.options.seed, repeat, SPF_USE_SHUFFLED_COPY);
    for (uint32_t i = 0; i < rows; i++) c->rows[i] = i;
    for (uint32_t i = rows; i-- > 1;) {
        uint32_t with = spf_random_below(&random, i + 1), taken = c->rows[with];
        c->rows[with] = c->rows[i];
        c->rows[i] = taken;
    }
}

/* Twice the candidates, each of as many features as before: factor * p^exponent with 2p for p. */
static sporf_params doubled_params(const correction *c, size_t repeat) {
    sporf_params params = c->retrain.params;
    params.projections.factor *= pow(2, 1 - params.projections.exponent);
    params.density.factor *= pow(2, -1 - params.density.exponent);
    params.seed = spf_tree_key(c->retrain.options.seed, (uint32_t)repeat);
    return params;
}

static void add_groups(correction *c, size_t repeat) {
    const spf_feature_groups *groups = &c->retrain.groups;
    const double *own = c->decrease, *copy = c->decrease + c->retrain.data->features;
    for (size_t g = 0; g < groups->count; g++) {
        double of_copies = 0;
        for (uint32_t i = groups->start[g]; i < groups->start[g + 1]; i++) {
            c->own[g] += own[groups->member[i]];
            of_copies += copy[groups->member[i]];
        }
        c->copies[g * c->repeats + repeat] = of_copies;
    }
}

static sporf_status train_doubled(correction *c, const sporf_dataset *doubled, size_t repeat) {
    sporf_params params = doubled_params(c, repeat);
    spf_work *work = &c->retrain.work;
    sporf_forest *forest = NULL;
    sporf_status status = spf_work_train(work, doubled, &params, NULL, &forest);
    if (work->stopped) status = spf_retrain_cancel();
    if (status == SPORF_OK) status = sporf_forest_importances(forest, c->decrease);
    sporf_forest_free(forest);
    return status;
}

static sporf_status run_repeat(correction *c, size_t repeat) {
    const sporf_dataset *data = c->retrain.data;
    sporf_dataset *doubled = NULL;
    shuffle_rows(c, repeat);
    SPF_TRY(spf_dataset_of_columns(data, c->columns, 2 * data->features, &doubled));
    sporf_status status = train_doubled(c, doubled, repeat);
    if (status == SPORF_OK) add_groups(c, repeat);
    sporf_dataset_free(doubled);
    return status;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static sporf_status prepare(correction *c) {
    size_t features = c->retrain.data->features, groups = c->retrain.groups.count;
    c->rows = spf_alloc(c->retrain.data->rows, sizeof *c->rows);
    c->columns = spf_alloc(2 * features, sizeof *c->columns);
    c->decrease = spf_alloc(2 * features, sizeof *c->decrease);
    c->own = spf_alloc_zero(groups, sizeof *c->own);
    c->copies = spf_alloc(groups, c->repeats * sizeof *c->copies);
    if (!c->rows || !c->columns || !c->decrease || !c->own || !c->copies) return spf_raise_memory();
    for (size_t j = 0; j < features; j++) {
        c->columns[j] = (spf_column_source){j, NULL};
        c->columns[features + j] = (spf_column_source){j, c->rows};
    }
    c->retrain.work.total = c->repeats * spf_work_size(&c->retrain.params);
    return SPORF_OK;
}

/* What the features gain, others lose, since trees of a kind decrease impurity by about as much:
 * the copies in proportion to their share. Without that, the difference would be smaller. */
static double difference(double own, double copies) {
    double lost = own < 1 ? copies / (1 - own) : 0;
    return (own - copies) / (1 + lost);
}

static void find_results(const correction *c, size_t done, double *importances, double *p_values) {
    for (size_t g = 0; g < c->retrain.groups.count; g++) {
        const double *copy = c->copies + g * c->repeats;
        double own = c->own[g] / (double)done, mean = 0;
        size_t as_large = 0;
        for (size_t r = 0; r < done; r++) mean += copy[r] / (double)done;
        for (size_t r = 0; r < done; r++) as_large += copy[r] - mean >= difference(own, mean);
        importances[g] = own - mean;
        if (p_values) p_values[g] = (1 + (double)as_large) / (1 + (double)done);
    }
}

static sporf_status run(correction *c, double *importances, double *p_values) {
    size_t done = 0;
    if (c->repeats > REPEATS_MAX)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "importances take at most %d forests, not %zu: p-values are then above "
                         "one in a million",
                         REPEATS_MAX, c->repeats);
    SPF_TRY(prepare(c));
    while (done < c->repeats && !spf_retrain_late(&c->retrain)) SPF_TRY(run_repeat(c, done++));
    find_results(c, done, importances, p_values);
    return SPORF_OK;
}

sporf_status sporf_corrected_importances(const sporf_forest *forest, const sporf_dataset *data,
                                         const sporf_retrain_options *options,
                                         const sporf_hooks *hooks,
                                         const sporf_feature_group *groups, size_t count,
                                         double *importances, double *p_values) {
    correction c = {0};
    if (!forest || !data || !importances)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "corrected importances need a forest, its data and a place for them");
    sporf_status status = spf_retrain_open(forest, data, options, hooks, groups, count, &c.retrain);
    c.repeats = c.retrain.options.repeats;
    if (c.repeats == 0) c.repeats = p_values ? REPEATS : 1;
    if (status == SPORF_OK) status = run(&c, importances, p_values);
    free(c.rows);
    free(c.columns);
    free(c.decrease);
    free(c.own);
    free(c.copies);
    spf_retrain_close(&c.retrain);
    return status;
}
