/* Nodes with few rows: all cuts between different values are tried. In tiny nodes a thread takes a
 * candidate and sorts its rows in registers; in small ones a warp does. */
#include "search_exact.cuh"

#include "score.cuh"

enum { CLASSES_MAX = 32 };

/* A row: its value's order above its tag. */
static __device__ __forceinline__ uint64_t key_of(float value, uint32_t tag) {
    return (uint64_t)order_of(value) << 32 | tag;
}

static __device__ __forceinline__ void exchange(uint64_t *a, uint64_t *b) {
    uint64_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

/* ---- a thread for a candidate ----------------------------------------------------------------*/

/* Batcher's odd-even merge sort; all places are compile-time constants once unrolled. */
template <int N> static __device__ __forceinline__ void sort_keys(uint64_t *key) {
#pragma unroll
    for (int p = 1; p < N; p *= 2)
#pragma unroll
        for (int k = p; k >= 1; k /= 2)
#pragma unroll
            for (int j = k % p; j <= N - 1 - k; j += 2 * k)
#pragma unroll
                for (int i = 0; i < k; i++)
                    if (i <= N - 1 - j - k && (i + j) / (p * 2) == (i + j + k) / (p * 2))
                        exchange(&key[i + j], &key[i + j + k]);
}

/* The best cut of sorted rows. left[k * stride] are the weights of classes on the left, all 0. */
template <int N>
static __device__ __forceinline__ void scan_keys(const gpu_rules &rules, const gpu_scored &s,
                                                 const uint64_t *key, uint32_t rows, uint32_t *left,
                                                 uint32_t stride, gpu_cut *best) {
    gpu_sums sums = sums_start(rules, s);
#pragma unroll
    for (int i = 0; i + 1 < N; i++) {
        if ((uint32_t)i + 1 >= rows) continue;
        uint32_t tag = (uint32_t)key[i], k = class_of(rules, tag), weight = weight_of(rules, tag);
        uint32_t before = 0;
        if (!s.pair) {
            before = left[k * stride];
            left[k * stride] = before + weight;
        }
        sums_move(rules, s, &sums, k, before, weight);
        float a = unorder((uint32_t)(key[i] >> 32)), b = unorder((uint32_t)(key[i + 1] >> 32));
        if (!(a < b) || !leaves_allow(s, sums.weight)) continue;
        double score = score_of(rules, s, sums);
        if (best->found && !(score > best->score)) continue;
        best->found = 1;
        best->score = score;
        best->threshold = threshold_between(a, b);
    }
}

/* The range of the values that there are; returns whether some are missing. */
static __device__ __forceinline__ int range_of(const float *value, uint32_t rows, float *low,
                                               float *high) {
    int missing = 0;
    *low = INFINITY;
    *high = -INFINITY;
    for (uint32_t i = 0; i < rows; i++) {
        float v = value[i];
        missing |= v != v;
        *low = v < *low ? v : *low;
        *high = v > *high ? v : *high;
    }
    return missing;
}

template <int N>
static __device__ __forceinline__ void search_sides(const gpu_rules &rules, const gpu_scored &s,
                                                    const float *value, const uint32_t *tag,
                                                    uint32_t rows, int has_missing, uint32_t *left,
                                                    gpu_cut *best) {
    float low = 0, high = 0, fill = 0;
    int missing = has_missing && range_of(value, rows, &low, &high);
    if (missing && low > high) return;
    for (int side = missing ? GPU_MISSING_RIGHT : GPU_NO_MISSING;; side--) {
        uint64_t key[N];
        gpu_cut cut = {};
        if (missing) fill = fill_of(low, high, side);
#pragma unroll
        for (int i = 0; i < N; i++)
            key[i] = (uint32_t)i < rows ? key_of(filled(value[i], fill), tag[i]) : UINT64_MAX;
        sort_keys<N>(key);
        if (!s.pair)
            for (uint32_t k = 0; k < rules.classes; k++) left[k * blockDim.x] = 0;
        scan_keys<N>(rules, s, key, rows, left, blockDim.x, &cut);
        cut.side = (uint8_t)side;
        if (cut.found && (!best->found || cut.score > best->score)) {
            cut.candidate = best->candidate;
            *best = cut;
        }
        if (side != GPU_MISSING_RIGHT) return;
    }
}

static __device__ void search_column(const gpu_rules &rules, const gpu_scored &s,
                                     const float *value, const uint32_t *tag, uint32_t rows,
                                     int has_missing, uint32_t *left, gpu_cut *best) {
    if (rows <= 4)
        search_sides<4>(rules, s, value, tag, rows, has_missing, left, best);
    else if (rows <= 8)
        search_sides<8>(rules, s, value, tag, rows, has_missing, left, best);
    else if (rows <= 16)
        search_sides<16>(rules, s, value, tag, rows, has_missing, left, best);
    else
        search_sides<32>(rules, s, value, tag, rows, has_missing, left, best);
}

static __device__ gpu_cut better_of_lanes(gpu_cut cut) {
    for (unsigned step = WARP / 2; step > 0; step /= 2) {
        gpu_cut other = {};
        other.score = __shfl_xor_sync(ALL_LANES, cut.score, step);
        other.candidate = __shfl_xor_sync(ALL_LANES, cut.candidate, step);
        other.threshold = __shfl_xor_sync(ALL_LANES, cut.threshold, step);
        unsigned flags = __shfl_xor_sync(ALL_LANES, (unsigned)cut.found | (unsigned)cut.side << 8, step);
        other.found = (uint8_t)flags;
        other.side = (uint8_t)(flags >> 8);
        if (is_better(other, cut)) cut = other;
    }
    return cut;
}

/* A warp for a node; its lanes take the candidates in turn. */
__global__ void search_tiny(gpu_level level, gpu_rules rules, gpu_sampler sampler,
                            const uint32_t *list, uint32_t count, int has_missing) {
    SPF_SHARED(uint32_t, left);
    uint32_t place = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    if (place >= count) return;
    uint32_t i = list[place];
    gpu_node node = level.node[i];
    gpu_scored s = scored_of(rules, node, level.totals + (size_t)i * rules.classes);
    gpu_cut best = {};
    for (uint32_t c = lane_of(); c < level.candidates.count[i]; c += WARP) {
        gpu_cut cut = {};
        cut.candidate = c;
        search_column(rules, s, column_of(level, node, sampler.projections, c),
                      level.tag + node.begin, node.rows, has_missing, left + threadIdx.x, &cut);
        if (is_better(cut, best)) best = cut;
    }
    best = better_of_lanes(best);
    if (lane_of() == 0) level.cut[i] = best;
}

/* ---- a warp for a candidate ------------------------------------------------------------------*/

/* Rows in a warp: row i is in lane i / EACH. */
enum { EACH = SMALL_ROWS / WARP };

/* Bitonic sort; the first step of each merge compares mirrored places, so that all are ascending. */
static __device__ __forceinline__ void sort_warp(uint64_t *key) {
#pragma unroll
    for (int size = 2; size <= SMALL_ROWS; size *= 2) {
#pragma unroll
        for (int step = size / 2; step >= 1; step /= 2) {
            int mirrored = step == size / 2;
            if (step >= EACH) {
                unsigned lanes = mirrored ? size / EACH - 1 : step / EACH;
                uint64_t other[EACH];
                int is_low = !(lane_of() & (step / EACH));
#pragma unroll
                for (int e = 0; e < EACH; e++)
                    other[e] = __shfl_xor_sync(ALL_LANES, key[mirrored ? EACH - 1 - e : e], lanes);
#pragma unroll
                for (int e = 0; e < EACH; e++)
                    key[e] = (other[e] < key[e]) == is_low ? other[e] : key[e];
            } else {
#pragma unroll
                for (int e = 0; e < EACH; e++) {
                    int partner = mirrored ? e ^ (size - 1) : e ^ step;
                    if (partner > e) exchange(&key[e], &key[partner]);
                }
            }
        }
    }
}

/* The sums at the first row of each lane, if the rows of all lanes are in order. Afterwards
 * left[k * WARP + lane] are the weights of classes left of the lane's rows. */
template <int N>
static __device__ __forceinline__ gpu_sums sums_of_lane(const gpu_rules &rules, const gpu_scored &s,
                                                        const uint64_t *key, uint32_t rows,
                                                        uint32_t *left) {
    gpu_sums sums = sums_start(rules, s);
    if (s.pair) {
        uint32_t weight = 0, ones = 0;
        for (int e = 0; e < N; e++) {
            uint32_t tag = (uint32_t)key[e], w = lane_of() * N + e < rows ? weight_of(rules, tag) : 0;
            weight += w;
            ones += class_of(rules, tag) == s.one ? w : 0;
        }
        sums.weight = sum_before(weight);
        sums.squares = sum_before(ones);
        return sums;
    }
    for (uint32_t k = 0; k < rules.classes; k++) {
        uint32_t weight = 0;
        for (int e = 0; e < N; e++) {
            uint32_t tag = (uint32_t)key[e];
            weight += lane_of() * N + e < rows && class_of(rules, tag) == k ? weight_of(rules, tag) : 0;
        }
        weight = sum_before(weight);
        left[k * WARP + lane_of()] = weight;
        if (weight > 0) sums_move(rules, s, &sums, k, 0, weight);
    }
    return sums;
}

static __device__ __forceinline__ void scan_warp(const gpu_rules &rules, const gpu_scored &s,
                                                 const uint64_t *key, uint32_t rows, uint32_t *left,
                                                 gpu_cut *best) {
    gpu_sums sums = sums_of_lane<EACH>(rules, s, key, rows, left);
    uint64_t beyond = __shfl_down_sync(ALL_LANES, key[0], 1);
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        if (lane_of() * EACH + e + 1 >= rows) continue;
        uint64_t next = e + 1 < EACH ? key[e + 1 < EACH ? e + 1 : 0] : beyond;
        uint32_t tag = (uint32_t)key[e], k = class_of(rules, tag), weight = weight_of(rules, tag);
        uint32_t before = 0;
        if (!s.pair) {
            before = left[k * WARP + lane_of()];
            left[k * WARP + lane_of()] = before + weight;
        }
        sums_move(rules, s, &sums, k, before, weight);
        float a = unorder((uint32_t)(key[e] >> 32)), b = unorder((uint32_t)(next >> 32));
        if (!(a < b) || !leaves_allow(s, sums.weight)) continue;
        double score = score_of(rules, s, sums);
        if (best->found && !(score > best->score)) continue;
        best->found = 1;
        best->score = score;
        best->threshold = threshold_between(a, b);
    }
}

