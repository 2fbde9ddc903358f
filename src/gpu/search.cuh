/* The best cut of every node of a level. */
#ifndef SPF_GPU_SEARCH_CUH
#define SPF_GPU_SEARCH_CUH

#include "cuts.cuh"

/* Sets level.cut. */
int gpu_search(const gpu_level &level, const gpu_table &table, const gpu_rules &rules,
               const gpu_sampler &sampler, const gpu_sizes &sizes, gpu_searching *searching);

#endif
