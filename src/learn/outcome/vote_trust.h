/* What is collected during training to learn how far votes can be trusted: the class shares of the
 * leaves that out-of-bag rows end in. Large tables give some of their rows. */
#ifndef SPF_LEARN_OUTCOME_VOTE_TRUST_H
#define SPF_LEARN_OUTCOME_VOTE_TRUST_H

#include "learn/growing/outcome_kind.h"

typedef struct spf_vote_trust {
    const spf_outcome *outcome;
    size_t stride;   /* one of that many rows is looked at */
    uint8_t *looked; /* a bit for each row: whether it is one of them */
    float *shares;   /* [looked at x classes]: sums over trees; NULL: nothing is learned */
    int has_mixed;   /* some leaf had several classes, so that shares are not votes */
} spf_vote_trust;

double spf_vote_trust_bytes(size_t rows, size_t classes);

/* Free with spf_vote_trust_free. */
sporf_status spf_vote_trust_create(const spf_outcome *outcome, spf_vote_trust *trust);
void spf_vote_trust_free(spf_vote_trust *trust);

/* Adds the leaf of a tree that an out-of-bag row ends in, which is looked at. */
void spf_vote_trust_add_looked(spf_vote_trust *trust, size_t row, const spf_tree *tree,
                               uint32_t leaf);

/* The same if it is known that the leaf has one class only. */
static inline void spf_vote_trust_add_pure(spf_vote_trust *trust, size_t row, uint32_t vote) {
    trust->shares[row / trust->stride * trust->outcome->classes + vote] += 1;
}

static inline int spf_vote_trust_looks_at(const spf_vote_trust *trust, size_t row) {
    return trust->looked[row / 8] >> row % 8 & 1;
}

/* Adds the leaf of any row. */
static inline void spf_vote_trust_add(spf_vote_trust *trust, size_t row, const spf_tree *tree,
                                      uint32_t leaf) {
    if (spf_vote_trust_looks_at(trust, row)) spf_vote_trust_add_looked(trust, row, tree, leaf);
}

/* Learns from these and from votes[rows x classes], by that many threads. Without out-of-bag rows
 * nothing is learned. */
sporf_status spf_vote_trust_learn(const spf_vote_trust *trust, const uint32_t *votes,
                                  unsigned threads, sporf_forest *forest);

#endif
