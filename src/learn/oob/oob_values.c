/* Sums of predictions, and the errors of their means. */
#include "learn/oob/oob_values.h"

#include "base/memory.h"
#include "data/weights.h"
#include "score/regression_metric.h"

#include <math.h>
#include <stdlib.h>

sporf_status spf_oob_values_create(const sporf_dataset *data, const spf_row_weights *row_weights,
                                   spf_oob_values *tally) {
    *tally = (spf_oob_values){.data = data, .row_weights = row_weights};
    tally->sums = spf_alloc_zero(data->rows * data->targets, sizeof *tally->sums);
    tally->trees = spf_alloc_zero(data->rows, sizeof *tally->trees);
    tally->predicted = spf_alloc_zero(data->rows, sizeof *tally->predicted);
    tally->weights = spf_alloc_zero(data->rows, sizeof *tally->weights);
    if (tally->sums && tally->trees && tally->predicted && tally->weights) return SPORF_OK;
    spf_oob_values_free(tally);
    return spf_raise_memory();
}

void spf_oob_values_free(spf_oob_values *tally) {
    free(tally->sums);
    free(tally->trees);
    free(tally->predicted);
    free(tally->weights);
    *tally = (spf_oob_values){0};
}

static void predict(spf_oob_values *tally, size_t target) {
    size_t targets = tally->data->targets;
    const double *sums = tally->sums + target;
    for (size_t i = 0; i < tally->data->rows; i++)
        if (tally->trees[i] > 0) tally->predicted[i] = sums[i * targets] / tally->trees[i];
}

static double squared_error(spf_oob_values *tally, size_t target) {
    predict(tally, target);
    return spf_mean_square(tally->data->rows, spf_target_of(tally->data, target), tally->predicted,
                           tally->weights);
}

/* Counts as they were given, relative weights in units: so their scale makes no difference. */
static float weight_of(const spf_oob_values *tally, uint32_t row) {
    const spf_row_weights *w = tally->row_weights;
    return w->counts ? (float)spf_weight_of(tally->data, row) : (float)spf_row_units(w, row);
}

double spf_oob_values_add(spf_oob_values *tally, const spf_grown *grown) {
    size_t targets = tally->data->targets;
    for (size_t i = 0; i < grown->oob_count; i++) {
        const float *value = grown->tree.leaf_value + grown->oob_leaf[i] * targets;
        uint32_t row = grown->oob_row[i];
        for (size_t t = 0; t < targets; t++) tally->sums[row * targets + t] += value[t];
        tally->trees[row]++;
        tally->weights[row] = weight_of(tally, row);
    }
    double error = 0;
    for (size_t t = 0; t < targets; t++) error += squared_error(tally, t);
    return sqrt(error / (double)targets);
}

size_t spf_oob_values_rows(const spf_oob_values *tally) {
    size_t rows = 0;
    for (size_t i = 0; i < tally->data->rows; i++) rows += tally->trees[i] > 0;
    return rows;
}

sporf_status spf_oob_values_scores(spf_oob_values *tally, spf_target_scores **scores) {
    size_t rows = tally->data->rows, targets = tally->data->targets;
    *scores = spf_alloc(targets, sizeof **scores);
    if (!*scores) return spf_raise_memory();
    for (size_t t = 0; t < targets; t++) {
        const float *truth = spf_target_of(tally->data, t);
        predict(tally, t);
        (*scores)[t] = (spf_target_scores){
            .rmse = spf_rmse(rows, truth, tally->predicted, tally->weights),
            .mae = spf_mae(rows, truth, tally->predicted, tally->weights),
            .r2 = spf_r2(rows, truth, tally->predicted, tally->weights),
        };
    }
    return SPORF_OK;
}

void spf_oob_values_hand_over(spf_oob_values *tally, double **predictions) {
    size_t targets = tally->data->targets;
    for (size_t i = 0; i < tally->data->rows; i++)
        for (size_t t = 0; t < targets; t++) {
            double *sum = &tally->sums[i * targets + t];
            *sum = tally->trees[i] > 0 ? *sum / tally->trees[i] : NAN;
        }
    *predictions = tally->sums;
    tally->sums = NULL;
}

double spf_mean_r2(const spf_target_scores *scores, size_t targets) {
    double sum = 0, varying = 0;
    for (size_t t = 0; t < targets; t++) {
        if (isnan(scores[t].r2)) continue;
        sum += scores[t].r2;
        varying++;
    }
    return varying > 0 ? sum / varying : NAN;
}
