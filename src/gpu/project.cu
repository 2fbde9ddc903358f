/* A warp takes 32 rows. Their values are copied to shared memory, turned, so that a feature of all
 * rows is one access without conflicts; so are the terms of the node's candidates, which all lanes
 * then go through together. Several warps may share the rows and divide the candidates. Rows that
 * are too long for this are read where they are. */
#include "project.cuh"

#include "cuts.cuh"

enum {
    WARPS = 4,        /* of a block */
    WORDS_MAX = 1024, /* of four bytes, in rows that are copied */
    OWN_WORDS = 64,   /* rows with more are shared by the warps of a block */
    LANE_STRIDE = WARP + 1,
    STAGED_TERMS = 128,
    LEAST_PART = 16, /* candidates that a block takes, at least */
    BLOCKS_WANTED = 4096,
};

/* A term: where its feature is in the copy, below two bits that tell whether it is the first or the
 * last of its candidate. */
struct gpu_staged {
    uint32_t at;
    float weight;
};
#define TERM_FIRST 0x40000000u
#define TERM_LAST 0x80000000u

/* Where a feature is in the turned copy of the rows, in bytes. */
static __device__ __forceinline__ uint32_t place_of_feature(const gpu_table &table,
                                                            uint32_t feature) {
    return table.bytes ? feature / 4 * (LANE_STRIDE * 4) + feature % 4
                       : feature * (LANE_STRIDE * 4);
}

/* Copies some terms. Those of a candidate end before start[c + 1]. */
static __device__ void stage_terms(const gpu_table &table, const uint32_t *start,
                                   const gpu_term *term, uint32_t first, uint32_t last,
                                   uint32_t from, uint32_t to, gpu_staged *staged) {
    __syncwarp();
    for (uint32_t t = from + lane_of(); t < to; t += WARP) {
        gpu_term own = term[t];
        gpu_staged copy = {place_of_feature(table, own.feature), own.weight};
        staged[t - from] = copy;
    }
    __syncwarp();
    for (uint32_t c = first + lane_of(); c < last; c += WARP) {
        uint32_t begin = start[c], end = start[c + 1] - 1;
        if (begin >= from && begin < to) atomicOr(&staged[begin - from].at, TERM_FIRST);
        if (end >= from && end < to) atomicOr(&staged[end - from].at, TERM_LAST);
    }
    __syncwarp();
}

template <typename T, bool FILL>
static __device__ __forceinline__ void
project_terms(const gpu_staged *staged, uint32_t terms, const unsigned char *rows,
              const float *fill, float *sum, float **value, uint32_t stride, int is_there) {
    for (uint32_t t = 0; t < terms; t++) {
        gpu_staged term = staged[t];
        uint32_t at = term.at & ~(TERM_FIRST | TERM_LAST);
        float x = (float)*(const T *)(rows + at);
        if (FILL && x != x && term.at < (TERM_FIRST | TERM_LAST)) x = fill[at / (LANE_STRIDE * 4)];
        float part = term.weight * x;
        *sum = term.at & TERM_FIRST ? part : *sum + part;
        if (!(term.at & TERM_LAST)) continue;
        if (is_there) **value = *sum;
        *value += stride;
    }
}

