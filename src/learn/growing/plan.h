/* What all trees of a forest share while they grow. */
#ifndef SPF_LEARN_GROWING_PLAN_H
#define SPF_LEARN_GROWING_PLAN_H

#include "learn/growing/outcome_kind.h"
#include "learn/rows/bag.h"
#include "learn/rows/table.h"
#include "learn/sampling/slots.h"
#include "learn/splitting/split.h"

typedef struct spf_plan {
    const sporf_dataset *data;
    spf_table table;     /* the data, by column */
    spf_table by_row;    /* the same by row; rows is 0 without */
    size_t by_row_below; /* nodes with fewer rows are read by row */
    int whole;           /* all values are integers from 0 to 255 */
    int has_missing;     /* some values are missing */
    const float *fill;  /* [features]: the mean of each feature with missing values, NaN for others;
                           NULL without */
    const float *scale; /* NULL for none */
    spf_slots slots;    /* what the sampler draws from; none if it draws features */
    sporf_sampler sampler;
    spf_bagger bagger;
    const spf_criterion *criterion;
    sporf_split split;
    spf_xlogx xlogx;
    spf_outcome outcome; /* what is predicted */
    uint64_t seed;
    uint32_t max_depth;           /* 0: unbounded */
    uint32_t min_split, min_leaf; /* in units of the bag; with relative weights in rows */
    double least_share;           /* least share of a tree's weight in each child */
    uint32_t rare_below;          /* levels with less weight in a node are rare */
    double honest;      /* share of a bag's rows that fill the leaves and choose no splits */
    size_t branch_rows; /* nodes with at most this many rows are grown by one thread */
    size_t block_least,
        block_rows;      /* subtrees with so many rows get a block; none if block_least is larger */
    size_t cached_rows;  /* rows whose block stays in the cache */
    size_t block_shrink; /* larger blocks are made if they hold at most 1 / block_shrink of the rows
                            above */
    int (*interrupt)(void *payload); /* or NULL */
    void *interrupt_payload;
} spf_plan;

/* Whether children need several rows and weights are not row counts. */
static inline int spf_plan_counts_leaves(const spf_plan *plan) {
    return plan->min_leaf > 1 && plan->bagger.weights->relative;
}

static inline sporf_status spf_check_interrupt(const spf_plan *plan) {
    if (plan->interrupt && plan->interrupt(plan->interrupt_payload))
        return spf_raise(SPORF_ERROR_CANCELLED, "training was interrupted");
    return SPORF_OK;
}

#endif
