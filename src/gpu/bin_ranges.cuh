/* Bins of equal width, and ranges of values that a block takes together. */
#ifndef SPF_GPU_BIN_RANGES_CUH
#define SPF_GPU_BIN_RANGES_CUH

#include "device.cuh"

/* Bins of equal width over a range, or a part of them. See spf_bins and spf_bin_range. */
struct gpu_bins {
    float low, high, per_unit;
    uint32_t count;
    int exact, partial;
};

struct gpu_inside {
    float low, per_unit, first, behind, high;
};

static __device__ __forceinline__ gpu_bins bins_over(float low, float high, uint32_t count) {
    gpu_bins bins = {low, high, (float)count / (high - low), count, 0, 0};
    return bins;
}

static __device__ __forceinline__ gpu_inside bins_between(float low, float high, float per_unit,
                                                          uint32_t count, uint32_t first,
                                                          uint32_t last) {
    gpu_inside inside = {low, per_unit, (float)first,
                         last == count - 1 ? INFINITY : (float)(last + 1), high};
    return inside;
}

static __device__ __forceinline__ float place_of(const gpu_inside &w, float value) {
    return (value - w.low) * w.per_unit;
}

static __device__ __forceinline__ int is_inside(const gpu_inside &w, float value) {
    float place = place_of(w, value);
    return (place >= w.first) & (place < w.behind) & (value <= w.high);
}

/* The least and the most of all threads of a block, and whether any of them says so; `room` has
 * place for 3 x 32. */
static __device__ __forceinline__ void range_of_block(float *low, float *high, int *any,
                                                      float *room) {
    unsigned warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    float least = least_of_warp(*low), most = most_of_warp(*high);
    int some = __any_sync(ALL_LANES, *any);
    __syncthreads(); /* the room may still be read */
    if (lane_of() == 0) {
        room[warp] = least;
        room[WARP + warp] = most;
        room[2 * WARP + warp] = (float)some;
    }
    __syncthreads();
    *low = room[0];
    *high = room[WARP];
    *any = room[2 * WARP] != 0;
    for (unsigned w = 1; w < warps; w++) {
        *low = room[w] < *low ? room[w] : *low;
        *high = room[WARP + w] > *high ? room[WARP + w] : *high;
        *any |= room[2 * WARP + w] != 0;
    }
}

/* The range of a column without what is missing. */
static __device__ __forceinline__ int range_of_column(const float *value, uint32_t rows, float *low,
                                                      float *high, float *room) {
    int missing = 0;
    *low = INFINITY;
    *high = -INFINITY;
    for (uint32_t i = threadIdx.x; i < rows; i += blockDim.x) {
        float v = value[i];
        missing |= v != v;
        *low = v < *low ? v : *low;
        *high = v > *high ? v : *high;
    }
    range_of_block(low, high, &missing, room);
    return missing;
}

#endif
