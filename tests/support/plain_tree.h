/* The plain form of a tree, for tests that look inside. */
#ifndef TEST_PLAIN_TREE_H
#define TEST_PLAIN_TREE_H

#include "model/unpack.h"

#include <stdio.h>
#include <stdlib.h>

/* Lives as long as the forest. Ends the program when it cannot be had. */
static inline const spf_tree *plain_tree(const sporf_forest *forest, size_t number) {
    const spf_tree *tree = NULL;
    if (spf_forest_tree(forest, number, &tree) == SPORF_OK) return tree;
    fprintf(stderr, "plain_tree: %s\n", sporf_last_error());
    abort();
}

#endif
