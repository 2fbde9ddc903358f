/* Each vote changes its row's leader at most to the voted class, so errors are kept up to date
 * without looking at the other rows. */
#include "learn/oob.h"

#include "data/metric.h"

#include <math.h>
#include <stdlib.h>

enum { NO_LEADER = UINT32_MAX };

sporf_status spf_oob_create(const sporf_dataset *data, spf_oob_tally *tally) {
    *tally = (spf_oob_tally){.data = data};
    tally->votes = spf_alloc_zero(data->rows, data->classes.count * sizeof *tally->votes);
    tally->leader = spf_alloc(data->rows, sizeof *tally->leader);
    if (!tally->votes || !tally->leader) {
        spf_oob_free(tally);
        return spf_raise_memory();
    }
    for (size_t i = 0; i < data->rows; i++) tally->leader[i] = NO_LEADER;
    return SPORF_OK;
}

void spf_oob_free(spf_oob_tally *tally) {
    free(tally->votes);
    free(tally->leader);
    *tally = (spf_oob_tally){0};
}

/* Whether `vote` now leads: more votes than the leader, or as many and the lower index. */
static int overtakes(const uint32_t *votes, uint32_t vote, uint32_t leader) {
    if (leader == NO_LEADER) return 1;
    return votes[vote] > votes[leader] || (votes[vote] == votes[leader] && vote < leader);
}

static void add_vote(spf_oob_tally *tally, size_t row, uint32_t vote) {
    uint32_t *votes = tally->votes + row * tally->data->classes.count;
    uint32_t leader = tally->leader[row], label = tally->data->labels[row];
    votes[vote]++;
    if (!overtakes(votes, vote, leader)) return;
    if (leader == NO_LEADER)
        tally->voted++;
    else
        tally->wrong -= leader != label;
    tally->wrong += vote != label;
    tally->leader[row] = vote;
}

double spf_oob_add(spf_oob_tally *tally, const spf_grown *grown) {
    for (size_t i = 0; i < grown->oob_count; i++)
        add_vote(tally, grown->oob_row[i], spf_leaf_vote(&grown->tree, grown->oob_leaf[i]));
    return tally->voted ? (double)tally->wrong / (double)tally->voted : NAN;
}

sporf_status spf_oob_kappa(const spf_oob_tally *tally, double *kappa) {
    size_t classes = tally->data->classes.count;
    size_t *true_count = spf_alloc_zero(2 * classes, sizeof *true_count);
    if (!true_count) return spf_raise_memory();
    size_t *predicted_count = true_count + classes;
    for (size_t i = 0; i < tally->data->rows; i++) {
        if (tally->leader[i] == NO_LEADER) continue;
        true_count[tally->data->labels[i]]++;
        predicted_count[tally->leader[i]]++;
    }
    *kappa = tally->voted ? spf_cohen_kappa(tally->voted, tally->voted - tally->wrong, true_count,
                                            predicted_count, classes)
                          : NAN;
    free(true_count);
    return SPORF_OK;
}