/* The lanes whose rows are of one node, for some of its candidates. */
static __device__ void project_node(const gpu_level &level, const gpu_table &table,
                                    const gpu_sampler &sampler, uint32_t owner, uint32_t at,
                                    int is_there, uint32_t first, uint32_t last,
                                    const uint32_t *rows, gpu_staged *staged) {
    const uint32_t *start = level.candidates.start + (size_t)owner * (sampler.projections + 1);
    const gpu_term *term = level.candidates.term + (size_t)owner * sampler.terms;
    uint32_t count = level.candidates.count[owner];
    gpu_node node = level.node[owner];
    if (last > count) last = count;
    if (first >= last) return;
    float *value = level.values + (size_t)node.begin * sampler.projections +
                   (size_t)first * node.rows + (is_there ? at - node.begin : 0);
    const unsigned char *own = (const unsigned char *)(rows + lane_of());
    uint32_t end = start[last];
    float sum = 0;
    for (uint32_t from = start[first]; from < end; from += STAGED_TERMS) {
        uint32_t to = end - from < STAGED_TERMS ? end : from + STAGED_TERMS;
        stage_terms(table, start, term, first, last, from, to, staged);
        if (table.bytes)
            project_terms<uint8_t, false>(staged, to - from, own, table.fill, &sum, &value,
                                          node.rows, is_there);
        else if (table.fill)
            project_terms<float, true>(staged, to - from, own, table.fill, &sum, &value, node.rows,
                                       is_there);
        else
            project_terms<float, false>(staged, to - from, own, table.fill, &sum, &value, node.rows,
                                        is_there);
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
static __device__ void copy_rows(const gpu_table &table, uint32_t words, uint32_t row, int is_there,
                                 uint32_t *copies, unsigned warps) {
    unsigned present = __ballot_sync(ALL_LANES, is_there);
    uint32_t thread = warps == 1 ? lane_of() : threadIdx.x;
#pragma unroll 8
    for (unsigned lane = 0; lane < WARP; lane++) {
        const uint32_t *from = row_at(table, __shfl_sync(ALL_LANES, row, lane));
        if (present >> lane & 1)
            for (uint32_t w = thread; w < words; w += warps * WARP)
                copies[w * LANE_STRIDE + lane] = from[w];
    }
    if (warps == 1)
        __syncwarp();
    else
        __syncthreads();
}

/* A tile of 32 rows belongs to a warp, or to all warps of a block. */
__global__ void project_rows(gpu_level level, gpu_table table, gpu_sampler sampler, uint32_t parts,
                             uint32_t part, uint32_t words, unsigned warps) {
    SPF_SHARED(uint32_t, copies);
    __shared__ gpu_staged staged[WARPS][STAGED_TERMS];
    uint32_t warp = threadIdx.x / WARP, block = blockIdx.x / parts;
    size_t tile = warps == 1 ? (size_t)block * WARPS + warp : block, at = tile * WARP + lane_of();
    uint32_t first = blockIdx.x % parts * part, end = first + part;
    if (warps > 1) {
        uint32_t of_warp = (part + warps - 1) / warps;
        first += warp * of_warp;
        end = first + of_warp < end ? first + of_warp : end;
    }
    uint32_t owner = at < level.rows ? level.owner[at] : 0;
    int is_there = at < level.rows && level.node[owner].rows > SMALL_ROWS;
    if (words == 0) {
        if (is_there) project_long_row(level, table, sampler, owner, (uint32_t)at, first, end);
        return;
    }
    uint32_t *rows = copies + (warps == 1 ? warp * words * LANE_STRIDE : 0);
    copy_rows(table, words, is_there ? level.row[at] : 0, is_there, rows, warps);
    for (unsigned left = __ballot_sync(ALL_LANES, is_there); left != 0;) {
        uint32_t common = __shfl_sync(ALL_LANES, owner, (unsigned)__clz(__brev(left)));
        int is_own = is_there && owner == common;
        project_node(level, table, sampler, common, (uint32_t)at, is_own, first, end, rows,
                     staged[warp]);
        left &= ~__ballot_sync(ALL_LANES, is_own);
    }
}

int gpu_project(const gpu_level &level, const gpu_table &table, const gpu_sampler &sampler) {
    uint32_t words = words_of(table), d = sampler.projections;
    unsigned warps = words > OWN_WORDS ? WARPS : 1;
    if (words > WORDS_MAX) words = 0;
    size_t tiles = gpu_blocks(level.rows, warps == 1 ? WARPS * WARP : WARP);
    size_t parts = gpu_blocks(BLOCKS_WANTED, tiles), most = gpu_blocks(d, LEAST_PART);
    parts = parts < most ? parts : most;
    uint32_t part = (uint32_t)gpu_blocks(d, parts);
    size_t bytes = (warps == 1 ? WARPS : 1) * (size_t)words * LANE_STRIDE * sizeof(uint32_t);
    if (!gpu_allow_shared(project_rows, bytes)) return 0;
    SPF_LAUNCH(project_rows, tiles * parts, WARPS * WARP, bytes, level, table, sampler,
               (uint32_t)parts, part, words, warps);
    return gpu_launched();
}
