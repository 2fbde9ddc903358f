/* The nodes of a tree down to some depth, with what is known of their training rows. */
#ifndef SPF_PICTURE_TREE_NODES_H
#define SPF_PICTURE_TREE_NODES_H

#include "base/memory.h"
#include "sporf.h"

enum { SPF_NODE_CLASSES = 6 }; /* classes, or labels, shown one by one; the others together */
#define SPF_NO_NODE SIZE_MAX

typedef struct spf_shown_node {
    size_t node, depth;
    size_t left, right; /* places in the list; SPF_NO_NODE if it is not split, or cut off there */
    size_t below;       /* nodes that are not shown, below this one */
    double weight;      /* of the training rows; in a boosted model the sum of hessians */
    double value;       /* the mean of the first target; what a leaf adds to a score, or NaN */
    size_t classes;     /* the most frequent ones first; of each label the most frequent one */
    uint32_t class_index[SPF_NODE_CLASSES];
    double share[SPF_NODE_CLASSES];
    double rest; /* share of all other classes */
} spf_shown_node;

typedef struct spf_shown_tree {
    const sporf_forest *forest;
    size_t tree, nodes, deepest; /* of the whole tree */
    int boosts;
    size_t labels; /* of a row, if it has several */
    size_t count;
    spf_shown_node *list; /* [count], in preorder */
} spf_shown_tree;

/* Free with spf_shown_tree_free, also after a failure. */
sporf_status spf_shown_tree_read(const sporf_forest *forest, size_t tree, size_t depth,
                                 spf_shown_tree *shown);
void spf_shown_tree_free(spf_shown_tree *shown);

#endif
