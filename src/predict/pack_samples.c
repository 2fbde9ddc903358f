/* Samples are moved tree by tree, in order. */
#include "predict/pack_samples.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t *tree;
    uint32_t *end;
    float *value, *weight;
} arrays;

static uint32_t samples_of(const spf_tree *tree) {
    return tree->sample_end ? tree->sample_end[tree->leaves_count - 1] : 0;
}

static void move_tree(spf_tree *tree, size_t targets, uint64_t leaf, uint64_t first,
                      const arrays *to) {
    uint32_t count = samples_of(tree);
    if (to->end && count == 0) memset(to->end + leaf, 0, tree->leaves_count * sizeof *to->end);
    if (count == 0) return;
    memcpy(to->end + leaf, tree->sample_end, tree->leaves_count * sizeof *to->end);
    memcpy(to->value + first * targets, tree->sample_value, count * targets * sizeof *to->value);
    for (uint32_t i = 0; to->weight && i < count; i++)
        to->weight[first + i] = tree->sample_weight ? tree->sample_weight[i] : 1;
    if (!tree->borrows) {
        free((void *)tree->sample_end);
        free((void *)tree->sample_value);
        free((void *)tree->sample_weight);
    }
    tree->sample_end = NULL;
    tree->sample_value = tree->sample_weight = NULL;
}

static int allocate(arrays *a, const sporf_forest *forest, uint64_t leaves, uint64_t samples,
                    int weights) {
    a->tree = spf_alloc(forest->trees_count + 1, sizeof *a->tree);
    a->end = samples > 0 ? spf_alloc(leaves, sizeof *a->end) : NULL;
    a->value = samples > 0 ? spf_alloc(samples, forest->targets * sizeof *a->value) : NULL;
    a->weight = weights ? spf_alloc(samples, sizeof *a->weight) : NULL;
    if (a->tree && (samples == 0 || (a->end && a->value)) && (!weights || a->weight)) return 1;
    free(a->tree);
    free(a->end);
    free(a->value);
    free(a->weight);
    return 0;
}

sporf_status spf_pack_samples(sporf_forest *forest, uint64_t leaves, spf_packed *packed) {
    uint64_t samples = 0, leaf = 0;
    int weights = 0;
    arrays a;
    if (!forest->keeps_samples) return SPORF_OK;
    for (size_t t = 0; t < forest->trees_count; t++) {
        samples += samples_of(&forest->trees[t]);
        weights |= forest->trees[t].sample_weight != NULL;
    }
    if (!allocate(&a, forest, leaves, samples, weights)) return spf_raise_memory();
    a.tree[0] = 0;
    for (size_t t = 0; t < forest->trees_count; t++) {
        a.tree[t + 1] = a.tree[t] + samples_of(&forest->trees[t]);
        move_tree(&forest->trees[t], forest->targets, leaf, a.tree[t], &a);
        leaf += forest->trees[t].leaves_count;
    }
    packed->samples_count = samples;
    packed->sample_tree = a.tree;
    packed->sample_end = a.end;
    packed->sample_value = a.value;
    packed->sample_weight = a.weight;
    return SPORF_OK;
}

void spf_pack_samples_free(spf_packed *packed) {
    free((void *)packed->sample_tree);
    free((void *)packed->sample_end);
    free((void *)packed->sample_value);
    free((void *)packed->sample_weight);
}
