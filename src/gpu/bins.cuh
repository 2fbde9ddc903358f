/* What searches in bins share: teams, bins, heavy ones, and the rows that are counted. */
#ifndef SPF_GPU_BINS_CUH
#define SPF_GPU_BINS_CUH

#include "bin_ranges.cuh"
#include "cuts.cuh"
#include "score.cuh"

enum {
    BINS_MAX = 256,
    BINS_MIN = 64,
    SLOTS_MAX = 512,   /* bins that are counted at once; a lane has bits for its part of them */
    VALUES_MAX = 1536, /* distinct integers that are searched one by one */
    HEAVY_SHARE = 8,
    ZOOMS_MAX = 8,
    COUNTED_CLASSES = 32,
};

/* ---- teams ----------------------------------------------------------------------------------- */

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

/* ---- bins ------------------------------------------------------------------------------------ */

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

/* Of bins that are a part of others, bin -1 is left of all, the last one right of them. */
template <bool PARTIAL>
static __device__ __forceinline__ int32_t bin_of(const gpu_bins &bins, float value) {
    float last = (float)(bins.count - 1), place = (value - bins.low) * bins.per_unit;
    place = place < last ? place : last;
    int32_t bin = (int32_t)(place > 0 ? place : 0);
    if (PARTIAL && bins.partial && value < bins.low) return -1;
    if (PARTIAL && bins.partial && value > bins.high) return (int32_t)bins.count;
    return bin;
}

/* ---- a search -------------------------------------------------------------------------------- */

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
    float room[3 * WARP];
};

/* A column, and where its rows are counted. */
struct bin_column {
    const float *value;
    const uint32_t *tag;
    uint32_t rows;
    float fill;
    uint32_t *counts; /* [cells] x copies; see count_classes.cuh */
    /* where classes are counted: */
    uint32_t *left;   /* [classes x WARP] */
    uint32_t *list;   /* [SLOTS_MAX]: bins that are not empty */
    uint32_t *filled; /* [SLOTS_MAX / WARP + 1]: bits of these */
    uint32_t copies, cells;
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

template <bool BLOCK>
static __device__ __forceinline__ void clear_counts(const bin_column &column, uint32_t cells) {
    for (uint32_t i = member<BLOCK>(); i < cells * column.copies; i += members<BLOCK>())
        column.counts[i] = 0;
    team_sync<BLOCK>();
}

/* Once all rows are counted, the first copies become the sums of all. */
template <bool BLOCK>
static __device__ __forceinline__ void join_copies(const bin_column &column, uint32_t cells) {
    const uint32_t copies = column.copies;
    uint32_t *counts = column.counts;
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

/* The heavy bins of a frame, from bits of each lane, and what bins these stand for. */
template <typename F>
static __device__ __forceinline__ void list_heavies(gpu_frame *frame, uint32_t heavies, F bin,
                                                    bin_search *search) {
    uint32_t all = 0;
    if (__any_sync(ALL_LANES, heavies != 0)) {
        uint32_t place = sum_before((uint32_t)__popc(heavies));
        all = sum_of_warp((uint32_t)__popc(heavies));
        for (; heavies != 0; heavies &= heavies - 1)
            search->heavy[place++] = bin(31 - (uint32_t)__clz(heavies & -heavies));
        __syncwarp();
    }
    if (lane_of() == 0) list_runs(frame, search->heavy, all);
}

/* The lane with the highest score, the first of equal ones, of those that found a cut; there is
 * one. */
static __device__ __forceinline__ unsigned best_lane(int found, double score) {
    unsigned lanes = __ballot_sync(ALL_LANES, found);
    unsigned winner = lane_of();
    if (__popc(lanes) == 1) return 31 - (unsigned)__clz(lanes);
    for (unsigned step = WARP / 2; step > 0; step /= 2) {
        double other = __shfl_xor_sync(ALL_LANES, score, step);
        unsigned other_lane = __shfl_xor_sync(ALL_LANES, winner, step);
        int other_found = lanes >> other_lane & 1;
        int takes = other_found && (!(lanes >> winner & 1) || other > score ||
                                    (other == score && other_lane < winner));
        score = takes ? other : score;
        winner = takes ? other_lane : winner;
    }
    return winner;
}

#endif
