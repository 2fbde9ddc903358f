/* Rows on the candidates of their nodes. */
#ifndef SPF_GPU_PROJECT_CUH
#define SPF_GPU_PROJECT_CUH

#include "level.cuh"
#include "memory.cuh"

/* Fills level.values. */
int gpu_project(const gpu_level &level, const gpu_table &table, const gpu_sampler &sampler);

/* The value of a projection, with the same bits as spf_project_rows; `row` is a row of the table in
 * any memory. */
template <typename T>
static __device__ __forceinline__ float value_of(const T *row, const float *fill,
                                                 const gpu_term *term, uint32_t terms) {
    if (terms == 1) return (float)row[term[0].feature];
    float sum = 0;
    for (uint32_t t = 0; t < terms; t++) {
        gpu_term own = term[t];
        float value = (float)row[own.feature];
        if (fill && value != value) value = fill[own.feature];
        float part = own.weight * value;
        sum = t == 0 ? part : sum + part;
    }
    return sum;
}

#endif
