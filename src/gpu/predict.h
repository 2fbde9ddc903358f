/* Prediction on the GPU, in words that both C and CUDA know: between gpu_predict.c, which knows
 * forests, and the kernels, which know nothing of the library. */
#ifndef SPF_GPU_PREDICT_H
#define SPF_GPU_PREDICT_H

#include "gpu/trainer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Those of the library, with the same members: see spf_packed_node, spf_packed_tree and spf_set. */
typedef struct spf_gpu_packed_node {
    uint32_t child[2];
    float threshold;
    uint32_t feature[2];
    float weight[2];
} spf_gpu_packed_node;

typedef struct spf_gpu_packed_tree {
    uint64_t start, leaf;
    uint32_t root, leaves, projection, projections;
} spf_gpu_packed_tree;

typedef struct spf_gpu_set {
    uint32_t feature, first, start, words;
    float fill;
} spf_gpu_set;

/* A packed forest and what is asked of it: see spf_packed. */
typedef struct spf_gpu_packed {
    size_t features, trees_count, nodes_count, leaves_count, mixed_count, entries_count;
    size_t terms_count, projections_count, sets_count, words_count;
    const spf_gpu_packed_tree *trees;
    const spf_gpu_packed_node *nodes;
    const spf_gpu_set *sets;
    const uint32_t *words;
    float levels_max; /* levels are below it */
    const uint64_t *projection_start;
    const uint32_t *term_feature;
    const float *term_weight;
    uint32_t class_bits;
    const uint32_t *leaf_class; /* NULL if in references */
    const uint32_t *leaf_weight;
    const uint64_t *mixed_start;
    const uint32_t *entry_class;
    const float *entry_weight;
    const float *leaf_value; /* [leaves_count x width]; NULL: leaves add their shares of classes */
    size_t width;
    size_t turns;   /* of a boosted model: tree t adds to output t % turns; otherwise 0 */
    size_t classes; /* votes of a row; 0 if none are asked for */
    size_t outputs; /* sums of a row; 0 if none are asked for */
    int mixed;      /* values may be missing, or terms name sets */
} spf_gpu_packed;

typedef struct spf_gpu_walker spf_gpu_walker;

/* Copies the forest to the device; *most is how many rows it takes at once. */
spf_gpu_result spf_gpu_walker_create(const spf_gpu_packed *forest, size_t *most,
                                     spf_gpu_walker **out);
void spf_gpu_walker_free(spf_gpu_walker *walker);

/* rows[count x features] become votes[count x classes] and sums[count x outputs]. */
spf_gpu_result spf_gpu_walk(spf_gpu_walker *walker, const float *rows, size_t count,
                            uint32_t *votes, double *sums);

#ifdef __cplusplus
}
#endif

#endif
