/* From one level to the next: the children of the nodes, and their rows. */
#ifndef SPF_GPU_PART_CUH
#define SPF_GPU_PART_CUH

#include "cuts.cuh"
#include "level.cuh"

/* A node of a finished tree, in the order in which they were made. */
struct gpu_made {
    uint32_t tree;
    uint32_t left; /* child; the right one is next to it. 0 for a leaf */
    float threshold;
    uint32_t missing_left;
    uint32_t terms_at, terms;     /* of a split */
    uint32_t entries_at, entries; /* of a leaf: its classes */
};

/* How a node is split. */
struct gpu_split {
    int found, missing_left;
    float threshold;
    uint32_t left_rows, left_total;
    uint32_t open[2]; /* children in the next level; UINT32_MAX for leaves */
};

/* What nodes add to the next level and to the trees. */
enum { ADD_SPLITS, ADD_OPEN, ADD_ROWS, ADD_TERMS, ADD_ENTRIES, ADDS };

struct gpu_adds {
    uint32_t of[ADDS];
};

/* Everything that nodes of all levels become. */
struct gpu_trees {
    gpu_array<gpu_made> made;
    gpu_array<gpu_term> term;
    gpu_array<uint32_t> entry_class;
    gpu_array<float> entry_weight;
    uint32_t nodes, terms, entries; /* so far */
};

/* The arrays of a level, without candidates and values. */
struct gpu_rows {
    gpu_array<gpu_node> node;
    gpu_array<uint32_t> totals, row, tag, owner;
    gpu_array<uint32_t> lists;       /* [GPU_SIZES x nodes] */
    gpu_array<uint32_t> list_counts; /* [GPU_COUNTS] */
    uint32_t nodes, rows;
};

struct gpu_parting {
    gpu_array<uint32_t> left_totals;
    gpu_array<gpu_split> split;
    gpu_array<gpu_adds> adds, sums; /* of nodes, and of blocks of them */
};

/* The trees with nothing but roots: bag_row and bag_tag hold the rows of one tree after the other,
 * and bag_begin[trees + 1] where they begin. */
int gpu_plant(const gpu_rules &rules, const gpu_tree *trees, uint32_t count,
              const uint32_t *bag_begin, const gpu_array<uint32_t> &bag_row,
              const gpu_array<uint32_t> &bag_tag, gpu_parting *parting, gpu_trees *made,
              gpu_rows *next);

/* Splits the nodes of a level, whose cuts are known. */
int gpu_part(const gpu_level &level, const gpu_table &table, const gpu_rules &rules,
             const gpu_sampler &sampler, const gpu_tree *trees, const gpu_sizes &sizes,
             gpu_parting *parting, gpu_trees *made, gpu_rows *next);

#endif
