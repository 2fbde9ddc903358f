/* A team counts the rows of a candidate in bins, in shared memory, and one of its warps finds the
 * best cut between them. Heavy bins are searched again in finer ones: see split_histogram.c. The
 * team is a warp in nodes of middle size, and a block in large ones. */
#include "search_bins.cuh"

#include "score.cuh"

enum {
    BINS_MAX = 256,
    BINS_MIN = 64,
    SLOTS = BINS_MAX + 2, /* bins, and what is left and right of them */
    VALUES_MAX = 1536,    /* distinct integers that are searched one by one */
    HEAVY_SHARE = 8,
    ZOOMS_MAX = 8,
    COUNTED_CLASSES = 32,
    CANDIDATES_OF_BLOCK = 32, /* in nodes of middle size */
};

/* ---- teams
 * ---------------------------------------------------------------------------------------
 */

template <bool BLOCK> static __device__ __forceinline__ void team_sync(void) {
    if (BLOCK)
        __syncthreads();
    else
        __syncwarp();
}

template <bool BLOCK> static __device__ __forceinline__ uint32_t member(void) {
    return BLOCK ? threadIdx.x : lane_of();
}

template <bool BLOCK> static __device__ __forceinline__ uint32_t members(void) {
    return BLOCK ? blockDim.x : WARP;
}

/* The least and the most of all members, and whether any of them says so. */
template <bool BLOCK>
static __device__ __forceinline__ int team_range(float *low, float *high, int any, float *room) {
    if (BLOCK) {
        range_of_block(low, high, &any, room);
        return any;
    }
    *low = least_of_warp(*low);
    *high = most_of_warp(*high);
    return __any_sync(ALL_LANES, any);
}

/* ---- bins
 * ----------------------------------------------------------------------------------------
 */

static __device__ __forceinline__ int counts_classes(const gpu_rules &rules, const gpu_node &node) {
    return !is_pair(rules, node) && node.present <= COUNTED_CLASSES;
}

static __device__ uint32_t bins_of_node(const gpu_rules &rules, const gpu_node &node) {
    uint64_t rows = node.rows;
    uint64_t most = counts_classes(rules, node) ? 4 * rows / node.present : rows / 2;
    return most >= BINS_MAX ? BINS_MAX : most >= BINS_MAX / 2 ? BINS_MAX / 2 : BINS_MIN;
}

static __device__ uint32_t values_of_node(const gpu_rules &rules, const gpu_node &node) {
    uint64_t worth = node.rows;
    if (is_pair(rules, node)) worth = 8 * worth;
    if (counts_classes(rules, node)) worth = 8 * (uint64_t)node.rows / node.present;
    return worth < VALUES_MAX ? (uint32_t)worth : VALUES_MAX;
}

/* Whether the values are integers, because the table's are and all weights are 1 or -1. */
static __device__ int is_whole_sum(const gpu_level &level, const gpu_sampler &sampler,
                                   uint32_t node, uint32_t candidate) {
    const gpu_candidates &c = level.candidates;
    const uint32_t *start = c.start + (size_t)node * (sampler.projections + 1) + candidate;
    for (uint32_t t = start[0]; t < start[1]; t++) {
        float weight = c.term[(size_t)node * sampler.terms + t].weight;
        if (weight != 1 && weight != -1) return 0;
    }
    return 1;
}

/* One bin for each integer if there are not too many, otherwise bins of equal width. Whether the
 * bounds are those of the values or of all sums, as in make_bins, the cuts are the same. */
static __device__ gpu_bins make_bins(const gpu_rules &rules, const gpu_node &node, int whole,
                                     float low, float high) {
    if (!whole || !(high - low < (float)values_of_node(rules, node)))
        return bins_over(low, high, bins_of_node(rules, node));
    gpu_bins exact = {low, high, 1, (uint32_t)(high - low) + 1, 1, 0};
    return exact;
}

/* Bin -1 is left of all bins, the last one right of them. */
static __device__ __forceinline__ int32_t bin_of(const gpu_bins &bins, float value) {
    float last = (float)(bins.count - 1), place = (value - bins.low) * bins.per_unit;
    place = place < last ? place : last;
    int32_t bin = (int32_t)(place > 0 ? place : 0);
    if (bins.partial && value < bins.low) return -1;
    if (bins.partial && value > bins.high) return (int32_t)bins.count;
    return bin;
}

