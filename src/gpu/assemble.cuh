/* Made nodes become trees in preorder, as the library has them. */
#ifndef SPF_GPU_ASSEMBLE_CUH
#define SPF_GPU_ASSEMBLE_CUH

#include "part.cuh"

/* See spf_node. */
struct gpu_plain {
    float threshold;
    uint32_t right, content;
};

/* The parts of a tree: how many there are, or where they begin among those of all trees. */
enum { OF_NODES, OF_STARTS, OF_TERMS, OF_LEAF_STARTS, OF_ENTRIES, OF_ALL };

struct gpu_extents {
    uint32_t of[OF_ALL];
};

/* All trees of a batch, one after the other. */
struct gpu_forest {
    gpu_array<gpu_plain> nodes;
    gpu_array<uint32_t> projection_start, term_feature, leaf_start, leaf_class;
    gpu_array<float> term_weight, leaf_weight;
    gpu_array<gpu_extents> begin; /* [trees] */
};

struct gpu_assembling {
    gpu_array<uint32_t> leaves, terms, entries; /* below each node */
    gpu_array<double> weight;
    gpu_array<gpu_extents> place; /* of each node in its tree */
};

/* level_end[levels]: how many nodes there were after each level. size[trees] and begin[trees], on
 * the host, become those of the trees. */
int gpu_assemble(const gpu_trees &made, const uint32_t *level_end, size_t levels, uint32_t trees,
                 int has_missing, gpu_assembling *assembling, gpu_forest *forest, gpu_extents *size,
                 gpu_extents *begin);

/* leaf[i] becomes the leaf that row[i] of the table falls into, in one of the trees. */
int gpu_find_leaves(const gpu_forest &forest, const gpu_extents &begin, const gpu_table &table,
                    const uint32_t *row, uint32_t rows, uint32_t *leaf);

#endif
