/* From the last level up every node learns what is below it, then from the first level down where
 * it stands; then everything is written there. */
#include "assemble.cuh"

#include "project.cuh"

#include <stdlib.h>

enum { THREADS = 256 };
#define MISSING_LEFT 0x80000000u

/* What is below a node, with itself. */
struct gpu_below {
    uint32_t *leaves, *terms, *entries;
    double *weight;
};

__global__ void sum_below(const gpu_made *made, uint32_t from, uint32_t to,
                          const float *entry_weight, gpu_below below) {
    uint32_t i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= to) return;
    gpu_made node = made[i];
    uint32_t left = node.left, right = node.left + 1;
    double weight = 0;
    if (left == 0) {
        for (uint32_t e = 0; e < node.entries; e++) weight += entry_weight[node.entries_at + e];
    } else {
        weight = below.weight[left] + below.weight[right];
    }
    below.weight[i] = weight;
    below.leaves[i] = left ? below.leaves[left] + below.leaves[right] : 1;
    below.terms[i] = left ? node.terms + below.terms[left] + below.terms[right] : 0;
    below.entries[i] = left ? below.entries[left] + below.entries[right] : node.entries;
}

/* Roots are at the beginning of their trees. */
__global__ void place_roots(gpu_extents *place, uint32_t trees) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    gpu_extents none = {};
    if (i < trees) place[i] = none;
}

__global__ void place_children(const gpu_made *made, uint32_t from, uint32_t to, gpu_below below,
                               gpu_extents *place) {
    uint32_t i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= to || made[i].left == 0) return;
    uint32_t left = made[i].left;
    gpu_extents next = place[i];
    next.of[OF_NODES]++;
    next.of[OF_STARTS]++;
    next.of[OF_TERMS] += made[i].terms;
    place[left] = next;
    next.of[OF_NODES] += 2 * below.leaves[left] - 1;
    next.of[OF_STARTS] += below.leaves[left] - 1;
    next.of[OF_TERMS] += below.terms[left];
    next.of[OF_LEAF_STARTS] += below.leaves[left];
    next.of[OF_ENTRIES] += below.entries[left];
    place[left + 1] = next;
}

struct gpu_written {
    gpu_plain *nodes;
    uint32_t *projection_start, *term_feature, *leaf_start, *leaf_class;
    float *term_weight, *leaf_weight;
};

static __device__ void write_leaf(const gpu_made &node, const gpu_extents &begin,
                                  const gpu_extents &place, const uint32_t *entry_class,
                                  const float *entry_weight, const gpu_written &to) {
    uint32_t at = place.of[OF_ENTRIES];
    gpu_plain plain = {0, 0, place.of[OF_LEAF_STARTS]};
    to.nodes[(size_t)begin.of[OF_NODES] + place.of[OF_NODES]] = plain;
    to.leaf_start[(size_t)begin.of[OF_LEAF_STARTS] + place.of[OF_LEAF_STARTS]] = at;
    for (uint32_t e = 0; e < node.entries; e++) {
        to.leaf_class[(size_t)begin.of[OF_ENTRIES] + at + e] = entry_class[node.entries_at + e];
        to.leaf_weight[(size_t)begin.of[OF_ENTRIES] + at + e] = entry_weight[node.entries_at + e];
    }
}

/* Without missing values in training, those of new data go to the heavier side: see
 * spf_builder_send_missing. */
static __device__ void write_split(const gpu_made &node, const gpu_extents &begin,
                                   const gpu_extents &place, const gpu_extents &right,
                                   const gpu_below &below, const gpu_term *term, int has_missing,
                                   const gpu_written &to) {
    uint32_t at = place.of[OF_TERMS];
    int missing_left = has_missing ? node.missing_left != 0
                                   : below.weight[node.left] > below.weight[node.left + 1];
    gpu_plain plain = {node.threshold, right.of[OF_NODES],
                       place.of[OF_STARTS] | (missing_left ? MISSING_LEFT : 0)};
    to.nodes[(size_t)begin.of[OF_NODES] + place.of[OF_NODES]] = plain;
    to.projection_start[(size_t)begin.of[OF_STARTS] + place.of[OF_STARTS]] = at;
    for (uint32_t t = 0; t < node.terms; t++) {
        to.term_feature[(size_t)begin.of[OF_TERMS] + at + t] = term[node.terms_at + t].feature;
        to.term_weight[(size_t)begin.of[OF_TERMS] + at + t] = term[node.terms_at + t].weight;
    }
}

