/* Runs CUDA kernels on the CPU, for tests without a GPU: the threads of a block are fibers that
 * take turns, and change at barriers and at the collectives of a warp. One block runs after the
 * other. */
#ifndef SPF_EMULATED_CUDA
#define SPF_EMULATED_CUDA

#include <assert.h>
#include <functional>
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define __global__ static
#define __device__
#define __host__
#define __forceinline__ inline
#define __shared__ static
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)

struct emulated_index {
    unsigned x, y, z;
};

enum { EMULATED_THREADS = 1024, EMULATED_STACK = 1 << 16, EMULATED_SHARED = 1 << 18 };

/* Those who wait for each other: a block or a warp. */
struct emulated_group {
    unsigned live, arrived, turn;
};

struct emulated_fiber {
    ucontext_t start;
    jmp_buf here;
    char *stack;
    int started, done;
};

struct emulated_machine {
    emulated_index thread, block, threads, blocks;
    emulated_group all, warp[EMULATED_THREADS / 32];
    uint64_t slot[EMULATED_THREADS];
    emulated_fiber fiber[EMULATED_THREADS];
    unsigned now;
    jmp_buf home;
    const std::function<void(void)> *body;
    unsigned char *shared;
};

extern emulated_machine emulated;

#define threadIdx (emulated.thread)
#define blockIdx (emulated.block)
#define blockDim (emulated.threads)
#define gridDim (emulated.blocks)

void emulated_yield(void);
void emulated_launch(unsigned blocks, unsigned threads, size_t shared,
                     const std::function<void(void)> &body);

#define SPF_LAUNCH(kernel, blocks, threads, shared, ...)                                           \
    emulated_launch((unsigned)(blocks), (unsigned)(threads), (size_t)(shared),                     \
                    [&] { kernel(__VA_ARGS__); })
#define SPF_LAUNCH_IN(stream, kernel, blocks, threads, ...)                                        \
    ((void)(stream),                                                                               \
     emulated_launch((unsigned)(blocks), (unsigned)(threads), 0, [&] { kernel(__VA_ARGS__); }))
#define SPF_SHARED(type, name) type *name = (type *)emulated.shared

static inline void emulated_wait(emulated_group *group) {
    unsigned turn = group->turn;
    if (++group->arrived == group->live) {
        group->arrived = 0;
        group->turn++;
        return;
    }
    while (group->turn == turn) emulated_yield();
}

static inline void __syncthreads(void) {
    emulated_wait(&emulated.all);
}

static inline void __syncwarp(unsigned mask = 0xffffffffu) {
    (void)mask;
    emulated_wait(&emulated.warp[emulated.now / 32]);
}

/* The value that another lane gives to the same collective. */
template <typename T> static inline T emulated_take(T value, unsigned from) {
    unsigned first = emulated.now / 32 * 32;
    T taken;
    static_assert(sizeof(T) <= sizeof(uint64_t), "a lane gives up to 8 bytes");
    memcpy(&emulated.slot[emulated.now], &value, sizeof value);
    __syncwarp();
    memcpy(&taken, &emulated.slot[first + from], sizeof taken);
    __syncwarp();
    return taken;
}

template <typename T> static inline T __shfl_sync(unsigned, T value, unsigned from) {
    return emulated_take(value, from % 32);
}
template <typename T> static inline T __shfl_up_sync(unsigned, T value, unsigned by) {
    unsigned lane = emulated.now % 32;
    return emulated_take(value, lane >= by ? lane - by : lane);
}
template <typename T> static inline T __shfl_down_sync(unsigned, T value, unsigned by) {
    unsigned lane = emulated.now % 32;
    return emulated_take(value, lane + by < 32 ? lane + by : lane);
}
template <typename T> static inline T __shfl_xor_sync(unsigned, T value, unsigned mask) {
    return emulated_take(value, emulated.now % 32 ^ mask);
}
static inline unsigned __ballot_sync(unsigned, int predicate) {
    unsigned first = emulated.now / 32 * 32, all = 0;
    emulated.slot[emulated.now] = predicate != 0;
    __syncwarp();
    for (unsigned i = 0; i < 32; i++) all |= (unsigned)(emulated.slot[first + i] & 1) << i;
    __syncwarp();
    return all;
}
static inline int __any_sync(unsigned mask, int predicate) {
    return __ballot_sync(mask, predicate) != 0;
}
template <typename F> static inline unsigned emulated_reduce(unsigned value, F join) {
    unsigned first = emulated.now / 32 * 32;
    emulated.slot[emulated.now] = value;
    __syncwarp();
    unsigned all = (unsigned)emulated.slot[first];
    for (unsigned i = 1; i < 32; i++) all = join(all, (unsigned)emulated.slot[first + i]);
    __syncwarp();
    return all;
}
static inline unsigned __reduce_add_sync(unsigned, unsigned value) {
    return emulated_reduce(value, [](unsigned a, unsigned b) { return a + b; });
}
static inline unsigned __reduce_min_sync(unsigned, unsigned value) {
    return emulated_reduce(value, [](unsigned a, unsigned b) { return a < b ? a : b; });
}
static inline unsigned __reduce_max_sync(unsigned, unsigned value) {
    return emulated_reduce(value, [](unsigned a, unsigned b) { return a < b ? b : a; });
}
static inline void copy_later(uint32_t *shared, const uint32_t *from) {
    *shared = *from;
}
static inline void await_copies(void) {}
static inline float __fdividef(float a, float b) {
    return a / b;
}
static inline int __popc(unsigned bits) {
    return __builtin_popcount(bits);
}
static inline unsigned __brev(unsigned bits) {
    unsigned reversed = 0;
    for (int i = 0; i < 32; i++) reversed |= (bits >> i & 1) << (31 - i);
    return reversed;
}
static inline int __clz(unsigned bits) {
    return bits ? __builtin_clz(bits) : 32;
}

