/* What a report needs before its first chapter: importances, a sample of the rows, predictions for
 * them, and scores. */
#include "report/report.h"

#include "base/rng.h"
#include "base/system.h"
#include "report/baseline.h"
#include "report/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Probabilities of that many rows times classes are held, 160 MB. */
#define OUTPUTS_MOST 2e7

/* ---- samples --------------------------------------------------------------------------------- */

/* Selection sampling: row i is taken with the share of what is still needed among those left. */
sporf_status spf_report_sample(const spf_report *report, size_t rows, size_t most, uint32_t **list,
                               size_t *count) {
    *count = rows < most ? rows : most;
    uint32_t *taken = spf_alloc(*count, sizeof *taken);
    if (!taken) return spf_raise_memory();
    sporf_random random = spf_random_start(report->options.seed, most, SPF_USE_REPORT);
    for (size_t i = 0, have = 0; have < *count; i++)
        if (spf_random_below64(&random, rows - i) < *count - have) taken[have++] = (uint32_t)i;
    *list = taken;
    return SPORF_OK;
}

static sporf_status choose_rows(spf_report *report, const sporf_dataset *data) {
    size_t rows = sporf_dataset_rows(data), width = report->models[0].width;
    size_t most = (size_t)(OUTPUTS_MOST / (double)(width > 0 ? width : 1));
    report->rows = report->data = data;
    report->scored = rows;
    if (rows == 0) return spf_raise(SPORF_ERROR_DATA, "the table has no rows");
    if (rows <= most) return SPORF_OK;
    SPF_TRY(spf_report_sample(report, rows, most, &report->row_numbers, &report->scored));
    SPF_TRY(sporf_dataset_select(data, report->row_numbers, report->scored, &report->sampled));
    report->rows = report->sampled;
    return SPORF_OK;
}

/* ---- models ---------------------------------------------------------------------------------- */

static sporf_status order_features(spf_report_model *model) {
    spf_rank *ranks = spf_alloc(model->features, sizeof *ranks);
    if (!ranks) return spf_raise_memory();
    for (size_t j = 0; j < model->features; j++) ranks[j] = (spf_rank){model->importances[j], j};
    spf_rank_sort(ranks, model->features);
    for (size_t j = 0; j < model->features; j++) model->order[j] = ranks[j].index;
    free(ranks);
    return SPORF_OK;
}

static sporf_status describe_model(spf_report_model *model) {
    model->features = sporf_forest_features(model->forest);
    model->classes = sporf_forest_classes(model->forest);
    model->targets = sporf_forest_targets(model->forest);
    model->labels = sporf_schema_label_columns(sporf_forest_schema(model->forest));
    model->width = model->classes > 0 ? model->classes : model->targets;
    model->importances = spf_alloc_zero(model->features, sizeof *model->importances);
    model->order = spf_alloc(model->features, sizeof *model->order);
    if (!model->importances || !model->order) return spf_raise_memory();
    SPF_TRY(sporf_forest_importances(model->forest, model->importances));
    return order_features(model);
}

/* Models are compared by what they predict: the same classes or targets. */
static sporf_status check_outcome(const spf_report *report, const spf_report_model *model) {
    const spf_report_model *first = &report->models[0];
    char a[SPF_REPORT_NAME_MAX], b[SPF_REPORT_NAME_MAX];
    int same = model->classes == first->classes && model->targets == first->targets;
    for (size_t k = 0; k < first->width && same; k++)
        same = strcmp(spf_output_name(first, k, a), spf_output_name(model, k, b)) == 0;
    if (same) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "models that predict different classes or targets cannot be compared; make a "
                     "report of each");
}

/* ---- predictions ----------------------------------------------------------------------------- */

/* Whether the rows may be those of the training: not many more than were out of bag in some tree.
 * With few trees, some rows never are; bags have at most about nine tenths of the rows. */
static int may_be_training(const spf_report *report, const spf_report_model *model) {
    sporf_oob oob;
    double never = 1, rows = (double)report->scored;
    sporf_forest_oob(model->forest, &oob);
    for (size_t t = 0; t < sporf_forest_trees(model->forest) && never > 1e-6; t++) never *= 0.9;
    return oob.rows > 0 && oob.rows <= report->scored &&
           (double)oob.rows >= (0.95 - never) * rows && !report->sampled &&
           (report->truth || report->true_values);
}

/* If they are, *again is the same forest with its out-of-bag predictions; otherwise NULL. Trees are
 * not grown again: their out-of-bag rows are found by replay. */
