/* A warp takes 64 rows, two for each lane, or 32 long ones. Their values are copied to shared
 * memory, turned, so that a feature of all rows is one access without conflicts; so are the terms
 * of the node's candidates, which all lanes then go through together. Several warps may share the
 * rows and divide the candidates. Rows that are too long for this are read where they are. */
#include "project.cuh"

#include "cuts.cuh"

#include <stddef.h>

enum {
    WARPS = 4,         /* of a block whose warps have rows of their own */
    SHARING_WARPS = 8, /* of one whose warps share them */
    WORDS_MAX = 768,   /* of four bytes, in rows that are copied: two blocks have place then */
    PAIRED_WORDS = 384,
    OWN_WORDS = 64, /* rows with more are shared by the warps of a block */
    STAGED_TERMS = 128,
    LEAST_PART = 16, /* candidates that a block takes, at least */
    BLOCKS_WANTED = 4096,
};

/* A term, with the place of its feature in the copies. */
struct __align__(8) gpu_staged {
    uint32_t at;
    float weight;
};

/* Some candidates of a node. */
struct gpu_stage {
    gpu_staged term[STAGED_TERMS];
    uint32_t end[WARP]; /* of each candidate's terms */
};

/* Lanes have ROWS rows each, whose values are side by side. Words between those of a feature and of
 * the next: */
template <int ROWS> static __host__ __device__ __forceinline__ uint32_t feature_stride(void) {
    return ROWS * WARP + ROWS;
}

/* Where a feature is in the copies, in bytes. */
template <int ROWS>
static __device__ __forceinline__ uint32_t place_of_feature(const gpu_table &table,
                                                            uint32_t feature) {
    const uint32_t bytes = feature_stride<ROWS>() * 4;
    return table.bytes ? feature / 4 * bytes + feature % 4 : feature * bytes;
}

/* Copies as many candidates from `first` on as there is room for, at most a warp; returns how many.
 */
template <int ROWS>
static __device__ uint32_t stage_candidates(const gpu_table &table, const uint32_t *start,
                                            const gpu_term *term, uint32_t first, uint32_t last,
                                            gpu_stage *stage) {
    uint32_t c = first + lane_of(), from = start[first];
    uint32_t end = c < last ? start[c + 1] - from : UINT32_MAX;
    uint32_t count = (uint32_t)__popc(__ballot_sync(ALL_LANES, end <= STAGED_TERMS));
    uint32_t terms = count > 0 ? __shfl_sync(ALL_LANES, end, count - 1) : 0;
    __syncwarp();
    stage->end[lane_of()] = end;
    for (uint32_t t = lane_of(); t < terms; t += WARP) {
        gpu_term own = term[from + t];
        gpu_staged copy = {place_of_feature<ROWS>(table, own.feature), own.weight};
        stage->term[t] = copy;
    }
    __syncwarp();
    return count;
}

struct __align__(8) gpu_two_values {
    float first, second;
};

/* The values of a feature in a lane's rows. */
template <typename T, int ROWS>
static __device__ __forceinline__ void read_feature(const unsigned char *rows, uint32_t at,
                                                    float *x) {
    if constexpr (sizeof(T) == sizeof(float) && ROWS == 2) {
        gpu_two_values both = *(const gpu_two_values *)(rows + at);
        x[0] = both.first;
        x[1] = both.second;
    } else {
#pragma unroll
        for (int r = 0; r < ROWS; r++) x[r] = (float)*(const T *)(rows + at + r * 4);
    }
}

template <bool FILL, int ROWS>
static __device__ __forceinline__ void fill_missing(const float *fill, uint32_t at, float *x) {
    if constexpr (FILL) {
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (x[r] != x[r]) x[r] = fill[at / (feature_stride<ROWS>() * 4)];
    }
}

/* A candidate of one term has its feature's values, of which missing ones stay so. The first terms
 * are read together, so that one need not wait for the other; those beyond the last are read again,
 * and left out. */