/* The best of the lanes' cuts; in a tie the one of the first lane. */
static __device__ gpu_cut first_best_of_lanes(gpu_cut cut) {
    cut.candidate = lane_of();
    return better_of_lanes(cut);
}

static __device__ void search_warp(const gpu_rules &rules, const gpu_scored &s, const float *value,
                                   const uint32_t *tag, uint32_t rows, int has_missing,
                                   uint32_t *left, gpu_cut *best) {
    float low = INFINITY, high = -INFINITY, fill = 0;
    int missing = 0;
    if (has_missing) {
        for (uint32_t i = lane_of(); i < rows; i += WARP) {
            float v = value[i];
            missing |= v != v;
            low = v < low ? v : low;
            high = v > high ? v : high;
        }
        missing = __any_sync(ALL_LANES, missing);
        low = least_of_warp(low);
        high = most_of_warp(high);
        if (missing && low > high) return;
    }
    for (int side = missing ? GPU_MISSING_RIGHT : GPU_NO_MISSING;; side--) {
        uint64_t key[EACH];
        gpu_cut cut = {};
        if (missing) fill = fill_of(low, high, side);
#pragma unroll
        for (int e = 0; e < EACH; e++) { /* their order before sorting does not matter */
            uint32_t i = e * WARP + lane_of();
            key[e] = i < rows ? key_of(filled(value[i], fill), tag[i]) : UINT64_MAX;
        }
        sort_warp(key);
        scan_warp(rules, s, key, rows, left, &cut);
        cut = first_best_of_lanes(cut);
        cut.side = (uint8_t)side;
        if (cut.found && (!best->found || cut.score > best->score)) {
            cut.candidate = best->candidate;
            *best = cut;
        }
        if (side != GPU_MISSING_RIGHT) return;
    }
}

