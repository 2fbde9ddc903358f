/* The same for nodes of two classes by Gini. A lane has its bins in registers, 2, 4 or 8 of them.
 */
#ifndef SPF_GPU_COUNT_PAIRS_CUH
#define SPF_GPU_COUNT_PAIRS_CUH

#include "bins.cuh"

/* Weights of both classes in a bin. */
struct __align__(8) gpu_pair {
    uint32_t zeros, ones;
};

/* The bins of a lane are followed by an empty place, so that lanes read from different banks. What
 * is left of all bins is behind them. */
enum { PAIR_PLACES = BINS_MAX + WARP + 1 };

/* log2 of the bins of each lane. */
static __device__ __forceinline__ unsigned pair_shift(uint32_t slots) {
    return slots <= 2 * WARP ? 1 : slots <= 4 * WARP ? 2 : 3;
}

static __device__ __forceinline__ uint32_t pair_outside(unsigned shift) {
    return (WARP << shift) + WARP;
}

/* Where a value is counted, or UINT32_MAX. Bins that cover ALL values have all of them. */
template <bool ALL>
static __device__ __forceinline__ uint32_t pair_place(const gpu_bins &bins, uint32_t first,
                                                      uint32_t slots, unsigned shift, float value) {
    int32_t bin = bin_of<!ALL>(bins, value);
    if (!ALL && bin < 0) return pair_outside(shift);
    uint32_t slot = (uint32_t)bin - first;
    if (!ALL && slot >= slots) return UINT32_MAX;
    return slot + (slot >> shift);
}

template <bool BLOCK, bool ALL>
static __device__ __forceinline__ void add_pairs(const gpu_rules &rules, const gpu_bins &bins,
                                                 const bin_column &column, uint32_t first,
                                                 uint32_t slots) {
    const uint32_t copies = BLOCK ? column.copies : 1, copy = lane_of() % copies;
    const unsigned shift = pair_shift(slots);
    for (uint32_t begin = member<BLOCK>(); begin < column.rows;
         begin += STRANDS * members<BLOCK>()) {
        float value[STRANDS];
        uint32_t tag[STRANDS];
        read_rows<BLOCK>(column, begin, value, tag);
#pragma unroll
        for (int k = 0; k < STRANDS; k++) {
            uint32_t place =
                pair_place<ALL>(bins, first, slots, shift, filled(value[k], column.fill));
            if (begin + k * members<BLOCK>() < column.rows && (ALL || place != UINT32_MAX))
                atomicAdd(&column.counts[(2 * place + class_of(rules, tag[k])) * copies + copy],
                          weight_of(rules, tag[k]));
        }
    }
}

/* Counts the rows in bins from `first` on, as many as `slots`. */
template <bool BLOCK>
static __device__ void count_pairs(const gpu_rules &rules, const gpu_bins &bins,
                                   const bin_column &column, uint32_t first, uint32_t slots) {
    const uint32_t cells = 2 * (pair_outside(pair_shift(slots)) + 1);
    clear_counts<BLOCK>(column, cells);
    if (bins.partial || bins.exact)
        add_pairs<BLOCK, false>(rules, bins, column, first, slots);
    else
        add_pairs<BLOCK, true>(rules, bins, column, first, slots);
    join_copies<BLOCK>(column, cells);
}

/* The best cut between EACH bins of every lane. search->passed has the weights of all rows and of
 * ones in bins that are done. */
