/* By size: few rows are sorted, many are counted in bins. */
#include "search.cuh"

#include "search_bins.cuh"
#include "search_exact.cuh"

int gpu_search(const gpu_level &level, const gpu_rules &rules, const gpu_sampler &sampler,
               const gpu_sizes &sizes, int whole, int has_missing, gpu_searching *searching) {
    const gpu_size binned[] = {GPU_MIDDLE, GPU_LARGE};
    if (!gpu_search_exact(level, rules, sampler, sizes, has_missing)) return 0;
    for (gpu_size size : binned)
        if (!gpu_search_bins(level, rules, sampler, size, sizes, whole, has_missing, searching) ||
            !gpu_refine(level, rules, sampler, size, sizes, has_missing, searching))
            return 0;
    return 1;
}
