/* The loss of a row comes from trees that did not see it. Out-of-bag predictions come with the
 * forest; those of folds are gathered from the forests trained without them. */
#include "tune/trial.h"

#include "data/dataset.h"
#include "data/weights.h"
#include "tune/loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Folds that are drawn if their number is not given. */
enum { FOLDS = 5 };

/* ---- what settings are compared on ----------------------------------------------------------- */

static sporf_status weigh_rows(spf_comparison *comparison) {
    const sporf_dataset *data = comparison->data;
    size_t classes = spf_loss_of(data)->labelled ? data->schema.classes.count : 0;
    double *factors = spf_alloc(classes, sizeof *factors);
    comparison->weights = spf_alloc(data->rows, sizeof *comparison->weights);
    sporf_status status = factors && comparison->weights ? SPORF_OK : spf_raise_memory();
    if (status == SPORF_OK && classes > 0)
        status = spf_class_weights_read(comparison->params.class_weights, data, factors);
    for (size_t i = 0; status == SPORF_OK && i < data->rows; i++)
        comparison->weights[i] =
            spf_weight_of(data, i) * (classes > 0 ? factors[data->labels[i]] : 1);
    free(factors);
    return status;
}

static sporf_status part_rows(spf_comparison *comparison, const sporf_search_options *options) {
    comparison->folds = options->folds;
    if (!comparison->folds) {
        size_t count = options->folds_count > 0 ? options->folds_count : FOLDS;
        SPF_TRY(
            sporf_folds_draw(comparison->data, count, comparison->params.seed, &comparison->drawn));
        comparison->folds = comparison->drawn;
    }
    if (comparison->folds->rows != comparison->data->rows)
        return spf_raise(SPORF_ERROR_ARGUMENT, "the folds are of %zu rows, but the data have %zu",
                         comparison->folds->rows, comparison->data->rows);
    size_t parts = comparison->folds->count;
    comparison->train = spf_alloc_zero(parts, sizeof *comparison->train);
    comparison->test = spf_alloc_zero(parts, sizeof *comparison->test);
    if (!comparison->train || !comparison->test) return spf_raise_memory();
    comparison->parts = parts;
    for (size_t k = 0; k < parts; k++)
        SPF_TRY(sporf_folds_split(comparison->folds, comparison->data, k, &comparison->train[k],
                                  &comparison->test[k]));
    return SPORF_OK;
}

sporf_status spf_comparison_create(const sporf_dataset *data, const sporf_params *params,
                                   const sporf_search_options *options, spf_work *work,
                                   spf_comparison *comparison) {
    *comparison = (spf_comparison){.data = data, .params = *params, .parts = 1, .work = work};
    sporf_preview preview = {.struct_size = sizeof preview};
    SPF_TRY(weigh_rows(comparison));
    SPF_TRY(sporf_train_preview(data, params, &preview));
    return preview.leaves_rows_out ? SPORF_OK : part_rows(comparison, options);
}

void spf_comparison_free(spf_comparison *comparison) {
    for (size_t k = 0; comparison->train && comparison->test && k < comparison->parts; k++) {
        sporf_dataset_free(comparison->train[k]);
        sporf_dataset_free(comparison->test[k]);
    }
    free(comparison->train);
    free(comparison->test);
    sporf_folds_free(comparison->drawn);
    free(comparison->weights);
    *comparison = (spf_comparison){0};
}

sporf_params spf_comparison_params(const spf_comparison *comparison, const sporf_trial *setting,
                                   size_t trees) {
    sporf_params params = comparison->params;
    params.projections = setting->projections;
    params.density = setting->density;
    spf_work_set_size(&params, trees);
    return params;
}

void spf_comparison_compare(const spf_comparison *comparison, const float *a, const float *b,
                            double *mean, double *error) {
    double sum = 0, weight = 0, squares = 0, spread = 0;
    for (size_t i = 0; i < comparison->data->rows; i++) {
        if (isnan(a[i]) || isnan(b[i])) continue;
        weight += comparison->weights[i];
        squares += comparison->weights[i] * comparison->weights[i];
        sum += comparison->weights[i] * ((double)a[i] - b[i]);
    }
    *mean = sum / weight;
    for (size_t i = 0; i < comparison->data->rows; i++) {
        if (isnan(a[i]) || isnan(b[i])) continue;
        double off = (double)a[i] - b[i] - *mean;
        spread += comparison->weights[i] * off * off;
    }
    *error = sqrt(spread / weight * (squares / (weight * weight)));
}

/* ---- losses ---------------------------------------------------------------------------------- */

/* Boosted models have no votes: their probabilities become shares of so many. */
static sporf_status predict_votes(const sporf_forest *forest, const sporf_dataset *test,
                                  const sporf_predict_options *how, uint32_t *votes) {
    size_t cells = test->rows * test->schema.classes.count;
    double *shares = spf_alloc(cells, sizeof *shares);
    if (!shares) return spf_raise_memory();
    sporf_predictions wanted = {.struct_size = sizeof wanted, .probabilities = shares};
    sporf_status status = sporf_forest_predict(forest, test, how, &wanted);
    for (size_t i = 0; status == SPORF_OK && i < cells; i++)
        votes[i] = (uint32_t)(shares[i] * 0x1p30);
    free(shares);
    return status;
}

