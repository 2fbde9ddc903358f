/* Honest trees (Denil et al. 2014; Wager and Athey 2018): the rows that fill the leaves of a tree
 * did not choose its splits. */
#ifndef SPF_LEARN_GROWING_HONEST_H
#define SPF_LEARN_GROWING_HONEST_H

#include "learn/growing/branch.h"

/* Fills the leaves of the joined tree again with the estimation rows. These become the bag of
 * tree_rows, sorted by leaf; the rest stay as the out-of-bag rows. (*of_leaf)[leaves], to be freed
 * in any case, are the rows of the bag that fill each leaf: its own or, if there are none, those of
 * its nearest ancestor with any. Leaves that share an ancestor's rows are neighbours. */
sporf_status spf_honest_fill(spf_workspace *workspace, spf_tree_rows *tree_rows, spf_builder *tree,
                             spf_extent **of_leaf);

double spf_honest_bytes(const spf_expected *expected);

#endif
