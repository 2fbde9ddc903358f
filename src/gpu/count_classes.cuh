/* Rows are counted by bin and class. A warp walks through the bins, class by class. */
#ifndef SPF_GPU_COUNT_CLASSES_CUH
#define SPF_GPU_COUNT_CLASSES_CUH

#include "bins.cuh"

/* Counts the rows in bins from `first` on, as many as `slots`; others are left out. */
template <bool BLOCK>
static __device__ void count_rows(const gpu_rules &rules, const gpu_bins &bins,
                                  const bin_column &column, int32_t first, uint32_t slots) {
    const uint32_t cells = slots * column.classes, copies = column.copies;
    const uint32_t copy = lane_of() % copies;
    clear_counts<BLOCK>(column, cells);
    for (uint32_t begin = member<BLOCK>(); begin < column.rows;
         begin += STRANDS * members<BLOCK>()) {
        float value[STRANDS];
        uint32_t tag[STRANDS];
        read_rows<BLOCK>(column, begin, value, tag);
#pragma unroll
        for (int k = 0; k < STRANDS; k++) {
            uint32_t slot = (uint32_t)(bin_of<true>(bins, filled(value[k], column.fill)) - first);
            if (begin + k * members<BLOCK>() < column.rows && slot < slots)
                atomicAdd(&column.counts[(slot * column.classes +
                                          own_class(column.mask, class_of(rules, tag[k]))) *
                                             copies +
                                         copy],
                          weight_of(rules, tag[k]));
        }
    }
    join_copies<BLOCK>(column, cells);
}

/* The slots of a lane, and what is left of them. */
struct lane_slots {
    uint32_t from, to;
    uint32_t filled; /* bits: slots that are not empty */
    uint32_t last;   /* 1 + the last bin before them that is not empty; 0 for none */
    gpu_sums sums;   /* of all before them */
};

static __device__ lane_slots open_lane(const gpu_rules &rules, const gpu_scored &s,
                                       const bin_column &column, int32_t first, uint32_t slots,
                                       const bin_search *search) {
    const uint32_t classes = s.classes, lane = lane_of(), each = (slots + WARP - 1) / WARP;
    lane_slots own;
    own.from = lane * each < slots ? lane * each : slots;
    own.to = own.from + each < slots ? own.from + each : slots;
    own.filled = 0;
    own.sums = sums_start(rules, s);
    for (uint32_t k = 0; k < classes; k++) {
        uint32_t weight = 0;
        for (uint32_t slot = own.from; slot < own.to; slot++) {
            uint32_t count = column.counts[slot * classes + k];
            weight += count;
            own.filled |= (count > 0 ? 1u : 0u) << (slot - own.from);
        }
        weight = search->passed[k] + sum_before(weight);
        column.left[k * WARP + lane] = weight;
        if (weight > 0) sums_move(rules, s, &own.sums, k, 0, weight);
    }
    uint32_t last = own.filled ? (uint32_t)(first + (int32_t)own.from + 32 - __clz(own.filled)) : 0;
    for (unsigned step = 1; step < WARP; step *= 2) {
        uint32_t other = __shfl_up_sync(ALL_LANES, last, step);
        if (lane >= step && other > last) last = other;
    }
    own.last = __shfl_up_sync(ALL_LANES, last, 1);
    if (lane == 0 || own.last < search->last) own.last = search->last;
    return own;
}

/* The sums before a slot of the lane, once everything in its slots has been moved left. */
static __device__ gpu_sums sums_before_slot(const gpu_rules &rules, const gpu_scored &s,
                                            const bin_column &column, const lane_slots &own,
                                            uint32_t slot) {
    gpu_sums sums = sums_start(rules, s);
    for (uint32_t k = 0; k < s.classes; k++) {
        uint32_t weight = column.left[k * WARP + lane_of()];
        for (uint32_t i = slot; i < own.to; i++) weight -= column.counts[i * s.classes + k];
        if (weight > 0) sums_move(rules, s, &sums, k, 0, weight);
    }
    return sums;
}

/* The best cut between the counted bins, by a warp; each lane has some neighbouring ones. Bounds of
 * all scores come first, so that few scores are needed. */
static __device__ void walk_bins(const gpu_rules &rules, const gpu_scored &s, gpu_frame *frame,
                                 const bin_column &column, int32_t first, uint32_t slots,
                                 bin_search *search) {
    const gpu_bins bins = frame->bins;
    const uint32_t classes = s.classes, lane = lane_of();
    lane_slots own = open_lane(rules, s, column, first, slots, search);
    gpu_sums sums = own.sums;
    uint32_t heavies = 0, tried = 0, last = own.last; /* bits */
    float least = -INFINITY;
    for (uint32_t bits = own.filled; bits != 0; bits &= bits - 1) {
        uint32_t at = 31 - (uint32_t)__clz(bits & -bits), slot = own.from + at;
        const uint32_t *counts = column.counts + slot * classes;
        if (last > 0 && leaves_allow(s, sums.weight)) {
            gpu_bounds bounds = bounds_of(rules, s, sums);
            tried |= 1u << at;
            search->most[slot] = bounds.most;
            least = bounds.least > least ? bounds.least : least;
        }
        uint64_t before_slot = sums.weight;
        for (uint32_t k = 0; k < classes; k++) {
            uint32_t weight = counts[k];
            if (weight == 0) continue;
            uint32_t before = column.left[k * WARP + lane];
            sums_move(rules, s, &sums, k, before, weight);
            column.left[k * WARP + lane] = before + weight;
        }
        if (first + (int32_t)slot < 0) continue;
        last = (uint32_t)(first + (int32_t)slot) + 1;
        if (!bins.exact && sums.weight - before_slot > s.total / HEAVY_SHARE) heavies |= 1u << at;
    }
    least = most_of_warp(least);
    uint32_t bin = 0, next_bin = 0;
    int found = 0;
    double best = 0;
    for (; tried != 0; tried &= tried - 1) {
        uint32_t at = 31 - (uint32_t)__clz(tried & -tried), slot = own.from + at;
        if (search->most[slot] < least) continue;
        gpu_sums before = sums_before_slot(rules, s, column, own, slot);
        if (!improves(rules, s, before, found, &best)) continue;
        uint32_t earlier = own.filled & ((1u << at) - 1);
        found = 1;
        bin = earlier ? (uint32_t)(first + (int32_t)own.from + 31 - __clz(earlier)) : own.last - 1;
        next_bin = (uint32_t)(first + (int32_t)slot);
    }
    last = __shfl_sync(ALL_LANES, last, WARP - 1);
    __syncwarp();
    for (uint32_t k = lane; k < classes; k += WARP)
        search->passed[k] = column.left[k * WARP + WARP - 1];
    if (lane == 0) search->last = last;
    list_heavies(frame, heavies, (uint32_t)(first + (int32_t)own.from), search);
    if (!__any_sync(ALL_LANES, found)) return;
    unsigned winner = best_lane(found, best);
    if (lane == winner) offer_cut(bins, best, bin, next_bin, &search->best);
}

#endif
