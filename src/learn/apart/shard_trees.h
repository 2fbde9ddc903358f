/* The rows of trees on a shard, partitioned as far as splits are decided. */
#ifndef SPF_LEARN_APART_SHARD_TREES_H
#define SPF_LEARN_APART_SHARD_TREES_H

#include "learn/apart/facts.h"
#include "learn/growing/tree_rows.h"

/* A tree whose top is being grown. */
typedef struct spf_shard_tree {
    uint32_t number;
    spf_tree_rows *rows;
    spf_waiting *nodes; /* in the order in which they came up: asks.h */
    size_t nodes_count, nodes_capacity;
    spf_writer said; /* the splits by which the rows are partitioned */
} spf_shard_tree;

typedef struct spf_shard_trees {
    const spf_plan *plan; /* with the shard's table */
    const spf_some_rows *rows;
    uint32_t most; /* trees of the forest */
    spf_shard_tree *trees;
    size_t count, capacity;
} spf_shard_trees;

void spf_shard_trees_forget(spf_shard_trees *trees);
void spf_shard_trees_free(spf_shard_trees *trees);

/* NULL if it is not there. */
spf_shard_tree *spf_shard_trees_find(const spf_shard_trees *trees, uint32_t number);

/* Brings the trees of a question up to date and, if it names all that grow, forgets the others.
 * After a failure there are none. */
sporf_status spf_shard_trees_read(spf_shard_trees *trees, spf_workspace *workspace,
                                  spf_reader *question, int names_all);

/* Reads the same part of a question without looking. */
sporf_status spf_shard_trees_skip(spf_reader *question);

#endif