/* ---- a search
 * ------------------------------------------------------------------------------------
 */

/* Bins of a column, and its heavy ones. */
struct gpu_frame {
    gpu_bins bins;
    uint32_t runs, next;
    uint32_t first[HEAVY_SHARE], last[HEAVY_SHARE];
};

/* What a team shares. */
struct bin_search {
    gpu_frame frame[ZOOMS_MAX + 1];
    gpu_cut best;
    int depth, zooms_left;
    uint32_t heavy[HEAVY_SHARE];
    uint32_t passed[COUNTED_CLASSES]; /* weights of classes in bins that are done */
    uint32_t last;                    /* 1 + the last of these that is not empty; 0 for none */
    float most[SLOTS];                /* bounds of scores */
    float room[3 * WARP];
};

/* A column, and where its rows are counted. */
struct bin_column {
    const float *value;
    const uint32_t *tag;
    uint32_t rows;
    float fill;
    uint32_t *counts; /* [SLOTS x classes] x copies */
    uint32_t *left;   /* [classes x WARP] */
    uint32_t copies;
    uint32_t classes, mask; /* of the node: see gpu_own_classes */
};

/* Some rows at once, so that one need not wait for the other. */
enum { STRANDS = 4 };

template <bool BLOCK>
static __device__ __forceinline__ void read_rows(const bin_column &column, uint32_t begin,
                                                 float *value, uint32_t *tag) {
#pragma unroll
    for (int k = 0; k < STRANDS; k++) {
        uint32_t i = begin + k * members<BLOCK>();
        i = i < column.rows ? i : begin;
        value[k] = column.value[i];
        if (tag) tag[k] = column.tag[i];
    }
}

/* The range of the values that there are, inside of some bins or all; returns whether some are
 * missing. */
template <bool BLOCK, bool INSIDE>
static __device__ int range_of_rows(const bin_column &column, const gpu_inside &w, float *low,
                                    float *high, float *room) {
    int missing = 0;
    *low = INFINITY;
    *high = -INFINITY;
    for (uint32_t begin = member<BLOCK>(); begin < column.rows;
         begin += STRANDS * members<BLOCK>()) {
        float value[STRANDS];
        read_rows<BLOCK>(column, begin, value, NULL);
#pragma unroll
        for (int k = 0; k < STRANDS; k++) {
            float v = INSIDE ? filled(value[k], column.fill) : value[k];
            missing |= v != v;
            if (INSIDE && !is_inside(w, v)) continue;
            *low = v < *low ? v : *low;
            *high = v > *high ? v : *high;
        }
    }
    return team_range<BLOCK>(low, high, missing, room);
}

/* Counts the rows in bins from `first` on, as many as `slots`; others are left out. */
template <bool BLOCK>
static __device__ void count_rows(const gpu_rules &rules, const gpu_bins &bins,
                                  const bin_column &column, int32_t first, uint32_t slots) {
    const uint32_t cells = slots * column.classes, copies = column.copies;
    uint32_t *counts = column.counts;
    for (uint32_t i = member<BLOCK>(); i < cells * copies; i += members<BLOCK>()) counts[i] = 0;
    team_sync<BLOCK>();
    const uint32_t copy = lane_of() % copies;
    for (uint32_t begin = member<BLOCK>(); begin < column.rows;
         begin += STRANDS * members<BLOCK>()) {
        float value[STRANDS];
        uint32_t tag[STRANDS];
        read_rows<BLOCK>(column, begin, value, tag);
#pragma unroll
        for (int k = 0; k < STRANDS; k++) {
            uint32_t slot = (uint32_t)(bin_of(bins, filled(value[k], column.fill)) - first);
            if (begin + k * members<BLOCK>() < column.rows && slot < slots)
                atomicAdd(&counts[(slot * column.classes +
                                   own_class(column.mask, class_of(rules, tag[k]))) *
                                      copies +
                                  copy],
                          weight_of(rules, tag[k]));
        }
    }
    team_sync<BLOCK>();
    if (copies == 1) return;
    for (uint32_t begin = 0; begin < cells; begin += members<BLOCK>()) {
        uint32_t i = begin + member<BLOCK>(), sum = 0;
        for (uint32_t k = 0; i < cells && k < copies; k++) sum += counts[i * copies + k];
        team_sync<BLOCK>(); /* earlier cells may be overwritten now */
        if (i < cells) counts[i] = sum;
    }
    team_sync<BLOCK>();
}

