/* Out-of-bag votes and the error curve, added tree by tree. */
#ifndef SPF_LEARN_OUTCOME_CLASSIFICATION_OOB_H
#define SPF_LEARN_OUTCOME_CLASSIFICATION_OOB_H

#include "learn/growing/grow.h"
#include "learn/outcome/vote_trust.h"

/* Rows are weighted. */
typedef struct spf_votes {
    spf_tally tally; /* the base, for callers of any outcome */
    const spf_outcome *outcome;
    uint32_t *votes;  /* rows x classes */
    uint32_t *leader; /* [rows]: class with most votes; NULL with so few classes that a search is as
                         fast */
    size_t rows;      /* rows with a vote */
    uint64_t voted;   /* their weight */
    uint64_t wrong;   /* weight of rows whose leader is not their label */
    spf_vote_trust trust;
} spf_votes;

/* Members of spf_outcome_kind; see there. Adding a tree takes time proportional to its votes. */
double spf_votes_bytes(size_t rows, const spf_leaf_size *leaf, int calibrates);
sporf_status spf_votes_create(const spf_outcome *outcome, spf_tally **tally);

#endif
