/* Checks samples that may come from a hostile file. */
#include "model/samples.h"

#include <math.h>

static int are_finite(const float *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i])) return 0;
    return 1;
}

static int are_weights(const float *weights, size_t count) {
    for (size_t i = 0; weights && i < count; i++)
        if (!isfinite(weights[i]) || !(weights[i] > 0)) return 0;
    return 1;
}

/* Whether the ends of a leaf and of the one before it are within the tree's samples. */
static int ends_fit(const spf_packed *packed, size_t tree, uint32_t leaf) {
    uint64_t all = packed->trees[tree].leaf + leaf;
    uint64_t count = packed->sample_tree[tree + 1] - packed->sample_tree[tree];
    uint32_t begin = leaf > 0 ? packed->sample_end[all - 1] : 0;
    return begin <= packed->sample_end[all] && packed->sample_end[all] <= count;
}

int spf_samples_exist(const sporf_forest *forest, size_t tree, uint32_t leaf) {
    if (forest->packed.sample_end && !ends_fit(&forest->packed, tree, leaf)) return 0;
    spf_samples samples = spf_forest_samples(forest, tree, leaf);
    return are_finite(samples.value, samples.count * forest->targets) &&
           are_weights(samples.weight, samples.count);
}

sporf_status spf_samples_validate_table(const sporf_forest *forest) {
    const spf_packed *packed = &forest->packed;
    const uint64_t *start = packed->sample_tree;
    if (!start) return SPORF_OK;
    for (size_t t = 0; t < forest->trees_count; t++)
        if (start[t + 1] < start[t] || start[t + 1] - start[t] > UINT32_MAX)
            return spf_raise(SPORF_ERROR_MODEL, "tree %zu: its samples do not exist", t);
    if (start[0] != 0 || start[forest->trees_count] != packed->samples_count)
        return spf_raise(SPORF_ERROR_MODEL, "there are samples of no tree");
    return SPORF_OK;
}

static sporf_status validate_tree(const sporf_forest *forest, size_t tree) {
    const spf_packed *packed = &forest->packed;
    uint64_t leaf = packed->trees[tree].leaf, last = packed->trees[tree].leaves - 1;
    for (uint32_t k = 0; k <= last; k++)
        if (!spf_samples_exist(forest, tree, k))
            return spf_raise(SPORF_ERROR_MODEL, "tree %zu: leaf %u has no proper samples", tree, k);
    if (packed->sample_end[leaf + last] !=
        packed->sample_tree[tree + 1] - packed->sample_tree[tree])
        return spf_raise(SPORF_ERROR_MODEL, "tree %zu: there are samples of no leaf", tree);
    return SPORF_OK;
}

sporf_status spf_samples_validate(const sporf_forest *forest) {
    if (!forest->packed.sample_end) return SPORF_OK;
    for (size_t t = 0; t < forest->trees_count; t++) SPF_TRY(validate_tree(forest, t));
    return SPORF_OK;
}
