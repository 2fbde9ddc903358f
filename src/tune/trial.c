/* Votes, or predictions of numbers, of trees that did not see a row tell its loss. Out of bag they
 * come with the forest; those of folds are gathered from the forests that were trained without
 * them. */
#include "tune/trial.h"

#include "data/class_weights.h"
#include "data/dataset.h"
#include "data/weights.h"
#include "tune/auc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what settings are compared on ----------------------------------------------------------- */

static sporf_status weigh_rows(spf_court *court) {
    const sporf_dataset *data = court->data;
    size_t classes = data->targets > 0 ? 0 : data->classes.count;
    double *factors = spf_alloc(classes, sizeof *factors);
    court->weights = spf_alloc(data->rows, sizeof *court->weights);
    sporf_status status = factors && court->weights ? SPORF_OK : spf_raise_memory();
    if (status == SPORF_OK && classes > 0)
        status = spf_class_weights_read(court->params.class_weights, data, factors);
    for (size_t i = 0; status == SPORF_OK && i < data->rows; i++)
        court->weights[i] = spf_weight_of(data, i) * (classes > 0 ? factors[data->labels[i]] : 1);
    free(factors);
    return status;
}

static sporf_status part_rows(spf_court *court, const sporf_search_options *options) {
    court->folds = options->folds;
    if (!court->folds) {
        SPF_TRY(
            sporf_folds_draw(court->data, options->folds_count, court->params.seed, &court->drawn));
        court->folds = court->drawn;
    }
    if (sporf_folds_rows(court->folds) != court->data->rows)
        return spf_raise(SPORF_ERROR_ARGUMENT, "the folds are of %zu rows, but the data have %zu",
                         sporf_folds_rows(court->folds), court->data->rows);
    size_t parts = sporf_folds_count(court->folds);
    court->train = spf_alloc_zero(parts, sizeof *court->train);
    court->test = spf_alloc_zero(parts, sizeof *court->test);
    if (!court->train || !court->test) return spf_raise_memory();
    court->parts = parts;
    for (size_t k = 0; k < parts; k++)
        SPF_TRY(sporf_folds_split(court->folds, court->data, k, &court->train[k], &court->test[k]));
    return SPORF_OK;
}

sporf_status spf_court_create(const sporf_dataset *data, const sporf_params *params,
                              const sporf_search_options *options, spf_work *work,
                              spf_court *court) {
    *court = (spf_court){.data = data, .params = *params, .parts = 1, .work = work};
    SPF_TRY(weigh_rows(court));
    return sporf_train_leaves_rows_out(data, params) ? SPORF_OK : part_rows(court, options);
}

void spf_court_free(spf_court *court) {
    for (size_t k = 0; court->train && court->test && k < court->parts; k++) {
        sporf_dataset_free(court->train[k]);
        sporf_dataset_free(court->test[k]);
    }
    free(court->train);
    free(court->test);
    sporf_folds_free(court->drawn);
    free(court->weights);
    *court = (spf_court){0};
}

sporf_params spf_court_params(const spf_court *court, const sporf_setting *setting, size_t trees) {
    sporf_params params = court->params;
    params.projections = setting->projections;
    params.density = setting->density;
    params.trees = (uint32_t)trees;
    return params;
}

void spf_court_compare(const spf_court *court, const float *a, const float *b, double *mean,
                       double *error) {
    double sum = 0, weight = 0, squares = 0, spread = 0;
    for (size_t i = 0; i < court->data->rows; i++) {
        if (isnan(a[i]) || isnan(b[i])) continue;
        weight += court->weights[i];
        squares += court->weights[i] * court->weights[i];
        sum += court->weights[i] * ((double)a[i] - b[i]);
    }
    *mean = sum / weight;
    for (size_t i = 0; i < court->data->rows; i++) {
        if (isnan(a[i]) || isnan(b[i])) continue;
        double off = (double)a[i] - b[i] - *mean;
        spread += court->weights[i] * off * off;
    }
    *error = sqrt(spread / weight * (squares / (weight * weight)));
}

/* ---- losses ---------------------------------------------------------------------------------- */

/* What the forests say about rows that they have not seen: one of both. */
typedef struct {
    const uint32_t *votes; /* [rows x classes] */
    const double *values;  /* [rows x targets] */
    void *owned;           /* where these are gathered from folds */
} outcome;

static sporf_status predict_part(const spf_court *court, const sporf_forest *forest, size_t part,
                                 void *out) {
    sporf_predict_options how;
    sporf_predict_options_init(&how);
    how.threads = court->params.threads;
    return court->data->targets > 0
               ? sporf_forest_predict_values(forest, court->test[part], &how, out)
               : sporf_forest_votes(forest, court->test[part], &how, out);
}

/* Puts the results of a fold's rows, of `size` bytes each, where these lie in the whole. */
static sporf_status gather_part(const spf_court *court, const sporf_forest *forest, size_t part,
                                size_t size, char *to) {
    size_t count;
    const uint32_t *rows = sporf_folds_test(court->folds, part, &count);
    char *found = spf_alloc(count, size);
    if (!found) return spf_raise_memory();
    sporf_status status = predict_part(court, forest, part, found);
    for (size_t i = 0; status == SPORF_OK && i < count; i++)
        memcpy(to + rows[i] * size, found + i * size, size);
    free(found);
    return status;
}

