/* The best cut among a node's candidates. */
#ifndef SPF_LEARN_GROWING_BEST_SPLIT_H
#define SPF_LEARN_GROWING_BEST_SPLIT_H

#include "base/pool.h"
#include "learn/growing/categories.h"
#include "learn/growing/plan.h"
#include "learn/growing/profile.h"
#include "learn/splitting/ends.h"

/* The memory that one thread searches in. */
typedef struct spf_searcher {
    spf_categories levels;
    float *value; /* of one candidate, or of several in lanes */
    size_t value_capacity;
    float winner_value[SPF_LANES_ROWS]; /* of the best of these */
    const float *winner;                /* values of the best candidate, in either */
    spf_end *ends;                      /* [min_leaf + 1], where rows do not count as they weigh */
    spf_split *splits;                  /* one for each candidate of a node that threads share */
    size_t splits_capacity;
    spf_split_scratch scratch;
    spf_profile profile;
} spf_searcher;

sporf_status spf_searcher_create(const spf_plan *plan, spf_searcher *searcher);
void spf_searcher_free(spf_searcher *searcher);

/* Room for the values of so many rows, or of several candidates in lanes. */
sporf_status spf_searcher_reserve(spf_searcher *searcher, size_t rows);

/* Threads that may help with a node too large for one; NULL for none. */
typedef struct spf_helpers {
    spf_pool *pool;
    unsigned worker;
    spf_searcher *(*searcher_of)(void *context, unsigned worker);
    void *context;
} spf_helpers;

/* What is searched; threads that help share it. */
typedef struct spf_split_search {
    const spf_plan *plan;
    spf_node_rows rows;
    spf_split_node node;
    int whole;                     /* the table's values are whole numbers */
    sporf_projections *candidates; /* a category that wins becomes a set of levels */
    spf_searcher *owner;           /* whose levels they name */
    const spf_helpers *helpers;    /* NULL for none */
} spf_split_search;

/* Finds the best cut of all candidates, with missing values on either side, and leaves the values
 * of the winner in the owner's `winner`; a category that wins is made a set of levels. */
sporf_status spf_best_split(spf_split_search *search, spf_split *best, size_t *winner);

#endif
