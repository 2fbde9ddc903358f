/* One tree of a crown: its nodes as far as they are decided, by one who has no rows. */
#ifndef SPF_LEARN_APART_CROWN_TREE_H
#define SPF_LEARN_APART_CROWN_TREE_H

#include "learn/apart/apart_search.h"
#include "learn/apart/brought.h"
#include "learn/apart/node_looks.h"
#include "learn/growing/grow.h"
#include "learn/growing/tree_rows.h"

typedef enum spf_crown_state {
    SPF_NODE_NEW, /* its sizes are not known */
    SPF_NODE_SIZED,
    SPF_NODE_LOOKS, /* its candidates want to see something of its rows */
    SPF_NODE_SEEN,
    SPF_NODE_SEARCHED, /* candidates are compared */
    SPF_NODE_SPLIT,
    SPF_NODE_BRANCH, /* its rows fit one machine: it becomes a branch there */
    SPF_NODE_LEAF    /* a branch of one leaf, whose rows are not known yet */
} spf_crown_state;

typedef struct spf_crown_node {
    spf_crown_state state;
    spf_waiting place; /* key and depth */
    spf_node_sizes sizes;
    uint32_t *class_total; /* [classes of the data] */
    spf_range range;       /* of the targets, in regression */
    uint32_t *present;     /* [present_count]: its classes, ascending */
    uint32_t *totals;      /* [present_count]: their weights */
    size_t present_count;
    double sum;            /* of the targets of a leaf, as far as they were heard, */
    uint64_t rows, weight; /* with its rows and weight */
    int asks;              /* something is asked about it */
    spf_node_looks looks;  /* with categories */
    spf_apart_search search;
    uint32_t left;       /* of a split: the number of its left side; the right one follows */
    spf_brought brought; /* of a split: its projection; otherwise the branch */
    int is_brought;
} spf_crown_node;

typedef struct spf_crown_tree {
    const spf_plan *plan;
    spf_tree_rows rows; /* none; number and key of the tree */
    spf_crown_node *nodes;
    size_t nodes_count, nodes_capacity;
    spf_apart_split *splits;
    size_t splits_count, splits_capacity;
    spf_writer said; /* the same, as they are said to shards */
} spf_crown_tree;

sporf_status spf_crown_tree_start(const spf_plan *plan, uint32_t number, spf_crown_tree *tree);
void spf_crown_tree_free(spf_crown_tree *tree);

/* Goes on with all nodes as far as answers allow; adds to *asking the number of those about which
 * something has to be asked. */
sporf_status spf_crown_tree_go_on(spf_crown_tree *tree, spf_workspace *workspace,
                                  uint64_t branch_rows, uint32_t *asking);

/* Appends to a question the splits so far, and the nodes about which something is asked. */
sporf_status spf_crown_tree_write(const spf_crown_tree *tree, spf_writer *question);
sporf_status spf_crown_tree_write_asks(const spf_crown_tree *tree, spf_writer *question);

/* Reads the answers about the next rows, up to `end`, and ends the round after the last ones. */
sporf_status spf_crown_tree_hear(spf_crown_tree *tree, uint32_t end, spf_reader *answer);
sporf_status spf_crown_tree_heard(spf_crown_tree *tree);

/* Joins the nodes, once all are split or grown. */
sporf_status spf_crown_tree_join(spf_crown_tree *tree, spf_grown *grown);

#endif
