/* The best cut of every node of a level. */
#ifndef SPF_GPU_SEARCH_CUH
#define SPF_GPU_SEARCH_CUH

#include "level.cuh"
#include "memory.cuh"

/* Nodes by what is done with them. */
enum gpu_size { GPU_TINY, GPU_SMALL, GPU_MIDDLE, GPU_LARGE, GPU_SIZES };

/* Rows of tiny nodes, of small ones, and of middle ones, at most. Up to SMALL_ROWS all cuts are
 * tried, as in spf_best_split. */
enum { TINY_ROWS = 32, SMALL_ROWS = 128, MIDDLE_ROWS = 4096 };

static __device__ __forceinline__ gpu_size size_of(uint32_t rows) {
    return rows <= TINY_ROWS     ? GPU_TINY
           : rows <= SMALL_ROWS  ? GPU_SMALL
           : rows <= MIDDLE_ROWS ? GPU_MIDDLE
                                 : GPU_LARGE;
}

/* Nodes of each size, in any order: list[size] has count[size] of them. */
struct gpu_sizes {
    uint32_t count[GPU_SIZES]; /* on the host */
    const uint32_t *list[GPU_SIZES];
};

/* Memory to search in. */
struct gpu_searching {
    gpu_array<gpu_cut> cuts; /* of every candidate of a node */
    gpu_array<uint64_t> keys;
    gpu_array<uint32_t> failed; /* one: whether a column cannot be searched here */
};

/* Sets level.cut. whole: all values of the table are integers from 0 to 255. */
int gpu_search(const gpu_level &level, const gpu_rules &rules, const gpu_sampler &sampler,
               const gpu_sizes &sizes, int whole, int has_missing, gpu_searching *searching);

/* ---- cuts --------------------------------------------------------------------------------------*/

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

#endif
