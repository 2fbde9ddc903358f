/* A team counts the rows of a candidate in bins, in shared memory, and one of its warps finds the
 * best cut between them. Heavy bins are searched again in finer ones: see split_histogram.c. The
 * team is a warp in nodes of middle size, and a block in large ones. */
#include "search_bins.cuh"

#include "count_classes.cuh"
#include "count_pairs.cuh"

enum {
    CANDIDATES_OF_BLOCK = 32, /* in nodes of middle size */
    MIDDLE_WARPS = 2,         /* of a block */
    MIDDLE_BLOCKS = 8,        /* of a multiprocessor, at least: bounds the registers */
    MIDDLE_PAIR_BLOCKS = 14,
    LARGE_BLOCKS = 4,
};

/* Kernels are compiled for each: all nodes are pairs, or classes are counted. */
enum gpu_counting { GPU_PAIRS, GPU_GINI, GPU_ENTROPY };

/* Tries the cuts between the bins of a frame: all at once, or exact ones some at a time. */
template <bool BLOCK, gpu_counting HOW, typename C>
static __device__ void search_frame(const gpu_rules &rules, const gpu_scored &s, gpu_frame *frame,
                                    const bin_column &column, bin_search *search) {
    const gpu_bins bins = frame->bins;
    for (uint32_t k = member<BLOCK>(); k < s.classes; k += members<BLOCK>()) search->passed[k] = 0;
    if (member<BLOCK>() == 0) search->last = 0;
    const uint32_t most = HOW == GPU_PAIRS ? BINS_MAX : slots_at_once(column.cells, column.classes);
    for (uint32_t done = 0; done < bins.count; done += most) {
        uint32_t some = bins.count - done < most ? bins.count - done : most;
        if (HOW == GPU_PAIRS) {
            count_pairs<BLOCK>(rules, bins, column, done, some);
            if (member<BLOCK>() < WARP) walk_pairs(rules, s, frame, column, done, some, search);
        } else {
            count_rows<BLOCK, C>(rules, bins, column, done, some);
            if (member<BLOCK>() < WARP)
                walk_classes<C>(rules, s, frame, column, done, some, search);
        }
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
template <bool BLOCK, gpu_counting HOW, typename C>
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
        if (pushed) search_frame<BLOCK, HOW, C>(rules, s, frame, column, search);
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

template <bool BLOCK, gpu_counting HOW, typename C>
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
            search_frames<BLOCK, HOW, C>(rules, s, bins, column, search);
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

/* Words that classes are counted in. */
template <typename C>
static __host__ __device__ __forceinline__ uint32_t words_of(uint32_t classes, uint32_t copies) {
    return (class_cells(classes) * copies * (uint32_t)sizeof(C) + 3) / 4;
}

/* Words that a team needs. */
template <typename C>
static __host__ __device__ __forceinline__ uint32_t room_of(gpu_counting how, uint32_t classes,
                                                            uint32_t copies) {
    return how == GPU_PAIRS
               ? 2 * PAIR_PLACES * copies
               : words_of<C>(classes, copies) + WARP * classes + SLOTS_MAX + SLOTS_MAX / WARP + 1;
}

template <gpu_counting HOW, typename C>
static __device__ bin_column column_in(const gpu_level &level, const gpu_rules &rules,
                                       const gpu_sampler &sampler, const gpu_node &node,
                                       uint32_t candidate, const gpu_own_classes &own,
                                       uint32_t copies, uint32_t *room) {
    bin_column column = {};
    column.value = column_of(level, node, sampler.projections, candidate);
    column.tag = level.tag + node.begin;
    column.rows = node.rows;
    column.classes = node.present;
    column.mask = own.mask;
    column.copies = copies;
    column.counts = room;
    if (HOW == GPU_PAIRS) return column;
    column.cells = class_cells(rules.classes);
    column.left = room + words_of<C>(rules.classes, copies);
    column.list = column.left + WARP * rules.classes;
    column.filled = column.list + SLOTS_MAX;
    return column;
}

/* A block for some candidates of a node; its warps take them in turn. */
template <gpu_counting HOW, typename C>
__global__ void __launch_bounds__(MIDDLE_WARPS *WARP,
                                  HOW == GPU_PAIRS ? MIDDLE_PAIR_BLOCKS : MIDDLE_BLOCKS)
    search_middle(gpu_level level, gpu_rules rules, gpu_sampler sampler, const uint32_t *list,
                  uint32_t parts, int whole, gpu_cut *cuts, uint32_t *failed) {
    SPF_SHARED(uint32_t, room);
    __shared__ bin_search search[MIDDLE_WARPS];
    __shared__ gpu_cut bests[MIDDLE_WARPS];
    __shared__ gpu_own_classes own;
    rules.entropy = HOW == GPU_ENTROPY;
    uint32_t i = list[blockIdx.x / parts], first = blockIdx.x % parts * CANDIDATES_OF_BLOCK;
    uint32_t warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    uint32_t last = first + CANDIDATES_OF_BLOCK, count = level.candidates.count[i];
    gpu_node node = level.node[i];
    number_classes(rules, level.totals + (size_t)i * rules.classes, &own);
    gpu_scored s = scored_of(rules, node, own.totals, node.present);
    uint32_t *counts = room + warp * room_of<C>(HOW, rules.classes, 1);
    gpu_cut best = {};
    for (uint32_t c = first + warp; c < last && c < count; c += warps) {
        bin_column column = column_in<HOW, C>(level, rules, sampler, node, c, own, 1, counts);
        gpu_cut cut = search_column<false, HOW, C>(rules, s, node,
                                                   whole && is_whole_sum(level, sampler, i, c),
                                                   column, &search[warp], failed);
        cut.candidate = c;
        if (is_better(cut, best)) best = cut;
    }
    put_best_of_warps(best, bests, &cuts[blockIdx.x]);
}

/* A block for a candidate. */
template <gpu_counting HOW>
__global__ void __launch_bounds__(256, LARGE_BLOCKS)
    search_large(gpu_level level, gpu_rules rules, gpu_sampler sampler, const uint32_t *list,
                 uint32_t copies, int whole, gpu_cut *cuts, uint32_t *failed) {
    SPF_SHARED(uint32_t, counts);
    __shared__ bin_search search;
    __shared__ gpu_own_classes own;
    rules.entropy = HOW == GPU_ENTROPY;
    uint32_t i = list[blockIdx.x / sampler.projections], c = blockIdx.x % sampler.projections;
    gpu_node node = level.node[i];
    gpu_cut best = {};
    if (c < level.candidates.count[i]) {
        number_classes(rules, level.totals + (size_t)i * rules.classes, &own);
        gpu_scored s = scored_of(rules, node, own.totals, node.present);
        bin_column column =
            column_in<HOW, uint32_t>(level, rules, sampler, node, c, own, copies, counts);
        best = search_column<true, HOW, uint32_t>(
            rules, s, node, whole && is_whole_sum(level, sampler, i, c), column, &search, failed);
        best.candidate = c;
    }
    if (threadIdx.x == 0) cuts[blockIdx.x] = best;
}

/* ---- for the host --------------------------------------------------------------------------- */

static gpu_counting counting_of(const gpu_rules &rules) {
    if (rules.entropy) return GPU_ENTROPY;
    return rules.classes == 2 ? GPU_PAIRS : GPU_GINI;
}

template <typename C>
static int search_middle_nodes(const gpu_level &level, const gpu_rules &rules,
                               const gpu_sampler &sampler, const gpu_sizes &sizes, int whole,
                               gpu_searching *searching) {
    const unsigned threads = MIDDLE_WARPS * WARP;
    uint32_t count = sizes.count[GPU_MIDDLE];
    uint32_t parts = (uint32_t)gpu_blocks(sampler.projections, CANDIDATES_OF_BLOCK);
    const gpu_counting how = counting_of(rules);
    auto kernel = how == GPU_PAIRS  ? search_middle<GPU_PAIRS, uint32_t>
                  : how == GPU_GINI ? search_middle<GPU_GINI, C>
                                    : search_middle<GPU_ENTROPY, C>;
    size_t bytes = MIDDLE_WARPS * room_of<C>(how, rules.classes, 1) * sizeof(uint32_t);
    if (!gpu_reserve(&searching->cuts, (size_t)count * parts)) return 0;
    if (!gpu_allow_shared(kernel, bytes)) return 0;
    SPF_LAUNCH(kernel, (size_t)count * parts, threads, bytes, level, rules, sampler,
               sizes.list[GPU_MIDDLE], parts, whole, searching->cuts.at, searching->failed.at);
    return gpu_choose(level, sizes.list[GPU_MIDDLE], count, parts, searching->cuts.at);
}

/* With several copies of the counters, rows with equal values wait less for each other. */
static int search_large_nodes(const gpu_level &level, const gpu_rules &rules,
                              const gpu_sampler &sampler, const gpu_sizes &sizes, int whole,
                              gpu_searching *searching) {
    uint32_t count = sizes.count[GPU_LARGE], d = sampler.projections;
    uint32_t copies = rules.classes <= 2 ? 8 : rules.classes <= 8 ? 4 : rules.classes <= 16 ? 2 : 1;
    const gpu_counting how = counting_of(rules);
    auto kernel = how == GPU_PAIRS  ? search_large<GPU_PAIRS>
                  : how == GPU_GINI ? search_large<GPU_GINI>
                                    : search_large<GPU_ENTROPY>;
    size_t bytes = room_of<uint32_t>(how, rules.classes, copies) * sizeof(uint32_t);
    if (!gpu_reserve(&searching->cuts, (size_t)count * d)) return 0;
    if (!gpu_allow_shared(kernel, bytes)) return 0;
    SPF_LAUNCH(kernel, (size_t)count * d, 256, bytes, level, rules, sampler, sizes.list[GPU_LARGE],
               copies, whole, searching->cuts.at, searching->failed.at);
    return gpu_choose(level, sizes.list[GPU_LARGE], count, d, searching->cuts.at);
}

int gpu_search_bins(const gpu_level &level, const gpu_rules &rules, const gpu_sampler &sampler,
                    gpu_size size, const gpu_sizes &sizes, int whole, gpu_searching *searching) {
    if (sizes.count[size] == 0) return 1;
    auto search = size == GPU_LARGE             ? search_large_nodes
                  : sizes.count[GPU_HEAVY] == 0 ? search_middle_nodes<uint16_t>
                                                : search_middle_nodes<uint32_t>;
    return search(level, rules, sampler, sizes, whole, searching);
}
