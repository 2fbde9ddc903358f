/* Nodes with few rows: all cuts between different values are tried. In tiny nodes a thread takes a
 * candidate and sorts its rows in registers; in small ones a warp does. */
#include "search_exact.cuh"

#include "project.cuh"
#include "score.cuh"

enum {
    THREADS = 128,
    CANDIDATES_OF_BLOCK = 32,
    TINY_WORDS = 64,   /* rows with up to so many words of four bytes are copied, in tiny nodes */
    SMALL_WORDS = 220, /* and in small ones */
};

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

/* Bitonic sort; all places are compile-time constants once unrolled. The first step of each merge
 * compares mirrored places, so that all are ascending. */
template <int N> static __device__ __forceinline__ void sort_keys(uint64_t *key) {
#pragma unroll
    for (int size = 2; size <= N; size *= 2) {
#pragma unroll
        for (int step = size / 2; step >= 1; step /= 2) {
#pragma unroll
            for (int i = 0; i < N; i++) {
                int partner = step == size / 2 ? i ^ (size - 1) : i ^ step;
                if (partner > i) exchange(&key[i], &key[partner]);
            }
        }
    }
}

/* The best cut of sorted rows, which are THREADS apart. left[k * THREADS] are the weights of
 * classes on the left, all 0. */
static __device__ void scan_keys(const gpu_rules &rules, const gpu_scored &s, const uint64_t *key,
                                 uint32_t rows, uint32_t *left, gpu_cut *best) {
    gpu_sums sums = sums_start(rules, s);
    uint64_t next = key[0];
    for (uint32_t i = 0; i + 1 < rows; i++) {
        uint64_t own = next;
        uint32_t tag = (uint32_t)own, k = class_of(rules, tag), weight = weight_of(rules, tag);
        uint32_t before = 0;
        next = key[(i + 1) * THREADS];
        if (!s.pair) {
            before = left[k * THREADS];
            left[k * THREADS] = before + weight;
        }
        sums_move(rules, s, &sums, k, before, weight);
        float a = unorder((uint32_t)(own >> 32)), b = unorder((uint32_t)(next >> 32));
        if (!(a < b) || !leaves_allow(s, sums.weight)) continue;
        if (!improves(rules, s, sums, best->found, &best->score)) continue;
        best->found = 1;
        best->threshold = threshold_between(a, b);
    }
}

/* The range of values that are THREADS apart; returns whether some are missing. */
static __device__ int range_of(const float *value, uint32_t rows, float *low, float *high) {
    int missing = 0;
    *low = INFINITY;
    *high = -INFINITY;
    for (uint32_t i = 0; i < rows; i++) {
        float v = value[i * THREADS];
        missing |= v != v;
        *low = v < *low ? v : *low;
        *high = v > *high ? v : *high;
    }
    return missing;
}

/* Memory of a thread, in keys and words that are THREADS apart. If values may be missing, they have
 * a place of their own, since they are needed for either side; otherwise they are in the keys. */
struct tiny_memory {
    uint32_t *left;
    uint64_t *key;
    float *value; /* or NULL */
};

static __device__ __forceinline__ float *value_place(const tiny_memory &memory, uint32_t row) {
    return memory.value ? memory.value + row * THREADS : (float *)(memory.key + row * THREADS);
}

