/* A bootstrap draws rows with the words of its tree's stream, and passes over words that would make
 * some rows likelier than others: see draw_tickets and spf_random_below. All words are tried at
 * once; for those that were passed over, a thread goes on behind them. */
#include "bags.cuh"

extern "C" {
#include "base/philox.h"
}

enum { USE_BAG = 2, ROOT_KEY = 1, THREADS = 256, PART = 4096 };

static __device__ __forceinline__ spf_philox_block words_of_bag(uint64_t key, uint32_t block) {
    spf_philox_key k;
    spf_philox_block counter;
    k.v[0] = (uint32_t)key;
    k.v[1] = (uint32_t)(key >> 32);
    counter.v[0] = block;
    counter.v[1] = USE_BAG;
    counter.v[2] = ROOT_KEY;
    counter.v[3] = 0;
    return spf_philox(counter, k);
}

/* Adds the row that a word stands for; returns 0 if it stands for none. */
static __device__ __forceinline__ int draw_row(const gpu_urn &urn, uint32_t word, uint32_t uneven,
                                               uint32_t *draws) {
    uint64_t product = (uint64_t)word * urn.rows;
    if ((uint32_t)product < uneven) return 0;
    atomicAdd(&draws[product >> 32], 1u);
    return 1;
}

/* A thread for four words. */
__global__ void draw_words(gpu_urn urn, const gpu_tree *trees, uint32_t blocks_of_tree,
                           uint32_t *draws, uint32_t *rejected) {
    uint32_t tree = blockIdx.x / blocks_of_tree;
    uint32_t first = blockIdx.x % blocks_of_tree * blockDim.x + threadIdx.x;
    const uint32_t uneven = (uint32_t)(-urn.rows) % urn.rows;
    if ((uint64_t)first * 4 >= urn.draws) return;
    spf_philox_block words = words_of_bag(trees[tree].key, first);
    uint32_t missed = 0;
#pragma unroll
    for (uint32_t k = 0; k < 4; k++)
        if (first * 4 + k < urn.draws)
            missed += !draw_row(urn, words.v[k], uneven, draws + (size_t)tree * urn.rows);
    if (missed > 0) atomicAdd(&rejected[tree], missed);
}

/* A thread for a tree. */
__global__ void draw_rest(gpu_urn urn, const gpu_tree *trees, uint32_t count, uint32_t *draws,
                          const uint32_t *rejected) {
    uint32_t tree = blockIdx.x * blockDim.x + threadIdx.x;
    if (tree >= count) return;
    const uint32_t uneven = (uint32_t)(-urn.rows) % urn.rows;
    uint32_t left = rejected[tree];
    for (uint64_t at = urn.draws; left > 0; at++) {
        spf_philox_block words = words_of_bag(trees[tree].key, (uint32_t)(at / 4));
        unsigned k = (unsigned)(at % 4);
        uint32_t word = k == 0   ? words.v[0]
                        : k == 1 ? words.v[1]
                        : k == 2 ? words.v[2]
                                 : words.v[3];
        left -= (uint32_t)draw_row(urn, word, uneven, draws + (size_t)tree * urn.rows);
    }
}

/* A block counts the rows in the bag in a part. */
__global__ void count_parts(gpu_urn urn, uint32_t parts, const uint32_t *draws, uint32_t *in_part) {
    __shared__ uint32_t sum;
    uint32_t tree = blockIdx.x / parts, first = blockIdx.x % parts * PART;
    const uint32_t *own = draws + (size_t)tree * urn.rows;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    uint32_t in = 0;
    for (uint32_t i = first + threadIdx.x; i < first + PART && i < urn.rows; i += blockDim.x)
        in += own[i] > 0;
    in = sum_of_warp(in);
    if (lane_of() == 0) atomicAdd(&sum, in);
    __syncthreads();
    if (threadIdx.x == 0) in_part[blockIdx.x] = sum;
}

