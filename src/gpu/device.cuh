/* What kernels and their callers share. Compiled by nvcc, or by a C++ compiler with
 * tests/gpu/emulated_cuda.h, which runs kernels on the CPU for tests. */
#ifndef SPF_GPU_DEVICE_CUH
#define SPF_GPU_DEVICE_CUH

#ifndef SPF_EMULATED_CUDA
#include <cuda_runtime.h>
#define SPF_LAUNCH(kernel, blocks, threads, shared, ...)                                           \
    kernel<<<(unsigned)(blocks), (unsigned)(threads), (size_t)(shared)>>>(__VA_ARGS__)
#define SPF_LAUNCH_IN(stream, kernel, blocks, threads, ...)                                        \
    kernel<<<(unsigned)(blocks), (unsigned)(threads), 0, stream>>>(__VA_ARGS__)
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

/* ---- copies to shared memory ---------------------------------------------------------------- */

#ifndef SPF_EMULATED_CUDA
/* Starts to copy a word; the thread goes on. */
static __device__ __forceinline__ void copy_later(uint32_t *shared, const uint32_t *from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(shared)),
                 "l"(from)
                 : "memory");
}

/* Waits for the thread's copies. */
static __device__ __forceinline__ void await_copies(void) {
    asm volatile("cp.async.wait_all;" ::: "memory");
}
#endif

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
    return __reduce_add_sync(ALL_LANES, value);
}

static __device__ __forceinline__ float least_of_warp(float value) {
    return unorder(__reduce_min_sync(ALL_LANES, order_of(value)));
}

static __device__ __forceinline__ float most_of_warp(float value) {
    return unorder(__reduce_max_sync(ALL_LANES, order_of(value)));
}

#endif
