/* Rows are counted by bin and class. A warp walks through the bins that are not empty: they are
 * listed, and every lane takes as many of them.
 *
 * C is the type of the counts: uint16_t in nodes of middle size if none of the level weighs more
 * than SHORT_WEIGHT, otherwise uint32_t. */
#ifndef SPF_GPU_COUNT_CLASSES_CUH
#define SPF_GPU_COUNT_CLASSES_CUH

#include "bins.cuh"

/* Bins that can be counted at once, by classes of a node. What is left of all comes behind them. */
static __host__ __device__ __forceinline__ uint32_t class_cells(uint32_t classes) {
    return (BINS_MAX + 1) * classes;
}

static __device__ __forceinline__ uint32_t slots_at_once(uint32_t cells, uint32_t classes) {
    uint32_t slots = cells / (classes > 2 ? classes : 2) - 1; /* a node has two at least */
    return slots < SLOTS_MAX ? slots : SLOTS_MAX;
}

/* Where a value is counted, if bins from `first` on are, or UINT32_MAX. */
static __device__ __forceinline__ uint32_t slot_of(const gpu_bins &bins, uint32_t first,
                                                   uint32_t slots, float value) {
    int32_t bin = bin_of<true>(bins, value);
    uint32_t slot = (uint32_t)bin - first;
    return bin < 0 ? slots : slot < slots ? slot : UINT32_MAX;
}

template <typename C> struct gpu_count;
template <> struct gpu_count<uint16_t> { typedef uint32_t sums; };
template <> struct gpu_count<uint32_t> { typedef uint64_t sums; };

/* The atomic addition of words; returns the count before. A sum of two counts in a word does not
 * carry over. */
static __device__ __forceinline__ uint32_t add_to_count(uint32_t *counts, uint32_t i,
                                                        uint32_t weight) {
    return atomicAdd(&counts[i], weight);
}

static __device__ __forceinline__ uint32_t add_to_count(uint16_t *counts, uint32_t i,
                                                        uint32_t weight) {
    unsigned shift = i % 2 * 16;
    return atomicAdd((uint32_t *)counts + i / 2, weight << shift) >> shift & 0xffff;
}

/* Counts the rows in bins from `first` on, as many as `slots`, and notes which are not empty. */
template <bool BLOCK, typename C>
static __device__ void count_rows(const gpu_rules &rules, const gpu_bins &bins,
                                  const bin_column &column, uint32_t first, uint32_t slots) {
    const uint32_t cells = (slots + 1) * column.classes;
    const uint32_t copies = BLOCK ? column.copies : 1, copy = lane_of() % copies;
    for (uint32_t i = member<BLOCK>(); i <= slots / WARP; i += members<BLOCK>())
        column.filled[i] = 0;
    clear_counts<BLOCK>(column, (cells * sizeof(C) + 3) / 4);
    for (uint32_t begin = member<BLOCK>(); begin < column.rows;
         begin += STRANDS * members<BLOCK>()) {
        float value[STRANDS];
        uint32_t tag[STRANDS];
        read_rows<BLOCK>(column, begin, value, tag);
#pragma unroll
        for (int k = 0; k < STRANDS; k++) {
            uint32_t slot = slot_of(bins, first, slots, filled(value[k], column.fill));
            uint32_t own = own_class(column.mask, class_of(rules, tag[k]));
            if (begin + k * members<BLOCK>() < column.rows && slot != UINT32_MAX) {
                uint32_t i = (slot * column.classes + own) * copies + copy;
                if (add_to_count((C *)column.counts, i, weight_of(rules, tag[k])) == 0)
                    atomicOr(&column.filled[slot / WARP], 1u << slot % WARP);
            }
        }
    }
    join_copies<BLOCK>(column, cells);
}

/* Lists the bins that are not empty; returns how many there are. */
static __device__ uint32_t list_filled(const bin_column &column, uint32_t slots) {
    uint32_t first = lane_of() * WARP, bits = first < slots ? column.filled[lane_of()] : 0;
    if (first < slots && slots - first < WARP) bits &= (1u << slots % WARP) - 1;
    uint32_t place = sum_before((uint32_t)__popc(bits)), all = sum_of_warp((uint32_t)__popc(bits));
    for (; bits != 0; bits &= bits - 1)
        column.list[place++] = first + 31 - (uint32_t)__clz(bits & -bits);
    __syncwarp();
    return all;
}

/* Entries of the list hold a bin and the upper bits of a bound of the score before it, rounded up.
 */
static __device__ __forceinline__ uint32_t slot_in(uint32_t entry) {
    return entry & 0xffff;
}

