/* Trees grown on the GPU, in words that both C and CUDA know: between gpu.c, which knows the plan
 * of a training, and the kernels, which know nothing of the library. */
#ifndef SPF_GPU_TRAINER_H
#define SPF_GPU_TRAINER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Why something failed. */
typedef enum spf_gpu_result {
    SPF_GPU_OK,
    SPF_GPU_MEMORY,    /* the device has not enough memory */
    SPF_GPU_FAILED,    /* the device failed: spf_gpu_failure tells how */
    SPF_GPU_TOO_CLOSE, /* values of a column are too close for bins */
    SPF_GPU_INTERRUPTED,
} spf_gpu_result;

/* Methods and weights of projections that are drawn on the device. */
enum { SPF_GPU_SPORF, SPF_GPU_FRC, SPF_GPU_RF };
enum { SPF_GPU_SIGNS, SPF_GPU_ONES, SPF_GPU_UNIFORM };
enum { SPF_GPU_CLASSES_MAX = 32 };

/* The columns, one after the other, are loaded in pieces of so many values. Up to so many threads
 * load and fetch. */
enum { SPF_GPU_PIECE = 1 << 19, SPF_GPU_CARRIERS = 16 };

/* What all trees share. */
typedef struct spf_gpu_setup {
    size_t rows, features;
    int whole; /* all values are integers from 0 to 255 */
    int has_missing;
    const float *fill;  /* [features] or NULL: see spf_plan */
    const float *scale; /* [features] or NULL */
    int method, weights;
    uint32_t projections;
    uint32_t terms;   /* of a node's candidates together, at most */
    uint32_t of_each; /* frc: terms of each candidate */
    uint32_t classes;
    int entropy;
    const double *xlogx; /* [xlogx_size]: see spf_xlogx */
    size_t xlogx_size;
    double xlogx_unit;
    uint32_t max_depth, min_split, min_leaf;
    int relative;
    const uint32_t *labels; /* [rows] */
    uint32_t draws;         /* of a bag that is drawn on the device; 0: bags are given */
} spf_gpu_setup;

/* The rows of a tree; key and least_units suffice if bags are drawn on the device. */
typedef struct spf_gpu_bag {
    uint64_t key;
    uint32_t least_units;
    uint32_t *row, *tag; /* [count]: tags have the class above the weight */
    uint32_t *other;     /* [others]: rows whose leaves are asked for */
    uint32_t count, others;
} spf_gpu_bag;

/* A grown tree: see spf_tree. */
typedef struct spf_gpu_size {
    uint32_t nodes, terms, leaves, entries;
    uint32_t others; /* rows that are not in its bag */
} spf_gpu_size;

typedef struct spf_gpu_arrays {
    void *nodes; /* spf_node */
    uint32_t *projection_start, *term_feature, *leaf_start, *leaf_class;
    float *term_weight, *leaf_weight;
    uint32_t *other, *leaf_of_other; /* [others] */
} spf_gpu_arrays;

typedef struct spf_gpu_trainer spf_gpu_trainer;

/* Whether there is a usable device; otherwise *why says what is missing, in words. */
int spf_gpu_is_there(const char **why);

/* The columns of the table are still to be loaded. */
spf_gpu_result spf_gpu_create(const spf_gpu_setup *setup, spf_gpu_trainer **out);
void spf_gpu_free(spf_gpu_trainer *trainer);

/* Several threads may load pieces at the same time, each with a number of its own, below
 * SPF_GPU_CARRIERS. */
spf_gpu_result spf_gpu_load(spf_gpu_trainer *trainer, const float *const *columns, size_t piece,
                            unsigned thread);

/* Frees the memory of batches. */
void spf_gpu_trim(spf_gpu_trainer *trainer);

/* How many trees with so many rows can grow at the same time; 0 if not even one can. */
size_t spf_gpu_trees_at_once(const spf_gpu_trainer *trainer, size_t bag_rows);

/* Grows a tree from each bag; weight_bits of a tag are its weight, if bags are given. `interrupt`
 * may be NULL. Trees of the batch before can still be fetched meanwhile: *half tells the batches
 * apart. */
spf_gpu_result spf_gpu_grow(spf_gpu_trainer *trainer, const spf_gpu_bag *bags, uint32_t count,
                            unsigned weight_bits, int (*interrupt)(void *), void *payload,
                            spf_gpu_size *sizes, unsigned *half);

/* Copies a tree of a batch to the arrays, which have exactly its sizes. Several threads may fetch
 * trees at the same time, as above. */
spf_gpu_result spf_gpu_fetch(spf_gpu_trainer *trainer, unsigned half, uint32_t tree,
                             unsigned thread, const spf_gpu_arrays *arrays);

/* What a call of the runtime that did not succeed means; for kernels. */
spf_gpu_result spf_gpu_why_failed(void);

/* What the device said last. */
const char *spf_gpu_failure(void);

#ifdef __cplusplus
}
#endif

#endif
