/* What shards have said about one candidate of a node: the answers of all of them to an ask become
 * one. */
#ifndef SPF_LEARN_APART_HEARD_H
#define SPF_LEARN_APART_HEARD_H

#include "learn/apart/asks.h"
#include "learn/splitting/histogram.h"

/* The answer to one ask. What goes left is, of nodes with pairs, a weight and what it has of class
 * 1; otherwise a weight for each class. */
typedef struct spf_heard {
    spf_ask ask;
    spf_range range;         /* SPF_ASK_RANGE_INSIDE */
    spf_histogram histogram; /* SPF_ASK_COUNT */
    int is_checked;
    uint32_t *left; /* SPF_ASK_CUT, SPF_ASK_LEFT: [classes of the node] */
    uint64_t draws; /* SPF_ASK_DRAWS */
    float *end[2];  /* SPF_ASK_ENDS: values, the second ones with their sign changed */
    uint32_t *end_draws[2];
    size_t ends[2], end_capacity[2], end_draws_capacity[2];
    spf_apart_value *values; /* SPF_ASK_CUT */
    size_t values_count, values_capacity;
} spf_heard;

typedef struct spf_heard_list {
    spf_heard *answers;
    size_t count, capacity;
} spf_heard_list;

void spf_heard_forget(spf_heard_list *list);

/* The answer to an ask; NULL if there is none. */
spf_heard *spf_heard_find(const spf_heard_list *list, const spf_ask *ask);

/* Adds one shard's answer to an ask. */
sporf_status spf_heard_read(spf_heard_list *list, const spf_split_node *node, const spf_ask *ask,
                            spf_reader *reader);

/* Reads a range of finite values, or of none. */
sporf_status spf_heard_range(spf_reader *reader, spf_range *range);

/* The rest is for answers that are complete. Counts have to be checked once. */
sporf_status spf_heard_check_counts(const spf_split_node *node, spf_heard *heard);

/* The best cut between the values of a SPF_ASK_CUT, and what goes left of it. */
sporf_status spf_heard_scan(const spf_split_node *node, const spf_heard *cut,
                            spf_split_scratch *scratch, spf_split *best);
void spf_heard_left_of(const spf_split_node *node, const spf_heard *cut, float threshold,
                       uint32_t *left);

/* The bits that weights have beside classes, where values or sums become rows with tags. */
unsigned spf_bits_beside(const spf_split_node *node);

/* The weight of what goes left. */
uint64_t spf_heard_weight(const spf_split_node *node, const uint32_t *left);

#endif
