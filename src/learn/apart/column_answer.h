/* The shard's side of an ask about one candidate of a node. */
#ifndef SPF_LEARN_APART_COLUMN_ANSWER_H
#define SPF_LEARN_APART_COLUMN_ANSWER_H

#include "learn/apart/asks.h"
#include "learn/growing/tree_rows.h"

/* A node whose classes are numbered, or targets are measured, as all shards do, with the rows that
 * are here. */
typedef struct spf_apart_node {
    spf_split_node node;
    uint32_t *number; /* [classes of the data] */
    spf_node_facts facts;
    uint32_t *found; /* [found_count]: what its candidates have seen of rows */
    uint32_t found_count;
    uint32_t *tag;   /* [rows], or NULL */
    uint64_t *pair;  /* [rows], or NULL */
    uint32_t *draws; /* [rows], if leaves need several */
} spf_apart_node;

/* Reads the classes of a node: their number, and each; then spf_node_facts, and what was found. */
sporf_status spf_apart_node_read(const spf_plan *plan, spf_reader *question, spf_apart_node *node);
/* Adds the rows. */
sporf_status spf_apart_node_open(const spf_tree_rows *tree_rows, const spf_waiting *waiting,
                                 spf_apart_node *node);
void spf_apart_node_free(spf_apart_node *node);

/* Appends the answer for the node's rows, whose missing values are filled as the ask says. */
sporf_status spf_column_answer(const spf_split_node *node, const float *values, const spf_ask *ask,
                               spf_split_scratch *scratch, spf_writer *answer);

#endif
