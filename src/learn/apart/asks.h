/* What shards are asked. The one who asks has the tops of some trees; a shard has some rows of the
 * table and answers for them. Each question says all that was decided before, so that a shard which
 * was lost, and is loaded again elsewhere, can answer it, too. */
#ifndef SPF_LEARN_APART_ASKS_H
#define SPF_LEARN_APART_ASKS_H

#include "learn/apart/message.h"
#include "learn/splitting/kernels.h"

typedef enum spf_question_kind {
    SPF_ASK_FACTS = 0x53504631, /* of the columns */
    SPF_ASK_SPREAD,             /* around their means */
    SPF_ASK_VALUES,             /* of some rows */
    SPF_ASK_NODES,              /* of all trees that grow */
    SPF_ASK_ROWS                /* of one node of one tree, all values */
} spf_question_kind;

/* How a node was split, in the order in which it was decided. The sides of split i are the nodes
 * 2 i + 1 and 2 i + 2. The projection follows: said_split.h. */
typedef struct spf_apart_split {
    uint32_t node;
    float threshold;
    uint32_t missing_left;
    uint32_t terms, sets, words; /* of the projection */
} spf_apart_split;

/* About one candidate of a node, or about the node. */
typedef enum spf_ask_kind {
    SPF_ASK_SIZES,  /* of the node: spf_node_sizes, the weight of each class of the data and, in
                       regression, the range of its targets */
    SPF_ASK_LEAF,   /* of the node: its out-of-bag rows and, in regression, those of the bag with
                       their weights */
    SPF_ASK_LOOKS,  /* of the node: what its candidates look at, a list of spf_apart_look */
    SPF_ASK_ONES,   /* in regression: the sum of its shares (learn/outcome/regression_nodes.c) */
    SPF_ASK_LEVELS, /* of a category alone: a list of spf_level_sum */
    SPF_ASK_RANGE,  /* of all values that are not missing, and whether some are */
    SPF_ASK_RANGE_INSIDE, /* of the values in some bins */
    SPF_ASK_COUNT,        /* of classes in bins */
    SPF_ASK_CUT,  /* what is left of some bins, and the values in these, with their weights */
    SPF_ASK_LEFT, /* what is at or below a threshold */
    SPF_ASK_ENDS, /* the outermost values, with their draws: see ends.h */
    SPF_ASK_DRAWS /* at or below a threshold, or up to a bin if there are any */
} spf_ask_kind;

typedef struct spf_ask {
    uint32_t candidate; /* 0 if it is about the node */
    uint32_t kind;
    uint32_t filled; /* missing values are `fill` */
    float fill;
    uint32_t clamped; /* then values are moved into the range from low to high */
    float low, high;
    float threshold;
    uint32_t bin;
    spf_bin_range inside;
    spf_bins bins;
} spf_ask;

typedef struct spf_node_sizes {
    uint64_t rows, oob_rows, drawn;
} spf_node_sizes;

/* What comes before the rows of a node: how many there are of the bag, how many others, and two
 * numbers of the tree. */
typedef struct spf_rows_head {
    uint32_t bag_count, oob_count, weight_bits, least_units;
} spf_rows_head;

/* What every shard has to know of a node; the weight and the rows are those of all shards. Behind
 * it comes what the node's candidates have seen of its rows: how many numbers, and the numbers. */
typedef struct spf_node_facts {
    spf_range range; /* of the targets, in regression */
    uint64_t weight, rows;
} spf_node_facts;

/* A row of one shard, of which something is looked at: see spf_look. */
typedef struct spf_apart_look {
    uint32_t first;           /* row of the shard */
    uint32_t ticket, feature; /* within the shard */
} spf_apart_look;

/* The weight of a node in one shard. With categories a list of them follows the sizes. */
typedef struct spf_shard_weight {
    uint32_t first, unused; /* row of the shard */
    uint64_t weight;
} spf_shard_weight;

enum { SPF_NOT_SEEN = UINT32_MAX }; /* the row has no level */

/* Rows of a node with the same level, and outcome. `part` as in spf_apart_value. */
typedef struct spf_level_sum {
    uint32_t level; /* SPF_NOT_SEEN if it is missing */
    uint32_t part, weight, draws;
} spf_level_sum;

/* A value of a cut, with its weight. `part` is the weight's class or, in nodes with pairs, what it
 * has of class 1. */
typedef struct spf_apart_value {
    float value;
    uint32_t part, weight;
} spf_apart_value;

#endif
