/* A block counts the rows of a candidate in bins, in shared memory, and one of its warps finds the
 * best cut between them. Heavy bins are searched again in finer ones: see split_histogram.c. */
#include "search_bins.cuh"

#include "score.cuh"

enum {
    BINS_MAX = 256,
    BINS_MIN = 64,
    VALUES_MAX = 1536, /* distinct integers that get a bin each */
    HEAVY_SHARE = 8,
    ZOOMS_MAX = 8,
    COUNTED_CLASSES = 32,
};

/* ---- bins ----------------------------------------------------------------------------------------
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

/* One bin for each integer, if there are not too many. */
static __device__ int bin_numbers(const gpu_rules &rules, const gpu_node &node, float low,
                                  float high, gpu_bins *bins) {
    if (!(high - low < (float)values_of_node(rules, node))) return 0;
    gpu_bins exact = {low, high, 1, (uint32_t)(high - low) + 1, 1, 0};
    *bins = exact;
    return 1;
}

/* The bounds of a sum of bytes; returns whether the candidate is one with weights 1 and -1. */
static __device__ int bounds_of_sum(const gpu_level &level, const gpu_sampler &sampler,
                                    uint32_t node, uint32_t candidate, float *low, float *high) {
    const gpu_candidates &c = level.candidates;
    const uint32_t *start = c.start + (size_t)node * (sampler.projections + 1) + candidate;
    *low = *high = 0;
    for (uint32_t t = start[0]; t < start[1]; t++) {
        float weight = c.weight[(size_t)node * sampler.terms + t];
        if (weight != 1 && weight != -1) return 0;
        *(weight < 0 ? low : high) += weight * UINT8_MAX;
    }
    return 1;
}

/* Slot 0 is left of all bins, the last one right of them. */
static __device__ __forceinline__ uint32_t slot_of(const gpu_bins &bins, float value) {
    float last = (float)(bins.count - 1), place = (value - bins.low) * bins.per_unit;
    place = place < last ? place : last;
    uint32_t bin = (uint32_t)(place > 0 ? place : 0);
    if (bins.partial && value < bins.low) return 0;
    if (bins.partial && value > bins.high) return bins.count + 1;
    return bin + 1;
}

/* ---- a search ------------------------------------------------------------------------------------
 */

/* Bins of a column, and its heavy ones. */
struct gpu_frame {
    gpu_bins bins;
    uint32_t runs, next;
    uint32_t first[HEAVY_SHARE], last[HEAVY_SHARE];
};

/* In shared memory. */
struct bin_search {
    gpu_frame frame[ZOOMS_MAX + 1];
    gpu_cut best;
    int depth, zooms_left, goes_on;
    uint32_t heavy[HEAVY_SHARE], heavy_count;
    float room[3 * WARP];
};

static __device__ void count_rows(const gpu_rules &rules, const gpu_bins &bins, const float *value,
                                  const uint32_t *tag, uint32_t rows, float fill, uint32_t *counts) {
    uint32_t cells = (bins.count + 2) * rules.classes;
    for (uint32_t i = threadIdx.x; i < cells; i += blockDim.x) counts[i] = 0;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < rows; i += blockDim.x) {
        uint32_t slot = slot_of(bins, filled(value[i], fill));
        atomicAdd(&counts[slot * rules.classes + class_of(rules, tag[i])],
                  weight_of(rules, tag[i]));
    }
    __syncthreads();
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

/* The best cut between bins, by the first warp; each lane has some neighbouring slots. left has a
 * place for each lane and class. */