template <int N>
static __device__ __forceinline__ void
search_sides(const gpu_rules &rules, const gpu_scored &s, const uint32_t *tag, uint32_t rows,
             int has_missing, const tiny_memory &memory, gpu_cut *best) {
    float low = 0, high = 0, fill = 0;
    int missing = has_missing && range_of(memory.value, rows, &low, &high);
    if (missing && low > high) return;
    for (int side = missing ? GPU_MISSING_RIGHT : GPU_NO_MISSING;; side--) {
        uint64_t key[N];
        gpu_cut cut = {};
        if (missing) fill = fill_of(low, high, side);
#pragma unroll
        for (int i = 0; i < N; i++)
            key[i] = (uint32_t)i < rows ? key_of(filled(*value_place(memory, i), fill), tag[i])
                                        : UINT64_MAX;
        sort_keys<N>(key);
#pragma unroll
        for (int i = 0; i < N; i++) memory.key[i * THREADS] = key[i];
        if (!s.pair)
            for (uint32_t k = 0; k < rules.classes; k++) memory.left[k * THREADS] = 0;
        scan_keys(rules, s, memory.key, rows, memory.left, &cut);
        cut.side = (uint8_t)side;
        if (cut.found && (!best->found || cut.score > best->score)) {
            cut.candidate = best->candidate;
            *best = cut;
        }
        if (side != GPU_MISSING_RIGHT) return;
    }
}

/* Rows of a node: copies, or where they are in the table. */
struct gpu_node_rows {
    const uint32_t *copies; /* or NULL */
    const uint32_t *row;
    uint32_t stride;
};

static __device__ __forceinline__ float value_at(const gpu_table &table, const gpu_node_rows &rows,
                                                 uint32_t i, const gpu_projection &p) {
    return value_of_words(
        table, rows.copies ? rows.copies + i * rows.stride : row_at(table, rows.row[i]), p);
}

/* Copies rows of the table, `width` threads together. */
static __device__ __forceinline__ void copy_node_rows(const gpu_table &table, const uint32_t *row,
                                                      uint32_t rows, uint32_t words,
                                                      uint32_t *copies, uint32_t thread,
                                                      uint32_t width) {
    uint32_t stride = words | 1;
#pragma unroll 4
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t *from = row_at(table, row[i]);
        for (uint32_t w = thread; w < words; w += width) copies[i * stride + w] = from[w];
    }
}

/* As many lanes for a node as it has candidates, at most a warp, take them in turn. */
template <int N>
__global__ void __launch_bounds__(THREADS, N <= 8    ? 8
                                           : N <= 16 ? 6
                                                     : 4)
    search_tiny(gpu_level level, gpu_table table, gpu_rules rules, gpu_sampler sampler,
                const uint32_t *list, uint32_t count, uint32_t lanes, uint32_t words) {
    SPF_SHARED(uint64_t, shared);
    uint32_t place = (uint32_t)(((size_t)blockIdx.x * blockDim.x + threadIdx.x) / lanes);
    int is_there = place < count;
    uint32_t i = list[is_there ? place : count - 1];
    gpu_node node = level.node[i];
    gpu_scored s = scored_of(rules, node, level.totals + (size_t)i * rules.classes, rules.classes);
    uint32_t candidates = is_there ? level.candidates.count[i] : 0;
    gpu_node_rows rows = {NULL, level.row + node.begin, words | 1};
    uint32_t *behind = (uint32_t *)(shared + N * THREADS);
    tiny_memory memory = {NULL, shared + threadIdx.x, NULL};
    if (table.has_missing) {
        memory.value = (float *)behind + threadIdx.x;
        behind += N * THREADS;
    }
    memory.left = behind + threadIdx.x;
    if (words > 0) {
        uint32_t *copies = behind + THREADS * rules.classes + threadIdx.x / lanes * N * (words | 1);
        copy_node_rows(table, rows.row, node.rows, words, copies, threadIdx.x % lanes, lanes);
        rows.copies = copies;
    }
    __syncwarp();
    gpu_cut best = {};
    for (uint32_t c = threadIdx.x % lanes; c < candidates; c += lanes) {
        gpu_projection p = projection_of(level, sampler, i, c);
        gpu_cut cut = {};
        cut.candidate = c;
        for (uint32_t r = 0; r < node.rows; r++)
            *value_place(memory, r) = value_at(table, rows, r, p);
        search_sides<N>(rules, s, level.tag + node.begin, node.rows, table.has_missing, memory,
                        &cut);
        if (is_better(cut, best)) best = cut;
    }
    __syncwarp();
    best = best_of_lanes(best, lanes);
    if (is_there && threadIdx.x % lanes == 0) level.cut[i] = best;
}

