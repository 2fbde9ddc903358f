/* The search for the best cut of a node: its memory, and what the threads that search share. */
#ifndef SPF_LEARN_GROWING_SPLIT_SEARCH_H
#define SPF_LEARN_GROWING_SPLIT_SEARCH_H

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
    int whole;            /* all values of the table are integers */
    int in_lanes, counts; /* small node; candidates of levels are counted: set by spf_best_split */
    sporf_projections *candidates; /* a winning category becomes a set of levels */
    spf_searcher *owner;           /* the thread whose node it is */
    const spf_helpers *helpers;    /* NULL for none */
} spf_split_search;

/* Whether a candidate is a single category. */
static inline int spf_search_alone(const spf_split_search *search, size_t candidate) {
    return spf_categories_alone(&search->owner->levels, search->candidates, candidate);
}

static inline int spf_split_improved(const spf_split *best, const spf_split *before) {
    return best->found && (!before->found || best->score > before->score);
}

#endif
