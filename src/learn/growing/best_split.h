/* The best cut among a node's candidates. */
#ifndef SPF_LEARN_GROWING_BEST_SPLIT_H
#define SPF_LEARN_GROWING_BEST_SPLIT_H

#include "base/pool.h"
#include "learn/growing/categories.h"
#include "learn/growing/plan.h"
#include "learn/growing/profile.h"
#include "learn/splitting/ends.h"

/* Scratch memory of one thread. */
typedef struct spf_searcher {
    spf_categories levels;
    float *value; /* of one candidate, or of several in lanes */
    size_t value_capacity;
    float winner_value[SPF_LANES_ROWS]; /* values of the best of these */
    const float *winner;                /* values of the best candidate, in one of the two */
    spf_end *ends;                      /* [min_leaf + 1], if row counts differ from weights */
    spf_split *splits;                  /* one for each candidate of a node that threads share */
    size_t splits_capacity;
    spf_split_scratch scratch;
    spf_profile profile;
} spf_searcher;

sporf_status spf_searcher_create(const spf_plan *plan, spf_searcher *searcher);
void spf_searcher_free(spf_searcher *searcher);
double spf_searcher_bytes(const spf_expected *expected);

/* Memory for the values of that many rows, or of several candidates in lanes. */
sporf_status spf_searcher_reserve(spf_searcher *searcher, size_t rows);

/* Threads that help with a large node; NULL for none. */
typedef struct spf_helpers {
    spf_pool *pool;
    unsigned worker;
    spf_searcher *(*searcher_of)(void *context, unsigned worker);
    void *context;
} spf_helpers;

/* A search; helping threads share it. */
typedef struct spf_split_search {
    const spf_plan *plan;
    spf_node_rows rows;
    spf_split_node node;
    int whole;                     /* all values of the table are integers */
    sporf_projections *candidates; /* a winning category becomes a set of levels */
    spf_searcher *owner;           /* the thread whose node it is */
    const spf_helpers *helpers;    /* NULL for none */
} spf_split_search;

/* Finds the best cut of all candidates, with missing values on either side, and leaves the winner's
 * values in the owner's `winner`; a winning category becomes a set of levels. */
sporf_status spf_best_split(spf_split_search *search, spf_split *best, size_t *winner);

#endif
