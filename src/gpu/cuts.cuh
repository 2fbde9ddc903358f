/* Nodes by size, and the best of several cuts. */
#ifndef SPF_GPU_CUTS_CUH
#define SPF_GPU_CUTS_CUH

#include "level.cuh"
#include "memory.cuh"

/* Nodes by the number of their rows. Up to SMALL_ROWS all cuts are tried, as in spf_best_split. */
enum gpu_size {
    GPU_ROWS_4,
    GPU_ROWS_8,
    GPU_ROWS_16,
    GPU_ROWS_32, /* a thread takes a candidate of nodes so far */
    GPU_ROWS_64,
    GPU_ROWS_128, /* a warp of these, and of the next ones */
    GPU_MIDDLE,
    GPU_LARGE, /* a block */
    GPU_SIZES
};

/* What is counted of a level's nodes: those of each size, and those of middle size that weigh more
 * than SHORT_WEIGHT. */
enum { GPU_HEAVY = GPU_SIZES, GPU_COUNTS };

enum { SMALL_ROWS = 128, MIDDLE_ROWS = 4096 };

/* Up to this weight of a node its counts fit in 16 bits, and sums of their squares in 32. */
enum { SHORT_WEIGHT = 0xffff };

static __device__ __forceinline__ gpu_size size_of(uint32_t rows) {
    if (rows > SMALL_ROWS) return rows <= MIDDLE_ROWS ? GPU_MIDDLE : GPU_LARGE;
    int size = GPU_ROWS_4;
    for (uint32_t most = 4; most < rows; most *= 2) size++;
    return (gpu_size)size;
}

/* Nodes of each size, in any order: list[size] has count[size] of them. */
struct gpu_sizes {
    uint32_t count[GPU_COUNTS]; /* on the host */
    const uint32_t *list[GPU_SIZES];
};

/* Memory to search in. */
struct gpu_searching {
    gpu_array<gpu_cut> cuts; /* of some candidates of a node each */
    gpu_array<uint64_t> keys;
    gpu_array<uint32_t> failed; /* one: whether a column cannot be searched here */
};

/* The best of each node's cuts, of which there are `parts`, becomes its cut. */
int gpu_choose(const gpu_level &level, const uint32_t *list, uint32_t count, uint32_t parts,
               const gpu_cut *cuts);

/* ---- cuts ------------------------------------------------------------------------------------ */

/* Whether a cut is better than another, or as good and before it. Cuts of one candidate are ordered
 * by the side of missing values: right, then left. */
static __device__ __forceinline__ int is_better(const gpu_cut &a, const gpu_cut &b) {
    if (!a.found || !b.found) return a.found && !b.found;
    if (a.score != b.score) return a.score > b.score;
    return a.candidate != b.candidate ? a.candidate < b.candidate : a.side > b.side;
}

/* The number that stands for missing values on a side: see spf_missing_fill_of. */
static __device__ __forceinline__ float fill_of(float low, float high, int side) {
    float step = (high - low) / 64;
    float below = fminf(low - step, nextafterf(low, -INFINITY));
    float above = fmaxf(high + step, nextafterf(high, INFINITY));
    return side == GPU_MISSING_LEFT ? below : above;
}

static __device__ __forceinline__ float filled(float value, float fill) {
    return value == value ? value : fill;
}

/* The best cut of all lanes; those of a warp have different candidates, or places. */
static __device__ __forceinline__ gpu_cut best_of_lanes(gpu_cut cut, unsigned lanes) {
    for (unsigned step = lanes / 2; step > 0; step /= 2) {
        gpu_cut other = {};
        other.score = __shfl_xor_sync(ALL_LANES, cut.score, step);
        other.candidate = __shfl_xor_sync(ALL_LANES, cut.candidate, step);
        other.threshold = __shfl_xor_sync(ALL_LANES, cut.threshold, step);
        unsigned flags =
            __shfl_xor_sync(ALL_LANES, (unsigned)cut.found | (unsigned)cut.side << 8, step);
        other.found = (uint8_t)flags;
        other.side = (uint8_t)(flags >> 8);
        if (is_better(other, cut)) cut = other;
    }
    return cut;
}

/* The best cut of a block's warps, in which all lanes have the same; bests has a place for each. */
static __device__ __forceinline__ void put_best_of_warps(const gpu_cut &best, gpu_cut *bests,
                                                         gpu_cut *to) {
    uint32_t warps = blockDim.x / WARP;
    if (lane_of() == 0) bests[threadIdx.x / WARP] = best;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (uint32_t w = 1; w < warps; w++)
        if (is_better(bests[w], bests[0])) bests[0] = bests[w];
    *to = bests[0];
}

#endif
