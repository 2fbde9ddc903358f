/* Cross-validation: a forest without each fold in turn, scored on the fold. Forests are
 * trained and predict through the public functions. */
#include "base/memory.h"
#include "base/versioned.h"
#include "data/label_columns.h"
#include "data/weights.h"
#include "tune/loss.h"
#include "tune/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A result and the memory it points to. */
typedef struct {
    sporf_crossval shown;
    sporf_crossval_scores *scores;       /* [folds] */
    sporf_params *params;                /* [folds] */
    const sporf_params **params_at;      /* [folds]: pointers to them */
    char *class_weights, *cost, *recall; /* of the params; NULL for none */
    sporf_trial *trials;                 /* [folds]; NULL if none were searched */
    uint32_t *classes;                   /* [rows]; NULL in regression */
    size_t width;                        /* classes or targets */
    double *outputs;                     /* [rows x width]: probabilities or values */
} crossval_parts;

/* One run, and its current fold. */
typedef struct {
    const sporf_dataset *data;
    const sporf_folds *folds;
    sporf_params params;
    sporf_crossval_options options;
    spf_work work;
    crossval_parts *result;
    size_t fold;
    sporf_dataset *train, *test;
    sporf_search *search;
    size_t searched;      /* trees that the search has grown */
    sporf_forest *forest; /* NULL if the search owns it */
} run;

void sporf_crossval_free(sporf_crossval *result) {
    crossval_parts *parts = (crossval_parts *)result;
    if (!parts) return;
    free(parts->scores);
    free(parts->params);
    free(parts->params_at);
    free(parts->class_weights);
    free(parts->cost);
    free(parts->recall);
    free(parts->trials);
    free(parts->classes);
    free(parts->outputs);
    free(parts);
}

/* Predictions of rows in folds that are never reached. */
static void fill_unknown(const run *r, crossval_parts *result) {
    size_t rows = r->data->rows;
    for (size_t i = 0; result->outputs && i < rows * result->width; i++) result->outputs[i] = NAN;
    for (size_t i = 0; result->classes && i < rows; i++) result->classes[i] = SPORF_NO_CLASS;
}

/* Returns 0 if memory runs out. */
static int copy_text(const char *text, char **copy) {
    *copy = text ? spf_strdup(text) : NULL;
    return *copy || !text;
}

static sporf_status allocate(const run *r, crossval_parts *result) {
    size_t rows = r->data->rows, folds = r->folds->count;
    int labelled = spf_loss_of(r->data)->labelled;
    result->scores = spf_alloc_zero(folds, sizeof *result->scores);
    result->params = spf_alloc_zero(folds, sizeof *result->params);
    result->params_at = spf_alloc(folds, sizeof *result->params_at);
    int texts = copy_text(r->params.class_weights, &result->class_weights) &&
                copy_text(r->params.cost, &result->cost) &&
                copy_text(r->params.recall, &result->recall);
    if (r->options.search) result->trials = spf_alloc_zero(folds, sizeof *result->trials);
    result->width = labelled ? r->data->schema.classes.count : r->data->targets;
    result->outputs = spf_alloc(rows, result->width * sizeof *result->outputs);
    if (labelled) result->classes = spf_alloc(rows, sizeof *result->classes);
    fill_unknown(r, result);
    int outcome = result->outputs && (result->classes || !labelled);
    int settings =
        result->params && result->params_at && (result->trials || !r->options.search) && texts;
    return result->scores && settings && outcome ? SPORF_OK : spf_raise_memory();
}

/* ---- a fold ---------------------------------------------------------------------------------- */

static int asked_to_stop(void *payload) {
    const run *r = payload;
    return r->work.interrupt(r->work.payload);
}

static void pass_on(void *payload, const char *text) {
    const run *r = payload;
    r->work.note(r->work.payload, text);
}

/* Assumes that the remaining folds take as many trees as this one. */
static void show_search(void *payload, size_t done, size_t trees) {
    run *r = payload;
    size_t left = r->folds->count - r->fold;
    r->searched = done;
    r->work.progress(r->work.payload, r->work.done + done, r->work.done + trees * left);
}

static sporf_status search_fold(run *r) {
    sporf_search_options options;
    sporf_search_options_init(&options);
    SPF_TRY(spf_versioned_read(r->options.search, &options, sizeof options,
                               "sporf_search_options_init"));
    if (options.folds || options.progress || options.interrupt || options.note)
        return spf_raise(
            SPORF_ERROR_ARGUMENT,
            "cross-validation: folds and hooks of the search must be NULL: rows differ "
            "from fold to fold, and hooks are those of the cross-validation");
    options.payload = r;
    options.progress = r->work.progress ? show_search : NULL;
    options.interrupt = r->work.interrupt ? asked_to_stop : NULL;
    options.note = r->work.note ? pass_on : NULL;
    options.all_or_nothing = 1;
    SPF_TRY(sporf_search_run(r->train, &r->params, &options, &r->search));
    r->work.done += r->searched;
    r->result->trials[r->fold] = r->search->trials[r->search->best];
    return SPORF_OK;
}