template <typename T> static inline T atomicAdd(T *place, T value) {
    T before = *place;
    *place += value;
    return before;
}
template <typename T> static inline T atomicMax(T *place, T value) {
    T before = *place;
    if (value > before) *place = value;
    return before;
}
template <typename T> static inline T atomicMin(T *place, T value) {
    T before = *place;
    if (value < before) *place = value;
    return before;
}
template <typename T> static inline T atomicOr(T *place, T value) {
    T before = *place;
    *place |= value;
    return before;
}
template <typename T> static inline T atomicCAS(T *place, T expected, T value) {
    T before = *place;
    if (before == expected) *place = value;
    return before;
}

/* ---- the parts of the runtime that the library calls ------------------------------------------*/

typedef enum {
    cudaSuccess,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInsufficientDriver = 35,
    cudaErrorUnknown = 999
} cudaError_t;
typedef enum {
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice
} cudaMemcpyKind;

extern size_t emulated_memory; /* what allocations may still take */

cudaError_t emulated_alloc(void **out, size_t bytes);
void emulated_free(void *memory);
template <typename T> static inline cudaError_t cudaMalloc(T **out, size_t bytes) {
    return emulated_alloc((void **)out, bytes);
}
static inline cudaError_t cudaFree(void *memory) {
    emulated_free(memory);
    return cudaSuccess;
}
static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
    if (bytes > 0) memcpy(to, from, bytes);
    return cudaSuccess;
}
typedef int cudaStream_t;
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                          cudaMemcpyKind kind, cudaStream_t) {
    return cudaMemcpy(to, from, bytes, kind);
}
enum { cudaStreamNonBlocking = 1 };
static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned) {
    return cudaSuccess;
}
static inline cudaError_t cudaStreamDestroy(cudaStream_t) {
    return cudaSuccess;
}
static inline cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return cudaSuccess;
}
static inline cudaError_t cudaMallocHost(void **out, size_t bytes) {
    *out = malloc(bytes);
    return *out ? cudaSuccess : cudaErrorMemoryAllocation;
}
static inline cudaError_t cudaFreeHost(void *memory) {
    free(memory);
    return cudaSuccess;
}
static inline cudaError_t cudaMemset(void *to, int byte, size_t bytes) {
    memset(to, byte, bytes);
    return cudaSuccess;
}
static inline cudaError_t cudaGetLastError(void) {
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceSynchronize(void) {
    return cudaSuccess;
}
static inline const char *cudaGetErrorString(cudaError_t) {
    return "out of memory";
}
static inline cudaError_t cudaMemGetInfo(size_t *left, size_t *all) {
    *left = *all = emulated_memory;
    return cudaSuccess;
}
static inline cudaError_t cudaDriverGetVersion(int *version) {
    *version = 13000;
    return cudaSuccess;
}
static inline cudaError_t cudaGetDeviceCount(int *count) {
    *count = 1;
    return cudaSuccess;
}
enum { cudaDevAttrMaxSharedMemoryPerBlockOptin };
static inline cudaError_t cudaDeviceGetAttribute(int *value, int, int) {
    *value = EMULATED_SHARED;
    return cudaSuccess;
}
static inline cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
static inline cudaError_t cudaSetDevice(int) {
    return cudaSuccess;
}
#endif
