/* The scratch memory in which one thread grows nodes. Of a tree it holds only the sampler's state
 * for the tree that the thread worked on last. */
#ifndef SPF_LEARN_GROWING_WORKSPACE_H
#define SPF_LEARN_GROWING_WORKSPACE_H

#include "learn/growing/best_split.h"
#include "learn/rows/block.h"
#include "learn/sampling/repeats.h"
#include "model/projection.h"

enum { SPF_BLOCK_LEVELS = 8 };

/* A range of an array of rows. */
typedef struct spf_extent {
    uint32_t begin, end;
} spf_extent;

/* A node that waits to be grown. */
typedef struct spf_waiting {
    spf_extent bag, oob;
    uint64_t key;
    uint32_t depth;
    uint32_t parent; /* of a right child: its parent; or SPF_NO_PARENT */
    unsigned level;  /* of its block */
} spf_waiting;
enum { SPF_NO_PARENT = UINT32_MAX };

/* The targets in the open node of a regression tree. */
typedef struct spf_node_targets {
    size_t count;       /* 0 in classification */
    double *low, *high; /* [count] */
    double *mean;       /* [count] */
    float *value; /* [count x rows]: with several targets, of the node's rows minus the mean */
    size_t value_capacity;
} spf_node_targets;

typedef struct spf_workspace {
    const spf_plan *plan;
    /* the sampler's state */
    int prepared;
    uint32_t prepared_tree;
    void *sampler_state;
    sporf_projections candidates;
    spf_repeats repeats;
    /* the node being grown */
    uint32_t *class_total; /* [split_classes of the outcome]; all 0 between nodes */
    uint32_t *present;     /* [classes]: the node's classes */
    uint32_t *dense_total; /* [classes]: their weights */
    uint32_t *number;      /* [classes]: a class's index in present */
    size_t present_count;
    int varies; /* whether its rows differ in the outcome */
    spf_node_targets targets;
    uint64_t total;
    uint64_t drawn;  /* rows of the bag in it, with repeats; equal to total if weights are counts */
    uint32_t *draws; /* of rows, if leaves need several rows and weights are not counts */
    uint32_t *tag;   /* of rows, with classes numbered within the node */
    uint32_t *view_label, *view_weight; /* of rows, for samplers that use them */
    uint64_t *pair;                     /* of rows during the search, then room to partition them */
    size_t draws_capacity, tag_capacity, view_label_capacity, view_weight_capacity, pair_capacity;
    spf_searcher searcher;
    uint64_t work; /* of all nodes so far, the same for any number of threads */
    /* the subtree being grown */
    spf_waiting *stack;
    size_t stack_capacity;
    spf_block blocks[SPF_BLOCK_LEVELS]; /* level 0 is the tree's own table */
} spf_workspace;

sporf_status spf_workspace_create(const spf_plan *plan, spf_workspace *workspace);
void spf_workspace_free(spf_workspace *workspace);
/* Without blocks, whose memory the layout limits, and the sampler's state. */
double spf_workspace_bytes(const spf_expected *expected);

/* Frees large arrays over rows, and blocks, of which none is in use. */
void spf_workspace_trim(spf_workspace *workspace);
void spf_workspace_trim_blocks(spf_workspace *workspace);

/* Ends the state that the sampler has in this workspace, if there is one. */
void spf_workspace_finish_sampler(spf_workspace *workspace);

#endif