static __device__ void list_runs(gpu_frame *frame, const uint32_t *heavy, uint32_t count) {
    frame->runs = frame->next = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bin = heavy[i];
        if (frame->runs == 0 || bin > frame->last[frame->runs - 1] + 2)
            frame->first[frame->runs++] = bin;
        frame->last[frame->runs - 1] = bin;
    }
}

static __device__ void offer_cut(const gpu_bins &bins, double score, uint32_t bin,
                                 uint32_t next_bin, gpu_cut *cut) {
    if (cut->found && !(score > cut->score)) return;
    cut->found = 1;
    cut->score = score;
    cut->coarse = !bins.exact;
    cut->low = bins.low;
    cut->high = bins.high;
    cut->per_unit = bins.per_unit;
    cut->bins = bins.count;
    cut->bin = bin;
    cut->next_bin = next_bin;
    if (bins.exact)
        cut->threshold = threshold_between(bins.low + (float)bin, bins.low + (float)next_bin);
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
    uint32_t place = sum_before((uint32_t)__popc(heavies)), all = sum_of_warp(__popc(heavies));
    for (; heavies != 0; heavies &= heavies - 1)
        search->heavy[place++] =
            (uint32_t)(first + (int32_t)own.from + 31 - __clz(heavies & -heavies));
    unsigned winner = lane;
    for (unsigned step = WARP / 2; step > 0; step /= 2) {
        double other = __shfl_xor_sync(ALL_LANES, best, step);
        unsigned packed = __shfl_xor_sync(ALL_LANES, winner | (unsigned)found << 8, step);
        unsigned other_lane = packed & 0xff;
        int other_found = packed >> 8;
        int takes =
            other_found && (!found || other > best || (other == best && other_lane < winner));
        best = takes ? other : best;
        winner = takes ? other_lane : winner;
        found |= other_found;
    }
    bin = __shfl_sync(ALL_LANES, bin, winner);
    next_bin = __shfl_sync(ALL_LANES, next_bin, winner);
    last = __shfl_sync(ALL_LANES, last, WARP - 1);
    __syncwarp();
    for (uint32_t k = lane; k < classes; k += WARP)
        search->passed[k] = column.left[k * WARP + WARP - 1];
    __syncwarp();
    if (lane > 0) return;
    search->last = last;
    list_runs(frame, search->heavy, all);
    if (found) offer_cut(bins, best, bin, next_bin, &search->best);
}

/* Tries the cuts between the bins of a frame: all at once, or exact ones some at a time. */
template <bool BLOCK>
static __device__ void search_frame(const gpu_rules &rules, const gpu_scored &s, gpu_frame *frame,
                                    const bin_column &column, bin_search *search) {
    const gpu_bins bins = frame->bins;
    for (uint32_t k = member<BLOCK>(); k < s.classes; k += members<BLOCK>()) search->passed[k] = 0;
    if (member<BLOCK>() == 0) search->last = 0;
    for (uint32_t done = 0; done < bins.count; done += bins.exact ? BINS_MAX : bins.count) {
        uint32_t some = bins.count - done < BINS_MAX ? bins.count - done : BINS_MAX;
        int32_t first = bins.exact ? (int32_t)done : -1;
        count_rows<BLOCK>(rules, bins, column, first, bins.exact ? some : bins.count + 1);
        if (member<BLOCK>() < WARP)
            walk_bins(rules, s, frame, column, first, bins.exact ? some : bins.count + 1, search);
        team_sync<BLOCK>();
    }
}

/* Finer bins for the next heavy one; *pushed is 0 if it holds a single value. */
template <bool BLOCK>
static __device__ void zoom_in(const bin_column &column, bin_search *search, int *pushed) {
    gpu_frame *frame = &search->frame[search->depth];
    const gpu_bins bins = frame->bins;
    const gpu_inside w = bins_between(bins.low, bins.high, bins.per_unit, bins.count,
                                      frame->first[frame->next], frame->last[frame->next]);
    float low, high;
    range_of_rows<BLOCK, true>(column, w, &low, &high, search->room);
    gpu_bins inner = bins_over(low, high, bins.count);
    inner.partial = 1;
    *pushed = inner.low < inner.high && isfinite(inner.per_unit);
    team_sync<BLOCK>();
    if (member<BLOCK>() > 0) return;
    frame->next++;
    search->zooms_left--;
    if (*pushed) search->frame[++search->depth].bins = inner;
}