static __device__ __forceinline__ uint32_t with_bound(uint32_t slot, float most) {
    uint32_t up = (bits_of(most) >> 16) + 1;
    return slot | (up < 0x7f80 ? up : 0x7f80) << 16;
}

static __device__ __forceinline__ float bound_in(uint32_t entry) {
    return float_of(entry & 0xffff0000);
}

/* The sums before an entry of a lane's, once the weights of all of them are on the left. */
template <typename C>
static __device__ gpu_sums sums_before_entry(const gpu_rules &rules, const gpu_scored &s,
                                             const bin_column &column, const uint32_t *entry,
                                             uint32_t count) {
    gpu_sums sums = sums_start(rules, s);
    for (uint32_t k = 0; k < s.classes; k++) {
        uint32_t weight = column.left[k * WARP + lane_of()];
        for (uint32_t e = 0; e < count; e++)
            weight -= ((const C *)column.counts)[slot_in(entry[e]) * s.classes + k];
        if (weight > 0) sums_move(rules, s, &sums, k, 0, weight);
    }
    return sums;
}

/* The best cut between the counted bins. Bounds of all scores come first, so that few scores are
 * needed. search->passed has the weights of classes in bins that are done. */
template <typename C>
static __device__ void walk_classes(const gpu_rules &rules, const gpu_scored &s, gpu_frame *frame,
                                    const bin_column &column, uint32_t first, uint32_t slots,
                                    bin_search *search) {
    typedef typename gpu_count<C>::sums W;
    const C *all_counts = (const C *)column.counts;
    const uint32_t classes = s.classes, count = list_filled(column, slots);
    const uint32_t each = (count + WARP - 1) / WARP, begin = lane_of() * each;
    const uint32_t own = begin < count ? (begin + each < count ? each : count - begin) : 0;
    const uint32_t last = search->last;
    const int is_open = last > 0; /* bins before these are not empty */
    uint32_t *entry = column.list + begin, *left = column.left + lane_of();
    gpu_sums_in<W> sums = sums_start<W>(rules, s);
    for (uint32_t k = 0; k < classes; k++) {
        uint32_t weight = 0;
        for (uint32_t e = 0; e < own; e++) weight += all_counts[entry[e] * classes + k];
        weight = search->passed[k] + all_counts[slots * classes + k] + sum_before(weight);
        left[k * WARP] = weight;
        if (weight > 0) sums_move(rules, s, &sums, k, 0, weight);
    }
    uint32_t tried = 0, heavies = 0; /* bits: entries */
    float least = 0;
    for (uint32_t e = 0; e < own; e++) {
        const uint32_t slot = entry[e];
        const C *counts = all_counts + slot * classes;
        const W before = sums.weight;
        if ((is_open || begin + e > 0) && leaves_allow(s, before)) {
            gpu_bounds bounds = bounds_of(rules, s, sums);
            tried |= 1u << e;
            entry[e] = with_bound(slot, bounds.most);
            least = bounds.least > least ? bounds.least : least;
        }
        for (uint32_t k = 0; k < classes; k++) {
            uint32_t weight = counts[k], is_left = left[k * WARP];
            if (weight == 0) continue;
            sums_move(rules, s, &sums, k, is_left, weight);
            left[k * WARP] = is_left + weight;
        }
        heavies |= (sums.weight - before > s.total / HEAVY_SHARE ? 1u : 0u) << e;
    }
    least = float_of(__reduce_max_sync(ALL_LANES, bits_of(least)));
    __syncwarp();
    int found = 0;
    uint32_t at = 0;
    double best = 0;
    for (; tried != 0; tried &= tried - 1) {
        uint32_t e = 31 - (uint32_t)__clz(tried & -tried);
        if (bound_in(entry[e]) < least) continue;
        gpu_sums before = sums_before_entry<C>(rules, s, column, entry + e, own - e);
        if (!improves(rules, s, before, found, &best)) continue;
        found = 1;
        at = e;
    }
    list_heavies(
        frame, frame->bins.exact ? 0 : heavies,
        [=](uint32_t e) { return first + slot_in(entry[e]); }, search);
    if (__any_sync(ALL_LANES, found) && lane_of() == best_lane(found, best))
        offer_cut(frame->bins, best,
                  begin + at > 0 ? first + slot_in(entry[(int32_t)at - 1]) : last - 1,
                  first + slot_in(entry[at]), &search->best);
    __syncwarp();
    for (uint32_t k = lane_of(); k < classes; k += WARP)
        search->passed[k] = column.left[k * WARP + WARP - 1];
    if (lane_of() == 0 && count > 0) search->last = first + slot_in(column.list[count - 1]) + 1;
}

#endif