template <typename T, bool FILL, int ROWS>
static __device__ __forceinline__ void project_candidate(const gpu_staged *term, uint32_t terms,
                                                         const unsigned char *rows,
                                                         const float *fill, float *sum) {
    gpu_staged own[FIRST_TERMS];
    float x[FIRST_TERMS][ROWS];
#pragma unroll
    for (uint32_t t = 0; t < FIRST_TERMS; t++) own[t] = term[t < terms ? t : 0];
#pragma unroll
    for (uint32_t t = 0; t < FIRST_TERMS; t++) read_feature<T, ROWS>(rows, own[t].at, x[t]);
#pragma unroll
    for (int r = 0; r < ROWS; r++) sum[r] = x[0][r];
    if (terms == 1) return;
#pragma unroll
    for (uint32_t t = 0; t < FIRST_TERMS; t++) {
        fill_missing<FILL, ROWS>(fill, own[t].at, x[t]);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            float part = own[t].weight * x[t][r];
            sum[r] = t == 0 ? part : t < terms ? sum[r] + part : sum[r];
        }
    }
    for (uint32_t t = FIRST_TERMS; t < terms; t++) {
        gpu_staged next = term[t];
        read_feature<T, ROWS>(rows, next.at, x[0]);
        fill_missing<FILL, ROWS>(fill, next.at, x[0]);
#pragma unroll
        for (int r = 0; r < ROWS; r++) sum[r] = sum[r] + next.weight * x[0][r];
    }
}

/* A lane's rows: which are of the node that is projected, and where their values go. */
template <int ROWS> struct gpu_lane_rows {
    const unsigned char *copies;
    float *value;
    int is_own[ROWS];
};

template <typename T, bool FILL, int ROWS>
static __device__ __forceinline__ void project_stage(const gpu_stage *stage, uint32_t count,
                                                     const float *fill, uint32_t stride,
                                                     gpu_lane_rows<ROWS> *lane) {
    uint32_t begin = 0;
    for (uint32_t c = 0; c < count; c++) {
        uint32_t end = stage->end[c];
        float sum[ROWS];
        project_candidate<T, FILL, ROWS>(stage->term + begin, end - begin, lane->copies, fill, sum);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (lane->is_own[r]) lane->value[r * WARP] = sum[r];
        lane->value += stride;
        begin = end;
    }
}

/* A candidate with more terms than can be staged. */
template <int ROWS>
static __device__ void project_many_terms(const gpu_level &level, const gpu_table &table,
                                          const gpu_projection &p, uint32_t at, uint32_t stride,
                                          gpu_lane_rows<ROWS> *lane) {
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (lane->is_own[r])
            lane->value[r * WARP] =
                value_of_words(table, row_at(table, level.row[at + r * WARP]), p);
    lane->value += stride;
}

/* The rows of one node, on some of its candidates. */
template <int ROWS>
static __device__ void project_node(const gpu_level &level, const gpu_table &table,
                                    const gpu_sampler &sampler, uint32_t owner, uint32_t at,
                                    uint32_t first, uint32_t last, gpu_lane_rows<ROWS> lane,
                                    gpu_stage *stage) {
    const uint32_t *start = level.candidates.start + (size_t)owner * (sampler.projections + 1);
    const gpu_term *term = level.candidates.term + (size_t)owner * sampler.terms;
    const uint32_t count = level.candidates.count[owner];
    const gpu_node node = level.node[owner];
    if (last > count) last = count;
    lane.value = level.values + (size_t)node.begin * sampler.projections +
                 (size_t)first * node.rows + ((ptrdiff_t)at - (ptrdiff_t)node.begin);
    for (uint32_t c = first; c < last;) {
        uint32_t some = stage_candidates<ROWS>(table, start, term, c, last, stage);
        c += some > 0 ? some : 1;
        if (some == 0)
            project_many_terms<ROWS>(level, table, projection_of(level, sampler, owner, c - 1), at,
                                     node.rows, &lane);
        else if (table.bytes)
            project_stage<uint8_t, false, ROWS>(stage, some, table.fill, node.rows, &lane);
        else if (table.fill)
            project_stage<float, true, ROWS>(stage, some, table.fill, node.rows, &lane);
        else
            project_stage<float, false, ROWS>(stage, some, table.fill, node.rows, &lane);
    }
}

/* Rows that are read where they are, a thread for each. */
static __device__ void project_long_row(const gpu_level &level, const gpu_table &table,
                                        const gpu_sampler &sampler, uint32_t owner, uint32_t at,
                                        uint32_t first, uint32_t last) {
    const uint32_t *row = row_at(table, level.row[at]);
    gpu_node node = level.node[owner];
    uint32_t count = level.candidates.count[owner];
    for (uint32_t c = first; c < last && c < count; c++)
        column_of(level, node, sampler.projections, c)[at - node.begin] =
            value_of_words(table, row, projection_of(level, sampler, owner, c));
}

