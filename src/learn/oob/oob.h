/* Out-of-bag votes and the error curve, added up tree by tree. */
#ifndef SPF_LEARN_OOB_OOB_H
#define SPF_LEARN_OOB_OOB_H

#include "learn/growing/grow.h"

typedef struct spf_oob_tally {
    const sporf_dataset *data;
    uint32_t *votes;  /* rows x classes */
    uint32_t *leader; /* [rows]: class with most votes; NULL with so few that looking is as fast */
    size_t rows;      /* rows with a vote */
    uint64_t voted;   /* their weight */
    uint64_t wrong;   /* that of those whose leader is not their label */
    const spf_row_weights *weights;
} spf_oob_tally;

/* Rows count as they weigh. */
sporf_status spf_oob_create(const sporf_dataset *data, const spf_row_weights *weights,
                            spf_oob_tally *tally);
void spf_oob_free(spf_oob_tally *tally);

/* Counts one tree's votes in time proportional to them; returns the error so far, NaN without any
 * votes. */
double spf_oob_add(spf_oob_tally *tally, const spf_grown *grown);

/* Cohen's kappa over the rows with a vote. */
sporf_status spf_oob_kappa(const spf_oob_tally *tally, double *kappa);

#endif