template <int EACH>
static __device__ void walk_pairs(const gpu_rules &rules, const gpu_scored &s, gpu_frame *frame,
                                  const bin_column &column, uint32_t first, bin_search *search) {
    const gpu_pair *own = (const gpu_pair *)column.counts + lane_of() * (EACH + 1);
    const gpu_pair outside = ((const gpu_pair *)column.counts)[WARP * (EACH + 1)];
    const uint32_t left_out = outside.zeros + outside.ones, total = (uint32_t)s.total;
    const gpu_bins bins = frame->bins;
    uint32_t weight[EACH], ones[EACH], all_weight = 0, all_ones = 0; /* of bins */
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        gpu_pair pair = own[e];
        weight[e] = pair.zeros + pair.ones;
        ones[e] = pair.ones;
        all_weight += weight[e];
        all_ones += pair.ones;
    }
    const uint32_t left = search->passed[0] + left_out + sum_before(all_weight);
    const uint32_t left_ones = search->passed[1] + outside.ones + sum_before(all_ones);
    uint32_t filled = 0, heavies = 0, now = left, now_ones = left_ones; /* bits; sums */
    float most[EACH], least = 0;
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        gpu_bounds bounds = bounds_of_pair(s, now, now_ones);
        int tries = weight[e] > 0 && now > left_out && leaves_allow(s, now);
        most[e] = tries ? bounds.most : -1;
        least = tries && bounds.least > least ? bounds.least : least;
        filled |= (weight[e] > 0 ? 1u : 0u) << e;
        heavies |= (weight[e] > total / HEAVY_SHARE ? 1u : 0u) << e;
        now += weight[e];
        now_ones += ones[e];
    }
    least = float_of(__reduce_max_sync(ALL_LANES, bits_of(least)));
    uint32_t open = 0, at = 0;
#pragma unroll
    for (int e = 0; e < EACH; e++) open |= (most[e] >= least ? 1u : 0u) << e;
    int found = 0;
    double best = 0;
    for (; open != 0; open &= open - 1) {
        uint32_t place = 31 - (uint32_t)__clz(open & -open);
        uint32_t before = left, before_ones = left_ones;
#pragma unroll
        for (uint32_t e = 0; e + 1 < EACH; e++) {
            before += e < place ? weight[e] : 0;
            before_ones += e < place ? ones[e] : 0;
        }
        gpu_sums sums = {before, before_ones, 0, 0, 0};
        if (!improves(rules, s, sums, found, &best)) continue;
        found = 1;
        at = place;
    }
    const uint32_t bin = first + lane_of() * EACH, last = search->last;
    const unsigned lanes = __ballot_sync(ALL_LANES, filled != 0);
    const uint32_t highest =
        bin + 32 - (uint32_t)__clz(filled); /* 1 + the last that is not empty */
    list_heavies(
        frame, bins.exact ? 0 : heavies, [=](uint32_t e) { return bin + e; }, search);
    if (__any_sync(ALL_LANES, found)) {
        unsigned winner = best_lane(found, best);
        unsigned lanes_before = lanes & ((1u << winner) - 1);
        uint32_t there = __shfl_sync(ALL_LANES, highest, 31 - (unsigned)__clz(lanes_before | 1));
        uint32_t earlier = filled & ((1u << at) - 1);
        uint32_t before = earlier        ? bin + 31 - (uint32_t)__clz(earlier)
                          : lanes_before ? there - 1
                                         : last - 1;
        if (lane_of() == winner) offer_cut(bins, best, before, bin + at, &search->best);
    }
    const uint32_t end = __shfl_sync(ALL_LANES, highest, 31 - (unsigned)__clz(lanes | 1));
    __syncwarp(); /* all lanes have read what is passed */
    if (lane_of() < WARP - 1) return;
    search->passed[0] = now;
    search->passed[1] = now_ones;
    search->last = lanes ? end : last;
}

static __device__ void walk_pairs(const gpu_rules &rules, const gpu_scored &s, gpu_frame *frame,
                                  const bin_column &column, uint32_t first, uint32_t slots,
                                  bin_search *search) {
    const unsigned shift = pair_shift(slots);
    if (shift == 1)
        walk_pairs<2>(rules, s, frame, column, first, search);
    else if (shift == 2)
        walk_pairs<4>(rules, s, frame, column, first, search);
    else
        walk_pairs<8>(rules, s, frame, column, first, search);
}

#endif