/* ---- a warp for a candidate ------------------------------------------------------------------*/

/* Bitonic sort of EACH keys in every lane: key i is in lane i / EACH. The first step of each merge
 * compares mirrored places, so that all are ascending. */
template <int EACH> static __device__ __forceinline__ void sort_warp(uint32_t *key) {
#pragma unroll
    for (int size = 2; size <= EACH * WARP; size *= 2) {
#pragma unroll
        for (int step = size / 2; step >= 1; step /= 2) {
            int mirrored = step == size / 2;
            if (step >= EACH) {
                unsigned lanes = mirrored ? size / EACH - 1 : step / EACH;
                uint32_t other[EACH];
                int is_low = !(lane_of() & (step / EACH));
#pragma unroll
                for (int e = 0; e < EACH; e++)
                    other[e] = __shfl_xor_sync(ALL_LANES, key[mirrored ? EACH - 1 - e : e], lanes);
#pragma unroll
                for (int e = 0; e < EACH; e++) {
                    uint32_t low = other[e] < key[e] ? other[e] : key[e];
                    uint32_t high = other[e] < key[e] ? key[e] : other[e];
                    key[e] = is_low ? low : high;
                }
            } else {
#pragma unroll
                for (int e = 0; e < EACH; e++) {
                    int partner = mirrored ? e ^ (size - 1) : e ^ step;
                    if (partner <= e) continue;
                    uint32_t low = key[e] < key[partner] ? key[e] : key[partner];
                    uint32_t high = key[e] < key[partner] ? key[partner] : key[e];
                    key[e] = low;
                    key[partner] = high;
                }
            }
        }
    }
}

/* Rows of a warp in order: row i of the order is in lane i / EACH. */
template <int EACH> struct warp_rows {
    float value[EACH];
    uint32_t row[EACH];
};

template <int EACH>
static __device__ __forceinline__ void swap_rows(warp_rows<EACH> *rows, int a, int b) {
    float value = rows->value[a];
    uint32_t row = rows->row[a];
    rows->value[a] = rows->value[b];
    rows->row[a] = rows->row[b];
    rows->value[b] = value;
    rows->row[b] = row;
}

/* Exchanges neighbours until all are in order: few are not. Places behind the last row are
 * infinite. */
template <int EACH> static __device__ void settle_rows(warp_rows<EACH> *rows) {
    for (;;) {
        float next = __shfl_down_sync(ALL_LANES, rows->value[0], 1);
        int wrong = lane_of() + 1 < WARP && rows->value[EACH - 1] > next;
#pragma unroll
        for (int e = 0; e + 1 < EACH; e++) wrong |= rows->value[e] > rows->value[e + 1];
        if (!__any_sync(ALL_LANES, wrong)) return;
#pragma unroll
        for (int e = 0; e + 1 < EACH; e += 2)
            if (rows->value[e] > rows->value[e + 1]) swap_rows(rows, e, e + 1);
#pragma unroll
        for (int e = 1; e + 1 < EACH; e += 2)
            if (rows->value[e] > rows->value[e + 1]) swap_rows(rows, e, e + 1);
        float after = __shfl_down_sync(ALL_LANES, rows->value[0], 1);
        uint32_t row_after = __shfl_down_sync(ALL_LANES, rows->row[0], 1);
        float before = __shfl_up_sync(ALL_LANES, rows->value[EACH - 1], 1);
        uint32_t row_before = __shfl_up_sync(ALL_LANES, rows->row[EACH - 1], 1);
        if (lane_of() + 1 < WARP && rows->value[EACH - 1] > after) {
            rows->value[EACH - 1] = after;
            rows->row[EACH - 1] = row_after;
        }
        if (lane_of() > 0 && before > rows->value[0]) {
            rows->value[0] = before;
            rows->row[0] = row_before;
        }
    }
}

