/* A prediction in progress, by threads or by a device: what is wanted, and how sums and votes of
 * rows become results. */
#ifndef SPF_PREDICT_PREDICTION_H
#define SPF_PREDICT_PREDICTION_H

#include "predict/rows.h"
#include "predict/wanted.h"

enum { SPF_MANY_CLASSES = 64 }; /* per tree */

/* Buffers of one thread. */
typedef struct spf_prediction_buffers {
    void *rows;        /* the block's values, unless columns are read in place */
    uint32_t *leaf;    /* leaves of a piece of rows in the current tree */
    uint32_t *votes;   /* [block x classes] */
    uint32_t *ballots; /* [block x trees]: the vote of each tree, if there are many classes */
    double *sums;      /* [block x outputs] */
    double *row;       /* [classes]: probabilities of a row, if classes follow from them */
} spf_prediction_buffers;

typedef struct spf_prediction {
    const sporf_forest *forest;
    const float *const *columns;
    size_t rows, block;
    spf_rows_kind kind;
    int mixed; /* values may be missing, or trees have sets of levels */
    spf_combining how;
    spf_predictions out;
    size_t first, end;                  /* the trees to walk: first .. end - 1 */
    spf_prediction_buffers *buffers_of; /* [workers] */
} spf_prediction;

/* Whether the combined outputs of all trees are wanted. */
static inline int spf_wants_outputs(const spf_prediction *p) {
    return p->out.classes || p->out.outputs || p->out.scores;
}

/* Whether votes are not enough to name a class. */
static inline int spf_decides(const spf_prediction *p) {
    return p->out.classes && p->out.decision && p->out.decision->by != SPF_DECIDE_PLAIN;
}

static inline int spf_wants_votes(const spf_prediction *p) {
    return p->out.votes || (p->how.adds == SPF_LEAF_VOTE && spf_wants_outputs(p));
}

/* With many more classes than trees, if only the winner is wanted, ballots are sorted: counting all
 * classes would cost more than the walks. */
static inline int spf_sorts_ballots(const spf_prediction *p) {
    return spf_wants_votes(p) && !p->out.votes && !p->out.outputs && !spf_decides(p) &&
           p->forest->classes / SPF_MANY_CLASSES > p->forest->trees_count;
}

static inline int spf_counts_votes(const spf_prediction *p) {
    return spf_wants_votes(p) && !spf_sorts_ballots(p);
}

static inline int spf_adds_sums(const spf_prediction *p) {
    return p->how.adds != SPF_LEAF_VOTE && spf_wants_outputs(p);
}

/* Room for the probabilities of a row, if needed. */
sporf_status spf_prediction_create_row(const spf_prediction *p, spf_prediction_buffers *d);

/* Turns the votes, ballots and sums of `count` rows from `begin` on, whichever the buffers have,
 * into results. */
void spf_prediction_finish(const spf_prediction *p, const spf_prediction_buffers *d, size_t begin,
                           size_t count);

#endif