/* Searches the column with these bins, and within heavy ones. */
template <bool BLOCK>
static __device__ void search_frames(const gpu_rules &rules, const gpu_scored &s,
                                     const gpu_bins &bins, const bin_column &column,
                                     bin_search *search) {
    const gpu_cut none = {};
    int pushed = 1;
    team_sync<BLOCK>();
    if (member<BLOCK>() == 0) {
        search->frame[0].bins = bins;
        search->best = none;
        search->depth = 0;
        search->zooms_left = ZOOMS_MAX;
    }
    for (;;) {
        team_sync<BLOCK>();
        gpu_frame *frame = &search->frame[search->depth];
        if (pushed) search_frame<BLOCK>(rules, s, frame, column, search);
        pushed = 0;
        if (frame->next < frame->runs && search->zooms_left > 0) {
            zoom_in<BLOCK>(column, search, &pushed);
            continue;
        }
        if (search->depth == 0) return;
        team_sync<BLOCK>();
        if (member<BLOCK>() == 0) search->depth--;
    }
}

template <bool BLOCK>
static __device__ gpu_cut search_column(const gpu_rules &rules, const gpu_scored &s,
                                        const gpu_node &node, int whole, bin_column column,
                                        bin_search *search, uint32_t *failed) {
    float low, high;
    const gpu_inside all = {};
    int missing = range_of_rows<BLOCK, false>(column, all, &low, &high, search->room);
    gpu_cut best = {};
    for (int side = missing ? GPU_MISSING_RIGHT : GPU_NO_MISSING; low <= high; side--) {
        column.fill = missing ? fill_of(low, high, side) : 0;
        gpu_bins bins = make_bins(rules, node, whole, side == GPU_MISSING_LEFT ? column.fill : low,
                                  side == GPU_MISSING_RIGHT ? column.fill : high);
        /* a single value and missing ones: one cut, with bins of any width */
        const int is_single = missing && low == high && !isfinite(bins.per_unit);
        if (is_single) {
            const int is_left = side == GPU_MISSING_LEFT;
            const gpu_bins two = {is_left ? low - 1 : low, is_left ? low : low + 1, 1, 2, 1, 0};
            column.fill = is_left ? low - 1 : low + 1;
            bins = two;
        }
        if (bins.low != bins.high && !isfinite(bins.per_unit)) {
            if (member<BLOCK>() == 0) *failed = 1; /* values too close for bins */
        } else if (bins.low != bins.high) {
            search_frames<BLOCK>(rules, s, bins, column, search);
            team_sync<BLOCK>();
            gpu_cut cut = search->best;
            cut.side = (uint8_t)side;
            if (is_single)
                cut.threshold = side == GPU_MISSING_LEFT ? fill_of(low, high, side) : low;
            if (cut.found && (!best.found || cut.score > best.score)) best = cut;
        }
        if (side != GPU_MISSING_RIGHT) break;
    }
    return best;
}

/* A block for some candidates of a node; its warps take them in turn. */
__global__ void __launch_bounds__(4 * WARP, 5)
    search_middle(gpu_level level, gpu_rules rules, gpu_sampler sampler, const uint32_t *list,
                  uint32_t parts, int whole, gpu_cut *cuts, uint32_t *failed) {
    SPF_SHARED(uint32_t, room);
    __shared__ bin_search search[4];
    __shared__ gpu_cut bests[4];
    __shared__ gpu_own_classes own;
    uint32_t i = list[blockIdx.x / parts], first = blockIdx.x % parts * CANDIDATES_OF_BLOCK;
    uint32_t warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    uint32_t last = first + CANDIDATES_OF_BLOCK, count = level.candidates.count[i];
    gpu_node node = level.node[i];
    number_classes(rules, level.totals + (size_t)i * rules.classes, &own);
    gpu_scored s = scored_of(rules, node, own.totals, node.present);
    uint32_t *counts = room + warp * (SLOTS + WARP) * rules.classes;
    gpu_cut best = {};
    for (uint32_t c = first + warp; c < last && c < count; c += warps) {
        bin_column column = {column_of(level, node, sampler.projections, c),
                             level.tag + node.begin,
                             node.rows,
                             0,
                             counts,
                             counts + SLOTS * rules.classes,
                             1,
                             node.present,
                             own.mask};
        gpu_cut cut =
            search_column<false>(rules, s, node, whole && is_whole_sum(level, sampler, i, c),
                                 column, &search[warp], failed);
        cut.candidate = c;
        if (is_better(cut, best)) best = cut;
    }
    put_best_of_warps(best, bests, &cuts[blockIdx.x]);
}

