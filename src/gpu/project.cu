/* A thread takes a row and some candidates. Short rows are first copied to shared memory, where
 * looking up features in any order is fast. */
#include "project.cuh"

enum {
    THREADS = 128,
    SHARED_FEATURES = 64, /* of rows that are copied */
    CANDIDATES = 64,      /* that a thread takes */
};

template <typename T>
static __device__ __forceinline__ void project_row(const gpu_level &level, const gpu_sampler &sampler,
                                                   uint32_t at, const T *row, const float *fill,
                                                   uint32_t first) {
    uint32_t owner = level.owner[at], d = sampler.projections;
    gpu_node node = level.node[owner];
    const uint32_t *start = level.candidates.start + (size_t)owner * (d + 1);
    const uint32_t *feature = level.candidates.feature + (size_t)owner * sampler.terms;
    const float *weight = level.candidates.weight + (size_t)owner * sampler.terms;
    uint32_t last = first + CANDIDATES, count = level.candidates.count[owner];
    float *value = level.values + (size_t)node.begin * d + (at - node.begin);
    for (uint32_t c = first; c < last && c < count; c++) {
        uint32_t from = start[c];
        value[(size_t)c * node.rows] =
            value_of(row, fill, feature + from, weight + from, start[c + 1] - from);
    }
}

template <typename T>
static __device__ __forceinline__ void project_shared(const gpu_level &level, const T *values,
                                                      const gpu_table &table,
                                                      const gpu_sampler &sampler, uint32_t at,
                                                      uint32_t first, float *copy) {
    const T *row = values + (size_t)level.row[at] * table.features;
    for (uint32_t j = 0; j < table.features; j++) copy[j] = (float)row[j];
    project_row(level, sampler, at, copy, table.fill, first);
}

__global__ void project_rows(gpu_level level, gpu_table table, gpu_sampler sampler,
                             uint32_t parts, int shared) {
    SPF_SHARED(float, copies);
    size_t at = (size_t)(blockIdx.x / parts) * THREADS + threadIdx.x;
    uint32_t first = blockIdx.x % parts * CANDIDATES;
    if (at >= level.rows) return;
    if (shared) {
        float *copy = copies + threadIdx.x * (table.features | 1); /* no two in one bank */
        if (table.bytes)
            project_shared(level, table.bytes, table, sampler, (uint32_t)at, first, copy);
        else
            project_shared(level, table.values, table, sampler, (uint32_t)at, first, copy);
        return;
    }
    size_t place = (size_t)level.row[at] * table.features;
    if (table.bytes)
        project_row(level, sampler, (uint32_t)at, table.bytes + place, table.fill, first);
    else
        project_row(level, sampler, (uint32_t)at, table.values + place, table.fill, first);
}

int gpu_project(const gpu_level &level, const gpu_table &table, const gpu_sampler &sampler) {
    int shared = table.features <= SHARED_FEATURES;
    size_t parts = gpu_blocks(sampler.projections, CANDIDATES);
    size_t bytes = shared ? (size_t)THREADS * (table.features | 1) * sizeof(float) : 0;
    SPF_LAUNCH(project_rows, gpu_blocks(level.rows, THREADS) * parts, THREADS, bytes, level, table,
               sampler, (uint32_t)parts, shared);
    return gpu_launched();
}
