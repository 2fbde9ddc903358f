/* Sums of predictions, and the errors of their means. */
#include "learn/oob_values.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

sporf_status spf_oob_values_create(const sporf_dataset *data, const spf_row_weights *weights,
                                   spf_oob_values *tally) {
    *tally = (spf_oob_values){.data = data, .weights = weights};
    tally->sums = spf_alloc_zero(data->targets * data->rows, sizeof *tally->sums);
    tally->trees = spf_alloc_zero(data->rows, sizeof *tally->trees);
    if (tally->sums && tally->trees) return SPORF_OK;
    spf_oob_values_free(tally);
    return spf_raise_memory();
}

void spf_oob_values_free(spf_oob_values *tally) {
    free(tally->sums);
    free(tally->trees);
    *tally = (spf_oob_values){0};
}

/* Squared errors of one target over the rows with a prediction, and the weight of these. */
static double squared_error(const spf_oob_values *tally, size_t target, double *weight) {
    const float *truth = spf_target_of(tally->data, target);
    const double *sums = tally->sums + target * tally->data->rows;
    double error = 0;
    *weight = 0;
    for (size_t i = 0; i < tally->data->rows; i++) {
        if (tally->trees[i] == 0) continue;
        double units = spf_row_units(tally->weights, i);
        double miss = sums[i] / tally->trees[i] - truth[i];
        error += units * miss * miss;
        *weight += units;
    }
    return error;
}

double spf_oob_values_add(spf_oob_values *tally, const spf_grown *grown) {
    size_t targets = tally->data->targets, rows = tally->data->rows;
    for (size_t i = 0; i < grown->oob_count; i++) {
        const float *value = grown->tree.leaf_value + grown->oob_leaf[i] * targets;
        uint32_t row = grown->oob_row[i];
        for (size_t t = 0; t < targets; t++) tally->sums[t * rows + row] += value[t];
        tally->trees[row]++;
    }
    double error = 0, weight = 0;
    for (size_t t = 0; t < targets; t++) error += squared_error(tally, t, &weight);
    return weight > 0 ? sqrt(error / (weight * (double)targets)) : NAN;
}

size_t spf_oob_values_rows(const spf_oob_values *tally) {
    size_t rows = 0;
    for (size_t i = 0; i < tally->data->rows; i++) rows += tally->trees[i] > 0;
    return rows;
}

/* Squared distances from the mean, over the same rows. */
static double squared_spread(const spf_oob_values *tally, size_t target) {
    const float *truth = spf_target_of(tally->data, target);
    double sum = 0, weight = 0, spread = 0;
    for (size_t i = 0; i < tally->data->rows; i++) {
        double units = tally->trees[i] > 0 ? spf_row_units(tally->weights, i) : 0;
        sum += units * truth[i];
        weight += units;
    }
    for (size_t i = 0; i < tally->data->rows; i++) {
        double units = tally->trees[i] > 0 ? spf_row_units(tally->weights, i) : 0;
        spread += units * (truth[i] - sum / weight) * (truth[i] - sum / weight);
    }
    return spread;
}

double spf_oob_values_r2(const spf_oob_values *tally) {
    size_t targets = tally->data->targets;
    double sum = 0, weight;
    for (size_t t = 0; t < targets; t++) {
        double spread = squared_spread(tally, t);
        sum += spread > 0 ? 1 - squared_error(tally, t, &weight) / spread : NAN;
    }
    return sum / (double)targets;
}
