/* A warp takes some rows and candidates. The rows are first copied to shared memory, where looking
 * up features in any order is fast, if they are short; so are the candidates. */
#include "project.cuh"

#include "search.cuh"

enum {
    ROWS = 128,         /* of a block */
    GROUPS_MAX = 4,     /* of warps that take the same rows and different candidates */
    WORDS_MAX = 220,    /* of four bytes, in rows that are copied */
    LEAST_PART = 16,    /* candidates that a block takes, at least */
    BLOCKS_WANTED = 4096,
    STAGED = 32,        /* candidates that a warp copies at once */
    STAGED_TERMS = 128, /* and their terms */
};

/* Candidates of a node. */
struct gpu_staged {
    uint32_t start[STAGED + 1];
    gpu_term term[STAGED_TERMS];
};

/* Copies candidates from `first` on; returns the one after the last. */
static __device__ uint32_t stage(const gpu_level &level, const gpu_sampler &sampler, uint32_t owner,
                                 uint32_t first, uint32_t last, gpu_staged *staged) {
    const uint32_t *start = level.candidates.start + (size_t)owner * (sampler.projections + 1);
    const gpu_term *term = level.candidates.term + (size_t)owner * sampler.terms;
    uint32_t from = start[first], end = first + 1;
    __syncwarp();
    if (first + STAGED < last) last = first + STAGED;
    for (uint32_t c = first + lane_of(); c <= last; c += WARP) staged->start[c - first] = start[c] - from;
    __syncwarp();
    while (end < last && staged->start[end + 1 - first] <= STAGED_TERMS) end++;
    uint32_t terms = staged->start[end - first];
    for (uint32_t t = lane_of(); t < terms && t < STAGED_TERMS; t += WARP)
        staged->term[t] = term[from + t];
    __syncwarp();
    return end;
}

template <typename T>
static __device__ __forceinline__ float value_of_staged(const T *row, const float *fill,
                                                        const gpu_term *term, uint32_t terms) {
    if (terms == 1) return (float)row[term[0].feature];
    float sum = term_of(row, fill, term[0]);
    for (uint32_t t = 1; t < terms; t++) sum = sum + term_of(row, fill, term[t]);
    return sum;
}

template <typename T>
static __device__ void project_row(const gpu_level &level, const gpu_sampler &sampler, uint32_t at,
                                   int is_there, const T *row, const float *fill, uint32_t first,
                                   uint32_t last, gpu_staged *staged) {
    uint32_t owner = is_there ? level.owner[at] : 0, d = sampler.projections;
    gpu_node node = level.node[owner];
    if (is_there && node.rows <= SMALL_ROWS) is_there = 0;
    unsigned present = __ballot_sync(ALL_LANES, is_there);
    if (present == 0) return;
    uint32_t common = __shfl_sync(ALL_LANES, owner, (unsigned)__clz(__brev(present)));
    int together = !__any_sync(ALL_LANES, is_there && owner != common);
    uint32_t count = level.candidates.count[together ? common : owner];
    if (last > count) last = count;
    float *value = level.values + (size_t)node.begin * d + (at - node.begin);
    if (!together) {
        for (uint32_t c = first; is_there && c < last; c++)
            value[(size_t)c * node.rows] =
                value_of(row, fill, projection_of(level, sampler, owner, c));
        return;
    }
    for (uint32_t c = first; c < last;) {
        uint32_t end = stage(level, sampler, common, c, last, staged), begin = c;
        int fits = staged->start[end - begin] <= STAGED_TERMS;
        for (; c < end; c++) {
            uint32_t from = staged->start[c - begin];
            if (!is_there) continue;
            value[(size_t)c * node.rows] =
                fits ? value_of_staged(row, fill, staged->term + from,
                                       staged->start[c - begin + 1] - from)
                     : value_of(row, fill, projection_of(level, sampler, common, c));
        }
    }
}

/* The rows of a block, each by a warp. */
static __device__ __forceinline__ void copy_rows(const gpu_level &level, const gpu_table &table,
                                                 size_t begin, uint32_t words, uint32_t *copies) {
    uint32_t stride = words | 1; /* no two rows in one bank */
    for (uint32_t r = threadIdx.x / WARP; r < ROWS; r += blockDim.x / WARP) {
        if (begin + r >= level.rows) break;
        if (level.node[level.owner[begin + r]].rows <= SMALL_ROWS) continue;
        const uint32_t *from = row_at(table, level.row[begin + r]);
        for (uint32_t w = lane_of(); w < words; w += WARP) copies[r * stride + w] = from[w];
    }
    __syncthreads();
}

__global__ void project_rows(gpu_level level, gpu_table table, gpu_sampler sampler, uint32_t parts,
                             uint32_t part, uint32_t words) {
    SPF_SHARED(uint32_t, copies);
    __shared__ gpu_staged staged[GROUPS_MAX * ROWS / WARP];
    size_t begin = (size_t)(blockIdx.x / parts) * ROWS, at = begin + threadIdx.x % ROWS;
    uint32_t groups = blockDim.x / ROWS, of_group = (part + groups - 1) / groups;
    uint32_t first = blockIdx.x % parts * part, end = first + part;
    first += threadIdx.x / ROWS * of_group;
    uint32_t last = first + of_group < end ? first + of_group : end;
    int is_there = at < level.rows;
    gpu_staged *own = &staged[threadIdx.x / WARP];
    const uint32_t *row;
    if (words > 0) {
        copy_rows(level, table, begin, words, copies);
        row = copies + threadIdx.x % ROWS * (words | 1);
    } else {
        row = row_at(table, is_there ? level.row[at] : 0);
    }
    if (table.bytes)
        project_row(level, sampler, (uint32_t)at, is_there, (const uint8_t *)row, table.fill, first,
                    last, own);
    else
        project_row(level, sampler, (uint32_t)at, is_there, (const float *)row, table.fill, first,
                    last, own);
}

int gpu_project(const gpu_level &level, const gpu_table &table, const gpu_sampler &sampler) {
    uint32_t words = words_of(table), d = sampler.projections;
    if (words > WORDS_MAX) words = 0;
    size_t tiles = gpu_blocks(level.rows, ROWS), most = gpu_blocks(d, LEAST_PART);
    size_t parts = gpu_blocks(BLOCKS_WANTED, tiles);
    parts = parts < most ? parts : most;
    uint32_t part = (uint32_t)gpu_blocks(d, parts), groups = words > 64 && part >= 64 ? GROUPS_MAX : 1;
    size_t bytes = words > 0 ? (size_t)ROWS * (words | 1) * sizeof(float) : 0;
    if (!gpu_allow_shared(project_rows, bytes)) return 0;
    SPF_LAUNCH(project_rows, tiles * parts, ROWS * groups, bytes, level, table, sampler,
               (uint32_t)parts, part, words);
    return gpu_launched();
}
