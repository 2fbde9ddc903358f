/* A thread takes a row down some trees in turn, then all rows go on with the next trees: so a part
 * of the forest stays in the caches, and the sums of a row are added in the order of trees, as on
 * the CPU. Nothing else may change their bits: see predict/walk.c. */
#include "predict.h"

#include "memory.cuh"

#include <stdlib.h>

enum {
    BLOCK_THREADS = 256,
    TREES_AT_ONCE = 16,     /* whose top levels are stored together */
    NODES_AT_ONCE = 1 << 22 /* copied at a time */
};

#define REF_STOP 0x80000000u
#define REF_LONG 0x40000000u
#define REF_VALUE 0x3fffffffu
#define LEAF_MIXED 0x80000000u

/* Of a batch of rows, on the device and on the host: enough to fill the device. */
static const double BATCH_BYTES = 256 << 20;

/* A node that is read at once. */
struct __align__(16) wide_node {
    uint32_t child[2];
    float threshold;
    uint32_t feature0, feature1;
    float weight0, weight1;
    uint32_t unused;
};

/* The forest as kernels know it; pointers are the device's. */
struct gpu_walks {
    const spf_gpu_packed_tree *trees;
    const wide_node *nodes;
    const spf_gpu_set *sets;
    const uint32_t *words;
    const uint64_t *projection_start;
    const uint32_t *term_feature;
    const float *term_weight;
    const uint32_t *leaf_class, *leaf_weight;
    const uint64_t *mixed_start;
    const uint32_t *entry_class;
    const float *entry_weight, *leaf_value;
    float levels_max;
    uint32_t class_bits, features, width, turns, classes, outputs;
};

struct spf_gpu_walker {
    gpu_walks walks;
    size_t trees, most;
    int mixed;
    gpu_array<spf_gpu_packed_tree> trees_copy;
    gpu_array<wide_node> nodes;
    gpu_array<spf_gpu_set> sets;
    gpu_array<uint64_t> projection_start, mixed_start;
    gpu_array<uint32_t> words, term_feature, leaf_class, leaf_weight, entry_class, votes;
    gpu_array<float> term_weight, entry_weight, leaf_value, rows;
    gpu_array<double> sums;
};

/* ---- walks ---------------------------------------------------------------------------------- */

template <int MIXED>
static __device__ __forceinline__ float term_value(const gpu_walks &f, const float *row,
                                                   uint32_t feature) {
    if (!MIXED || feature < f.features) return row[feature];
    const spf_gpu_set set = f.sets[feature - f.features];
    float level = row[set.feature];
    if (set.words == 0) return isnan(level) ? set.fill : level;
    if (!(level >= 0 && level < f.levels_max)) return set.fill;
    uint32_t place = (uint32_t)level - set.first;
    if (place / 32 >= set.words) return 0;
    return (float)(f.words[set.start + place / 32] >> place % 32 & 1);
}

template <int MIXED>
static __device__ float long_value(const gpu_walks &f, const float *row, uint32_t number) {
    uint64_t first = f.projection_start[number], end = f.projection_start[number + 1];
    float sum = f.term_weight[first] * term_value<MIXED>(f, row, f.term_feature[first]);
    for (uint64_t i = first + 1; i < end; i++)
        sum += f.term_weight[i] * term_value<MIXED>(f, row, f.term_feature[i]);
    return sum;
}

/* The reference of the leaf of a row. */
template <int MIXED>
static __device__ uint32_t find_leaf(const gpu_walks &f, const spf_gpu_packed_tree &tree,
                                     const float *row) {
    const wide_node *at = f.nodes + tree.start;
    uint32_t ref = tree.root & REF_STOP ? tree.root : 0;
    float carried = -0.0f;
    while ((ref & (REF_STOP | REF_LONG)) != REF_STOP) {
        at += ref & REF_VALUE;
        const wide_node node = *at;
        if (ref & REF_STOP) {
            float value = node.weight0 * long_value<MIXED>(f, row, node.feature0);
            ref = node.child[!(value <= node.threshold)];
            continue;
        }
        float value = carried + node.weight0 * term_value<MIXED>(f, row, node.feature0);
        value += node.weight1 * term_value<MIXED>(f, row, node.feature1);
        ref = value <= node.threshold ? node.child[0] : node.child[1];
        int part = isnan(node.threshold) || (!MIXED && isnan(value)); /* of a projection */
        carried = part ? value : -0.0f;
    }
    return ref;
}

/* ---- leaves to sums ------------------------------------------------------------------------- */

static __device__ __forceinline__ uint64_t leaf_of(const gpu_walks &f,
                                                   const spf_gpu_packed_tree &tree, uint32_t ref) {
    return tree.leaf + ((ref & REF_VALUE) >> f.class_bits);
}

