/* Learns smoothing and power of model/trust.h from rows whose class is known. */
#ifndef SPF_LEARN_OUTCOME_TRUST_FIT_H
#define SPF_LEARN_OUTCOME_TRUST_FIT_H

#include "model/trust.h"

/* A row: what the trees that did not see it say. */
typedef struct spf_voted_row {
    size_t
        start; /* of its votes: first those of its true class, then those of others that have any */
    uint32_t none; /* how many other classes have no vote */
    float trees;   /* all votes of the row */
    double weight; /* 1 is a row of average weight or, if weights are counts, a row */
} spf_voted_row;

typedef struct spf_voted_rows {
    spf_voted_row *row; /* [count + 1]: the last one only says where votes end */
    size_t count;
    float *votes;
} spf_voted_rows;

/* Fills *trust except for its table, by that many threads. The fewer the rows, the nearer it stays
 * to a moderate choice. */
sporf_status spf_trust_fit(const spf_voted_rows *rows, unsigned threads, spf_trust *trust);

/* The memory it takes. */
double spf_trust_fit_bytes(double rows);

#endif
