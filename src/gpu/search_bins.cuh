/* The best cuts of middle and large nodes: between bins, and then near the best of these. */
#ifndef SPF_GPU_SEARCH_BINS_CUH
#define SPF_GPU_SEARCH_BINS_CUH

#include "cuts.cuh"

int gpu_search_bins(const gpu_level &level, const gpu_rules &rules, const gpu_sampler &sampler,
                    gpu_size size, const gpu_sizes &sizes, int whole, gpu_searching *searching);

int gpu_refine(const gpu_level &level, const gpu_rules &rules, const gpu_sampler &sampler,
               gpu_size size, const gpu_sizes &sizes, int has_missing, gpu_searching *searching);

#endif
