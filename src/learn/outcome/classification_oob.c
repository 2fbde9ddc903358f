/* A vote can only make its own class the leading one of its row, so the error is updated without
 * visiting other rows. */
#include "learn/outcome/classification_oob.h"

#include "learn/outcome/enough.h"
#include "score/metric.h"

#include <math.h>
#include <stdlib.h>

/* The first of the classes with most votes; 0 without any. */
static inline uint32_t leader_of(const spf_votes *all, size_t row) {
    if (all->leader) return all->leader[row];
    size_t classes = all->outcome->classes;
    const uint32_t *votes = all->votes + row * classes;
    uint32_t leader = 0;
    if (classes == 2) return votes[1] > votes[0];
    for (uint32_t k = 1; k < classes; k++) leader = votes[k] > votes[leader] ? k : leader;
    return leader;
}

/* No branch depends on the votes, which nobody can predict. */
static inline void add_vote(spf_votes *all, size_t row, uint32_t vote) {
    uint32_t *votes = all->votes + row * all->outcome->classes;
    uint32_t before = leader_of(all, row), label = all->outcome->labels[row];
    uint32_t weight = spf_row_units(all->outcome->weights, row), most = votes[before];
    uint32_t first = most == 0, was_wrong = !first & (before != label), own = ++votes[vote];
    most += vote == before;
    uint32_t overtakes = (own > most) | ((own == most) & (vote < before));
    uint32_t leader = overtakes ? vote : before;
    all->rows += first;
    all->voted += first ? weight : 0;
    all->wrong -= was_wrong ? weight : 0;
    all->wrong += leader != label ? weight : 0;
    if (all->leader) all->leader[row] = leader;
}

static double add_votes(spf_tally *tally, const spf_grown *grown) {
    spf_votes *all = (spf_votes *)tally;
    for (size_t i = 0; i < grown->oob_count; i++) {
        uint32_t row = grown->oob_row[i], leaf = grown->oob_leaf[i];
        add_vote(all, row, spf_leaf_vote(&grown->tree, leaf));
        if (all->trust.shares) spf_vote_trust_add(&all->trust, row, &grown->tree, leaf);
    }
    return all->voted ? (double)all->wrong / (double)all->voted : NAN;
}

/* The squared distances of the votes' shares from the true class, and of a vote from the shares. */
static void weigh_row(const spf_votes *all, size_t row, spf_evidence *evidence) {
    const spf_outcome *outcome = all->outcome;
    const uint32_t *votes = all->votes + row * outcome->classes;
    uint32_t count = 0;
    double squares = 0;
    for (size_t k = 0; k < outcome->classes; k++) {
        count += votes[k];
        squares += (double)votes[k] * votes[k];
    }
    if (count < 2) return;
    double total = count, together = squares / (total * total);
    double right = votes[outcome->labels[row]] / total;
    spf_evidence_add(evidence, spf_row_units(outcome->weights, row), 1 - 2 * right + together,
                     1 - together, count);
}

static void weigh_votes(const spf_tally *tally, spf_evidence *evidence) {
    const spf_votes *all = (const spf_votes *)tally;
    for (size_t i = 0; i < all->outcome->rows; i++) weigh_row(all, i, evidence);
}

/* Cohen's kappa over the rows with a vote. */
static sporf_status find_kappa(const spf_votes *all, double *kappa) {
    const spf_outcome *outcome = all->outcome;
    size_t classes = outcome->classes;
    double *true_weight = spf_alloc_zero(2 * classes, sizeof *true_weight);
    if (!true_weight) return spf_raise_memory();
    double *predicted_weight = true_weight + classes;
    for (size_t i = 0; i < outcome->rows; i++) {
        const uint32_t *votes = all->votes + i * classes;
        uint32_t leader = leader_of(all, i);
        if (votes[leader] == 0) continue;
        true_weight[outcome->labels[i]] += spf_row_units(outcome->weights, i);
        predicted_weight[leader] += spf_row_units(outcome->weights, i);
    }
    double voted = (double)all->voted, agree = (double)(all->voted - all->wrong);
    *kappa =
        all->voted ? spf_cohen_kappa(voted, agree, true_weight, predicted_weight, classes) : NAN;
    free(true_weight);
    return SPORF_OK;
}

static sporf_status hand_over_votes(spf_tally *tally, sporf_forest *forest) {
    spf_votes *all = (spf_votes *)tally;
    SPF_TRY(find_kappa(all, &forest->oob_score));
    SPF_TRY(spf_vote_trust_learn(&all->trust, all->votes, forest));
    forest->oob_rows = all->rows;
    forest->oob_votes = all->votes;
    forest->training_rows = all->outcome->rows;
    all->votes = NULL;
    return SPORF_OK;
}

static void free_votes(spf_tally *tally) {
    spf_votes *all = (spf_votes *)tally;
    free(all->votes);
    free(all->leader);
    spf_vote_trust_free(&all->trust);
    free(all);
}

enum { FEW_CLASSES = 8 }; /* with more, the leading class of each row is stored */

double spf_votes_bytes(size_t rows, const spf_leaf_size *leaf, int calibrates) {
    double votes = (double)rows * (double)leaf->classes;
    return spf_alloc_bytes(votes, sizeof(uint32_t)) +
           (leaf->classes > FEW_CLASSES ? spf_alloc_bytes((double)rows, sizeof(uint32_t)) : 0) +
           (calibrates ? spf_vote_trust_bytes(rows, leaf->classes) : 0);
}

sporf_status spf_votes_create(const spf_outcome *outcome, spf_tally **tally) {
    int many = outcome->classes > FEW_CLASSES;
    spf_votes *all = spf_alloc_zero(1, sizeof *all);
    if (!all) return spf_raise_memory();
    *tally = &all->tally;
    all->tally = (spf_tally){add_votes, weigh_votes, hand_over_votes, free_votes};
    all->outcome = outcome;
    all->votes = spf_alloc_zero(outcome->rows, outcome->classes * sizeof *all->votes);
    if (many) all->leader = spf_alloc_zero(outcome->rows, sizeof *all->leader);
    if (!all->votes || (many && !all->leader)) return spf_raise_memory();
    return outcome->calibrates ? spf_vote_trust_create(outcome, &all->trust) : SPORF_OK;
}
