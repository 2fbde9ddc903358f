/* Tickets are divided among shards in the order of their rows. */
#include "learn/apart/node_looks.h"

#include <stdlib.h>

void spf_node_looks_free(spf_node_looks *l) {
    free(l->shards);
    free(l->looks.look);
    free(l->asks);
    free(l->shard_of);
    free(l->seen);
    free(l->found);
    *l = (spf_node_looks){0};
}

sporf_status spf_node_looks_add_shards(spf_node_looks *l, uint64_t all, spf_reader *r) {
    uint32_t count;
    uint64_t sum = 0;
    SPF_TRY(spf_read_number(r, &count));
    if (count > r->left / sizeof *l->shards) return spf_raise_message();
    SPF_TRY(SPF_RESERVE(l->shards, l->shards_capacity, l->shards_count + count));
    for (uint32_t i = 0; i < count; i++) {
        spf_shard_weight *shard = &l->shards[l->shards_count];
        SPF_TRY(spf_read(r, shard, sizeof *shard));
        int follows = l->shards_count == 0 || shard->first >= shard[-1].first;
        if (!follows || shard->weight > all - sum) return spf_raise_message();
        sum += shard->weight;
        l->shards_count++;
    }
    return sum == all ? SPORF_OK : spf_raise_message();
}

/* ---- asking ---------------------------------------------------------------------------------- */

static uint32_t total_of(const spf_node_looks *l) {
    uint64_t total = 0;
    for (size_t i = 0; i < l->shards_count; i++) total += l->shards[i].weight;
    return (uint32_t)total;
}

static void add_ask(spf_node_looks *l, uint64_t ticket, uint32_t feature) {
    size_t shard = 0;
    while (ticket >= l->shards[shard].weight) ticket -= l->shards[shard++].weight;
    l->shard_of[l->asks_count] = shard;
    l->asks[l->asks_count++] = (spf_apart_look){l->shards[shard].first, (uint32_t)ticket, feature};
}

/* How many rows are asked for a look: a class is never missing. */
static uint32_t tries_of(const spf_node_looks *l, size_t look) {
    return l->looks.look[look].feature == SPF_LOOK_CLASS ? 1 : l->tries;
}

sporf_status spf_node_looks_ask(spf_node_looks *l, int has_missing) {
    size_t count = l->looks.count, most = count * SPF_LOOK_TRIES;
    uint32_t total = total_of(l);
    l->tries = has_missing ? SPF_LOOK_TRIES : 1;
    l->asks = spf_alloc(most, sizeof *l->asks);
    l->shard_of = spf_alloc(most, sizeof *l->shard_of);
    l->seen = spf_alloc_zero(most, sizeof *l->seen);
    l->found = spf_alloc_zero(count + 1, sizeof *l->found);
    if (!l->asks || !l->shard_of || !l->seen || !l->found) return spf_raise_memory();
    l->looks.found = l->found;
    for (size_t i = 0; i < count; i++) {
        uint32_t tickets[SPF_LOOK_TRIES];
        spf_look_tickets(l->looks.look[i].ticket, total, tickets);
        for (uint32_t k = 0; k < tries_of(l, i); k++)
            add_ask(l, tickets[k], l->looks.look[i].feature);
    }
    return SPORF_OK;
}

sporf_status spf_node_looks_write(const spf_node_looks *l, spf_writer *w) {
    SPF_TRY(spf_write_number(w, (uint32_t)l->asks_count));
    return spf_write(w, l->asks, l->asks_count * sizeof *l->asks);
}

/* ---- hearing --------------------------------------------------------------------------------- */

sporf_status spf_node_looks_hear(spf_node_looks *l, uint32_t end, spf_reader *r) {
    for (; l->heard < l->shards_count && l->shards[l->heard].first < end; l->heard++)
        for (size_t i = 0; i < l->asks_count; i++)
            if (l->shard_of[i] == l->heard) SPF_TRY(spf_read_number(r, &l->seen[i]));
    return SPORF_OK;
}

sporf_status spf_looks_check(const spf_looks *looks, const sporf_schema *schema, size_t classes) {
    int good = 1;
    for (size_t i = 0; i < looks->count; i++) {
        uint32_t feature = looks->look[i].feature;
        size_t bound = feature == SPF_LOOK_CLASS ? classes : spf_schema_levels(schema, feature);
        good &= looks->found[i] < bound;
    }
    return good ? SPORF_OK : spf_raise_message();
}

sporf_status spf_node_looks_find(spf_node_looks *l, const sporf_schema *schema, size_t classes) {
    if (l->heard < l->shards_count) return spf_raise_message();
    const uint32_t *seen = l->seen;
    for (size_t i = 0; i < l->looks.count; i++) {
        uint32_t tried = 0, tries = tries_of(l, i);
        while (tried < tries && seen[tried] == SPF_NOT_SEEN) tried++;
        l->found[i] = tried < tries ? seen[tried] : 0;
        seen += tries;
    }
    return spf_looks_check(&l->looks, schema, classes);
}
