/* What the candidates of a node look at in rows that are on shards: see spf_looks. Tickets count
 * the weight of all shards; each shard counts its own. */
#ifndef SPF_LEARN_APART_NODE_LOOKS_H
#define SPF_LEARN_APART_NODE_LOOKS_H

#include "learn/apart/asks.h"
#include "learn/growing/categories.h"

typedef struct spf_node_looks {
    spf_shard_weight *shards; /* in the order of rows */
    size_t shards_count, shards_capacity;
    spf_looks looks;
    uint32_t tries; /* asks for each look at a level */
    spf_apart_look *asks;
    size_t *shard_of; /* [asks]: where the row is */
    uint32_t *seen;   /* [asks] */
    uint32_t *found;  /* [looks] */
    size_t asks_count;
    size_t heard; /* shards, in this round */
} spf_node_looks;

void spf_node_looks_free(spf_node_looks *looks);

/* Reads the list of the next shards, which have the weight `all` together. */
sporf_status spf_node_looks_add_shards(spf_node_looks *looks, uint64_t all, spf_reader *answer);

/* Makes asks of the listed looks. With missing values several rows are asked for each. */
sporf_status spf_node_looks_ask(spf_node_looks *looks, int has_missing);
sporf_status spf_node_looks_write(const spf_node_looks *looks, spf_writer *question);

/* Takes what the next shards saw, which have the rows before `end`, and, after the last ones, finds
 * the level or class of each look. */
sporf_status spf_node_looks_hear(spf_node_looks *looks, uint32_t end, spf_reader *answer);
sporf_status spf_node_looks_find(spf_node_looks *looks, const sporf_schema *schema, size_t classes);

/* Whether all that was found are levels of their categories, or classes. */
sporf_status spf_looks_check(const spf_looks *looks, const sporf_schema *schema, size_t classes);

#endif
