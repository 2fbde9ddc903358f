/* Growing one tree: Algorithm 1 of the paper, with any sampler. */
#ifndef SPF_LEARN_GROW_H
#define SPF_LEARN_GROW_H

#include "learn/bag.h"
#include "learn/builder.h"
#include "learn/split.h"
#include "model/projection.h"

/* What all trees of a forest share while they grow. */
typedef struct spf_plan {
    const sporf_dataset *data;
    const float *scale; /* NULL for none */
    sporf_sampler sampler;
    spf_bagger bagger;
    sporf_criterion criterion;
    spf_xlogx xlogx;
    uint64_t seed;
    uint32_t max_depth; /* 0: unbounded */
    uint32_t min_split, min_leaf;
    int (*interrupt)(void *payload); /* or NULL */
    void *interrupt_payload;
} spf_plan;

/* The memory that one thread grows trees in, made once. */
typedef struct spf_grower spf_grower;
sporf_status spf_grower_create(const spf_plan *plan, spf_grower **out);
void spf_grower_free(spf_grower *grower);

/* A finished tree, with the leaf that each out-of-bag row fell into. */
typedef struct spf_grown {
    spf_tree tree;
    size_t oob_count;
    uint32_t *oob_row, *oob_leaf; /* [oob_count] */
} spf_grown;

void spf_grown_free(spf_grown *grown);

/* Grows tree number `tree`, a function of plan and number alone. SPORF_ERROR_CANCELLED when the
 * interrupt hook asks to stop. */
sporf_status spf_grow(spf_grower *grower, uint32_t tree, spf_grown *grown);

#endif
