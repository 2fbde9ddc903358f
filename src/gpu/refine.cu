/* The exact cut within the two bins of a coarse one: see spf_split_refine. A block takes a node. */
#include "search_bins.cuh"

#include "bin_ranges.cuh"
#include "score.cuh"

enum { SHARED_KEYS = 2048 };

/* Bitonic sort by a block. Places from count on count as larger than all others. */
static __device__ void sort_block(uint64_t *key, uint32_t count) {
    uint32_t size = 2;
    for (; size / 2 < count; size *= 2) {
        for (uint32_t step = size / 2; step >= 1; step /= 2) {
            uint32_t mask = step == size / 2 ? size - 1 : step;
            for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
                uint32_t partner = i ^ mask;
                if (partner <= i || partner >= count || key[i] <= key[partner]) continue;
                uint64_t larger = key[i];
                key[i] = key[partner];
                key[partner] = larger;
            }
            __syncthreads();
        }
    }
}

/* The best cut between sorted rows, by a warp; each lane has some neighbouring rows. start[k] is
 * the weight of a class left of all of them. */
static __device__ gpu_cut scan_rows(const gpu_rules &rules, const gpu_scored &s,
                                    const uint64_t *key, uint32_t count, const uint32_t *start,
                                    uint32_t *left) {
    const uint32_t lane = lane_of(), each = (count + WARP - 1) / WARP;
    const uint32_t from = lane * each < count ? lane * each : count;
    const uint32_t to = from + each < count ? from + each : count;
    gpu_sums sums = sums_start(rules, s);
    gpu_cut best = {};
    for (uint32_t k = 0; k < rules.classes; k++) left[k * WARP + lane] = 0;
    for (uint32_t i = from; i < to; i++) {
        uint32_t tag = (uint32_t)key[i];
        left[class_of(rules, tag) * WARP + lane] += weight_of(rules, tag);
    }
    for (uint32_t k = 0; k < rules.classes; k++) {
        uint32_t weight = start[k] + sum_before(left[k * WARP + lane]);
        left[k * WARP + lane] = weight;
        if (weight > 0) sums_move(rules, s, &sums, k, 0, weight);
    }
    for (uint32_t i = from; i < to && i + 1 < count; i++) {
        uint32_t tag = (uint32_t)key[i], k = class_of(rules, tag), weight = weight_of(rules, tag);
        uint32_t before = left[k * WARP + lane];
        left[k * WARP + lane] = before + weight;
        sums_move(rules, s, &sums, k, before, weight);
        float a = unorder((uint32_t)(key[i] >> 32)), b = unorder((uint32_t)(key[i + 1] >> 32));
        if (!(a < b) || !leaves_allow(s, sums.weight)) continue;
        if (!improves(rules, s, sums, best.found, &best.score)) continue;
        best.found = 1;
        best.threshold = threshold_between(a, b);
    }
    best.candidate = lane; /* in a tie the first one */
    return best_of_lanes(best, WARP);
}

__global__ void __launch_bounds__(1024, 1)
    refine_cuts(gpu_level level, gpu_rules rules, gpu_sampler sampler, const uint32_t *list,
                int has_missing, uint64_t *scratch) {
    SPF_SHARED(uint64_t, near);
    __shared__ uint32_t start[WARP], left[WARP * WARP], inside;
    __shared__ float room[3 * WARP];
    uint32_t i = list[blockIdx.x];
    gpu_cut cut = level.cut[i];
    if (!cut.found || !cut.coarse) return;
    gpu_node node = level.node[i];
    const float *value = column_of(level, node, sampler.projections, cut.candidate);
    const uint32_t *tag = level.tag + node.begin;
    float low = 0, high = 0, fill = 0;
    if (has_missing && cut.side != GPU_NO_MISSING) {
        range_of_column(value, node.rows, &low, &high, room);
        fill = fill_of(low, high, cut.side);
    }
    gpu_inside w = bins_between(cut.low, cut.high, cut.per_unit, cut.bins, cut.bin, cut.next_bin);
    uint64_t *key = scratch + node.begin;
    gpu_class_weights before = {};
    if (threadIdx.x < rules.classes) start[threadIdx.x] = 0;
    if (threadIdx.x == 0) inside = 0;
    __syncthreads();
#pragma unroll 4
    for (uint32_t r = threadIdx.x; r < node.rows; r += blockDim.x) {
        float v = filled(value[r], fill);
        if (is_inside(w, v)) {
            uint32_t place = atomicAdd(&inside, 1u);
            uint64_t own = (uint64_t)order_of(v) << 32 | tag[r];
            if (place < SHARED_KEYS) near[place] = own;
            key[place] = own;
        }
        if (place_of(w, v) < w.first) add_weight(rules, tag[r], &before, start);
    }
    join_weights(rules, before, start);
    __syncthreads();
    if (inside <= SHARED_KEYS) key = near;
    sort_block(key, inside);
    if (threadIdx.x >= WARP) return;
    gpu_scored s = scored_of(rules, node, level.totals + (size_t)i * rules.classes, rules.classes);
    gpu_cut best = scan_rows(rules, s, key, inside, start, left);
    if (lane_of() > 0) return;
    best.candidate = cut.candidate;
    best.side = cut.side;
    level.cut[i] = best;
}

int gpu_refine(const gpu_level &level, const gpu_rules &rules, const gpu_sampler &sampler,
               gpu_size size, const gpu_sizes &sizes, int has_missing, gpu_searching *searching) {
    if (sizes.count[size] == 0) return 1;
    if (!gpu_reserve(&searching->keys, level.rows)) return 0;
    SPF_LAUNCH(refine_cuts, sizes.count[size], size == GPU_LARGE ? 1024 : 128,
               SHARED_KEYS * sizeof(uint64_t), level, rules, sampler, sizes.list[size], has_missing,
               searching->keys.at);
    return gpu_launched();
}
