/* The search for a node's best cut, by one who has no rows and asks those who have them. Each round
 * it goes as far as the answers allow. */
#ifndef SPF_LEARN_APART_APART_SEARCH_H
#define SPF_LEARN_APART_APART_SEARCH_H

#include "learn/apart/asks.h"
#include "learn/growing/workspace.h"

typedef struct spf_apart_candidate spf_apart_candidate;

typedef struct spf_apart_search {
    spf_split_node node; /* of all rows, without any; class_total is borrowed. least_draws is 0 if
                            draws need not be counted */
    spf_apart_candidate *candidates;
    size_t count;
    int is_decided; /* the fields below are known */
    int found;
    size_t winner;
    float threshold;
    int missing_left;
    /* between the rounds */
    int has_winner; /* only the winner's cut is left to find */
    spf_split best;
    uint32_t *left; /* [classes]: what goes left, as in heard.h */
    /* of a numeric node: its weight and, once they were heard, the sum of its shares */
    uint32_t *totals;
    int has_ones;
    spf_ask *asks; /* of this round, those of one candidate together */
    size_t asks_count, asks_capacity;
} spf_apart_search;

/* The candidates are those in the workspace, from now on and whenever the search goes on. */
sporf_status spf_apart_search_create(const spf_split_node *node, const spf_workspace *workspace,
                                     spf_apart_search *search);
void spf_apart_search_free(spf_apart_search *search);

/* Goes on as far as possible; afterwards it is decided, or there are asks. */
sporf_status spf_apart_search_go_on(spf_apart_search *search, spf_workspace *workspace);

/* Takes the answers of one shard to all asks. */
sporf_status spf_apart_search_hear(spf_apart_search *search, spf_reader *answer);

#endif