/* Memory of a warp. */
struct small_memory {
    uint32_t *left;      /* [classes x WARP] */
    float *value;        /* [SMALL_ROWS] */
    const uint32_t *tag; /* [SMALL_ROWS]: of the rows; shared by the block */
};

/* Sorts rows by their values: by the upper bits first, with the row number below them. */
template <int EACH>
static __device__ __forceinline__ void sort_rows(uint32_t rows, const small_memory &memory,
                                                 warp_rows<EACH> *sorted) {
    const uint32_t numbers = EACH * WARP - 1;
    uint32_t key[EACH];
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        uint32_t i = e * WARP + lane_of();
        key[e] = i < rows ? (order_of(memory.value[i]) & ~numbers) | i : UINT32_MAX;
    }
    sort_warp<EACH>(key);
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        sorted->row[e] = key[e] & numbers;
        sorted->value[e] = lane_of() * EACH + e < rows ? memory.value[sorted->row[e]] : INFINITY;
    }
    settle_rows<EACH>(sorted);
}

/* The sums left of each lane's first row. Afterwards left[k * WARP + lane] are the weights of
 * classes there. */
template <int EACH>
static __device__ __forceinline__ gpu_sums sums_of_lane(const gpu_rules &rules, const gpu_scored &s,
                                                        const uint32_t *tag, uint32_t *left) {
    gpu_sums sums = sums_start(rules, s);
    if (s.pair) {
        uint32_t weight = 0, ones = 0;
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            weight += weight_of(rules, tag[e]);
            ones += class_of(rules, tag[e]) == s.one ? weight_of(rules, tag[e]) : 0;
        }
        sums.weight = sum_before(weight);
        sums.squares = sum_before(ones);
        return sums;
    }
    for (uint32_t k = 0; k < s.classes; k++) {
        uint32_t weight = 0;
#pragma unroll
        for (int e = 0; e < EACH; e++)
            weight += class_of(rules, tag[e]) == k ? weight_of(rules, tag[e]) : 0;
        weight = sum_before(weight);
        left[k * WARP + lane_of()] = weight;
        if (weight > 0) sums_move(rules, s, &sums, k, 0, weight);
    }
    return sums;
}

/* Bounds of all scores come first, so that few scores are needed. */
template <int EACH>
static __device__ __forceinline__ void scan_rows(const gpu_rules &rules, const gpu_scored &s,
                                                 const warp_rows<EACH> &sorted, uint32_t rows,
                                                 const small_memory &memory, gpu_cut *best) {
    uint32_t tag[EACH];
    gpu_sums after[EACH];
    float most[EACH], least = -INFINITY;
#pragma unroll
    for (int e = 0; e < EACH; e++) /* places behind the last row weigh nothing */
        tag[e] = lane_of() * EACH + e < rows ? memory.tag[sorted.row[e]] : 0;
    gpu_sums sums = sums_of_lane<EACH>(rules, s, tag, memory.left);
    float beyond = __shfl_down_sync(ALL_LANES, sorted.value[0], 1);
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        float next = e + 1 < EACH ? sorted.value[e + 1 < EACH ? e + 1 : 0] : beyond;
        uint32_t k = class_of(rules, tag[e]), weight = weight_of(rules, tag[e]), before = 0;
        if (!s.pair) {
            before = memory.left[k * WARP + lane_of()];
            memory.left[k * WARP + lane_of()] = before + weight;
        }
        if (weight > 0) sums_move(rules, s, &sums, k, before, weight);
        after[e] = sums;
        most[e] = -INFINITY;
        if (lane_of() * EACH + e + 1 >= rows || !(sorted.value[e] < next) ||
            !leaves_allow(s, sums.weight))
            continue;
        gpu_bounds bounds = bounds_of(rules, s, sums);
        most[e] = bounds.most;
        least = bounds.least > least ? bounds.least : least;
    }
    least = most_of_warp(least);
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        float next = e + 1 < EACH ? sorted.value[e + 1 < EACH ? e + 1 : 0] : beyond;
        if (most[e] == -INFINITY || most[e] < least) continue;
        if (!improves(rules, s, after[e], best->found, &best->score)) continue;
        best->found = 1;
        best->threshold = threshold_between(sorted.value[e], next);
    }
}