static sporf_status replay(const spf_report *report, const spf_report_model *model,
                           sporf_forest **again) {
    sporf_params params;
    *again = NULL;
    if (!may_be_training(report, model)) return SPORF_OK;
    sporf_params_init(&params);
    SPF_TRY(sporf_forest_params(model->forest, &params));
    params.trees = (uint32_t)sporf_forest_trees(model->forest);
    params.threads = report->options.threads;
    sporf_hooks hooks = report->hooks;
    hooks.progress = NULL;
    sporf_status status = sporf_forest_extend(model->forest, report->rows, &params, &hooks, again);
    if (status == SPORF_ERROR_MEMORY || status == SPORF_ERROR_CANCELLED) return status;
    return SPORF_OK; /* other rows are refused */
}

static sporf_status take_out_of_bag(const spf_report *report, spf_report_model *model,
                                    const sporf_forest *again) {
    sporf_oob oob;
    sporf_forest_oob(again, &oob);
    model->out_of_bag = 1;
    if (model->targets > 0) {
        memcpy(model->outputs, oob.predictions,
               report->scored * model->targets * sizeof *model->outputs);
        return SPORF_OK;
    }
    SPF_TRY(sporf_forest_oob_probabilities(again, model->outputs));
    return sporf_forest_decide(model->forest, model->outputs, report->scored, model->predicted);
}

static sporf_status predict_rows(const spf_report *report, spf_report_model *model) {
    sporf_predict_options how;
    sporf_predictions wanted;
    sporf_predict_options_init(&how);
    sporf_predictions_init(&wanted);
    how.threads = report->options.threads;
    how.combine = report->options.combine;
    how.calibration = report->options.calibration;
    wanted.classes = model->predicted;
    wanted.probabilities = model->classes > 0 ? model->outputs : NULL;
    wanted.values = model->targets > 0 ? model->outputs : NULL;
    return sporf_forest_predict(model->forest, report->rows, &how, &wanted);
}

static sporf_status find_predictions(const spf_report *report, spf_report_model *model) {
    model->outputs = spf_alloc(report->scored, model->width * sizeof *model->outputs);
    if (model->classes > 0) model->predicted = spf_alloc(report->scored, sizeof *model->predicted);
    if (!model->outputs || (model->classes > 0 && !model->predicted)) return spf_raise_memory();
    int64_t start = spf_system_clock();
    sporf_forest *again;
    sporf_status status = replay(report, model, &again);
    sporf_oob oob;
    sporf_forest_oob(model->forest, &oob);
    model->other_rows = oob.rows > 0 && !report->sampled && !may_be_training(report, model);
    if (status == SPORF_OK)
        status = again ? take_out_of_bag(report, model, again) : predict_rows(report, model);
    sporf_forest_free(again);
    model->seconds = (double)(spf_system_clock() - start) / 1e9;
    return status;
}

/* ---- the truth ------------------------------------------------------------------------------- */

/* The number of each class of the data in the model, or the number of classes. */
static sporf_status find_true_classes(spf_report *report) {
    const uint32_t *labels = sporf_dataset_labels(report->rows);
    const sporf_schema *own = sporf_forest_schema(report->models[0].forest);
    const sporf_schema *schema = sporf_dataset_schema(report->rows);
    size_t classes = report->models[0].classes, theirs = sporf_dataset_classes(report->rows);
    if (!labels) return SPORF_OK;
    uint32_t *map = spf_alloc(theirs, sizeof *map);
    report->truth = spf_alloc(report->scored, sizeof *report->truth);
    if (!map || !report->truth) {
        free(map);
        return spf_raise_memory();
    }
    for (size_t k = 0; k < theirs; k++) {
        size_t c = 0;
        while (c < classes &&
               strcmp(sporf_schema_class_name(own, c), sporf_schema_class_name(schema, k)) != 0)
            c++;
        map[k] = (uint32_t)c;
    }
    for (size_t i = 0; i < report->scored; i++) report->truth[i] = map[labels[i]];
    free(map);
    return SPORF_OK;
}

/* By name, or by position if there are no such names. A class of a label that no row has: NULL. */
static const float *true_target(const spf_report *report, size_t target) {
    size_t labels = report->models[0].labels;
    const char *name =
        sporf_schema_target_name(sporf_forest_schema(report->models[0].forest), target);
    const sporf_schema *schema = sporf_dataset_schema(report->rows);
    for (size_t k = 0; name && k < sporf_dataset_targets(report->rows); k++) {
        const char *other = sporf_schema_target_name(schema, k);
        if (other && strcmp(other, name) == 0) return sporf_dataset_target(report->rows, k);
    }
    return labels > 0 ? NULL : sporf_dataset_target(report->rows, target);
}