static __device__ void walk_bins(const gpu_rules &rules, const gpu_scored &s, gpu_frame *frame,
                                 const uint32_t *counts, uint32_t *left, bin_search *search) {
    const gpu_bins bins = frame->bins;
    const uint32_t classes = rules.classes, slots = bins.count + 1, lane = lane_of();
    const uint32_t each = (slots + WARP - 1) / WARP;
    const uint32_t from = lane * each < slots ? lane * each : slots;
    const uint32_t to = from + each < slots ? from + each : slots;
    gpu_sums sums = sums_start(rules, s);
    for (uint32_t k = 0; k < classes; k++) {
        uint32_t weight = 0;
        for (uint32_t slot = from; slot < to; slot++) weight += counts[slot * classes + k];
        weight = sum_before(weight);
        left[k * WARP + lane] = weight;
        if (weight > 0) sums_move(rules, s, &sums, k, 0, weight);
    }
    uint32_t last = 0; /* the last slot so far that is a bin and not empty; 0 for none */
    for (uint32_t slot = from; slot < to; slot++)
        for (uint32_t k = 0; k < classes; k++)
            if (counts[slot * classes + k] > 0) last = slot;
    for (unsigned step = 1; step < WARP; step *= 2) {
        uint32_t other = __shfl_up_sync(ALL_LANES, last, step);
        if (lane >= step && other > last) last = other;
    }
    last = __shfl_up_sync(ALL_LANES, last, 1);
    if (lane == 0) last = 0;
    uint32_t heavy[HEAVY_SHARE], heavies = 0, bin = 0, next_bin = 0;
    int found = 0;
    double best = 0;
    for (uint32_t slot = from; slot < to; slot++) {
        const uint32_t *own = counts + slot * classes;
        uint32_t weight = 0;
        for (uint32_t k = 0; k < classes; k++) weight += own[k];
        if (weight == 0) continue;
        if (last > 0 && leaves_allow(s, sums.weight)) {
            double score = score_of(rules, s, sums);
            if (!found || score > best) {
                found = 1;
                best = score;
                bin = last - 1;
                next_bin = slot - 1;
            }
        }
        for (uint32_t k = 0; k < classes; k++) {
            if (own[k] == 0) continue;
            uint32_t before = left[k * WARP + lane];
            sums_move(rules, s, &sums, k, before, own[k]);
            left[k * WARP + lane] = before + own[k];
        }
        if (slot == 0) continue;
        last = slot;
        if (!bins.exact && weight > s.total / HEAVY_SHARE && heavies < HEAVY_SHARE)
            heavy[heavies++] = slot - 1;
    }
    uint32_t before = sum_before(heavies);
    for (uint32_t h = 0; h < heavies; h++)
        if (before + h < HEAVY_SHARE) search->heavy[before + h] = heavy[h];
    uint32_t all = sum_of_warp(heavies);
    unsigned winner = lane;
    for (unsigned step = WARP / 2; step > 0; step /= 2) {
        double other = __shfl_xor_sync(ALL_LANES, best, step);
        unsigned packed = __shfl_xor_sync(ALL_LANES, winner | (unsigned)found << 8, step);
        unsigned other_lane = packed & 0xff;
        int other_found = packed >> 8;
        int takes = other_found && (!found || other > best || (other == best && other_lane < winner));
        best = takes ? other : best;
        winner = takes ? other_lane : winner;
        found |= other_found;
    }
    bin = __shfl_sync(ALL_LANES, bin, winner);
    next_bin = __shfl_sync(ALL_LANES, next_bin, winner);
    __syncwarp();
    if (lane > 0) return;
    list_runs(frame, search->heavy, all < HEAVY_SHARE ? all : HEAVY_SHARE);
    gpu_cut *cut = &search->best;
    if (!found || (cut->found && !(best > cut->score))) return;
    cut->found = 1;
    cut->score = best;
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

/* Finer bins for the next heavy one; *frame is NULL if there is none, or if it holds one value. */
static __device__ void zoom_in(const float *value, uint32_t rows, float fill, bin_search *search,
                               int *pushed) {
    gpu_frame *frame = &search->frame[search->depth];
    const gpu_bins bins = frame->bins;
    const gpu_inside w = bins_between(bins.low, bins.high, bins.per_unit, bins.count,
                                      frame->first[frame->next], frame->last[frame->next]);
    float low = INFINITY, high = -INFINITY;
    int any = 0;
    for (uint32_t i = threadIdx.x; i < rows; i += blockDim.x) {
        float v = filled(value[i], fill);
        if (!is_inside(w, v)) continue;
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    range_of_block(&low, &high, &any, search->room);
    gpu_bins inner = bins_over(low, high, bins.count);
    inner.partial = 1;
    *pushed = inner.low < inner.high && isfinite(inner.per_unit);
    __syncthreads();
    if (threadIdx.x > 0) return;
    frame->next++;
    search->zooms_left--;
    if (*pushed) search->frame[++search->depth].bins = inner;
}

/* Searches the column with these bins, and within heavy ones. */
static __device__ void search_frames(const gpu_rules &rules, const gpu_scored &s, const float *value,
                                     const uint32_t *tag, uint32_t rows, float fill,
                                     uint32_t *counts, uint32_t *left, bin_search *search) {
    int pushed = 1;
    for (;;) {
        __syncthreads();
        gpu_frame *frame = &search->frame[search->depth];
        if (pushed) {
            count_rows(rules, frame->bins, value, tag, rows, fill, counts);
            if (threadIdx.x < WARP) walk_bins(rules, s, frame, counts, left, search);
            __syncthreads();
            pushed = 0;
        }
        if (frame->next < frame->runs && search->zooms_left > 0) {
            zoom_in(value, rows, fill, search, &pushed);
            continue;
        }
        if (search->depth == 0) return;
        __syncthreads();
        if (threadIdx.x == 0) search->depth--;
    }
}

__global__ void search_bins(gpu_level level, gpu_rules rules, gpu_sampler sampler,
                            const uint32_t *list, int whole, int has_missing, gpu_cut *cuts,
                            uint32_t *failed) {
    SPF_SHARED(uint32_t, counts);
    __shared__ bin_search search;
    __shared__ uint32_t left[COUNTED_CLASSES * WARP];
    uint32_t i = list[blockIdx.x / sampler.projections], c = blockIdx.x % sampler.projections;
    gpu_node node = level.node[i];
    gpu_cut none = {};
    if (c >= level.candidates.count[i]) {
        if (threadIdx.x == 0) cuts[blockIdx.x] = none;
        return;
    }
    const float *value = column_of(level, node, sampler.projections, c);
    const uint32_t *tag = level.tag + node.begin;
    gpu_scored s = scored_of(rules, node, level.totals + (size_t)i * rules.classes);
    float low, high, sum_low, sum_high;
    int is_sum = whole && bounds_of_sum(level, sampler, i, c, &sum_low, &sum_high);
    int missing = range_of_column(value, node.rows, &low, &high, search.room);
    gpu_cut best = none;
    for (int side = missing ? GPU_MISSING_RIGHT : GPU_NO_MISSING; low <= high; side--) {
        float fill = missing ? fill_of(low, high, side) : 0;
        float from = side == GPU_MISSING_LEFT ? fill : low, to = side == GPU_MISSING_RIGHT ? fill : high;
        gpu_bins bins;
        if (!(is_sum && bin_numbers(rules, node, sum_low, sum_high, &bins)) &&
            !(is_sum && bin_numbers(rules, node, from, to, &bins)))
            bins = bins_over(from, to, bins_of_node(rules, node));
        if (bins.low != bins.high && !isfinite(bins.per_unit)) {
            if (threadIdx.x == 0) *failed = 1; /* values too close for bins */
        } else if (bins.low != bins.high) {
            __syncthreads();
            if (threadIdx.x == 0) {
                search.frame[0].bins = bins;
                search.best = none;
                search.depth = 0;
                search.zooms_left = ZOOMS_MAX;
            }
            search_frames(rules, s, value, tag, node.rows, fill, counts, left, &search);
            __syncthreads();
            gpu_cut cut = search.best;
            cut.side = (uint8_t)side;
            cut.candidate = c;
            if (cut.found && (!best.found || cut.score > best.score)) best = cut;
        }
        if (side != GPU_MISSING_RIGHT) break;
    }
    if (threadIdx.x == 0) cuts[blockIdx.x] = best;
}

/* The first of the best candidates. */
__global__ void choose_candidates(gpu_level level, gpu_sampler sampler, const uint32_t *list,
                                  uint32_t count, const gpu_cut *cuts) {
    uint32_t place = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    if (place >= count) return;
    const gpu_cut *own = cuts + (size_t)place * sampler.projections;
    gpu_cut best = {};
    uint32_t at = 0;
    for (uint32_t c = lane_of(); c < sampler.projections; c += WARP) {
        if (!is_better(own[c], best)) continue;
        best = own[c];
        at = c;
    }
    for (unsigned step = WARP / 2; step > 0; step /= 2) {
        gpu_cut other = own[__shfl_xor_sync(ALL_LANES, at, step)];
        uint32_t there = __shfl_xor_sync(ALL_LANES, at, step);
        if (!is_better(other, best)) continue;
        best = other;
        at = there;
    }
    if (lane_of() == 0) level.cut[list[place]] = own[at];
}

template <typename F> static int allow_shared(F *kernel, size_t bytes) {
#ifdef SPF_EMULATED_CUDA
    return emulated_allow_shared(kernel, bytes) == cudaSuccess;
#else
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes) ==
           cudaSuccess;
#endif
}

int gpu_search_bins(const gpu_level &level, const gpu_rules &rules, const gpu_sampler &sampler,
                    gpu_size size, const gpu_sizes &sizes, int whole, int has_missing,
                    gpu_searching *searching) {
    uint32_t count = sizes.count[size];
    unsigned threads = size == GPU_LARGE ? 512 : 128;
    size_t slots = (whole ? VALUES_MAX + 1 : BINS_MAX) + 2;
    size_t bytes = slots * rules.classes * sizeof(uint32_t);
    if (count == 0) return 1;
    if (!gpu_reserve(&searching->cuts, (size_t)count * sampler.projections)) return 0;
    if (!allow_shared(search_bins, bytes)) return 0;
    SPF_LAUNCH(search_bins, (size_t)count * sampler.projections, threads, bytes, level, rules,
               sampler, sizes.list[size], whole, has_missing, searching->cuts.at,
               searching->failed.at);
    SPF_LAUNCH(choose_candidates, gpu_blocks((size_t)count * WARP, 128), 128, 0, level, sampler,
               sizes.list[size], count, searching->cuts.at);
    return gpu_launched();
}