__global__ void write_nodes(const gpu_made *made, uint32_t nodes, const gpu_term *term,
                            const uint32_t *entry_class, const float *entry_weight, gpu_below below,
                            const gpu_extents *place, const gpu_extents *begin, uint32_t trees,
                            int has_missing, gpu_written to) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nodes) return;
    gpu_made node = made[i];
    const gpu_extents &of_tree = begin[node.tree];
    if (node.left == 0)
        write_leaf(node, of_tree, place[i], entry_class, entry_weight, to);
    else
        write_split(node, of_tree, place[i], place[node.left + 1], below, term, has_missing, to);
    if (i >= trees) return; /* a root also writes where the lists end */
    to.projection_start[(size_t)of_tree.of[OF_STARTS] + below.leaves[i] - 1] = below.terms[i];
    to.leaf_start[(size_t)of_tree.of[OF_LEAF_STARTS] + below.leaves[i]] = below.entries[i];
}

/* What the trees hold, and where it begins. */
static int measure(const gpu_assembling &a, uint32_t trees, gpu_extents *size, gpu_extents *begin,
                   size_t *all) {
    uint32_t *below = (uint32_t *)malloc(3 * sizeof *below * trees);
    int done = below && gpu_download(below, a.leaves.at, trees) &&
               gpu_download(below + trees, a.terms.at, trees) &&
               gpu_download(below + 2 * (size_t)trees, a.entries.at, trees);
    for (int part = 0; part < OF_ALL; part++) all[part] = 0;
    for (uint32_t i = 0; done && i < trees; i++) {
        uint32_t leaves = below[i];
        const gpu_extents own = {
            {2 * leaves - 1, leaves, below[trees + i], leaves + 1, below[2 * (size_t)trees + i]}};
        size[i] = own;
        for (int part = 0; part < OF_ALL; part++) {
            begin[i].of[part] = (uint32_t)all[part];
            all[part] += own.of[part];
        }
    }
    free(below);
    for (int part = 0; part < OF_ALL; part++) done = done && all[part] <= UINT32_MAX;
    return done;
}

static int write_trees(const gpu_trees &made, uint32_t trees, const gpu_extents *begin,
                       const size_t *all, int has_missing, const gpu_below &below,
                       gpu_assembling *a, gpu_forest *f) {
    if (!gpu_reserve(&f->nodes, all[OF_NODES]) || !gpu_upload(&f->begin, begin, trees) ||
        !gpu_reserve(&f->projection_start, all[OF_STARTS]) ||
        !gpu_reserve(&f->term_feature, all[OF_TERMS]) ||
        !gpu_reserve(&f->term_weight, all[OF_TERMS]) ||
        !gpu_reserve(&f->leaf_start, all[OF_LEAF_STARTS]) ||
        !gpu_reserve(&f->leaf_class, all[OF_ENTRIES]) ||
        !gpu_reserve(&f->leaf_weight, all[OF_ENTRIES]))
        return 0;
    gpu_written to = {f->nodes.at,      f->projection_start.at, f->term_feature.at,
                      f->leaf_start.at, f->leaf_class.at,       f->term_weight.at,
                      f->leaf_weight.at};
    SPF_LAUNCH(write_nodes, gpu_blocks(made.nodes, THREADS), THREADS, 0, made.made.at, made.nodes,
               made.term.at, made.entry_class.at, made.entry_weight.at, below, a->place.at,
               f->begin.at, trees, has_missing, to);
    return gpu_launched();
}

