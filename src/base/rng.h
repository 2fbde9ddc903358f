/* Counter-based random numbers (Philox 4x32-10, Salmon et al. 2011). A stream is a pure function of
 * (seed, tree, node, use), so no thread, schedule or machine can change what a node draws. */
#ifndef SPF_BASE_RNG_H
#define SPF_BASE_RNG_H

#include "base/philox.h"

#include "sporf.h"

/* The purpose of a stream; streams for different purposes never overlap. */
typedef enum spf_use {
    SPF_USE_TREE_KEY,
    SPF_USE_NODE_KEY,
    SPF_USE_BAG,
    SPF_USE_PREPARE,
    SPF_USE_DRAW,
    SPF_USE_SIMULATE,
    SPF_USE_LEVELS,
    SPF_USE_HONEST,
    SPF_USE_FOLDS,
    SPF_USE_TIES,
    SPF_USE_PERMUTE,
    SPF_USE_NOISE,
    SPF_USE_PILOT,
    SPF_USE_HOLD_OUT,
    SPF_USE_SUBSAMPLE,
    SPF_USE_ROUND_FEATURES,
    SPF_USE_EXPLAIN,
    SPF_USE_BOOTSTRAP,
    SPF_USE_DEPENDENCE,
    SPF_USE_SHUFFLED_COPY,
    SPF_USE_REPORT,
} spf_use;

struct sporf_random {
    spf_philox_key key;
    spf_philox_block counter; /* block, use, node low, node high */
    spf_philox_block block;
    unsigned left; /* words of block not yet used */
};

/* The key of a tree, and the keys of a node's children; the root has SPF_ROOT_KEY. */
uint64_t spf_tree_key(uint64_t seed, uint32_t tree);
void spf_child_keys(uint64_t tree_key, uint64_t node_key, uint64_t *left, uint64_t *right);

#define SPF_ROOT_KEY 1u

sporf_random spf_random_start(uint64_t key, uint64_t node, spf_use use);

static inline uint32_t spf_random_word(sporf_random *random) {
    if (random->left == 0) {
        random->block = spf_philox(random->counter, random->key);
        random->counter.v[0]++;
        random->left = 4;
    }
    return random->block.v[4 - random->left--];
}

/* Uniform on 0 .. bound-1 for bound >= 1 (Lemire 2019: multiply, reject the uneven remainder). */
static inline uint32_t spf_random_below(sporf_random *random, uint32_t bound) {
    uint64_t product = (uint64_t)spf_random_word(random) * bound;
    if ((uint32_t)product < bound) {
        uint32_t uneven = (uint32_t)(-bound) % bound;
        while ((uint32_t)product < uneven) product = (uint64_t)spf_random_word(random) * bound;
    }
    return (uint32_t)(product >> 32);
}

/* The same for bounds beyond 32 bits. */
uint64_t spf_random_below_large(sporf_random *random, uint64_t bound);

static inline uint64_t spf_random_below64(sporf_random *random, uint64_t bound) {
    return bound <= UINT32_MAX ? spf_random_below(random, (uint32_t)bound)
                               : spf_random_below_large(random, bound);
}

/* 53 random bits in [0, 1). */
static inline double spf_random_uniform(sporf_random *random) {
    uint64_t high = spf_random_word(random), low = spf_random_word(random);
    return (double)(((high << 32) | low) >> 11) * 0x1p-53;
}

/* N(0, 1) by Marsaglia's polar method. */
double spf_random_normal(sporf_random *random);

/* Exponential with mean 1. */
double spf_random_exponential(sporf_random *random);

#endif
