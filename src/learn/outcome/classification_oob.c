/* A vote can only make its own class the leading one of its row, so the error is updated without
 * visiting other rows. Rows do not know each other: threads that add several trees have a range of
 * rows each, and the changes of the error are integers, which can be summed in any order. */
#include "learn/outcome/classification_oob.h"

#include "base/parallel.h"
#include "learn/outcome/enough.h"
#include "score/metric.h"

#include <math.h>
#include <stdatomic.h>
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

static double error_so_far(const spf_votes *all) {
    return all->voted ? (double)all->wrong / (double)all->voted : NAN;
}

static double add_votes(spf_tally *tally, const spf_grown *grown) {
    spf_votes *all = (spf_votes *)tally;
    for (size_t i = 0; i < grown->oob_count; i++) {
        uint32_t row = grown->oob_row[i], leaf = grown->oob_leaf[i];
        add_vote(all, row, spf_leaf_vote(&grown->tree, leaf));
        if (all->trust.shares) spf_vote_trust_add(&all->trust, row, &grown->tree, leaf);
    }
    return error_so_far(all);
}

/* ---- several trees --------------------------------------------------------------------------- */

enum { RANGE_ROWS = 1 << 13, MOST_RANGES = 1 << 10 };
enum { MIXED = 0x80 }; /* added to a vote: its leaf has several classes */

/* What a tree changes in a range of rows, modulo 2^64. */
typedef struct {
    uint64_t rows, voted, wrong;
} change;

/* Votes are looked up tree by tree, while its leaves are in the cache, and added range by range. */
typedef struct {
    spf_votes *all;
    const spf_grown *grown; /* [count] */
    size_t count, ranges;
    size_t *start;   /* [count]: of each tree in vote */
    uint8_t *vote;   /* of each out-of-bag row of all trees */
    change *changes; /* [ranges x count] */
    atomic_int is_unsorted, has_mixed;
} adding;

static inline uint8_t find_vote(const spf_tree *tree, uint32_t leaf) {
    int is_mixed = tree->leaf_start[leaf + 1] - tree->leaf_start[leaf] > 1;
    return (uint8_t)(spf_leaf_vote(tree, leaf) | (is_mixed ? MIXED : 0));
}

static sporf_status look_up(void *context, size_t tree, unsigned worker) {
    (void)worker;
    adding *a = context;
    const spf_grown *grown = &a->grown[tree];
    uint8_t *vote = a->vote + a->start[tree];
    int is_unsorted = 0;
    for (size_t i = 0; i < grown->oob_count; i++) {
        is_unsorted |= i > 0 && grown->oob_row[i - 1] >= grown->oob_row[i];
        vote[i] = find_vote(&grown->tree, grown->oob_leaf[i]);
    }
    if (is_unsorted) atomic_store(&a->is_unsorted, 1);
    return SPORF_OK;
}

/* The place of the first row that is not before a given one. */
static size_t place_of(const spf_grown *grown, size_t row) {
    size_t begin = 0, end = grown->oob_count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (grown->oob_row[middle] < row)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static void add_some(spf_votes *all, const spf_grown *grown, const uint8_t *vote, size_t begin,
                     size_t end) {
    for (size_t i = begin; i < end; i++) {
        uint32_t row = grown->oob_row[i], voted = vote[i] & ~(uint32_t)MIXED;
        add_vote(all, row, voted);
        if (!all->trust.shares || !spf_vote_trust_looks_at(&all->trust, row)) continue;
        if (vote[i] & MIXED)
            spf_vote_trust_add_looked(&all->trust, row, &grown->tree, grown->oob_leaf[i]);
        else
            spf_vote_trust_add_pure(&all->trust, row, voted);
    }
}

static sporf_status add_range(void *context, size_t range, unsigned worker) {
    (void)worker;
    adding *a = context;
    size_t rows = a->all->outcome->rows;
    size_t begin = range * rows / a->ranges, end = (range + 1) * rows / a->ranges;
    spf_votes own = *a->all; /* with the same arrays */
    for (size_t t = 0; t < a->count; t++) {
        const spf_grown *grown = &a->grown[t];
        own.rows = own.voted = own.wrong = 0;
        add_some(&own, grown, a->vote + a->start[t], place_of(grown, begin), place_of(grown, end));
        a->changes[range * a->count + t] = (change){own.rows, own.voted, own.wrong};
    }
    if (own.trust.has_mixed) atomic_store(&a->has_mixed, 1);
    return SPORF_OK;
}

static void sum_changes(const adding *a, double *errors) {
    spf_votes *all = a->all;
    for (size_t t = 0; t < a->count; t++) {
        for (size_t range = 0; range < a->ranges; range++) {
            const change *c = &a->changes[range * a->count + t];
            all->rows += c->rows;
            all->voted += c->voted;
            all->wrong += c->wrong;
        }
        errors[t] = error_so_far(all);
    }
}

static int prepare_adding(adding *a) {
    size_t ranges = a->all->outcome->rows / RANGE_ROWS + 1, votes = 0;
    a->ranges = ranges < MOST_RANGES ? ranges : MOST_RANGES;
    a->start = spf_alloc(a->count, sizeof *a->start);
    for (size_t t = 0; a->start && t < a->count; t++) {
        a->start[t] = votes;
        votes += a->grown[t].oob_count;
    }
    a->vote = spf_alloc(votes, sizeof *a->vote);
    a->changes = spf_alloc(a->ranges * a->count, sizeof *a->changes);
    return a->start && a->vote && a->changes;
}

/* Rows of a tree must be ascending, so that those of a range are found. */
static int add_all_votes(spf_tally *tally, const spf_grown *grown, size_t count, unsigned threads,
                         double *errors) {
    spf_votes *all = (spf_votes *)tally;
    adding a = {.all = all, .grown = grown, .count = count};
    int done = all->outcome->classes <= MIXED && prepare_adding(&a) &&
               spf_parallel(count, threads, look_up, &a) == SPORF_OK && !a.is_unsorted &&
               spf_parallel(a.ranges, threads, add_range, &a) == SPORF_OK;
    if (done) {
        sum_changes(&a, errors);
        all->trust.has_mixed |= a.has_mixed;
    }
    free(a.start);
    free(a.vote);
    free(a.changes);
    return done;
}

/* ---- whether trees are enough ---------------------------------------------------------------- */

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

/* ---- results --------------------------------------------------------------------------------- */

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

static sporf_status hand_over_votes(spf_tally *tally, unsigned threads, sporf_forest *forest) {
    spf_votes *all = (spf_votes *)tally;
    SPF_TRY(find_kappa(all, &forest->oob_score));
    SPF_TRY(spf_vote_trust_learn(&all->trust, all->votes, threads, forest));
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
    all->tally = (spf_tally){add_votes, add_all_votes, weigh_votes, hand_over_votes, free_votes};
    all->outcome = outcome;
    all->votes = spf_alloc_zero(outcome->rows, outcome->classes * sizeof *all->votes);
    if (many) all->leader = spf_alloc_zero(outcome->rows, sizeof *all->leader);
    if (!all->votes || (many && !all->leader)) return spf_raise_memory();
    return outcome->calibrates ? spf_vote_trust_create(outcome, &all->trust) : SPORF_OK;
}
