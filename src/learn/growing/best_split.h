/* The best cut among a node's candidates. */
#ifndef SPF_LEARN_GROWING_BEST_SPLIT_H
#define SPF_LEARN_GROWING_BEST_SPLIT_H

#include "learn/growing/split_search.h"

sporf_status spf_searcher_create(const spf_plan *plan, spf_searcher *searcher);
void spf_searcher_free(spf_searcher *searcher);
double spf_searcher_bytes(const spf_expected *expected);

/* Memory for the values of that many rows, or of several candidates in lanes. */
sporf_status spf_searcher_reserve(spf_searcher *searcher, size_t rows);

/* Finds the best cut of all candidates, with missing values on either side, and leaves the winner's
 * values in the owner's `winner`; a winning category becomes a set of levels. */
sporf_status spf_best_split(spf_split_search *search, spf_split *best, size_t *winner);

/* The steps of it, for a candidate whose rows are sums of others. The first looks for a cut better
 * than *best, the second makes the winner's cut final. */
sporf_status spf_search_candidate(spf_split_search *search, size_t candidate, spf_split *best);
sporf_status spf_take_winner(const spf_split_search *search, size_t winner, spf_split *best);

/* The bounds of a candidate of a table of bytes, if its values are sums and differences of bytes;
 * otherwise NULL. */
const spf_whole *spf_whole_of(const sporf_projections *list, size_t candidate, size_t features,
                              spf_whole *whole);

#endif