/* Copies the predictions of a fold's rows, of `size` bytes each, to their places among all rows. */
static sporf_status gather_part(const spf_comparison *comparison, const sporf_forest *forest,
                                size_t part, size_t size, char *to) {
    size_t count = comparison->folds->test[part].count;
    const uint32_t *rows = comparison->folds->test[part].rows;
    sporf_predictions wanted = {.struct_size = sizeof wanted};
    sporf_predict_options how;
    char *found = spf_alloc(count, size);
    if (!found) return spf_raise_memory();
    sporf_predict_options_init(&how);
    how.threads = comparison->params.threads;
    const spf_loss *loss = spf_loss_of(comparison->data);
    loss->place(&wanted, found);
    sporf_status status =
        loss->labelled && comparison->params.learner == SPORF_LEARNER_BOOSTING
            ? predict_votes(forest, comparison->test[part], &how, (uint32_t *)(void *)found)
            : sporf_forest_predict(forest, comparison->test[part], &how, &wanted);
    for (size_t i = 0; status == SPORF_OK && i < count; i++)
        memcpy(to + rows[i] * size, found + i * size, size);
    free(found);
    return status;
}

/* Free *predictions. */
static sporf_status gather(const spf_comparison *comparison, sporf_forest *const *forests,
                           char **predictions) {
    const sporf_dataset *data = comparison->data;
    size_t size = spf_loss_of(data)->row_bytes(data);
    *predictions = spf_alloc(data->rows, size);
    if (!*predictions) return spf_raise_memory();
    for (size_t k = 0; k < comparison->parts; k++)
        SPF_TRY(gather_part(comparison, forests[k], k, size, *predictions));
    return SPORF_OK;
}

static double mean_loss(const spf_comparison *comparison, const float *loss) {
    double sum = 0, weight = 0;
    for (size_t i = 0; i < comparison->data->rows; i++) {
        sum += comparison->weights[i] * loss[i];
        weight += comparison->weights[i];
    }
    return sum / weight;
}

static sporf_status score(const spf_comparison *comparison, sporf_forest *const *forests,
                          float *loss, sporf_trial *setting) {
    const sporf_dataset *data = comparison->data;
    const spf_loss *of = spf_loss_of(data);
    char *gathered = NULL;
    sporf_oob oob;
    sporf_forest_oob(forests[0], &oob);
    sporf_status status = comparison->folds ? gather(comparison, forests, &gathered) : SPORF_OK;
    const void *predictions = gathered ? gathered : of->out_of_bag(&oob);
    if (status == SPORF_OK) of->find(data, predictions, loss);
    if (status == SPORF_OK && of->auc)
        status = of->auc(data, predictions, comparison->weights, &setting->auc);
    /* the forest has its out-of-bag error */
    if (status == SPORF_OK && comparison->folds)
        setting->error = of->error(mean_loss(comparison, loss));
    else if (status == SPORF_OK)
        setting->error = oob.rows > 0 ? oob.error : NAN;
    free(gathered);
    return status;
}

/* ---- growing --------------------------------------------------------------------------------- */

static void free_forests(const spf_comparison *comparison, sporf_forest **forests) {
    for (size_t k = 0; forests && k < comparison->parts; k++) sporf_forest_free(forests[k]);
    free(forests);
}

static sporf_status grow_parts(const spf_comparison *comparison, const spf_trial *trial,
                               size_t trees, sporf_forest **grown) {
    sporf_params params = spf_comparison_params(comparison, trial->setting, trees);
    for (size_t k = 0; k < comparison->parts && !comparison->work->stopped; k++) {
        const sporf_dataset *data = comparison->folds ? comparison->train[k] : comparison->data;
        const sporf_forest *from = trial->forests ? trial->forests[k] : NULL;
        sporf_status status = spf_work_train(comparison->work, data, &params, from, &grown[k]);
        if (status == SPORF_ERROR_CANCELLED) return SPORF_OK; /* work->stopped is set */
        SPF_TRY(status);
    }
    return SPORF_OK;
}

static void take_over(const spf_comparison *comparison, spf_trial *trial, sporf_forest **grown,
                      float *loss, size_t trees) {
    free_forests(comparison, trial->forests);
    free(trial->before);
    trial->forests = grown;
    trial->before = trial->loss;
    trial->loss = loss;
    trial->setting->trees = trees;
}

sporf_status spf_trial_grow(const spf_comparison *comparison, spf_trial *trial, size_t trees) {
    double start = spf_work_clock();
    sporf_forest **grown = spf_alloc_zero(comparison->parts, sizeof *grown);
    float *loss = spf_alloc(comparison->data->rows, sizeof *loss);
    sporf_status status =
        grown && loss ? grow_parts(comparison, trial, trees, grown) : spf_raise_memory();
    int whole = status == SPORF_OK && !comparison->work->stopped;
    if (whole) status = score(comparison, grown, loss, trial->setting);
    trial->setting->seconds += spf_work_clock() - start;
    if (whole && status == SPORF_OK) {
        take_over(comparison, trial, grown, loss, trees);
        return SPORF_OK;
    }
    free_forests(comparison, grown);
    free(loss);
    return status;
}

void spf_trial_free(const spf_comparison *comparison, spf_trial *trial) {
    free_forests(comparison, trial->forests);
    free(trial->loss);
    free(trial->before);
    trial->forests = NULL;
    trial->loss = trial->before = NULL;
}

void spf_trial_drop(const spf_comparison *comparison, spf_trial *trial) {
    spf_trial_free(comparison, trial);
    trial->dropped = 1;
}
