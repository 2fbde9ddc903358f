/* A branch whose rows were brought together from all shards, and is grown to its leaves on one
 * machine. */
#ifndef SPF_LEARN_APART_BROUGHT_H
#define SPF_LEARN_APART_BROUGHT_H

#include "learn/apart/frame.h"
#include "learn/growing/builder.h"

/* Rows of the bag in the order of their leaves, with row numbers in the data. */
typedef struct spf_leaf_samples {
    uint32_t count;
    uint32_t *row, *units, *leaf; /* [count] */
} spf_leaf_samples;

/* A finished branch: its nodes, and the leaf of each out-of-bag row. */
typedef struct spf_brought {
    spf_builder builder;
    uint32_t oob_count;
    uint32_t *oob_row, *oob_leaf; /* [oob_count] */
    spf_leaf_samples samples;     /* if leaves store them */
} spf_brought;

void spf_brought_free(spf_brought *branch);

/* The node, in a question about its rows. */
typedef struct spf_brought_node {
    uint32_t tree, node, depth, unused;
    uint64_t key;
} spf_brought_node;

/* Grows the node from the answers of all shards, in the order of their rows. */
sporf_status spf_brought_grow(const spf_frame *frame, const spf_brought_node *node,
                              spf_reader *answers, size_t count, spf_brought *branch);

sporf_status spf_brought_write(const spf_brought_node *node, const spf_brought *branch,
                               spf_writer *writer);
/* Checks the branch, which another process sent: that it is the one of the node, and valid. */
sporf_status spf_brought_read(const spf_frame *frame, const spf_brought_node *node,
                              spf_reader *reader, spf_brought *branch);

#endif
