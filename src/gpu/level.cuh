/* The nodes of all trees of a batch that are split at the same time, and what is known of them.
 *
 * A level has the nodes that may be split, with their rows side by side in the order of the nodes.
 * Rows of leaves are in no level. Arrays are in the memory of the device. */
#ifndef SPF_GPU_LEVEL_CUH
#define SPF_GPU_LEVEL_CUH

#include "device.cuh"

/* What candidates are drawn from: see learn/sampling. */
enum gpu_method { GPU_SPORF, GPU_FRC, GPU_RF };
enum gpu_weights { GPU_SIGNS, GPU_ONES, GPU_UNIFORM };

struct gpu_sampler {
    gpu_method method;
    gpu_weights weights;
    uint32_t features, projections;
    uint32_t terms;     /* of a node's candidates together, at most */
    uint32_t of_each;   /* frc: terms of a candidate */
    const float *scale; /* [features], or NULL */
    const float *fill;  /* that of the table */
};

/* Rows begin at multiples of `stride` values, which is one of four bytes. */
struct gpu_table {
    const float *values;  /* or NULL */
    const uint8_t *bytes; /* the same, if all values are integers from 0 to 255 */
    const float *fill;    /* [features]: see spf_plan; NULL without missing values */
    uint32_t rows, features, stride;
    int has_missing;
};

/* What all nodes share. */
struct gpu_rules {
    uint32_t classes;
    unsigned weight_bits; /* of tags: the class is above them */
    int entropy;
    const double *xlogx; /* [xlogx_size] */
    uint32_t xlogx_size;
    double xlogx_unit;
    uint32_t max_depth; /* 0: unbounded */
    uint32_t min_split, min_leaf;
    int relative; /* min_split and min_leaf are in rows, and no more than 2 and 1 */
};

/* A tree of the batch. */
struct gpu_tree {
    uint64_t key;
    uint32_t least_units; /* least weight of a child */
};

struct gpu_node {
    uint64_t key;
    uint32_t tree;  /* of the batch */
    uint32_t id;    /* among all nodes of the batch */
    uint32_t begin; /* of its rows */
    uint32_t rows;
    uint32_t depth;
    uint32_t total;   /* weight */
    uint32_t present; /* classes with weight */
    uint32_t least_units;
};

struct gpu_term {
    uint32_t feature;
    float weight;
};

/* Candidates: those of node i begin at start[i * (projections + 1)], their terms at i * terms. */
struct gpu_candidates {
    uint32_t *count; /* [nodes] */
    uint32_t *start;
    gpu_term *term;
};

enum gpu_side { GPU_NO_MISSING, GPU_MISSING_LEFT, GPU_MISSING_RIGHT };

/* The best cut of a node so far. A coarse one is behind `bin` and before `next_bin` of some bins.
 */
struct gpu_cut {
    double score;
    uint32_t candidate;
    float threshold;
    float low, high, per_unit; /* of the bins */
    uint32_t bins, bin, next_bin;
    uint8_t found, coarse;
    uint8_t side; /* a gpu_side */
};

struct gpu_level {
    uint32_t nodes, rows;
    const gpu_node *node;
    const uint32_t *totals; /* [nodes x classes] */
    const uint32_t *row;    /* [rows]: of the table */
    const uint32_t *tag;    /* [rows]: class and weight */
    const uint32_t *owner;  /* [rows]: the node */
    gpu_candidates candidates;
    float *values; /* [rows x projections]: those of a node begin at begin x projections, a
                      candidate after the other */
    gpu_cut *cut;  /* [nodes] */
};

static __device__ __forceinline__ float *column_of(const gpu_level &level, const gpu_node &node,
                                                   uint32_t projections, uint32_t candidate) {
    return level.values + (size_t)node.begin * projections + (size_t)candidate * node.rows;
}

static __device__ __forceinline__ uint32_t class_of(const gpu_rules &rules, uint32_t tag) {
    return tag >> rules.weight_bits;
}

static __device__ __forceinline__ uint32_t weight_of(const gpu_rules &rules, uint32_t tag) {
    return tag & ((1u << rules.weight_bits) - 1);
}

/* Whether a node is scanned as two classes: see spf_split_is_pair. */
static __device__ __forceinline__ int is_pair(const gpu_rules &rules, const gpu_node &node) {
    return node.present == 2 && !rules.entropy;
}

/* Weights of classes that the threads of a block add up. With two classes every thread adds on its
 * own first, since all would wait for the same two numbers. */
struct gpu_class_weights {
    uint32_t of[2];
};

static __device__ __forceinline__ void add_weight(const gpu_rules &rules, uint32_t tag,
                                                  gpu_class_weights *own, uint32_t *shared) {
    uint32_t k = class_of(rules, tag), weight = weight_of(rules, tag);
    if (rules.classes > 2) {
        atomicAdd(&shared[k], weight);
    } else {
        own->of[0] += k == 0 ? weight : 0;
        own->of[1] += k == 1 ? weight : 0;
    }
}

static __device__ __forceinline__ void
join_weights(const gpu_rules &rules, const gpu_class_weights &own, uint32_t *shared) {
    for (uint32_t k = 0; rules.classes <= 2 && k < rules.classes; k++) {
        uint32_t sum = sum_of_warp(own.of[k]);
        if (lane_of() == 0) atomicAdd(&shared[k], sum);
    }
}

#endif
