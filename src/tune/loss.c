/* Losses of classification and of regression. */
#include "tune/loss.h"

#include "score/auc.h"

#include <math.h>

/* ---- classification -------------------------------------------------------------------------- */

static size_t votes_bytes(const sporf_dataset *data) {
    return data->schema.classes.count * sizeof(uint32_t);
}

static void place_votes(sporf_predictions *wanted, void *predictions) {
    wanted->votes = predictions;
}

static const void *oob_votes(const sporf_oob *oob) {
    return oob->votes;
}

static void find_wrong(const sporf_dataset *data, const void *predictions, float *loss) {
    size_t classes = data->schema.classes.count;
    for (size_t i = 0; i < data->rows; i++) {
        const uint32_t *votes = (const uint32_t *)predictions + i * classes;
        size_t leader = 0;
        for (size_t k = 1; k < classes; k++) leader = votes[k] > votes[leader] ? k : leader;
        loss[i] = votes[leader] == 0 ? NAN : (float)(leader != data->labels[i]);
    }
}

static double error_rate(double mean_loss) {
    return mean_loss;
}

static sporf_status auc_of_votes(const sporf_dataset *data, const void *predictions,
                                 const double *weights, double *auc) {
    return spf_auc(data->rows, data->schema.classes.count, predictions, data->labels, weights, auc);
}

static const spf_loss of_classes = {1,          votes_bytes, place_votes, oob_votes,
                                    find_wrong, error_rate,  auc_of_votes};

/* ---- regression ------------------------------------------------------------------------------ */

static size_t values_bytes(const sporf_dataset *data) {
    return data->targets * sizeof(double);
}

static void place_values(sporf_predictions *wanted, void *predictions) {
    wanted->values = predictions;
}

static const void *oob_values(const sporf_oob *oob) {
    return oob->predictions;
}

static void find_squares(const sporf_dataset *data, const void *predictions, float *loss) {
    const double *values = predictions;
    size_t targets = data->targets;
    for (size_t i = 0; i < data->rows; i++) {
        double sum = 0;
        for (size_t t = 0; t < targets; t++) {
            double off = values[i * targets + t] - spf_target_of(data, t)[i];
            sum += off * off;
        }
        loss[i] = (float)(sum / (double)targets);
    }
}

static const spf_loss of_targets = {0,    values_bytes, place_values, oob_values, find_squares,
                                    sqrt, NULL};

const spf_loss *spf_loss_of(const sporf_dataset *data) {
    return data->targets > 0 ? &of_targets : &of_classes;
}