static sporf_status find_true_values(spf_report *report) {
    size_t targets = report->models[0].targets;
    int same = report->models[0].labels > 0
                   ? sporf_schema_label_columns(sporf_dataset_schema(report->rows)) > 0
                   : sporf_dataset_targets(report->rows) == targets;
    if (targets == 0 || !same) return SPORF_OK;
    report->true_values = spf_alloc(report->scored, targets * sizeof *report->true_values);
    if (!report->true_values) return spf_raise_memory();
    for (size_t k = 0; k < targets; k++) {
        const float *values = true_target(report, k);
        for (size_t i = 0; i < report->scored; i++)
            report->true_values[i * targets + k] = values ? (double)values[i] : 0;
    }
    return SPORF_OK;
}

static sporf_status find_weights(spf_report *report) {
    const float *weights = sporf_dataset_weights(report->rows);
    if (!weights) return SPORF_OK;
    report->weights = spf_alloc(report->scored, sizeof *report->weights);
    if (!report->weights) return spf_raise_memory();
    for (size_t i = 0; i < report->scored; i++) report->weights[i] = (double)weights[i];
    return SPORF_OK;
}

/* ---- scores ---------------------------------------------------------------------------------- */

/* Less than half a second; fewer than a hundred draws would give poor ends. */
static uint32_t affordable(size_t rows, size_t classes) {
    double most = 5e7 / ((double)rows * (double)(classes + 1));
    return most >= 400 ? 400 : most >= 100 ? (uint32_t)most : 0;
}

static sporf_status find_scores(const spf_report *report, spf_report_model *model) {
    sporf_scored_rows scored;
    sporf_score_options how;
    if (!report->truth) return SPORF_OK;
    model->by_class = spf_alloc_zero(model->classes, sizeof *model->by_class);
    if (!model->by_class) return spf_raise_memory();
    sporf_scored_rows_init(&scored);
    sporf_score_options_init(&how);
    scored.rows = report->scored;
    scored.classes = model->classes;
    scored.probabilities = model->outputs;
    scored.labels = report->truth;
    scored.weights = report->weights;
    scored.predicted = model->predicted;
    how.replicates = affordable(report->scored, model->classes);
    how.seed = report->options.seed;
    how.threads = report->options.threads;
    sporf_class_scores_init(&model->scores);
    model->scores.by_class = model->by_class;
    model->scores.calibration = &model->calibration;
    SPF_TRY(sporf_score_classes(&scored, &how, &model->scores));
    return spf_baseline_find(report, model);
}

static sporf_status gather_data(spf_report *report, const sporf_dataset *data) {
    SPF_TRY(choose_rows(report, data));
    SPF_TRY(report->models[0].classes > 0 ? find_true_classes(report) : find_true_values(report));
    SPF_TRY(find_weights(report));
    for (size_t m = 0; m < report->count; m++) {
        SPF_TRY(find_predictions(report, &report->models[m]));
        SPF_TRY(find_scores(report, &report->models[m]));
    }
    return SPORF_OK;
}

sporf_status spf_report_gather(spf_report *report, const sporf_forest *const *forests, size_t count,
                               const sporf_dataset *data) {
    static const char *const usual[SPF_REPORT_MODELS] = {
        "model 1", "model 2", "model 3", "model 4", "model 5", "model 6", "model 7", "model 8"};
    if (count == 0 || count > SPF_REPORT_MODELS)
        return spf_raise(SPORF_ERROR_ARGUMENT, "a report is of 1 to %d models, not of %zu",
                         (int)SPF_REPORT_MODELS, count);
    for (size_t m = 0; m < count; m++) {
        spf_report_model *model = &report->models[m];
        model->forest = forests[m];
        const char *name = report->options.names ? report->options.names[m] : NULL;
        model->name = name ? name : count == 1 ? "the model" : usual[m];
        report->count = m + 1;
        SPF_TRY(describe_model(model));
        SPF_TRY(check_outcome(report, model));
    }
    return data ? gather_data(report, data) : SPORF_OK;
}

void spf_report_free(spf_report *report) {
    for (size_t m = 0; m < report->count; m++) {
        spf_report_model *model = &report->models[m];
        free(model->importances);
        free(model->order);
        free(model->outputs);
        free(model->predicted);
        free(model->by_class);
    }
    sporf_dataset_free(report->sampled);
    free(report->row_numbers);
    free(report->truth);
    free(report->true_values);
    free(report->weights);
    spf_page_free(&report->page);
}