static sporf_status grow(run *r) {
    if (r->options.search) return search_fold(r);
    return spf_work_train(&r->work, r->train, &r->params, NULL, &r->forest);
}

static const sporf_forest *forest_of(const run *r) {
    return r->forest ? r->forest : r->search->forest;
}

/* How many classes the weighted test rows of a fold have: 0, 1, or 2 for several. In regression all
 * have one. */
static int classes_tested(const run *r, size_t fold) {
    const uint32_t *rows = r->folds->test[fold].rows, *first = NULL;
    const uint32_t *labels = spf_loss_of(r->data)->labelled ? r->data->labels : NULL;
    for (size_t i = 0; i < r->folds->test[fold].count; i++) {
        if (!(spf_weight_of(r->data, rows[i]) > 0)) continue;
        if (!first) first = &rows[i];
        if (labels && labels[rows[i]] != labels[*first]) return 2;
    }
    return first != NULL;
}

/* Copies the predictions of the test rows to their places among all rows. */
static void scatter(const run *r, const uint32_t *classes, const double *outputs) {
    size_t count = r->folds->test[r->fold].count, width = r->result->width;
    const uint32_t *rows = r->folds->test[r->fold].rows;
    double *to = r->result->outputs;
    for (size_t i = 0; i < count; i++) {
        if (classes) r->result->classes[rows[i]] = classes[i];
        memcpy(to + rows[i] * width, outputs + i * width, width * sizeof *outputs);
    }
}

static sporf_status evaluate(run *r, const sporf_predict_options *how,
                             sporf_crossval_scores *scores) {
    sporf_evaluation found = {.struct_size = sizeof found};
    SPF_TRY(sporf_forest_evaluate(forest_of(r), r->test, how, &found));
    *scores = (sporf_crossval_scores){
        .error = found.error,
        .kappa = found.kappa,
        .kappa_paper = found.kappa_paper,
        .log_loss = found.log_loss,
        .rmse = found.rmse,
        .mae = found.mae,
        .r2 = found.r2,
    };
    return SPORF_OK;
}

static sporf_status predict(run *r, const sporf_predict_options *how) {
    size_t rows = r->test->rows;
    double *outputs = spf_alloc(rows, r->result->width * sizeof *outputs);
    uint32_t *classes = r->result->classes ? spf_alloc(rows, sizeof *classes) : NULL;
    sporf_predictions wanted = {.struct_size = sizeof wanted, .classes = classes};
    *(r->result->classes ? &wanted.probabilities : &wanted.values) = outputs;
    sporf_status status = outputs && (classes || !r->result->classes)
                              ? sporf_forest_predict(forest_of(r), r->test, how, &wanted)
                              : spf_raise_memory();
    if (status == SPORF_OK) scatter(r, classes, outputs);
    free(outputs);
    free(classes);
    return status;
}

static sporf_status note_params(run *r) {
    sporf_params *params = &r->result->params[r->fold];
    *params = r->params;
    SPF_TRY(sporf_forest_params(forest_of(r), params));
    params->class_weights = r->result->class_weights; /* the forest will be freed */
    params->cost = r->result->cost;
    params->recall = r->result->recall;
    return SPORF_OK;
}

static sporf_status score(run *r, sporf_crossval_scores *scores) {
    sporf_predict_options how;
    sporf_predict_options_init(&how);
    how.combine = r->options.combine;
    how.threads = r->params.threads;
    if (classes_tested(r, r->fold) > 0) SPF_TRY(evaluate(r, &how, scores));
    return predict(r, &how);
}

