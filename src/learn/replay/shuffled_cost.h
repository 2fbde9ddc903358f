/* How much the error of a tree on its out-of-bag rows grows if a group of features takes the values
 * of other rows. */
#ifndef SPF_LEARN_REPLAY_SHUFFLED_COST_H
#define SPF_LEARN_REPLAY_SHUFFLED_COST_H

#include "data/feature_groups.h"
#include "learn/replay/oob_replay.h"

/* An out-of-bag row whose leaf may change: its place among the out-of-bag rows, and the node to
 * walk on from. */
typedef struct spf_exposed {
    uint32_t place, node;
} spf_exposed;

/* Buffers of one thread. */
typedef struct spf_shuffled {
    const spf_oob_replay *replay;
    const spf_feature_groups *groups;
    const spf_grown *grown; /* the tree that was opened */
    double weight;          /* of its out-of-bag rows */
    uint32_t group;         /* the group that was opened */
    spf_exposed *exposed;   /* [rows]: the rows that it exposes */
    size_t exposed_count;
    const float **columns; /* [features]: the data's columns, except the shuffled ones */
    float *values;         /* the shuffled ones: [rows] for each */
    uint32_t *moved;       /* [features]: features of the group that the tree uses */
    size_t moved_count;
    uint32_t *used_by;   /* [features]: 1 + the last tree that was seen to use it */
    uint32_t *use_start; /* [groups + 2] into uses */
    uint32_t *uses;      /* nodes in preorder, by group */
    uint32_t *row_start; /* [nodes + 1]: the first out-of-bag row below a node, or after it */
    uint32_t *end;       /* [nodes]: the node after the last one below it */
    uint32_t trees;      /* opened so far */
    size_t values_capacity, uses_capacity, start_capacity, end_capacity;
} spf_shuffled;

/* Free with spf_shuffled_free, also after a failure. */
sporf_status spf_shuffled_create(const spf_oob_replay *replay, const spf_feature_groups *groups,
                                 spf_shuffled *out);
void spf_shuffled_free(spf_shuffled *s);

/* Opens a tree, whose out-of-bag rows are sorted by leaf. */
sporf_status spf_shuffled_open_tree(spf_shuffled *s, const spf_grown *grown);

/* Whether some split of the tree uses a feature of the group. */
static inline int spf_shuffled_uses(const spf_shuffled *s, uint32_t group) {
    return s->use_start[group + 1] > s->use_start[group];
}

/* How many groups the tree uses. */
size_t spf_shuffled_used(const spf_shuffled *s);

/* Opens a group that the tree uses: lists the rows that it exposes. */
sporf_status spf_shuffled_open_group(spf_shuffled *s, uint32_t group);

/* The increase of the error of the tree if each exposed row takes the values of row donor[row]. */
double spf_shuffled_cost(spf_shuffled *s, const uint32_t *donor);

#endif
