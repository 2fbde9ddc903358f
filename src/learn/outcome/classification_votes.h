/* Out-of-bag votes and the error curve, added up tree by tree. */
#ifndef SPF_LEARN_OUTCOME_CLASSIFICATION_VOTES_H
#define SPF_LEARN_OUTCOME_CLASSIFICATION_VOTES_H

#include "learn/growing/grow.h"

/* Rows count as they weigh. */
typedef struct spf_votes {
    spf_tally tally; /* what it is to those who know nothing of votes */
    const spf_outcome *outcome;
    uint32_t *votes;  /* rows x classes */
    uint32_t *leader; /* [rows]: class with most votes; NULL with so few that looking is as fast */
    size_t rows;      /* rows with a vote */
    uint64_t voted;   /* their weight */
    uint64_t wrong;   /* that of those whose leader is not their label */
} spf_votes;

/* As spf_outcome_kind has them: a tally, which takes time proportional to a tree's votes. */
double spf_votes_bytes(const sporf_dataset *data, int samples);
sporf_status spf_votes_create(const spf_outcome *outcome, spf_tally **tally);

#endif
