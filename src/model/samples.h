/* Leaf samples, from which quantiles are predicted: the training targets of the rows in each leaf.
 *
 * A leaf whose rows agree in all targets has no samples: its prediction is the only one. Trees
 * grown until rows agree therefore store none. */
#ifndef SPF_MODEL_SAMPLES_H
#define SPF_MODEL_SAMPLES_H

#include "model/forest.h"

typedef struct spf_samples {
    size_t count;        /* at least 1 */
    const float *value;  /* [count x targets] */
    const float *weight; /* [count]; NULL: all are 1 */
} spf_samples;

/* Samples [begin, end) of a tree's arrays; if there are none, the leaf's value. */
static inline spf_samples spf_samples_between(const float *value, const float *weight,
                                              size_t targets, uint32_t begin, uint32_t end,
                                              const float *leaf_value) {
    if (begin == end) return (spf_samples){.count = 1, .value = leaf_value};
    return (spf_samples){end - begin, value + begin * targets, weight ? weight + begin : NULL};
}

/* The samples of a plain tree's leaf. */
static inline spf_samples spf_tree_samples(const spf_tree *tree, size_t targets, uint32_t leaf) {
    const uint32_t *ends = tree->sample_end;
    uint32_t begin = ends && leaf > 0 ? ends[leaf - 1] : 0, end = ends ? ends[leaf] : 0;
    return spf_samples_between(tree->sample_value, tree->sample_weight, targets, begin, end,
                               tree->leaf_value + leaf * targets);
}

/* The samples of a leaf of tree number `tree`, in a forest that stores them. */
static inline spf_samples spf_forest_samples(const sporf_forest *forest, size_t tree,
                                             uint32_t leaf) {
    const spf_packed *packed = &forest->packed;
    uint64_t all = packed->trees[tree].leaf + leaf, first = packed->sample_tree[tree];
    const uint32_t *ends = packed->sample_end;
    uint32_t begin = ends && leaf > 0 ? ends[all - 1] : 0, end = ends ? ends[all] : 0;
    return spf_samples_between(
        packed->sample_value ? packed->sample_value + first * forest->targets : NULL,
        packed->sample_weight ? packed->sample_weight + first : NULL, forest->targets, begin, end,
        packed->leaf_value + all * forest->targets);
}

/* Whether a leaf's samples are within those of its tree and could come from training: for mapped
 * files that were not checked. */
int spf_samples_exist(const sporf_forest *forest, size_t tree, uint32_t leaf);

/* Checks where the samples of each tree begin, which is cheap; and all of them. */
sporf_status spf_samples_validate_table(const sporf_forest *forest);
sporf_status spf_samples_validate(const sporf_forest *forest);

#endif
