/* Predicted classes compared with labels: error, kappa, log loss, confusion and calibration, in one
 * pass over the rows. */
#include "api/evaluate_classes.h"

#include "api/match.h"
#include "api/predict_options.h"
#include "data/labels.h"
#include "data/weights.h"
#include "predict/predict.h"
#include "score/calibration.h"
#include "score/metric.h"
#include "score/scored.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* For each class of the data its number in the model; `classes` or more if the model does not know
 * it. */
static sporf_status number_labels(const sporf_forest *forest, const sporf_dataset *data,
                                  uint32_t *number) {
    spf_dictionary names = {0};
    sporf_status status = SPORF_OK;
    uint32_t ignored;
    for (size_t k = 0; status == SPORF_OK && k < forest->classes; k++) {
        const char *name = spf_strings_at(&forest->schema.classes, k);
        status = spf_dictionary_add(&names, name, strlen(name), &ignored);
    }
    for (size_t k = 0; status == SPORF_OK && k < data->schema.classes.count; k++) {
        const char *name = spf_strings_at(&data->schema.classes, k);
        status = spf_dictionary_add(&names, name, strlen(name), &number[k]);
    }
    spf_dictionary_free(&names);
    return status;
}

/* Rows are predicted block by block: probabilities of all rows would take rows x classes. */
enum { EVALUATED_ROWS = 4096 };

typedef struct {
    spf_calibration calibration;
    const sporf_forest *forest;
    const sporf_dataset *data;
    const float **columns; /* of the block, in the model's order */
    int has_missing;       /* some of their values may be missing */
    uint32_t *number;      /* [data classes] */
    uint32_t *predicted;   /* [EVALUATED_ROWS] */
    double *probabilities; /* [EVALUATED_ROWS x classes] */
    size_t all_classes;    /* those of the model and unknown ones */
    /* sums of row weights, which are 1 if the data have none */
    double *true_weight, *predicted_weight; /* [all classes] */
    double total, agree;
} evaluation;

static void release(evaluation *e) {
    free(e->columns);
    free(e->number);
    free(e->predicted);
    free(e->probabilities);
    free(e->true_weight);
    free(e->predicted_weight);
}

static sporf_status allocate(evaluation *e) {
    size_t block = e->data->rows < EVALUATED_ROWS ? e->data->rows : EVALUATED_ROWS;
    e->all_classes = e->forest->classes + e->data->schema.classes.count;
    e->number = spf_alloc(e->data->schema.classes.count, sizeof *e->number);
    e->predicted = spf_alloc(block, sizeof *e->predicted);
    e->probabilities = spf_alloc(block, e->forest->classes * sizeof *e->probabilities);
    e->true_weight = spf_alloc_zero(e->all_classes, sizeof *e->true_weight);
    e->predicted_weight = spf_alloc_zero(e->all_classes, sizeof *e->predicted_weight);
    return e->number && e->predicted && e->probabilities && e->true_weight && e->predicted_weight
               ? SPORF_OK
               : spf_raise_memory();
}

static double loss(const evaluation *e, size_t row, uint32_t label) {
    size_t classes = e->forest->classes;
    double share = label < classes ? e->probabilities[row * classes + label] : 0;
    return spf_log_loss(share);
}

static void count_block(evaluation *e, size_t begin, size_t rows, sporf_evaluation *scores) {
    size_t classes = e->forest->classes;
    for (size_t i = 0; i < rows; i++) {
        uint32_t label = e->number[e->data->labels[begin + i]], predicted = e->predicted[i];
        double weight = spf_weight_of(e->data, begin + i);
        e->total += weight;
        if (label == predicted) e->agree += weight;
        e->true_weight[label] += weight;
        e->predicted_weight[predicted] += weight;
        scores->unknown_labels += label >= classes;
        scores->log_loss += weight * loss(e, i, label);
        if (scores->confusion)
            scores->confusion[(label < classes ? label : classes) * classes + predicted]++;
        spf_calibration_add(&e->calibration, e->probabilities + i * classes, classes, predicted,
                            label, e->data->weights ? (double)e->data->weights[begin + i] : 1);
    }
}

/* Copies what the caller wants of each row. */
static void copy_block(const evaluation *e, size_t begin, size_t rows,
                       const sporf_evaluation *scores) {
    size_t classes = e->forest->classes;
    if (scores->probabilities)
        memcpy(scores->probabilities + begin * classes, e->probabilities,
               rows * classes * sizeof *e->probabilities);
    if (scores->predicted)
        memcpy(scores->predicted + begin, e->predicted, rows * sizeof *e->predicted);
    for (size_t i = 0; scores->labels && i < rows; i++) {
        uint32_t label = e->number[e->data->labels[begin + i]];
        scores->labels[begin + i] = label < classes ? label : (uint32_t)classes;
    }
}

static sporf_status count_rows(evaluation *e, const sporf_predict_options *options,
                               sporf_evaluation *scores) {
    size_t classes = e->forest->classes, rows = e->data->rows;
    const spf_decision *decision;
    SPF_TRY(spf_predict_decision(e->forest, options, &decision));
    scores->log_loss = 0;
    if (scores->confusion)
        memset(scores->confusion, 0, (classes + 1) * classes * sizeof *scores->confusion);
    for (size_t begin = 0; begin < rows; begin += EVALUATED_ROWS) {
        size_t block = rows - begin < EVALUATED_ROWS ? rows - begin : EVALUATED_ROWS;
        SPF_TRY(spf_predict(
            e->forest, &(spf_values){e->columns, block, e->has_missing},
            spf_combining_of(e->forest, options->combine, options->calibration), options->threads,
            &(spf_predictions){
                .classes = e->predicted, .decision = decision, .outputs = e->probabilities}));
        count_block(e, begin, block, scores);
        copy_block(e, begin, block, scores);
        for (size_t j = 0; j < e->forest->features; j++) e->columns[j] += block;
    }
    return SPORF_OK;
}

static sporf_status score(const evaluation *e, sporf_evaluation *scores) {
    if (!(e->total > 0))
        return spf_raise(SPORF_ERROR_DATA, "all weights are 0: no row is left to evaluate");
    scores->rows = e->data->rows;
    scores->error = (e->total - e->agree) / e->total;
    scores->log_loss /= e->total;
    scores->kappa =
        spf_cohen_kappa(e->total, e->agree, e->true_weight, e->predicted_weight, e->all_classes);
    scores->kappa_paper = spf_kappa_paper(e->total, e->agree, e->true_weight, e->all_classes);
    return SPORF_OK;
}

sporf_status spf_evaluate_classes(const sporf_forest *forest, const sporf_dataset *data,
                                  const sporf_predict_options *options, sporf_evaluation *scores) {
    if (!data->labels || data->rows == 0)
        return spf_raise(SPORF_ERROR_DATA,
                         "evaluation needs labels" SPF_HINT
                         "name the column that holds them (" SPF_OPTION("label") ")");
    evaluation e = {.forest = forest, .data = data};
    sporf_status status = allocate(&e);
    if (status == SPORF_OK) status = number_labels(forest, data, e.number);
    if (status == SPORF_OK) status = spf_match_columns(forest, data, &e.columns, &e.has_missing);
    if (status == SPORF_OK) status = count_rows(&e, options, scores);
    if (status == SPORF_OK) status = score(&e, scores);
    release(&e);
    if (status == SPORF_OK && scores->calibration)
        spf_calibration_result(&e.calibration, scores->calibration);
    return status;
}
