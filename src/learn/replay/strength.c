/* Breiman, Random forests, Machine Learning 45 (2001), section 2.2 and appendix II. The margin of a
 * row is the share of its out-of-bag votes for its class minus the largest share of another one.
 * The raw margin of one tree is 1 if it is right, -1 if it votes for that other class, and
 * otherwise 0; so its variance is p1 + p2 - (p1 - p2)^2, where p1 and p2 are the shares of the two
 * cases. (Appendix II prints the last sign as a plus, with which a variable of values 1 and -1
 * could have a variance above 1.) */
#include "learn/replay/strength.h"

#include "base/sum.h"
#include "learn/outcome/classification_oob.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    const spf_oob_replay *replay;
    uint32_t *rival; /* [rows]: the other class with most votes */
    double *spread;  /* [trees]: standard deviation of the raw margin; NaN without rows */
} measuring;

/* The first class with most votes, except the label. */
static uint32_t rival_of(const uint32_t *votes, size_t classes, uint32_t label) {
    uint32_t rival = label == 0;
    for (uint32_t k = 0; k < classes; k++)
        if (k != label && votes[k] > votes[rival]) rival = k;
    return rival;
}

static sporf_status measure_tree(void *context, uint32_t tree, const spf_grown *grown,
                                 unsigned worker) {
    (void)worker;
    const measuring *m = context;
    const uint32_t *labels = m->replay->plan.outcome.labels;
    uint64_t right = 0, rival = 0, all = 0;
    for (size_t i = 0; i < grown->oob_count; i++) {
        uint32_t row = grown->oob_row[i], units = spf_row_units(m->replay->weights, row);
        uint32_t vote = spf_leaf_vote(&grown->tree, grown->oob_leaf[i]);
        all += units;
        right += vote == labels[row] ? units : 0;
        rival += vote == m->rival[row] ? units : 0;
    }
    double p1 = (double)right / (double)all, p2 = (double)rival / (double)all;
    double difference = p1 - p2;
    m->spread[tree] = all > 0 ? sqrt(fmax(0, p1 + p2 - difference * difference)) : NAN;
    return SPORF_OK;
}

/* Mean and variance of the margin over the rows with votes, weighted. */
static double measure_rows(const measuring *m, sporf_strength *strength) {
    const spf_votes *tally = (const spf_votes *)m->replay->tally;
    const spf_outcome *outcome = tally->outcome;
    size_t classes = outcome->classes;
    spf_sum sum = {0}, squares = {0};
    for (size_t i = 0; i < outcome->rows; i++) {
        const uint32_t *votes = tally->votes + i * classes;
        uint32_t label = outcome->labels[i];
        double all = 0, units = spf_row_units(outcome->weights, i);
        for (size_t k = 0; k < classes; k++) all += votes[k];
        m->rival[i] = rival_of(votes, classes, label);
        if (all == 0) continue;
        double margin = ((double)votes[label] - (double)votes[m->rival[i]]) / all;
        spf_sum_add(&sum, units * margin);
        spf_sum_add(&squares, units * margin * margin);
    }
    double mean = spf_sum_value(&sum) / (double)tally->voted;
    strength->rows = tally->rows;
    strength->strength = mean;
    return fmax(0, spf_sum_value(&squares) / (double)tally->voted - mean * mean);
}

static double mean_spread(const measuring *m) {
    spf_sum sum = {0};
    size_t trees = 0;
    for (size_t t = 0; t < m->replay->forest->trees_count; t++) {
        if (isnan(m->spread[t])) continue;
        spf_sum_add(&sum, m->spread[t]);
        trees++;
    }
    return spf_sum_value(&sum) / (double)trees;
}

static sporf_status measure(measuring *m, sporf_strength *strength) {
    double variance = measure_rows(m, strength), s = strength->strength;
    SPF_TRY(spf_oob_replay_trees(m->replay, measure_tree, NULL, m));
    double spread = mean_spread(m);
    strength->correlation = spread > 0 ? variance / (spread * spread) : NAN;
    strength->bound = s == 1 ? 0 : s > 0 ? strength->correlation * (1 - s * s) / (s * s) : NAN;
    return SPORF_OK;
}

sporf_status spf_strength(const spf_oob_replay *replay, sporf_strength *strength) {
    measuring m = {.replay = replay};
    m.rival = spf_alloc(replay->plan.data->rows, sizeof *m.rival);
    m.spread = spf_alloc(replay->forest->trees_count, sizeof *m.spread);
    sporf_status status = m.rival && m.spread ? measure(&m, strength) : spf_raise_memory();
    free(m.rival);
    free(m.spread);
    return status;
}
