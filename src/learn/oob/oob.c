/* A vote changes the leading class of its row at most to the voted one, so errors are kept up to
 * date without looking at the other rows. */
#include "learn/oob/oob.h"

#include "score/metric.h"

#include <math.h>
#include <stdlib.h>

sporf_status spf_oob_create(const sporf_dataset *data, const spf_row_weights *weights,
                            spf_oob_tally *tally) {
    *tally = (spf_oob_tally){.data = data, .weights = weights};
    enum { FEW_CLASSES = 8 };
    int many = data->classes.count > FEW_CLASSES;
    tally->votes = spf_alloc_zero(data->rows, data->classes.count * sizeof *tally->votes);
    if (many) tally->leader = spf_alloc_zero(data->rows, sizeof *tally->leader);
    if (tally->votes && (tally->leader || !many)) return SPORF_OK;
    spf_oob_free(tally);
    return spf_raise_memory();
}

void spf_oob_free(spf_oob_tally *tally) {
    free(tally->votes);
    free(tally->leader);
    *tally = (spf_oob_tally){0};
}

/* The first of the classes with most votes; 0 without any. */
static uint32_t leader_of(const spf_oob_tally *tally, size_t row) {
    if (tally->leader) return tally->leader[row];
    size_t classes = tally->data->classes.count;
    const uint32_t *votes = tally->votes + row * classes;
    uint32_t leader = 0;
    for (uint32_t k = 1; k < classes; k++) leader = votes[k] > votes[leader] ? k : leader;
    return leader;
}

static void add_vote(spf_oob_tally *tally, size_t row, uint32_t vote) {
    uint32_t *votes = tally->votes + row * tally->data->classes.count;
    uint32_t before = leader_of(tally, row), label = tally->data->labels[row];
    uint32_t weight = spf_row_units(tally->weights, row);
    if (votes[before] == 0) {
        tally->rows++;
        tally->voted += weight;
    } else if (before != label) {
        tally->wrong -= weight;
    }
    votes[vote]++;
    int overtakes = votes[vote] > votes[before] || (votes[vote] == votes[before] && vote < before);
    uint32_t leader = overtakes ? vote : before;
    tally->wrong += leader != label ? weight : 0;
    if (tally->leader) tally->leader[row] = leader;
}

double spf_oob_add(spf_oob_tally *tally, const spf_grown *grown) {
    for (size_t i = 0; i < grown->oob_count; i++)
        add_vote(tally, grown->oob_row[i], spf_leaf_vote(&grown->tree, grown->oob_leaf[i]));
    return tally->voted ? (double)tally->wrong / (double)tally->voted : NAN;
}

sporf_status spf_oob_kappa(const spf_oob_tally *tally, double *kappa) {
    size_t classes = tally->data->classes.count;
    double *true_weight = spf_alloc_zero(2 * classes, sizeof *true_weight);
    if (!true_weight) return spf_raise_memory();
    double *predicted_weight = true_weight + classes;
    for (size_t i = 0; i < tally->data->rows; i++) {
        const uint32_t *votes = tally->votes + i * classes;
        uint32_t leader = leader_of(tally, i);
        if (votes[leader] == 0) continue;
        true_weight[tally->data->labels[i]] += spf_row_units(tally->weights, i);
        predicted_weight[leader] += spf_row_units(tally->weights, i);
    }
    double voted = (double)tally->voted, agree = (double)(tally->voted - tally->wrong);
    *kappa =
        tally->voted ? spf_cohen_kappa(voted, agree, true_weight, predicted_weight, classes) : NAN;
    free(true_weight);
    return SPORF_OK;
}