/* A warp for a tree: the rows in the bag before each part; all of them go to rejected. */
__global__ void add_up_parts(uint32_t count, uint32_t parts, uint32_t *in_part, uint32_t *all) {
    uint32_t tree = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, passed = 0;
    if (tree >= count) return;
    uint32_t *own = in_part + (size_t)tree * parts;
    for (uint32_t first = 0; first < parts; first += WARP) {
        uint32_t i = first + lane_of(), in = i < parts ? own[i] : 0, before = sum_before(in);
        if (i < parts) own[i] = passed + before;
        passed += __shfl_sync(ALL_LANES, before + in, WARP - 1);
    }
    if (lane_of() == 0) all[tree] = passed;
}

/* A block lists a part. */
__global__ void list_parts(gpu_urn urn, uint32_t parts, const uint32_t *draws,
                           const uint32_t *in_part, const uint32_t *begin,
                           const uint32_t *other_begin, uint32_t *row, uint32_t *tag,
                           uint32_t *other) {
    __shared__ uint32_t of_warp[THREADS / WARP];
    uint32_t tree = blockIdx.x / parts, first = blockIdx.x % parts * PART,
             warp = threadIdx.x / WARP;
    const uint32_t *own = draws + (size_t)tree * urn.rows;
    uint32_t in_before = in_part[blockIdx.x];
    for (uint32_t from = first; from < first + PART && from < urn.rows; from += blockDim.x) {
        uint32_t i = from + threadIdx.x, drawn = i < urn.rows ? own[i] : 0;
        unsigned in = __ballot_sync(ALL_LANES, drawn > 0);
        if (lane_of() == 0) of_warp[warp] = __popc(in);
        __syncthreads();
        uint32_t before = in_before + __popc(in & ((1u << lane_of()) - 1));
        for (uint32_t w = 0; w < THREADS / WARP; w++) {
            before += w < warp ? of_warp[w] : 0;
            in_before += of_warp[w];
        }
        if (drawn > 0) {
            row[begin[tree] + before] = i;
            tag[begin[tree] + before] = urn.label[i] << urn.weight_bits | drawn;
        } else if (i < urn.rows) {
            other[other_begin[tree] + (i - before)] = i;
        }
        __syncthreads();
    }
}

int gpu_draw_bags(const gpu_urn &urn, const gpu_tree *trees, uint32_t count, gpu_bagging *b,
                  uint32_t *rows_in) {
    size_t cells = (size_t)urn.rows * count;
    uint32_t parts = (uint32_t)gpu_blocks(urn.rows, PART);
    uint32_t blocks = (uint32_t)gpu_blocks(urn.draws, 4 * THREADS);
    if (!gpu_reserve(&b->draws, cells) || !gpu_reserve(&b->rejected, count) ||
        !gpu_reserve(&b->parts, (size_t)parts * count) ||
        !gpu_succeeded(cudaMemset(b->draws.at, 0, cells * sizeof(uint32_t))) ||
        !gpu_succeeded(cudaMemset(b->rejected.at, 0, count * sizeof(uint32_t))))
        return 0;
    SPF_LAUNCH(draw_words, (size_t)blocks * count, THREADS, 0, urn, trees, blocks, b->draws.at,
               b->rejected.at);
    SPF_LAUNCH(draw_rest, gpu_blocks(count, 32), 32, 0, urn, trees, count, b->draws.at,
               b->rejected.at);
    SPF_LAUNCH(count_parts, (size_t)parts * count, THREADS, 0, urn, parts, b->draws.at,
               b->parts.at);
    SPF_LAUNCH(add_up_parts, gpu_blocks((size_t)count * WARP, THREADS), THREADS, 0, count, parts,
               b->parts.at, b->rejected.at);
    return gpu_launched() && gpu_download(rows_in, b->rejected.at, count);
}

int gpu_list_bags(const gpu_urn &urn, uint32_t count, const gpu_bagging &b, const uint32_t *begin,
                  const uint32_t *other_begin, uint32_t *row, uint32_t *tag, uint32_t *other) {
    uint32_t parts = (uint32_t)gpu_blocks(urn.rows, PART);
    SPF_LAUNCH(list_parts, (size_t)parts * count, THREADS, 0, urn, parts, b.draws.at, b.parts.at,
               begin, other_begin, row, tag, other);
    return gpu_launched();
}
