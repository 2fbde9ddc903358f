/* From the votes of trees, or the sums of their outputs, to what is predicted. */
#include "predict/prediction.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static uint32_t most_votes(const uint32_t *votes, size_t classes) {
    size_t best = 0;
    for (size_t k = 1; k < classes; k++)
        if (votes[k] > votes[best]) best = k;
    return (uint32_t)best;
}

/* Turns the votes of a row into probabilities. */
static void finish_row(const spf_prediction *p, const uint32_t *votes, double *row) {
    for (size_t k = 0; k < p->forest->classes; k++) row[k] = votes[k];
    spf_outputs_finish(p->forest, &p->how, 1, row);
}

static void finish_votes(const spf_prediction *p, const spf_prediction_buffers *d, size_t begin,
                         size_t count) {
    size_t classes = p->forest->classes;
    if (p->out.votes)
        memcpy(p->out.votes + begin * classes, d->votes, count * classes * sizeof *d->votes);
    if (p->how.adds != SPF_LEAF_VOTE) return;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *votes = d->votes + i * classes;
        double *row = p->out.outputs ? p->out.outputs + (begin + i) * classes : d->row;
        if (row) finish_row(p, votes, row);
        if (p->out.classes)
            p->out.classes[begin + i] = spf_decides(p) ? spf_decide(p->out.decision, row, classes)
                                                       : most_votes(votes, classes);
    }
}

static int compare_ballots(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* The most frequent of sorted ballots, the lowest in a tie. */
static uint32_t most_frequent(const uint32_t *ballots, size_t count) {
    size_t most = 0, begin = 0;
    uint32_t winner = 0;
    for (size_t i = 1; i <= count; i++) {
        if (i < count && ballots[i] == ballots[begin]) continue;
        if (i - begin > most) winner = ballots[begin];
        if (i - begin > most) most = i - begin;
        begin = i;
    }
    return winner;
}

static void finish_ballots(const spf_prediction *p, const spf_prediction_buffers *d, size_t begin,
                           size_t count) {
    size_t trees = p->forest->trees_count;
    for (size_t i = 0; i < count; i++) {
        uint32_t *own = d->ballots + i * trees;
        qsort(own, trees, sizeof *own, compare_ballots);
        p->out.classes[begin + i] = most_frequent(own, trees);
    }
}

static void finish_scores(const spf_prediction *p, const spf_prediction_buffers *d, size_t begin,
                          size_t count) {
    const spf_boosting *boosting = &p->forest->boosting;
    size_t outputs = spf_outputs(p->forest);
    for (size_t i = 0; i < count; i++) {
        double *own = p->out.scores + (begin + i) * boosting->outputs;
        memcpy(own, d->sums + i * outputs, boosting->outputs * sizeof *own);
        spf_boosting_score(boosting, own);
    }
}

static void finish_sums(const spf_prediction *p, const spf_prediction_buffers *d, size_t begin,
                        size_t count) {
    size_t outputs = spf_outputs(p->forest);
    if (p->out.scores) finish_scores(p, d, begin, count);
    spf_outputs_finish(p->forest, &p->how, count, d->sums);
    for (size_t i = 0; p->out.classes && i < count; i++)
        p->out.classes[begin + i] = spf_decide(p->out.decision, d->sums + i * outputs, outputs);
    if (p->out.outputs)
        memcpy(p->out.outputs + begin * outputs, d->sums, count * outputs * sizeof *d->sums);
}

sporf_status spf_prediction_create_row(const spf_prediction *p, spf_prediction_buffers *d) {
    if (!spf_decides(p) || !spf_counts_votes(p) || p->out.outputs) return SPORF_OK;
    d->row = spf_alloc(p->forest->classes, sizeof *d->row);
    return d->row ? SPORF_OK : spf_raise_memory();
}

void spf_prediction_finish(const spf_prediction *p, const spf_prediction_buffers *d, size_t begin,
                           size_t count) {
    if (d->votes) finish_votes(p, d, begin, count);
    if (d->ballots) finish_ballots(p, d, begin, count);
    if (d->sums) finish_sums(p, d, begin, count);
}