static sporf_status gather(const spf_court *court, sporf_forest *const *forests, outcome *o) {
    const sporf_dataset *data = court->data;
    size_t size = data->targets > 0 ? data->targets * sizeof *o->values
                                    : data->classes.count * sizeof *o->votes;
    o->owned = spf_alloc(data->rows, size);
    if (!o->owned) return spf_raise_memory();
    for (size_t k = 0; k < court->parts; k++)
        SPF_TRY(gather_part(court, forests[k], k, size, o->owned));
    if (data->targets > 0)
        o->values = o->owned;
    else
        o->votes = o->owned;
    return SPORF_OK;
}

static sporf_status find_outcome(const spf_court *court, sporf_forest *const *forests, outcome *o) {
    sporf_oob oob;
    if (court->folds) return gather(court, forests, o);
    sporf_forest_oob(forests[0], &oob);
    o->votes = oob.votes;
    o->values = sporf_forest_oob_predictions(forests[0], NULL);
    return SPORF_OK;
}

static float class_loss(const sporf_dataset *data, const uint32_t *votes, size_t row) {
    size_t classes = data->classes.count, leader = 0;
    for (size_t k = 1; k < classes; k++)
        if (votes[row * classes + k] > votes[row * classes + leader]) leader = k;
    if (votes[row * classes + leader] == 0) return NAN;
    return leader != data->labels[row];
}

static float value_loss(const sporf_dataset *data, const double *values, size_t row) {
    double sum = 0;
    for (size_t t = 0; t < data->targets; t++) {
        double off = values[row * data->targets + t] - spf_target_of(data, t)[row];
        sum += off * off;
    }
    return (float)(sum / (double)data->targets);
}

/* Out of bag the forest knows its error. */
static double error_of(const spf_court *court, sporf_forest *const *forests, const float *loss) {
    sporf_oob oob;
    double sum = 0, weight = 0;
    sporf_forest_oob(forests[0], &oob);
    if (!court->folds) return oob.rows > 0 ? oob.error : NAN;
    for (size_t i = 0; i < court->data->rows; i++) {
        sum += court->weights[i] * loss[i];
        weight += court->weights[i];
    }
    return court->data->targets > 0 ? sqrt(sum / weight) : sum / weight;
}

static sporf_status score(const spf_court *court, sporf_forest *const *forests, float *loss,
                          sporf_setting *setting) {
    const sporf_dataset *data = court->data;
    outcome o = {0};
    sporf_status status = find_outcome(court, forests, &o);
    for (size_t i = 0; status == SPORF_OK && i < data->rows; i++)
        loss[i] = o.votes ? class_loss(data, o.votes, i) : value_loss(data, o.values, i);
    if (status == SPORF_OK && o.votes)
        status = spf_auc(data->rows, data->classes.count, o.votes, data->labels, court->weights,
                         &setting->auc);
    if (status == SPORF_OK) setting->error = error_of(court, forests, loss);
    free(o.owned);
    return status;
}

/* ---- growing --------------------------------------------------------------------------------- */

static void free_forests(const spf_court *court, sporf_forest **forests) {
    for (size_t k = 0; forests && k < court->parts; k++) sporf_forest_free(forests[k]);
    free(forests);
}

static sporf_status grow_parts(const spf_court *court, const spf_trial *trial, size_t trees,
                               sporf_forest **grown) {
    sporf_params params = spf_court_params(court, trial->setting, trees);
    for (size_t k = 0; k < court->parts && !court->work->stopped; k++) {
        const sporf_dataset *data = court->folds ? court->train[k] : court->data;
        const sporf_forest *from = trial->forests ? trial->forests[k] : NULL;
        sporf_status status = spf_work_train(court->work, data, &params, from, &grown[k]);
        if (status == SPORF_ERROR_CANCELLED) return SPORF_OK; /* and the work is stopped */
        SPF_TRY(status);
    }
    return SPORF_OK;
}

static void take_over(const spf_court *court, spf_trial *trial, sporf_forest **grown, float *loss,
                      size_t trees) {
    free_forests(court, trial->forests);
    free(trial->before);
    trial->forests = grown;
    trial->before = trial->loss;
    trial->loss = loss;
    trial->setting->trees = trees;
}

sporf_status spf_trial_grow(const spf_court *court, spf_trial *trial, size_t trees) {
    double start = spf_work_clock();
    sporf_forest **grown = spf_alloc_zero(court->parts, sizeof *grown);
    float *loss = spf_alloc(court->data->rows, sizeof *loss);
    sporf_status status =
        grown && loss ? grow_parts(court, trial, trees, grown) : spf_raise_memory();
    int whole = status == SPORF_OK && !court->work->stopped;
    if (whole) status = score(court, grown, loss, trial->setting);
    trial->setting->seconds += spf_work_clock() - start;
    if (whole && status == SPORF_OK) {
        take_over(court, trial, grown, loss, trees);
        return SPORF_OK;
    }
    free_forests(court, grown);
    free(loss);
    return status;
}

void spf_trial_free(const spf_court *court, spf_trial *trial) {
    free_forests(court, trial->forests);
    free(trial->loss);
    free(trial->before);
    trial->forests = NULL;
    trial->loss = trial->before = NULL;
}

void spf_trial_drop(const spf_court *court, spf_trial *trial) {
    spf_trial_free(court, trial);
    trial->dropped = 1;
}
