/* What kernels and their callers share. Compiled by nvcc, or by a C++ compiler with
 * tests/gpu/emulated_cuda.h, which runs kernels on the CPU for tests. */
#ifndef SPF_GPU_DEVICE_CUH
#define SPF_GPU_DEVICE_CUH

#ifndef SPF_EMULATED_CUDA
#include <cuda_runtime.h>
#define SPF_LAUNCH(kernel, blocks, threads, shared, ...)                                           \
    kernel<<<(unsigned)(blocks), (unsigned)(threads), (size_t)(shared)>>>(__VA_ARGS__)
#define SPF_SHARED(type, name)                                                                     \
    extern __shared__ __align__(16) unsigned char spf_shared_bytes[];                              \
    type *name = (type *)spf_shared_bytes
#endif

#include <stdint.h>

enum { WARP = 32 };
#define ALL_LANES 0xffffffffu

static __device__ __forceinline__ unsigned lane_of(void) {
    return threadIdx.x % WARP;
}

/* ---- values --------------------------------------------------------------------------------- */

static __device__ __forceinline__ uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static __device__ __forceinline__ float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The order of floats as that of integers: see base/sort.h. */
static __device__ __forceinline__ uint32_t order_of(float value) {
    uint32_t bits = bits_of(value + 0.0f);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static __device__ __forceinline__ float unorder(uint32_t order) {
    return float_of(order & 0x80000000u ? order & 0x7fffffffu : ~order);
}

/* ---- a warp --------------------------------------------------------------------------------- */

/* The sum of the lanes before this one. */
static __device__ __forceinline__ uint32_t sum_before(uint32_t value) {
    uint32_t sum = value;
    for (unsigned step = 1; step < WARP; step *= 2) {
        uint32_t other = __shfl_up_sync(ALL_LANES, sum, step);
        if (lane_of() >= step) sum += other;
    }
    return sum - value;
}

static __device__ __forceinline__ uint32_t sum_of_warp(uint32_t value) {
    for (unsigned step = WARP / 2; step > 0; step /= 2)
        value += __shfl_xor_sync(ALL_LANES, value, step);
    return value;
}

static __device__ __forceinline__ float least_of_warp(float value) {
    for (unsigned step = WARP / 2; step > 0; step /= 2) {
        float other = __shfl_xor_sync(ALL_LANES, value, step);
        value = other < value ? other : value;
    }
    return value;
}

static __device__ __forceinline__ float most_of_warp(float value) {
    for (unsigned step = WARP / 2; step > 0; step /= 2) {
        float other = __shfl_xor_sync(ALL_LANES, value, step);
        value = other > value ? other : value;
    }
    return value;
}

#endif