static sporf_status do_fold(run *r) {
    sporf_crossval_scores *scores = &r->result->scores[r->fold];
    double start = spf_work_clock();
    *scores = (sporf_crossval_scores){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    SPF_TRY(sporf_folds_split(r->folds, r->data, r->fold, &r->train, &r->test));
    sporf_status status = grow(r);
    if (r->work.stopped || status == SPORF_ERROR_CANCELLED)
        return spf_raise(SPORF_ERROR_CANCELLED, "stopped in fold %zu of %zu", r->fold + 1,
                         r->folds->count);
    SPF_TRY(status);
    SPF_TRY(note_params(r));
    SPF_TRY(score(r, scores));
    scores->seconds = spf_work_clock() - start;
    return SPORF_OK;
}

static void leave_fold(run *r) {
    sporf_forest_free(r->forest);
    sporf_search_free(r->search);
    sporf_dataset_free(r->train);
    sporf_dataset_free(r->test);
    r->forest = NULL;
    r->search = NULL;
    r->train = r->test = NULL;
}

/* ---- all folds ------------------------------------------------------------------------------- */

/* One of the scores of a fold, `place` doubles into their struct. On rows of one class Cohen's
 * kappa is 0 or undefined for any forest, and the paper's kappa has nothing to compare with. */
static double score_at(const run *r, size_t fold, size_t place) {
    const sporf_crossval_scores *scores = &r->result->scores[fold];
    const double *score = (const double *)scores + place;
    int is_kappa = score == &scores->kappa || score == &scores->kappa_paper;
    return is_kappa && classes_tested(r, fold) < 2 ? NAN : *score;
}

/* Mean and standard error of one of the scores. */
static void summarise(run *r, size_t place) {
    sporf_crossval *result = &r->result->shown;
    double sum = 0, squares = 0, count = 0;
    for (size_t k = 0; k < result->folds; k++) {
        double value = score_at(r, k, place);
        if (isnan(value)) continue;
        sum += value;
        count++;
    }
    double mean = sum / count;
    for (size_t k = 0; k < result->folds; k++) {
        double value = score_at(r, k, place);
        if (!isnan(value)) squares += (value - mean) * (value - mean);
    }
    ((double *)&result->mean)[place] = count > 0 ? mean : NAN;
    ((double *)&result->se)[place] = count > 1 ? sqrt(squares / (count - 1) / count) : NAN;
}

static sporf_status check(const sporf_dataset *data, const sporf_folds *folds) {
    if (folds->rows != data->rows)
        return spf_raise(SPORF_ERROR_ARGUMENT, "the folds are of %zu rows, but the data have %zu",
                         folds->rows, data->rows);
    SPF_TRY(spf_check_one_label(data, "cross-validation"));
    if (!data->labels && data->targets == 0)
        return spf_raise(SPORF_ERROR_DATA, "the data have no labels" SPF_HINT
                                           "name the column that holds them, or set them");
    return SPORF_OK;
}

static sporf_status prepare(run *r, const sporf_params *params,
                            const sporf_crossval_options *given) {
    SPF_TRY(check(r->data, r->folds));
    SPF_TRY(spf_work_params(params, &r->params));
    sporf_crossval_options_init(&r->options);
    SPF_TRY(
        spf_versioned_read(given, &r->options, sizeof r->options, "sporf_crossval_options_init"));
    r->work = (spf_work){.payload = r->options.payload,
                         .progress = r->options.progress,
                         .interrupt = r->options.interrupt,
                         .note = r->options.note,
                         .total = r->folds->count * spf_work_size(&r->params)};
    r->result = spf_alloc_zero(1, sizeof *r->result);
    if (!r->result) return spf_raise_memory();
    return allocate(r, r->result);
}

static void show(crossval_parts *result, size_t folds, int interrupted) {
    for (size_t k = 0; k < folds; k++) result->params_at[k] = &result->params[k];
    result->shown = (sporf_crossval){
        .folds = folds,
        .interrupted = interrupted,
        .scores = result->scores,
        .params = result->params_at,
        .trials = result->trials,
        .classes = result->classes,
        .probabilities = result->classes ? result->outputs : NULL,
        .values = result->classes ? NULL : result->outputs,
    };
}

sporf_status sporf_crossval_run(const sporf_dataset *data, const sporf_folds *folds,
                                const sporf_params *params, const sporf_crossval_options *options,
                                sporf_crossval **out) {
    if (!data || !folds || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "cross-validation needs data, folds and a place for the result");
    run r = {.data = data, .folds = folds};
    sporf_status status = prepare(&r, params, options);
    while (status == SPORF_OK && r.fold < folds->count) {
        status = do_fold(&r);
        leave_fold(&r);
        if (status == SPORF_OK) r.fold++;
    }
    int some = status == SPORF_ERROR_CANCELLED && r.fold > 0;
    if (status != SPORF_OK && !some) {
        sporf_crossval_free(r.result ? &r.result->shown : NULL);
        return status;
    }
    show(r.result, r.fold, some);
    for (size_t i = 0; i < sizeof(sporf_crossval_scores) / sizeof(double); i++) summarise(&r, i);
    *out = &r.result->shown;
    return SPORF_OK;
}
