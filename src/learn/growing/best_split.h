/* The best cut among a node's candidates. */
#ifndef SPF_LEARN_GROWING_BEST_SPLIT_H
#define SPF_LEARN_GROWING_BEST_SPLIT_H

#include "base/pool.h"
#include "learn/growing/workspace.h"

/* Threads that may help with a node too large for one; NULL for none. */
typedef struct spf_helpers {
    spf_pool *pool;
    unsigned worker;
    spf_workspace *workspaces; /* of all workers */
} spf_helpers;

/* A search under way; threads that help share it. */
typedef struct spf_split_search {
    spf_workspace *owner; /* of the candidates */
    spf_workspace *workspaces;
    spf_node_rows rows;
    spf_split_node node;
    int whole; /* the table's values are whole numbers */
} spf_split_search;

/* Finds the best cut of all candidates, with missing values on either side, and leaves the values
 * of the winner in the owner's w->winner; a category that wins is made a set of levels. */
sporf_status spf_best_split(spf_split_search *search, const spf_helpers *helpers, spf_split *best,
                            size_t *winner);

#endif
