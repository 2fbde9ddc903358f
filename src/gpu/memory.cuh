/* Arrays in the memory of the device. */
#ifndef SPF_GPU_MEMORY_CUH
#define SPF_GPU_MEMORY_CUH

#include "device.cuh"

#include <stdlib.h>

/* What the device said when something failed in this thread. */
extern thread_local cudaError_t gpu_last_error;

static inline int gpu_succeeded(cudaError_t error) {
    if (error != cudaSuccess) gpu_last_error = error;
    return error == cudaSuccess;
}

/* Grows and never shrinks; free with gpu_free. */
template <typename T> struct gpu_array {
    T *at;
    size_t capacity;
};

/* Makes room for that many, without the content so far. Functions of this room return whether they
 * succeeded. */
template <typename T> static int gpu_reserve(gpu_array<T> *array, size_t count) {
    if (count <= array->capacity) return 1;
    cudaFree(array->at);
    array->at = NULL;
    array->capacity = 0;
    if (!gpu_succeeded(cudaMalloc(&array->at, count * sizeof(T)))) {
        cudaGetLastError(); /* it was about this call only */
        return 0;
    }
    array->capacity = count;
    return 1;
}

/* The same, keeping the first `kept`. */
template <typename T> static int gpu_extend(gpu_array<T> *array, size_t kept, size_t count) {
    if (count <= array->capacity) return 1;
    gpu_array<T> larger = {NULL, 0};
    if (!gpu_reserve(&larger, count + count / 4)) return 0;
    int copied = kept == 0 || gpu_succeeded(cudaMemcpy(larger.at, array->at, kept * sizeof(T),
                                                       cudaMemcpyDeviceToDevice));
    cudaFree(array->at);
    *array = larger;
    return copied;
}

template <typename T> static void gpu_free(gpu_array<T> *array) {
    cudaFree(array->at);
    array->at = NULL;
    array->capacity = 0;
}

template <typename T> static int gpu_upload(gpu_array<T> *array, const T *from, size_t count) {
    return gpu_reserve(array, count > 0 ? count : 1) &&
           (count == 0 ||
            gpu_succeeded(cudaMemcpy(array->at, from, count * sizeof(T), cudaMemcpyHostToDevice)));
}

template <typename T> static int gpu_download(T *to, const T *from, size_t count) {
    return count == 0 ||
           gpu_succeeded(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyDeviceToHost));
}

/* Whether the last launch was accepted. */
static inline int gpu_launched(void) {
    return gpu_succeeded(cudaGetLastError());
}

static inline size_t gpu_blocks(size_t items, size_t of_block) {
    return (items + of_block - 1) / of_block;
}

/* Allows a kernel that much shared memory beside its own. */
template <typename F> static int gpu_allow_shared(F *kernel, size_t bytes) {
#ifdef SPF_EMULATED_CUDA
    (void)kernel;
    return bytes <= EMULATED_SHARED;
#else
    return gpu_succeeded(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
#endif
}

#endif