template <int EACH>
static __device__ void search_warp(const gpu_rules &rules, const gpu_scored &s, const float *value,
                                   uint32_t rows, int has_missing, const small_memory &memory,
                                   gpu_cut *best) {
    float low = INFINITY, high = -INFINITY, fill = 0;
    int missing = 0;
    if (has_missing) {
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            if (e * WARP + lane_of() >= rows) continue;
            missing |= value[e] != value[e];
            low = value[e] < low ? value[e] : low;
            high = value[e] > high ? value[e] : high;
        }
        missing = __any_sync(ALL_LANES, missing);
        low = least_of_warp(low);
        high = most_of_warp(high);
        if (missing && low > high) return;
    }
    for (int side = missing ? GPU_MISSING_RIGHT : GPU_NO_MISSING;; side--) {
        warp_rows<EACH> sorted;
        gpu_cut cut = {};
        if (missing) fill = fill_of(low, high, side);
        __syncwarp();
#pragma unroll
        for (int e = 0; e < EACH; e++) memory.value[e * WARP + lane_of()] = filled(value[e], fill);
        __syncwarp();
        sort_rows<EACH>(rows, memory, &sorted);
        scan_rows<EACH>(rules, s, sorted, rows, memory, &cut);
        cut.candidate = lane_of(); /* in a tie the cut of the first lane */
        cut = best_of_lanes(cut, WARP);
        cut.side = (uint8_t)side;
        if (cut.found && (!best->found || cut.score > best->score)) {
            cut.candidate = best->candidate;
            *best = cut;
        }
        if (side != GPU_MISSING_RIGHT) return;
    }
}

/* A block for some candidates of a node; its warps take them in turn. */
template <int EACH>
__global__ void __launch_bounds__(THREADS, 6)
    search_small(gpu_level level, gpu_table table, gpu_rules rules, gpu_sampler sampler,
                 const uint32_t *list, uint32_t parts, uint32_t words, gpu_cut *cuts) {
    SPF_SHARED(uint32_t, left);
    __shared__ gpu_cut bests[THREADS / WARP];
    __shared__ gpu_own_classes own;
    __shared__ float values[THREADS / WARP][EACH * WARP];
    __shared__ uint32_t tags[EACH * WARP];
    uint32_t i = list[blockIdx.x / parts], first = blockIdx.x % parts * CANDIDATES_OF_BLOCK;
    uint32_t warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    uint32_t last = first + CANDIDATES_OF_BLOCK, count = level.candidates.count[i];
    gpu_node node = level.node[i];
    number_classes(rules, level.totals + (size_t)i * rules.classes, &own);
    gpu_scored s = scored_of(rules, node, own.totals, node.present);
    gpu_node_rows rows = {NULL, level.row + node.begin, words | 1};
    if (words > 0) {
        uint32_t *copies = left + blockDim.x * rules.classes;
        for (uint32_t r = warp; r < node.rows; r += warps)
            copy_node_rows(table, rows.row + r, 1, words, copies + r * rows.stride, lane_of(),
                           WARP);
        rows.copies = copies;
    }
    for (uint32_t r = threadIdx.x; r < node.rows; r += blockDim.x) {
        uint32_t tag = level.tag[node.begin + r]; /* with a class of the node */
        tags[r] =
            own_class(own.mask, class_of(rules, tag)) << rules.weight_bits | weight_of(rules, tag);
    }
    __syncthreads();
    const small_memory memory = {left + warp * rules.classes * WARP, values[warp], tags};
    gpu_cut best = {};
    for (uint32_t c = first + warp; c < last && c < count; c += warps) {
        gpu_projection p = projection_of(level, sampler, i, c);
        gpu_cut cut = {};
        float value[EACH];
        cut.candidate = c;
#pragma unroll
        for (int e = 0; e < EACH; e++)
            value[e] = e * WARP + lane_of() < node.rows
                           ? value_at(table, rows, e * WARP + lane_of(), p)
                           : 0;
        search_warp<EACH>(rules, s, value, node.rows, table.has_missing, memory, &cut);
        if (is_better(cut, best)) best = cut;
    }
    put_best_of_warps(best, bests, &cuts[blockIdx.x]);
}

