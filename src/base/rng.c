/* Streams of random numbers and the distributions drawn from them. */
#include "base/rng.h"

#include "base/portable_math.h"

#include <math.h>

sporf_random spf_random_start(uint64_t key, uint64_t node, spf_use use) {
    sporf_random random = {.left = 0};
    random.key.v[0] = (uint32_t)key;
    random.key.v[1] = (uint32_t)(key >> 32);
    random.counter.v[0] = 0;
    random.counter.v[1] = (uint32_t)use;
    random.counter.v[2] = (uint32_t)node;
    random.counter.v[3] = (uint32_t)(node >> 32);
    return random;
}

static uint64_t two_words(sporf_random *random) {
    uint64_t high = spf_random_word(random);
    return (high << 32) | spf_random_word(random);
}

uint64_t spf_tree_key(uint64_t seed, uint32_t tree) {
    sporf_random random = spf_random_start(seed, tree, SPF_USE_TREE_KEY);
    return two_words(&random);
}

void spf_child_keys(uint64_t tree_key, uint64_t node_key, uint64_t *left, uint64_t *right) {
    sporf_random random = spf_random_start(tree_key, node_key, SPF_USE_NODE_KEY);
    *left = two_words(&random);
    *right = two_words(&random);
}

uint64_t spf_random_below_large(sporf_random *random, uint64_t bound) {
    uint64_t largest = UINT64_MAX - UINT64_MAX % bound, word;
    do word = two_words(random);
    while (word >= largest);
    return word % bound;
}

double spf_random_normal(sporf_random *random) {
    double u, v, square;
    do {
        u = 2 * spf_random_uniform(random) - 1;
        v = 2 * spf_random_uniform(random) - 1;
        square = u * u + v * v;
    } while (square >= 1 || square == 0);
    return u * sqrt(-2 * spf_log(square) / square);
}

double spf_random_exponential(sporf_random *random) {
    return -spf_log(1 - spf_random_uniform(random));
}

uint32_t sporf_random_below(sporf_random *random, uint32_t bound) {
    return bound == 0 ? 0 : spf_random_below(random, bound);
}

double sporf_random_uniform(sporf_random *random) {
    return spf_random_uniform(random);
}

double sporf_random_normal(sporf_random *random) {
    return spf_random_normal(random);
}