/* A block for a node; its warps take the candidates in turn. */
__global__ void search_small(gpu_level level, gpu_rules rules, gpu_sampler sampler,
                             const uint32_t *list, int has_missing) {
    SPF_SHARED(uint32_t, left);
    __shared__ gpu_cut bests[WARP];
    uint32_t i = list[blockIdx.x], warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    gpu_node node = level.node[i];
    gpu_scored s = scored_of(rules, node, level.totals + (size_t)i * rules.classes);
    gpu_cut best = {};
    for (uint32_t c = warp; c < level.candidates.count[i]; c += warps) {
        gpu_cut cut = {};
        cut.candidate = c;
        search_warp(rules, s, column_of(level, node, sampler.projections, c),
                    level.tag + node.begin, node.rows, has_missing,
                    left + warp * rules.classes * WARP, &cut);
        if (is_better(cut, best)) best = cut;
    }
    if (lane_of() == 0) bests[warp] = best;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (uint32_t w = 1; w < warps; w++)
        if (is_better(bests[w], bests[0])) bests[0] = bests[w];
    level.cut[i] = bests[0];
}

int gpu_search_exact(const gpu_level &level, const gpu_rules &rules, const gpu_sampler &sampler,
                     const gpu_sizes &sizes, int has_missing) {
    const unsigned threads = 128;
    uint32_t tiny = sizes.count[GPU_TINY], small = sizes.count[GPU_SMALL];
    size_t left = (size_t)threads * rules.classes * sizeof(uint32_t);
    if (tiny > 0)
        SPF_LAUNCH(search_tiny, gpu_blocks((size_t)tiny * WARP, threads), threads, left, level, rules,
                   sampler, sizes.list[GPU_TINY], tiny, has_missing);
    if (small > 0)
        SPF_LAUNCH(search_small, small, threads, left, level, rules, sampler,
                   sizes.list[GPU_SMALL], has_missing);
    return gpu_launched();
}