/* A block for a candidate. */
__global__ void __launch_bounds__(256, 4)
    search_large(gpu_level level, gpu_rules rules, gpu_sampler sampler, const uint32_t *list,
                 uint32_t copies, int whole, gpu_cut *cuts, uint32_t *failed) {
    SPF_SHARED(uint32_t, counts);
    __shared__ bin_search search;
    __shared__ gpu_own_classes own;
    uint32_t i = list[blockIdx.x / sampler.projections], c = blockIdx.x % sampler.projections;
    gpu_node node = level.node[i];
    gpu_cut best = {};
    if (c < level.candidates.count[i]) {
        number_classes(rules, level.totals + (size_t)i * rules.classes, &own);
        gpu_scored s = scored_of(rules, node, own.totals, node.present);
        bin_column column = {column_of(level, node, sampler.projections, c),
                             level.tag + node.begin,
                             node.rows,
                             0,
                             counts,
                             counts + SLOTS * rules.classes * copies,
                             copies,
                             node.present,
                             own.mask};
        best = search_column<true>(rules, s, node, whole && is_whole_sum(level, sampler, i, c),
                                   column, &search, failed);
        best.candidate = c;
    }
    if (threadIdx.x == 0) cuts[blockIdx.x] = best;
}

/* ---- for the host --------------------------------------------------------------------------- */

static int search_middle_nodes(const gpu_level &level, const gpu_rules &rules,
                               const gpu_sampler &sampler, const gpu_sizes &sizes, int whole,
                               gpu_searching *searching) {
    const unsigned threads = 4 * WARP;
    uint32_t count = sizes.count[GPU_MIDDLE];
    uint32_t parts = (uint32_t)gpu_blocks(sampler.projections, CANDIDATES_OF_BLOCK);
    size_t bytes = 4 * (SLOTS + WARP) * rules.classes * sizeof(uint32_t);
    if (!gpu_reserve(&searching->cuts, (size_t)count * parts)) return 0;
    if (!gpu_allow_shared(search_middle, bytes)) return 0;
    SPF_LAUNCH(search_middle, (size_t)count * parts, threads, bytes, level, rules, sampler,
               sizes.list[GPU_MIDDLE], parts, whole, searching->cuts.at, searching->failed.at);
    return gpu_choose(level, sizes.list[GPU_MIDDLE], count, parts, searching->cuts.at);
}

/* With several copies of the counters, rows with equal values wait less for each other. */
static int search_large_nodes(const gpu_level &level, const gpu_rules &rules,
                              const gpu_sampler &sampler, const gpu_sizes &sizes, int whole,
                              gpu_searching *searching) {
    uint32_t count = sizes.count[GPU_LARGE], d = sampler.projections;
    uint32_t copies = rules.classes <= 2 ? 8 : rules.classes <= 8 ? 4 : rules.classes <= 16 ? 2 : 1;
    size_t bytes = (SLOTS * copies + WARP) * rules.classes * sizeof(uint32_t);
    if (!gpu_reserve(&searching->cuts, (size_t)count * d)) return 0;
    if (!gpu_allow_shared(search_large, bytes)) return 0;
    SPF_LAUNCH(search_large, (size_t)count * d, 256, bytes, level, rules, sampler,
               sizes.list[GPU_LARGE], copies, whole, searching->cuts.at, searching->failed.at);
    return gpu_choose(level, sizes.list[GPU_LARGE], count, d, searching->cuts.at);
}

int gpu_search_bins(const gpu_level &level, const gpu_rules &rules, const gpu_sampler &sampler,
                    gpu_size size, const gpu_sizes &sizes, int whole, gpu_searching *searching) {
    if (sizes.count[size] == 0) return 1;
    return (size == GPU_LARGE ? search_large_nodes : search_middle_nodes)(level, rules, sampler,
                                                                          sizes, whole, searching);
}
