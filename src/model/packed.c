/* The memory of the packed form. */
#include "model/packed.h"

#include <stdlib.h>

void spf_packed_free(spf_packed *packed) {
    free((void *)packed->trees);
    free((void *)packed->nodes);
    free((void *)packed->projection_start);
    free((void *)packed->term_feature);
    free((void *)packed->term_weight);
    free((void *)packed->leaf_weight);
    free((void *)packed->leaf_class);
    free((void *)packed->mixed_start);
    free((void *)packed->entry_class);
    free((void *)packed->entry_weight);
    free((void *)packed->leaf_value);
    free((void *)packed->sample_tree);
    free((void *)packed->sample_end);
    free((void *)packed->sample_value);
    free((void *)packed->sample_weight);
    free((void *)packed->sets.sets);
    free((void *)packed->sets.words);
    *packed = (spf_packed){0};
}

/* The number of packed nodes of a short split. */
static double nodes_of_split(double terms) {
    enum { NODES_MAX = SPF_SHORT_TERMS / SPF_PACKED_TERMS };
    return fmin((terms + 1) / SPF_PACKED_TERMS, NODES_MAX);
}

/* Splits, and the terms of long projections, which are stored once, however many splits share them.
 * If the average is long, some projections are still short. */
static double splits_bytes(const spf_tree_size *size) {
    double splits = size->leaves - 1, terms = size->terms / fmax(size->projections, 1);
    double inside = splits * nodes_of_split(terms) * sizeof(spf_packed_node);
    if (terms <= SPF_SHORT_TERMS) return inside;
    double aside =
        size->projections * sizeof(uint64_t) + size->terms * (sizeof(uint32_t) + sizeof(float));
    return fmax(inside, splits * sizeof(spf_packed_node) + aside);
}

static double leaves_bytes(const spf_tree_size *size) {
    double mixed = size->entries > size->leaves ? size->leaves + size->entries : 0;
    double samples = size->samples * (size->targets + (size->sample_weights ? 1 : 0));
    return (size->leaves * (1 + size->targets + (size->samples > 0 ? 1 : 0)) + samples) *
               sizeof(float) +
           mixed * sizeof(uint64_t);
}

/* All trees share one list of sets. */
static double sets_bytes(const spf_tree_size *size, double trees) {
    return spf_reserve_bytes(trees * size->sets, sizeof(spf_set)) +
           spf_reserve_bytes(trees * size->words, sizeof(uint32_t));
}

double spf_packed_bytes(const spf_tree_size *size, double trees) {
    enum { ARRAYS = 15 };
    double tree = sizeof(spf_packed_tree) + sizeof(uint64_t) + sizeof(void *);
    return trees * (tree + splits_bytes(size) + leaves_bytes(size)) + sets_bytes(size, trees) +
           ARRAYS * SPF_ALLOCATION_BYTES;
}

/* For each tree its places; for each thread a weight for each node of a tree, a number for each
 * projection, and the nodes that wait for their place; and an index of all sets. */
double spf_packing_bytes(const spf_tree_size *size, double trees, double threads) {
    enum { INDEXED = 4, POINTERS = 3 };
    const size_t word = sizeof(uint32_t);
    double scratch = spf_alloc_bytes(2 * size->leaves, sizeof(float)) +
                     spf_alloc_bytes(size->projections, word) +
                     spf_alloc_bytes(size->leaves, SPF_WAITING_BYTES) + POINTERS * sizeof(void *);
    return spf_alloc_bytes(trees, SPF_EXTENT_BYTES) + SPF_ALLOCATION_BYTES +
           fmin(threads, trees) * scratch + INDEXED * trees * size->sets * (double)word;
}
