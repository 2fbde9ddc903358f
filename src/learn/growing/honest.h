/* Honest trees (Denil et al. 2014; Wager and Athey 2018): the rows that fill the leaves of a tree
 * have chosen none of its splits. */
#ifndef SPF_LEARN_GROWING_HONEST_H
#define SPF_LEARN_GROWING_HONEST_H

#include "learn/growing/branch.h"

/* Fills the leaves of the joined tree anew with the rows kept for that, which become the
 * tree_rows's bag, sorted by leaf; of those that travelled the others stay as the out-of-bag rows.
 * (*of_leaf)[leaves], to be freed in any case, are the rows of the bag that fill each leaf: those
 * in it or, if there are none, in its nearest ancestor that has some. Leaves that share an
 * ancestor's rows are neighbours. */
sporf_status spf_honest_fill(spf_workspace *workspace, spf_tree_rows *tree_rows, spf_builder *tree,
                             spf_extent **of_leaf);

/* What that and the rows kept for it take: weights, rows by leaf, and where leaves and nodes find
 * them. */
double spf_honest_bytes(double rows, double leaves);

#endif
