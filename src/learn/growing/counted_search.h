/* Candidates whose values are few integers, or ranks of levels: rows are counted for each value,
 * without projecting and sorting them. */
#ifndef SPF_LEARN_GROWING_COUNTED_SEARCH_H
#define SPF_LEARN_GROWING_COUNTED_SEARCH_H

#include "learn/growing/split_search.h"

/* Whether a node is searched like this where a candidate allows it. */
int spf_search_may_count(const spf_split_search *search);

int spf_search_is_counted(const spf_split_search *search, size_t candidate);

/* Counts such a candidate, in the memory of one of the threads, and looks for a cut better than
 * *best. *done is 0 if there are too many ranks: then nothing was searched. */
sporf_status spf_search_counts(const spf_split_search *search, spf_searcher *searcher,
                               size_t candidate, spf_split *best, int *done);

#endif
