/* The best of each node's cuts. */
#include "cuts.cuh"

/* A warp for a node. */
__global__ void choose_cuts(gpu_level level, const uint32_t *list, uint32_t count, uint32_t parts,
                            const gpu_cut *cuts) {
    uint32_t place = (uint32_t)(((size_t)blockIdx.x * blockDim.x + threadIdx.x) / WARP);
    if (place >= count) return;
    const gpu_cut *own = cuts + (size_t)place * parts;
    gpu_cut best = {};
    uint32_t at = 0;
    for (uint32_t c = lane_of(); c < parts; c += WARP) {
        if (!is_better(own[c], best)) continue;
        best = own[c];
        at = c;
    }
    for (unsigned step = WARP / 2; step > 0; step /= 2) {
        uint32_t there = __shfl_xor_sync(ALL_LANES, at, step);
        if (!is_better(own[there], best)) continue;
        best = own[there];
        at = there;
    }
    if (lane_of() == 0) level.cut[list[place]] = own[at];
}

int gpu_choose(const gpu_level &level, const uint32_t *list, uint32_t count, uint32_t parts,
               const gpu_cut *cuts) {
    SPF_LAUNCH(choose_cuts, gpu_blocks((size_t)count * WARP, 128), 128, 0, level, list, count,
               parts, cuts);
    return gpu_launched();
}