/* ---- for the host --------------------------------------------------------------------------- */

struct gpu_exact {
    const gpu_level &level;
    const gpu_table &table;
    const gpu_rules &rules;
    const gpu_sampler &sampler;
    const gpu_sizes &sizes;
};

/* Shared memory for the weights of classes and some values of each thread, and for copies of that
 * many rows; words becomes 0 if rows are too long to be copied. */
static size_t shared_bytes(const gpu_exact &e, size_t words_of_thread, size_t rows, uint32_t most,
                           uint32_t *words) {
    size_t left = THREADS * (e.rules.classes + words_of_thread) * sizeof(uint32_t);
    *words = words_of(e.table) <= most ? words_of(e.table) : 0;
    return left + (*words > 0 ? rows * (*words | 1) * sizeof(uint32_t) : 0);
}

template <int N> static int launch_tiny(const gpu_exact &e, gpu_size size) {
    uint32_t count = e.sizes.count[size], lanes = 1, words;
    while (lanes < WARP && lanes < e.sampler.projections) lanes *= 2;
    size_t bytes = shared_bytes(e, (e.table.has_missing ? 3 : 2) * N, THREADS / lanes * N,
                                TINY_WORDS * 32 / N * lanes / WARP, &words);
    if (count == 0) return 1;
    if (!gpu_allow_shared(search_tiny<N>, bytes)) return 0;
    SPF_LAUNCH(search_tiny<N>, gpu_blocks((size_t)count * lanes, THREADS), THREADS, bytes, e.level,
               e.table, e.rules, e.sampler, e.sizes.list[size], count, lanes, words);
    return gpu_launched();
}

template <int EACH>
static int launch_small(const gpu_exact &e, gpu_size size, gpu_searching *searching) {
    uint32_t count = e.sizes.count[size], words;
    uint32_t parts = (uint32_t)gpu_blocks(e.sampler.projections, CANDIDATES_OF_BLOCK);
    size_t bytes = shared_bytes(e, 0, EACH * WARP, SMALL_WORDS, &words);
    if (count == 0) return 1;
    if (!gpu_reserve(&searching->cuts, (size_t)count * parts)) return 0;
    if (!gpu_allow_shared(search_small<EACH>, bytes)) return 0;
    SPF_LAUNCH(search_small<EACH>, (size_t)count * parts, THREADS, bytes, e.level, e.table, e.rules,
               e.sampler, e.sizes.list[size], parts, words, searching->cuts.at);
    return gpu_choose(e.level, e.sizes.list[size], count, parts, searching->cuts.at);
}

int gpu_search_exact(const gpu_level &level, const gpu_table &table, const gpu_rules &rules,
                     const gpu_sampler &sampler, const gpu_sizes &sizes, gpu_searching *searching) {
    gpu_exact e = {level, table, rules, sampler, sizes};
    return launch_tiny<4>(e, GPU_ROWS_4) && launch_tiny<8>(e, GPU_ROWS_8) &&
           launch_tiny<16>(e, GPU_ROWS_16) && launch_tiny<32>(e, GPU_ROWS_32) &&
           launch_small<2>(e, GPU_ROWS_64, searching) &&
           launch_small<4>(e, GPU_ROWS_128, searching);
}
