/* The best cuts of tiny and small nodes. */
#ifndef SPF_GPU_SEARCH_EXACT_CUH
#define SPF_GPU_SEARCH_EXACT_CUH

#include "cuts.cuh"

int gpu_search_exact(const gpu_level &level, const gpu_table &table, const gpu_rules &rules,
                     const gpu_sampler &sampler, const gpu_sizes &sizes, gpu_searching *searching);

#endif