int gpu_assemble(const gpu_trees &made, const uint32_t *level_end, size_t levels, uint32_t trees,
                 int has_missing, gpu_assembling *a, gpu_forest *forest, gpu_extents *size,
                 gpu_extents *begin) {
    size_t all[OF_ALL];
    if (!gpu_reserve(&a->leaves, made.nodes) || !gpu_reserve(&a->terms, made.nodes) ||
        !gpu_reserve(&a->entries, made.nodes) || !gpu_reserve(&a->weight, made.nodes) ||
        !gpu_reserve(&a->place, made.nodes))
        return 0;
    gpu_below below = {a->leaves.at, a->terms.at, a->entries.at, a->weight.at};
    for (size_t l = levels; l-- > 0;) {
        uint32_t from = l > 0 ? level_end[l - 1] : 0, to = level_end[l];
        if (from < to)
            SPF_LAUNCH(sum_below, gpu_blocks(to - from, THREADS), THREADS, 0, made.made.at, from,
                       to, made.entry_weight.at, below);
    }
    if (!gpu_launched() || !measure(*a, trees, size, begin, all)) return 0;
    SPF_LAUNCH(place_roots, gpu_blocks(trees, THREADS), THREADS, 0, a->place.at, trees);
    for (size_t l = 0; l < levels; l++) {
        uint32_t from = l > 0 ? level_end[l - 1] : 0, to = level_end[l];
        if (from < to)
            SPF_LAUNCH(place_children, gpu_blocks(to - from, THREADS), THREADS, 0, made.made.at,
                       from, to, below, a->place.at);
    }
    return write_trees(made, trees, begin, all, has_missing, below, a, forest);
}

/* ---- rows that no bag holds ----------------------------------------------------------------- */

template <typename T>
static __device__ __forceinline__ float value_of_arrays(const T *row, const float *fill,
                                                        const uint32_t *feature,
                                                        const float *weight, uint32_t terms) {
    float sum = 0;
    if (terms == 1) return (float)row[feature[0]];
    for (uint32_t t = 0; t < terms; t++) {
        float value = (float)row[feature[t]];
        if (fill && value != value) value = fill[feature[t]];
        sum = t == 0 ? weight[t] * value : sum + weight[t] * value;
    }
    return sum;
}

template <typename T>
static __device__ uint32_t leaf_of(const gpu_plain *nodes, const uint32_t *start,
                                   const uint32_t *feature, const float *weight, const T *row,
                                   const float *fill) {
    uint32_t at = 0;
    for (;;) {
        gpu_plain node = nodes[at];
        if (node.right == 0) return node.content;
        uint32_t projection = node.content & ~MISSING_LEFT, from = start[projection];
        float value =
            value_of_arrays(row, fill, feature + from, weight + from, start[projection + 1] - from);
        int left = value == value ? value <= node.threshold : (node.content & MISSING_LEFT) != 0;
        at = left ? at + 1 : node.right;
    }
}

__global__ void find_leaves(const gpu_plain *nodes, const uint32_t *start, const uint32_t *feature,
                            const float *weight, gpu_table table, const uint32_t *row,
                            uint32_t rows, uint32_t *leaf) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    size_t place = (size_t)row[i] * table.stride;
    leaf[i] = table.bytes
                  ? leaf_of(nodes, start, feature, weight, table.bytes + place, table.fill)
                  : leaf_of(nodes, start, feature, weight, table.values + place, table.fill);
}

int gpu_find_leaves(const gpu_forest &f, const gpu_extents &begin, const gpu_table &table,
                    const uint32_t *row, uint32_t rows, uint32_t *leaf) {
    if (rows == 0) return 1;
    SPF_LAUNCH(find_leaves, gpu_blocks(rows, THREADS), THREADS, 0, f.nodes.at + begin.of[OF_NODES],
               f.projection_start.at + begin.of[OF_STARTS], f.term_feature.at + begin.of[OF_TERMS],
               f.term_weight.at + begin.of[OF_TERMS], table, row, rows, leaf);
    return gpu_launched();
}
