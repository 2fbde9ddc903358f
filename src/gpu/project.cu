/* A thread takes a row and some candidates. Short rows are first copied to shared memory, where
 * looking up features in any order is fast. */
#include "project.cuh"

enum {
    THREADS = 128,
    WORDS_MAX = 220,    /* of four bytes, in rows that are copied */
    LEAST_PART = 16,    /* candidates that a thread takes, at least */
    BLOCKS_WANTED = 4096,
};

template <typename T>
static __device__ __forceinline__ void project_row(const gpu_level &level, const gpu_sampler &sampler,
                                                   uint32_t at, const T *row, const float *fill,
                                                   uint32_t first, uint32_t last) {
    uint32_t owner = level.owner[at], d = sampler.projections;
    const uint32_t *start = level.candidates.start + (size_t)owner * (d + 1);
    const gpu_term *term = level.candidates.term + (size_t)owner * sampler.terms;
    uint32_t count = level.candidates.count[owner], begin = level.node[owner].begin;
    uint32_t rows = level.node[owner].rows;
    if (last > count) last = count;
    if (first >= last) return;
    float *value = level.values + (size_t)begin * d + (at - begin) + (size_t)first * rows;
    uint32_t from = start[first];
    for (uint32_t c = first; c < last; c++, value += rows) {
        uint32_t to = start[c + 1];
        *value = value_of(row, fill, term + from, to - from);
        from = to;
    }
}

/* The rows of a warp's lanes, each by all lanes together. */
static __device__ __forceinline__ void copy_rows(const uint32_t *table, uint32_t words, uint32_t row,
                                                 int is_there, uint32_t *copies, uint32_t stride) {
    for (unsigned lane = 0; lane < WARP; lane++) {
        uint32_t of_lane = __shfl_sync(ALL_LANES, row, lane);
        if (!__shfl_sync(ALL_LANES, is_there, lane)) continue;
        const uint32_t *from = table + (size_t)of_lane * words;
        for (uint32_t w = lane_of(); w < words; w += WARP) copies[lane * stride + w] = from[w];
    }
    __syncwarp();
}

__global__ void project_rows(gpu_level level, gpu_table table, gpu_sampler sampler, uint32_t parts,
                             uint32_t part, uint32_t words) {
    SPF_SHARED(uint32_t, copies);
    size_t at = (size_t)(blockIdx.x / parts) * THREADS + threadIdx.x;
    uint32_t first = blockIdx.x % parts * part, last = first + part;
    int is_there = at < level.rows;
    uint32_t row = is_there ? level.row[at] : 0;
    if (words > 0) {
        const uint32_t stride = words | 1; /* no two rows in one bank */
        uint32_t *own = copies + threadIdx.x / WARP * WARP * stride;
        copy_rows((const uint32_t *)(table.bytes ? (const void *)table.bytes
                                                 : (const void *)table.values),
                  words, row, is_there, own, stride);
        own += lane_of() * stride;
        if (!is_there) return;
        if (table.bytes)
            project_row(level, sampler, (uint32_t)at, (const uint8_t *)own, table.fill, first, last);
        else
            project_row(level, sampler, (uint32_t)at, (const float *)own, table.fill, first, last);
        return;
    }
    if (!is_there) return;
    size_t place = (size_t)row * table.stride;
    if (table.bytes)
        project_row(level, sampler, (uint32_t)at, table.bytes + place, table.fill, first, last);
    else
        project_row(level, sampler, (uint32_t)at, table.values + place, table.fill, first, last);
}

int gpu_project(const gpu_level &level, const gpu_table &table, const gpu_sampler &sampler) {
    uint32_t words = table.bytes ? table.stride / 4 : table.stride, d = sampler.projections;
    if (words > WORDS_MAX) words = 0;
    size_t tiles = gpu_blocks(level.rows, THREADS), most = gpu_blocks(d, LEAST_PART);
    size_t parts = gpu_blocks(BLOCKS_WANTED, tiles);
    parts = parts < most ? parts : most;
    uint32_t part = (uint32_t)gpu_blocks(d, parts);
    size_t bytes = words > 0 ? (size_t)THREADS * (words | 1) * sizeof(float) : 0;
    if (!gpu_allow_shared(project_rows, bytes)) return 0;
    SPF_LAUNCH(project_rows, tiles * parts, THREADS, bytes, level, table, sampler, (uint32_t)parts,
               part, words);
    return gpu_launched();
}
