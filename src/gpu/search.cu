/* By size: few rows are sorted, many are counted in bins. */
#include "search.cuh"

#include "search_bins.cuh"
#include "search_exact.cuh"

int gpu_search(const gpu_level &level, const gpu_table &table, const gpu_rules &rules,
               const gpu_sampler &sampler, const gpu_sizes &sizes, gpu_searching *searching) {
    const gpu_size binned[] = {GPU_MIDDLE, GPU_LARGE};
    const int whole = table.bytes != NULL;
    if (!gpu_search_exact(level, table, rules, sampler, sizes, searching)) return 0;
    for (gpu_size size : binned)
        if (!gpu_search_bins(level, rules, sampler, size, sizes, whole, searching) ||
            !gpu_refine(level, rules, sampler, size, sizes, table.has_missing, searching))
            return 0;
    return 1;
}