/* The rows of a warp's lanes, each by the lanes of `warps` warps together. */
template <int ROWS>
static __device__ void copy_rows(const gpu_table &table, uint32_t words, const uint32_t *row,
                                 const int *is_there, uint32_t *copies, unsigned warps) {
    uint32_t thread = warps == 1 ? lane_of() : threadIdx.x;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        unsigned present = __ballot_sync(ALL_LANES, is_there[r]);
#pragma unroll 8
        for (unsigned lane = 0; lane < WARP; lane++) {
            const uint32_t *from = row_at(table, __shfl_sync(ALL_LANES, row[r], lane));
            if (present >> lane & 1)
                for (uint32_t w = thread; w < words; w += warps * WARP)
                    copy_later(&copies[w * feature_stride<ROWS>() + lane * ROWS + r], from + w);
        }
    }
    await_copies();
    if (warps == 1)
        __syncwarp();
    else
        __syncthreads();
}

/* A tile of 32 x ROWS rows belongs to a warp, or to all warps of a block. */
template <int ROWS>
__global__ void project_rows(gpu_level level, gpu_table table, gpu_sampler sampler, uint32_t parts,
                             uint32_t part, uint32_t words, unsigned warps) {
    SPF_SHARED(gpu_stage, stage);
    uint32_t *copies = (uint32_t *)(stage + blockDim.x / WARP);
    uint32_t warp = threadIdx.x / WARP, block = blockIdx.x / parts;
    size_t tile = warps == 1 ? (size_t)block * WARPS + warp : block;
    size_t at = tile * WARP * ROWS + lane_of();
    uint32_t first = blockIdx.x % parts * part, end = first + part;
    if (warps > 1) {
        uint32_t of_warp = (part + warps - 1) / warps;
        first += warp * of_warp;
        end = first + of_warp < end ? first + of_warp : end;
    }
    uint32_t owner[ROWS], row[ROWS];
    int is_there[ROWS], is_any = 0;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        size_t own = at + r * WARP;
        owner[r] = own < level.rows ? level.owner[own] : 0;
        is_there[r] = own < level.rows && level.node[owner[r]].rows > SMALL_ROWS;
        row[r] = is_there[r] ? level.row[own] : 0;
        is_any |= is_there[r];
    }
    if (!__any_sync(ALL_LANES, is_any)) return; /* so do all warps that share the rows */
    if (words == 0) {
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (is_there[r])
                project_long_row(level, table, sampler, owner[r], (uint32_t)at + r * WARP, first,
                                 end);
        return;
    }
    uint32_t *rows = copies + (warps == 1 ? warp * words * feature_stride<ROWS>() : 0);
    copy_rows<ROWS>(table, words, row, is_there, rows, warps);
    for (;;) {
        gpu_lane_rows<ROWS> lane = {(const unsigned char *)(rows + lane_of() * ROWS), NULL, {0}};
        uint32_t next = 0;
#pragma unroll
        for (int r = ROWS - 1; r >= 0; r--) next = is_there[r] ? owner[r] : next;
        unsigned left = __ballot_sync(ALL_LANES, is_any);
        if (left == 0) return;
        uint32_t common = __shfl_sync(ALL_LANES, next, (unsigned)__clz(__brev(left)));
        is_any = 0;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            lane.is_own[r] = is_there[r] && owner[r] == common;
            is_there[r] = is_there[r] && owner[r] != common;
            is_any |= is_there[r];
        }
        project_node<ROWS>(level, table, sampler, common, (uint32_t)at, first, end, lane,
                           &stage[warp]);
    }
}

template <int ROWS>
static int launch_project(const gpu_level &level, const gpu_table &table,
                          const gpu_sampler &sampler, uint32_t words) {
    const uint32_t d = sampler.projections;
    const unsigned warps = words > OWN_WORDS ? SHARING_WARPS : 1;
    const unsigned of_block = warps == 1 ? WARPS : warps;
    size_t tiles = gpu_blocks(level.rows, ROWS * WARP * (warps == 1 ? WARPS : 1));
    size_t parts = gpu_blocks(BLOCKS_WANTED, tiles), most = gpu_blocks(d, LEAST_PART);
    parts = parts < most ? parts : most;
    uint32_t part = (uint32_t)gpu_blocks(d, parts);
    size_t copies = (warps == 1 ? WARPS : 1) * (size_t)words * feature_stride<ROWS>();
    size_t bytes = of_block * sizeof(gpu_stage) + copies * sizeof(uint32_t);
    if (!gpu_allow_shared(project_rows<ROWS>, bytes)) return 0;
    SPF_LAUNCH(project_rows<ROWS>, tiles * parts, of_block * WARP, bytes, level, table, sampler,
               (uint32_t)parts, part, words, warps);
    return gpu_launched();
}

int gpu_project(const gpu_level &level, const gpu_table &table, const gpu_sampler &sampler) {
    uint32_t words = words_of(table);
    if (words > WORDS_MAX) words = 0;
    return words <= PAIRED_WORDS ? launch_project<2>(level, table, sampler, words)
                                 : launch_project<1>(level, table, sampler, words);
}