static __device__ __forceinline__ uint32_t class_of(const gpu_walks &f,
                                                    const spf_gpu_packed_tree &tree, uint32_t ref) {
    return f.leaf_class ? f.leaf_class[leaf_of(f, tree, ref)] : ref & ((1u << f.class_bits) - 1);
}

static __device__ void add_shares(const gpu_walks &f, const spf_gpu_packed_tree &tree, uint32_t ref,
                                  double *sums) {
    uint32_t bits = f.leaf_weight[leaf_of(f, tree, ref)];
    if (!(bits & LEAF_MIXED)) {
        sums[class_of(f, tree, ref)] += 1;
        return;
    }
    uint64_t first = f.mixed_start[bits & ~LEAF_MIXED];
    uint64_t end = f.mixed_start[(bits & ~LEAF_MIXED) + 1];
    double sum = 0;
    for (uint64_t i = first; i < end; i++) sum += f.entry_weight[i];
    for (uint64_t i = first; i < end; i++) sums[f.entry_class[i]] += f.entry_weight[i] / sum;
}

static __device__ void add_values(const gpu_walks &f, uint32_t number,
                                  const spf_gpu_packed_tree &tree, uint32_t ref, double *sums) {
    const float *value = f.leaf_value + leaf_of(f, tree, ref) * f.width;
    if (f.turns > 0)
        sums[number % f.turns] += value[0];
    else
        for (uint32_t i = 0; i < f.width; i++) sums[i] += value[i];
}

template <int MIXED>
__global__ void walk_rows(gpu_walks f, const float *rows, uint32_t count, uint32_t first,
                          uint32_t end, uint32_t *votes, double *sums) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    for (uint32_t t = first; t < end; t++) {
        const spf_gpu_packed_tree tree = f.trees[t];
        uint32_t ref = find_leaf<MIXED>(f, tree, rows + i * f.features);
        if (f.classes > 0) votes[i * f.classes + class_of(f, tree, ref)]++;
        if (f.outputs > 0 && f.leaf_value) add_values(f, t, tree, ref, sums + i * f.outputs);
        if (f.outputs > 0 && !f.leaf_value) add_shares(f, tree, ref, sums + i * f.outputs);
    }
}

/* ---- the forest on the device --------------------------------------------------------------- */

__global__ void widen(const spf_gpu_packed_node *from, uint32_t count, wide_node *to) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const spf_gpu_packed_node n = from[i];
    const wide_node wide = {{n.child[0], n.child[1]},
                            n.threshold,
                            n.feature[0],
                            n.feature[1],
                            n.weight[0],
                            n.weight[1],
                            0};
    to[i] = wide;
}

static int copy_nodes(const spf_gpu_packed *f, spf_gpu_walker *w) {
    gpu_array<spf_gpu_packed_node> some = {NULL, 0};
    int done = gpu_reserve(&w->nodes, f->nodes_count > 0 ? f->nodes_count : 1);
    for (size_t first = 0, count; done && first < f->nodes_count; first += count) {
        size_t left = f->nodes_count - first;
        count = left < NODES_AT_ONCE ? left : NODES_AT_ONCE;
        done = gpu_upload(&some, f->nodes + first, count);
        if (!done) break;
        SPF_LAUNCH(widen, gpu_blocks(count, BLOCK_THREADS), BLOCK_THREADS, 0, some.at,
                   (uint32_t)count, w->nodes.at + first);
        done = gpu_launched();
    }
    gpu_free(&some);
    return done;
}

static int copy_splits(const spf_gpu_packed *f, spf_gpu_walker *w) {
    return copy_nodes(f, w) && gpu_upload(&w->trees_copy, f->trees, f->trees_count) &&
           gpu_upload(&w->sets, f->sets, f->sets_count) &&
           gpu_upload(&w->words, f->words, f->words_count) &&
           gpu_upload(&w->projection_start, f->projection_start,
                      f->projections_count > 0 ? f->projections_count + 1 : 0) &&
           gpu_upload(&w->term_feature, f->term_feature, f->terms_count) &&
           gpu_upload(&w->term_weight, f->term_weight, f->terms_count);
}

static int copy_leaves(const spf_gpu_packed *f, spf_gpu_walker *w) {
    int shares = f->outputs > 0 && !f->leaf_value;
    if (f->leaf_class && !gpu_upload(&w->leaf_class, f->leaf_class, f->leaves_count)) return 0;
    if (f->leaf_value) return gpu_upload(&w->leaf_value, f->leaf_value, f->leaves_count * f->width);
    return !shares || (gpu_upload(&w->leaf_weight, f->leaf_weight, f->leaves_count) &&
                       gpu_upload(&w->mixed_start, f->mixed_start,
                                  f->mixed_count > 0 ? f->mixed_count + 1 : 0) &&
                       gpu_upload(&w->entry_class, f->entry_class, f->entries_count) &&
                       gpu_upload(&w->entry_weight, f->entry_weight, f->entries_count));
}

