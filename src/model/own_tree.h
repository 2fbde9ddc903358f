/* Trees that own everything, and the sets of levels that they use. */
#ifndef SPF_MODEL_OWN_TREE_H
#define SPF_MODEL_OWN_TREE_H

#include "model/forest.h"

/* Adds the sets that the terms of a tree name to a list without duplicates, and has the terms name
 * those of the list. */
sporf_status spf_tree_intern_sets(spf_tree *tree, spf_set_list *list, spf_set_index *index);

/* Gives an unpacked tree copies of what it borrows from its forest, which it does not need any
 * more. On failure it is still to be freed. */
sporf_status spf_tree_own(const sporf_forest *forest, spf_tree *tree);

#endif
