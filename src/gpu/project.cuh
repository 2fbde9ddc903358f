/* Rows on the candidates of their nodes. */
#ifndef SPF_GPU_PROJECT_CUH
#define SPF_GPU_PROJECT_CUH

#include "level.cuh"
#include "memory.cuh"

/* Fills level.values for nodes with more than SMALL_ROWS rows; others are projected where they are
 * searched. */
int gpu_project(const gpu_level &level, const gpu_table &table, const gpu_sampler &sampler);

/* Words of four bytes in a row of the table. */
static __host__ __device__ __forceinline__ uint32_t words_of(const gpu_table &table) {
    return table.bytes ? table.stride / 4 : table.stride;
}

/* A projection with its first terms at hand. */
enum { FIRST_TERMS = 4 };

struct gpu_projection {
    gpu_term first[FIRST_TERMS];
    const gpu_term *all;
    uint32_t terms;
};

static __device__ __forceinline__ gpu_projection projection_of(const gpu_level &level,
                                                               const gpu_sampler &sampler,
                                                               uint32_t node, uint32_t candidate) {
    const uint32_t *start =
        level.candidates.start + (size_t)node * (sampler.projections + 1) + candidate;
    uint32_t from = start[0];
    gpu_projection p = {};
    p.terms = start[1] - from;
    p.all = level.candidates.term + (size_t)node * sampler.terms + from;
#pragma unroll
    for (uint32_t t = 0; t < FIRST_TERMS; t++)
        if (t < p.terms) p.first[t] = p.all[t];
    return p;
}

template <typename T>
static __device__ __forceinline__ float term_of(const T *row, const float *fill, gpu_term term) {
    float value = (float)row[term.feature];
    if (fill && value != value) value = fill[term.feature];
    return term.weight * value;
}

/* The value of a row, which may be in any memory, with the same bits as spf_project_rows. */
template <typename T>
static __device__ __forceinline__ float value_of(const T *row, const float *fill,
                                                 const gpu_projection &p) {
    if (p.terms == 1) return (float)row[p.first[0].feature];
    float sum = term_of(row, fill, p.first[0]);
#pragma unroll
    for (uint32_t t = 1; t < FIRST_TERMS; t++)
        if (t < p.terms) sum = sum + term_of(row, fill, p.first[t]);
    for (uint32_t t = FIRST_TERMS; t < p.terms; t++) sum = sum + term_of(row, fill, p.all[t]);
    return sum;
}

/* The same of a row in words, which are bytes or floats. */
static __device__ __forceinline__ float value_of_words(const gpu_table &table, const uint32_t *row,
                                                       const gpu_projection &p) {
    return table.bytes ? value_of((const uint8_t *)row, table.fill, p)
                       : value_of((const float *)row, table.fill, p);
}

static __device__ __forceinline__ const uint32_t *row_at(const gpu_table &table, uint32_t row) {
    const uint32_t *words =
        table.bytes ? (const uint32_t *)table.bytes : (const uint32_t *)table.values;
    return words + (size_t)row * words_of(table);
}

#endif
