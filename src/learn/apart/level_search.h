/* A category that stands alone: sums of its levels stand for the rows of a node, and are searched
 * as rows are on one machine. */
#ifndef SPF_LEARN_APART_LEVEL_SEARCH_H
#define SPF_LEARN_APART_LEVEL_SEARCH_H

#include "learn/apart/asks.h"
#include "learn/growing/workspace.h"

/* What shards have said, one after the other. */
typedef struct spf_level_sums {
    spf_level_sum *sums;
    size_t count, capacity;
    int is_heard;
} spf_level_sums;

sporf_status spf_level_sums_hear(spf_level_sums *sums, spf_reader *answer);

/* Looks for a cut better than *best. The candidates of the workspace are those of the node. */
sporf_status spf_level_search(const spf_level_sums *sums, const spf_split_node *node,
                              spf_workspace *workspace, size_t candidate, spf_split *best);

/* Makes a winner's cut final: the candidate becomes a set of levels. left[classes] is what goes
 * left, as in heard.h. */
sporf_status spf_level_take(const spf_level_sums *sums, const spf_split_node *node,
                            spf_workspace *workspace, size_t winner, spf_split *best,
                            uint32_t *left);

#endif