static int make_room(const spf_gpu_packed *f, spf_gpu_walker *w) {
    size_t left = 0, all = 0;
    double row = 4.0 * (double)f->features + 4.0 * (double)f->classes + 8.0 * (double)f->outputs;
    if (!gpu_succeeded(cudaMemGetInfo(&left, &all))) return 0;
    double room = 0.8 * (double)left < BATCH_BYTES ? 0.8 * (double)left : BATCH_BYTES;
    w->most = (size_t)(room / row);
    return w->most > 0 && gpu_reserve(&w->rows, w->most * f->features) &&
           gpu_reserve(&w->votes, w->most * f->classes) &&
           gpu_reserve(&w->sums, w->most * f->outputs);
}

static void set_walks(const spf_gpu_packed *f, spf_gpu_walker *w) {
    const gpu_walks walks = {w->trees_copy.at,
                             w->nodes.at,
                             w->sets.at,
                             w->words.at,
                             w->projection_start.at,
                             w->term_feature.at,
                             w->term_weight.at,
                             f->leaf_class ? w->leaf_class.at : NULL,
                             w->leaf_weight.at,
                             w->mixed_start.at,
                             w->entry_class.at,
                             w->entry_weight.at,
                             w->leaf_value.at,
                             f->levels_max,
                             f->class_bits,
                             (uint32_t)f->features,
                             (uint32_t)f->width,
                             (uint32_t)f->turns,
                             (uint32_t)f->classes,
                             (uint32_t)f->outputs};
    w->walks = walks;
    w->trees = f->trees_count;
    w->mixed = f->mixed;
}

spf_gpu_result spf_gpu_walker_create(const spf_gpu_packed *forest, size_t *most,
                                     spf_gpu_walker **out) {
    spf_gpu_walker *w = (spf_gpu_walker *)calloc(1, sizeof *w);
    if (!w) return SPF_GPU_MEMORY;
    gpu_last_error = cudaSuccess;
    if (copy_splits(forest, w) && copy_leaves(forest, w) && make_room(forest, w)) {
        set_walks(forest, w);
        *most = w->most;
        *out = w;
        return SPF_GPU_OK;
    }
    spf_gpu_result result = spf_gpu_why_failed();
    spf_gpu_walker_free(w);
    return result;
}

void spf_gpu_walker_free(spf_gpu_walker *w) {
    if (!w) return;
    gpu_free(&w->trees_copy);
    gpu_free(&w->nodes);
    gpu_free(&w->sets);
    gpu_free(&w->projection_start);
    gpu_free(&w->mixed_start);
    gpu_free(&w->words);
    gpu_free(&w->term_feature);
    gpu_free(&w->leaf_class);
    gpu_free(&w->leaf_weight);
    gpu_free(&w->entry_class);
    gpu_free(&w->votes);
    gpu_free(&w->term_weight);
    gpu_free(&w->entry_weight);
    gpu_free(&w->leaf_value);
    gpu_free(&w->rows);
    gpu_free(&w->sums);
    free(w);
}

/* ---- rows ----------------------------------------------------------------------------------- */

template <typename T> static int start_at_zero(const gpu_array<T> &array, size_t count) {
    return count == 0 || gpu_succeeded(cudaMemset(array.at, 0, count * sizeof(T)));
}

static int start_rows(spf_gpu_walker *w, const float *rows, size_t count) {
    const gpu_walks &f = w->walks;
    return gpu_upload(&w->rows, rows, count * f.features) &&
           start_at_zero(w->votes, count * f.classes) && start_at_zero(w->sums, count * f.outputs);
}

static int walk_trees(spf_gpu_walker *w, uint32_t count, uint32_t first, uint32_t end) {
    size_t blocks = gpu_blocks(count, BLOCK_THREADS);
    if (w->mixed)
        SPF_LAUNCH(walk_rows<1>, blocks, BLOCK_THREADS, 0, w->walks, w->rows.at, count, first, end,
                   w->votes.at, w->sums.at);
    else
        SPF_LAUNCH(walk_rows<0>, blocks, BLOCK_THREADS, 0, w->walks, w->rows.at, count, first, end,
                   w->votes.at, w->sums.at);
    return gpu_launched();
}

spf_gpu_result spf_gpu_walk(spf_gpu_walker *w, const float *rows, size_t count, uint32_t *votes,
                            double *sums) {
    gpu_last_error = cudaSuccess;
    int done = start_rows(w, rows, count);
    for (size_t first = 0; done && first < w->trees; first += TREES_AT_ONCE) {
        size_t left = w->trees - first, some = left < TREES_AT_ONCE ? left : TREES_AT_ONCE;
        done = walk_trees(w, (uint32_t)count, (uint32_t)first, (uint32_t)(first + some));
    }
    done = done && gpu_download(votes, w->votes.at, count * w->walks.classes) &&
           gpu_download(sums, w->sums.at, count * w->walks.outputs);
    return done ? SPF_GPU_OK : spf_gpu_why_failed();
}
