/* Weighs both sides of every cut, decides what becomes of the children, adds up where everything
 * goes, and moves it there. */
#include "part.cuh"

#include "project.cuh"

extern "C" {
#include "base/philox.h"
}

enum { USE_NODE_KEY = 1, ROOT_KEY = 1, SUM_THREADS = 256 };

/* ---- both sides ------------------------------------------------------------------------------ */

static __device__ __forceinline__ int goes_left(float value, const gpu_split &split) {
    return value == value ? value <= split.threshold : split.missing_left;
}

/* A cut that parts missing values from all others does so for new values, too: see
 * spf_missing_threshold_of. */
static __device__ __forceinline__ float threshold_of(const gpu_cut &cut, float low, float high) {
    if (cut.side == GPU_MISSING_LEFT && cut.threshold < low) return -0x1p127f;
    if (cut.side == GPU_MISSING_RIGHT && cut.threshold >= high) return 0x1p127f;
    return cut.threshold;
}

static __device__ __forceinline__ gpu_split start_split(const gpu_cut &cut, float low, float high) {
    gpu_split split = {};
    split.found = cut.found;
    split.missing_left = cut.side == GPU_MISSING_LEFT;
    split.threshold = threshold_of(cut, low, high);
    return split;
}

/* A cut that leaves both sides with the class shares of the node gains nothing. */
static __device__ void finish_split(const gpu_rules &rules, const gpu_node &node,
                                    const gpu_cut &cut, const uint32_t *totals,
                                    const uint32_t *left, int has_missing, gpu_split *split) {
    uint64_t weight = 0;
    int same = 1;
    for (uint32_t k = 0; k < rules.classes; k++) weight += left[k];
    for (uint32_t k = 0; k < rules.classes; k++)
        same &= (uint64_t)left[k] * node.total == (uint64_t)totals[k] * weight;
    split->left_total = (uint32_t)weight;
    if (same) split->found = 0;
    if (has_missing && cut.side == GPU_NO_MISSING) split->missing_left = 2 * weight > node.total;
}

__global__ void weigh_by_warp(gpu_level level, gpu_table table, gpu_rules rules,
                              gpu_sampler sampler, const uint32_t *list, uint32_t count,
                              uint32_t *left_totals, gpu_split *splits) {
    uint32_t place = (uint32_t)(((size_t)blockIdx.x * blockDim.x + threadIdx.x) / WARP);
    if (place >= count) return;
    uint32_t i = list[place];
    gpu_node node = level.node[i];
    gpu_cut cut = level.cut[i];
    uint32_t *left = left_totals + (size_t)i * rules.classes;
    if (!cut.found) {
        if (lane_of() == 0) splits[i] = start_split(cut, 0, 0);
        return;
    }
    gpu_projection p = projection_of(level, sampler, i, cut.candidate);
    const uint32_t *row = level.row + node.begin;
    float low = INFINITY, high = -INFINITY;
    if (cut.side != GPU_NO_MISSING) {
        for (uint32_t r = lane_of(); r < node.rows; r += WARP) {
            float value = value_of_words(table, row_at(table, row[r]), p);
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        low = least_of_warp(low);
        high = most_of_warp(high);
    }
    gpu_split split = start_split(cut, low, high);
    for (uint32_t r = 0; r < node.rows; r += WARP) {
        int inside = r + lane_of() < node.rows;
        uint32_t tag = inside ? level.tag[node.begin + r + lane_of()] : 0;
        int is_left =
            inside && goes_left(value_of_words(table, row_at(table, row[r + lane_of()]), p), split);
        split.left_rows += __popc(__ballot_sync(ALL_LANES, is_left));
        for (uint32_t k = 0; k < rules.classes; k++) {
            uint32_t weight =
                sum_of_warp(is_left && class_of(rules, tag) == k ? weight_of(rules, tag) : 0);
            if (lane_of() == 0) left[k] = r == 0 ? weight : left[k] + weight;
        }
    }
    if (lane_of() > 0) return;
    finish_split(rules, node, cut, level.totals + (size_t)i * rules.classes, left,
                 table.has_missing, &split);
    splits[i] = split;
}

__global__ void __launch_bounds__(1024, 1)
    weigh_by_block(gpu_level level, gpu_rules rules, uint32_t projections, const uint32_t *list,
                   int has_missing, uint32_t *left_totals, gpu_split *splits) {
    __shared__ uint32_t weights[WARP], rows, low, high;
    uint32_t i = list[blockIdx.x];
    gpu_node node = level.node[i];
    gpu_cut cut = level.cut[i];
    if (!cut.found) {
        if (threadIdx.x == 0) splits[i] = start_split(cut, 0, 0);
        return;
    }
    if (threadIdx.x < WARP) weights[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        rows = high = 0;
        low = UINT32_MAX;
    }
    __syncthreads();
    const float *value = column_of(level, node, projections, cut.candidate);
    if (cut.side != GPU_NO_MISSING) {
        for (uint32_t r = threadIdx.x; r < node.rows; r += blockDim.x) {
            if (value[r] != value[r]) continue;
            atomicMin(&low, order_of(value[r]));
            atomicMax(&high, order_of(value[r]));
        }
        __syncthreads();
    }
    gpu_class_weights own = {};
    gpu_split split = start_split(cut, unorder(low), unorder(high));
    for (uint32_t r = 0; r < node.rows; r += blockDim.x) {
        int inside = r + threadIdx.x < node.rows;
        uint32_t tag = inside ? level.tag[node.begin + r + threadIdx.x] : 0;
        int is_left = inside && goes_left(value[inside ? r + threadIdx.x : 0], split);
        unsigned ballot = __ballot_sync(ALL_LANES, is_left);
        if (lane_of() == 0) split.left_rows += __popc(ballot);
        if (is_left) add_weight(rules, tag, &own, weights);
    }
    join_weights(rules, own, weights);
    if (lane_of() == 0) atomicAdd(&rows, split.left_rows);
    __syncthreads();
    uint32_t *left = left_totals + (size_t)i * rules.classes;
    if (threadIdx.x > 0) return;
    for (uint32_t k = 0; k < rules.classes; k++) left[k] = weights[k];
    split.left_rows = rows;
    finish_split(rules, node, cut, level.totals + (size_t)i * rules.classes, left, has_missing,
                 &split);
    splits[i] = split;
}

/* ---- children -------------------------------------------------------------------------------- */

/* The children of a node: their classes are those of the node that go left, and the others. */
struct gpu_child {
    uint32_t rows, total, present;
    int is_open;
};

static __device__ gpu_child child_of(const gpu_rules &rules, const gpu_node &node,
                                     const gpu_split &split, const uint32_t *totals,
                                     const uint32_t *left, int right) {
    gpu_child child = {right ? node.rows - split.left_rows : split.left_rows,
                       right ? node.total - split.left_total : split.left_total, 0, 0};
    for (uint32_t k = 0; k < rules.classes; k++)
        child.present += (right ? totals[k] - left[k] : left[k]) > 0;
    child.is_open = child.present > 1 && child.total >= 2 * (uint64_t)node.least_units &&
                    (rules.max_depth == 0 || node.depth + 1 < rules.max_depth) &&
                    (rules.relative || (child.total >= rules.min_split &&
                                        child.total >= 2 * (uint64_t)rules.min_leaf));
    return child;
}

__global__ void decide(gpu_level level, gpu_rules rules, uint32_t projections,
                       const uint32_t *left_totals, gpu_split *splits, gpu_adds *adds) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= level.nodes) return;
    gpu_node node = level.node[i];
    gpu_split split = splits[i];
    gpu_adds add = {};
    if (!split.found) {
        add.of[ADD_ENTRIES] = node.present;
        adds[i] = add;
        return;
    }
    const uint32_t *totals = level.totals + (size_t)i * rules.classes;
    const uint32_t *left = left_totals + (size_t)i * rules.classes;
    const uint32_t *start =
        level.candidates.start + (size_t)i * (projections + 1) + level.cut[i].candidate;
    add.of[ADD_SPLITS] = 1;
    add.of[ADD_TERMS] = start[1] - start[0];
    for (int side = 0; side < 2; side++) {
        gpu_child child = child_of(rules, node, split, totals, left, side);
        add.of[ADD_OPEN] += child.is_open;
        add.of[ADD_ROWS] += child.is_open ? child.rows : 0;
        add.of[ADD_ENTRIES] += child.is_open ? 0 : child.present;
    }
    adds[i] = add;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* Every node's adds become the sums of those before it in its block; sums gets those of blocks. */
__global__ void add_up_blocks(gpu_adds *adds, uint32_t count, gpu_adds *sums) {
    __shared__ uint32_t of_warp[ADDS][WARP];
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x / WARP;
    gpu_adds own = {};
    uint32_t before[ADDS];
    if (i < count) own = adds[i];
    for (int a = 0; a < ADDS; a++) {
        before[a] = sum_before(own.of[a]);
        if (lane_of() == WARP - 1) of_warp[a][warp] = before[a] + own.of[a];
    }
    __syncthreads();
    for (int a = 0; a < ADDS; a++)
        for (uint32_t w = 0; w < warp; w++) before[a] += of_warp[a][w];
    if (threadIdx.x == blockDim.x - 1)
        for (int a = 0; a < ADDS; a++) sums[blockIdx.x].of[a] = before[a] + own.of[a];
    if (i >= count) return;
    for (int a = 0; a < ADDS; a++) adds[i].of[a] = before[a];
}

/* One block: the sums of blocks become those of all blocks before; the last place gets all. */
__global__ void add_up_sums(gpu_adds *sums, uint32_t blocks) {
    __shared__ uint32_t of_warp[ADDS][WARP];
    uint32_t before_all[ADDS] = {}, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    for (uint32_t first = 0; first < blocks; first += blockDim.x) {
        uint32_t i = first + threadIdx.x, before[ADDS];
        gpu_adds own = {};
        if (i < blocks) own = sums[i];
        for (int a = 0; a < ADDS; a++) {
            before[a] = sum_before(own.of[a]);
            if (lane_of() == WARP - 1) of_warp[a][warp] = before[a] + own.of[a];
        }
        __syncthreads();
        for (int a = 0; a < ADDS; a++) {
            uint32_t sum = before_all[a] + before[a];
            for (uint32_t w = 0; w < warps; w++) {
                sum += w < warp ? of_warp[a][w] : 0;
                before_all[a] += of_warp[a][w];
            }
            if (i < blocks) sums[i].of[a] = sum;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        for (int a = 0; a < ADDS; a++) sums[blocks].of[a] = before_all[a];
}

/* ---- the next level -------------------------------------------------------------------------- */

struct gpu_target {
    gpu_made *made;
    gpu_term *term;
    uint32_t *entry_class;
    float *entry_weight;
    uint32_t nodes, terms, entries; /* so far */
    gpu_node *node;
    uint32_t *totals, *row, *tag, *owner, *lists, *list_counts;
    uint32_t next_nodes;
};

/* The classes of a leaf. */
static __device__ uint32_t make_leaf(const gpu_rules &rules, const gpu_target &to, uint32_t tree,
                                     uint32_t id, const uint32_t *totals, const uint32_t *less,
                                     uint32_t at) {
    gpu_made leaf = {};
    leaf.tree = tree;
    leaf.entries_at = at;
    for (uint32_t k = 0; k < rules.classes; k++) {
        uint32_t weight = totals[k] - (less ? less[k] : 0);
        if (weight == 0) continue;
        to.entry_class[at] = k;
        to.entry_weight[at++] = (float)weight;
    }
    leaf.entries = at - leaf.entries_at;
    to.made[id] = leaf;
    return at;
}

/* A node that will be split, or tried. */
static __device__ void open_node(const gpu_rules &rules, const gpu_target &to, uint32_t at,
                                 const gpu_node &node, const uint32_t *totals,
                                 const uint32_t *less) {
    to.node[at] = node;
    for (uint32_t k = 0; k < rules.classes; k++)
        to.totals[(size_t)at * rules.classes + k] = totals[k] - (less ? less[k] : 0);
    gpu_size size = size_of(node.rows);
    to.lists[(size_t)size * to.next_nodes + atomicAdd(&to.list_counts[size], 1u)] = at;
    if (size == GPU_MIDDLE && node.total > SHORT_WEIGHT) atomicAdd(&to.list_counts[GPU_HEAVY], 1u);
}

static __device__ void child_keys(uint64_t tree, uint64_t node, uint64_t *keys) {
    spf_philox_key key;
    spf_philox_block counter;
    key.v[0] = (uint32_t)tree;
    key.v[1] = (uint32_t)(tree >> 32);
    counter.v[0] = 0;
    counter.v[1] = USE_NODE_KEY;
    counter.v[2] = (uint32_t)node;
    counter.v[3] = (uint32_t)(node >> 32);
    spf_philox_block block = spf_philox(counter, key);
    keys[0] = (uint64_t)block.v[0] << 32 | block.v[1];
    keys[1] = (uint64_t)block.v[2] << 32 | block.v[3];
}

__global__ void make_children(gpu_level level, gpu_rules rules, gpu_sampler sampler,
                              const gpu_tree *trees, const uint32_t *left_totals, gpu_split *splits,
                              const gpu_adds *adds, const gpu_adds *sums, gpu_target to) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= level.nodes) return;
    gpu_node node = level.node[i];
    gpu_split split = splits[i];
    uint32_t at[ADDS];
    for (int a = 0; a < ADDS; a++) at[a] = adds[i].of[a] + sums[i / SUM_THREADS].of[a];
    const uint32_t *totals = level.totals + (size_t)i * rules.classes;
    const uint32_t *left = left_totals + (size_t)i * rules.classes;
    uint32_t entries = to.entries + at[ADD_ENTRIES];
    if (!split.found) {
        make_leaf(rules, to, node.tree, node.id, totals, NULL, entries);
        return;
    }
    uint32_t candidate = level.cut[i].candidate;
    const uint32_t *start =
        level.candidates.start + (size_t)i * (sampler.projections + 1) + candidate;
    gpu_made made = {node.tree,
                     to.nodes + 2 * at[ADD_SPLITS],
                     split.threshold,
                     (uint32_t)split.missing_left,
                     to.terms + at[ADD_TERMS],
                     start[1] - start[0],
                     0,
                     0};
    to.made[node.id] = made;
    const gpu_term *term = level.candidates.term + (size_t)i * sampler.terms + start[0];
    for (uint32_t t = 0; t < made.terms; t++) to.term[made.terms_at + t] = term[t];
    uint64_t keys[2];
    child_keys(trees[node.tree].key, node.key, keys);
    uint32_t open = at[ADD_OPEN], rows = at[ADD_ROWS];
    for (int side = 0; side < 2; side++) {
        gpu_child child = child_of(rules, node, split, totals, left, side);
        const uint32_t *of = side ? totals : left, *less = side ? left : NULL;
        splits[i].open[side] = child.is_open ? open : UINT32_MAX;
        if (!child.is_open) {
            entries = make_leaf(rules, to, node.tree, made.left + side, of, less, entries);
            continue;
        }
        gpu_node next = {keys[side],  node.tree,     made.left + side,
                         rows,        child.rows,    node.depth + 1,
                         child.total, child.present, node.least_units};
        open_node(rules, to, open++, next, of, less);
        rows += child.rows;
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static __device__ __forceinline__ void move_row(const gpu_level &level, const gpu_target &to,
                                                uint32_t from, uint32_t owner, uint32_t place) {
    to.row[place] = level.row[from];
    to.tag[place] = level.tag[from];
    to.owner[place] = owner;
}

__global__ void part_by_warp(gpu_level level, gpu_table table, gpu_sampler sampler,
                             const uint32_t *list, uint32_t count, const gpu_split *splits,
                             gpu_target to) {
    uint32_t place = (uint32_t)(((size_t)blockIdx.x * blockDim.x + threadIdx.x) / WARP);
    if (place >= count) return;
    uint32_t i = list[place], moved[2] = {0, 0};
    gpu_split split = splits[i];
    if (!split.found || (split.open[0] == UINT32_MAX && split.open[1] == UINT32_MAX)) return;
    gpu_node node = level.node[i];
    gpu_projection p = projection_of(level, sampler, i, level.cut[i].candidate);
    const uint32_t *row = level.row + node.begin;
    uint32_t begin[2];
    for (int side = 0; side < 2; side++)
        begin[side] = split.open[side] == UINT32_MAX ? 0 : to.node[split.open[side]].begin;
    for (uint32_t r = 0; r < node.rows; r += WARP) {
        int inside = r + lane_of() < node.rows;
        int is_left =
            inside && goes_left(value_of_words(table, row_at(table, row[r + lane_of()]), p), split);
        unsigned lefts = __ballot_sync(ALL_LANES, is_left);
        unsigned rights = __ballot_sync(ALL_LANES, inside && !is_left);
        unsigned mine = is_left ? lefts : rights, lower = (1u << lane_of()) - 1;
        int side = !is_left;
        if (inside && split.open[side] != UINT32_MAX)
            move_row(level, to, node.begin + r + lane_of(), split.open[side],
                     begin[side] + moved[side] + __popc(mine & lower));
        moved[0] += __popc(lefts);
        moved[1] += __popc(rights);
    }
}

__global__ void __launch_bounds__(1024, 1)
    part_by_block(gpu_level level, uint32_t projections, const uint32_t *list,
                  const gpu_split *splits, gpu_target to) {
    __shared__ uint32_t of_warp[WARP];
    uint32_t i = list[blockIdx.x], warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    gpu_split split = splits[i];
    if (!split.found || (split.open[0] == UINT32_MAX && split.open[1] == UINT32_MAX)) return;
    gpu_node node = level.node[i];
    const float *value = column_of(level, node, projections, level.cut[i].candidate);
    uint32_t begin[2], moved = 0; /* to the left */
    for (int side = 0; side < 2; side++)
        begin[side] = split.open[side] == UINT32_MAX ? 0 : to.node[split.open[side]].begin;
    for (uint32_t r = 0; r < node.rows; r += blockDim.x) {
        int inside = r + threadIdx.x < node.rows;
        int is_left = inside && goes_left(value[inside ? r + threadIdx.x : 0], split);
        unsigned lefts = __ballot_sync(ALL_LANES, is_left);
        if (lane_of() == 0) of_warp[warp] = __popc(lefts);
        __syncthreads();
        uint32_t before = __popc(lefts & ((1u << lane_of()) - 1)), all = 0;
        for (uint32_t w = 0; w < warps; w++) {
            before += w < warp ? of_warp[w] : 0;
            all += of_warp[w];
        }
        uint32_t place =
            is_left ? begin[0] + moved + before : begin[1] + (r - moved) + (threadIdx.x - before);
        if (inside && split.open[!is_left] != UINT32_MAX)
            move_row(level, to, node.begin + r + threadIdx.x, split.open[!is_left], place);
        moved += all;
        __syncthreads();
    }
}

/* ---- for the host --------------------------------------------------------------------------- */

static int make_room(const gpu_rules &rules, const uint32_t *all, gpu_trees *made, gpu_rows *next) {
    const uint32_t zero[GPU_COUNTS] = {};
    next->nodes = all[ADD_OPEN];
    next->rows = all[ADD_ROWS];
    return gpu_extend(&made->made, made->nodes, made->nodes + 2 * (size_t)all[ADD_SPLITS]) &&
           gpu_extend(&made->term, made->terms, made->terms + (size_t)all[ADD_TERMS]) &&
           gpu_extend(&made->entry_class, made->entries,
                      made->entries + (size_t)all[ADD_ENTRIES]) &&
           gpu_extend(&made->entry_weight, made->entries,
                      made->entries + (size_t)all[ADD_ENTRIES]) &&
           gpu_reserve(&next->node, next->nodes) && gpu_reserve(&next->row, next->rows) &&
           gpu_reserve(&next->totals, (size_t)next->nodes * rules.classes) &&
           gpu_reserve(&next->tag, next->rows) && gpu_reserve(&next->owner, next->rows) &&
           gpu_reserve(&next->lists, (size_t)GPU_SIZES * next->nodes) &&
           gpu_upload(&next->list_counts, zero, GPU_COUNTS);
}

static gpu_target target_of(const gpu_trees *made, const gpu_rows *next) {
    gpu_target to = {
        made->made.at, made->term.at,  made->entry_class.at, made->entry_weight.at, made->nodes,
        made->terms,   made->entries,  next->node.at,        next->totals.at,       next->row.at,
        next->tag.at,  next->owner.at, next->lists.at,       next->list_counts.at,  next->nodes};
    return to;
}

static int add_up(gpu_parting *p, uint32_t count, gpu_adds *all) {
    uint32_t blocks = (uint32_t)gpu_blocks(count, SUM_THREADS);
    if (!gpu_reserve(&p->sums, (size_t)blocks + 1)) return 0;
    SPF_LAUNCH(add_up_blocks, blocks, SUM_THREADS, 0, p->adds.at, count, p->sums.at);
    SPF_LAUNCH(add_up_sums, 1, SUM_THREADS, 0, p->sums.at, blocks);
    return gpu_launched() && gpu_download(all, p->sums.at + blocks, 1);
}

int gpu_part(const gpu_level &level, const gpu_table &table, const gpu_rules &rules,
             const gpu_sampler &sampler, const gpu_tree *trees, const gpu_sizes &sizes,
             gpu_parting *p, gpu_trees *made, gpu_rows *next) {
    const unsigned threads = 128;
    uint32_t d = sampler.projections;
    gpu_adds all;
    if (!gpu_reserve(&p->left_totals, (size_t)level.nodes * rules.classes) ||
        !gpu_reserve(&p->split, level.nodes) || !gpu_reserve(&p->adds, level.nodes))
        return 0;
    for (int size = 0; size < GPU_SIZES; size++) {
        uint32_t count = sizes.count[size];
        if (count > 0 && size <= GPU_ROWS_128)
            SPF_LAUNCH(weigh_by_warp, gpu_blocks((size_t)count * WARP, threads), threads, 0, level,
                       table, rules, sampler, sizes.list[size], count, p->left_totals.at,
                       p->split.at);
        else if (count > 0)
            SPF_LAUNCH(weigh_by_block, count, size == GPU_LARGE ? 1024 : 256, 0, level, rules, d,
                       sizes.list[size], table.has_missing, p->left_totals.at, p->split.at);
    }
    SPF_LAUNCH(decide, gpu_blocks(level.nodes, threads), threads, 0, level, rules, d,
               p->left_totals.at, p->split.at, p->adds.at);
    if (!add_up(p, level.nodes, &all) || !make_room(rules, all.of, made, next)) return 0;
    gpu_target to = target_of(made, next);
    SPF_LAUNCH(make_children, gpu_blocks(level.nodes, threads), threads, 0, level, rules, sampler,
               trees, p->left_totals.at, p->split.at, p->adds.at, p->sums.at, to);
    for (int size = 0; size < GPU_SIZES; size++) {
        uint32_t count = sizes.count[size];
        if (count > 0 && size <= GPU_ROWS_128)
            SPF_LAUNCH(part_by_warp, gpu_blocks((size_t)count * WARP, threads), threads, 0, level,
                       table, sampler, sizes.list[size], count, p->split.at, to);
        else if (count > 0)
            SPF_LAUNCH(part_by_block, count, size == GPU_LARGE ? 1024 : 256, 0, level, d,
                       sizes.list[size], p->split.at, to);
    }
    made->nodes += 2 * all.of[ADD_SPLITS];
    made->terms += all.of[ADD_TERMS];
    made->entries += all.of[ADD_ENTRIES];
    return gpu_launched();
}

/* ---- roots ----------------------------------------------------------------------------------- */

/* A block for a tree: the classes of its bag. */
__global__ void weigh_roots(gpu_rules rules, const uint32_t *begin, const uint32_t *tag,
                            uint32_t *totals) {
    __shared__ uint32_t weights[WARP];
    gpu_class_weights own = {};
    if (threadIdx.x < WARP) weights[threadIdx.x] = 0;
    __syncthreads();
    for (uint32_t r = begin[blockIdx.x] + threadIdx.x; r < begin[blockIdx.x + 1]; r += blockDim.x)
        add_weight(rules, tag[r], &own, weights);
    join_weights(rules, own, weights);
    __syncthreads();
    if (threadIdx.x < rules.classes)
        totals[(size_t)blockIdx.x * rules.classes + threadIdx.x] = weights[threadIdx.x];
}

/* A root is the left child of a node that sends everything there. */
static __device__ gpu_child root_of(const gpu_rules &rules, const gpu_tree &tree, uint32_t number,
                                    uint32_t rows, const uint32_t *totals, gpu_node *root) {
    gpu_node above = {};
    gpu_split split = {};
    above.depth = UINT32_MAX; /* its child has depth 0 */
    above.rows = split.left_rows = rows;
    above.least_units = tree.least_units;
    for (uint32_t k = 0; k < rules.classes; k++) above.total += totals[k];
    split.left_total = above.total;
    gpu_child child = child_of(rules, above, split, totals, totals, 0);
    gpu_node node = {ROOT_KEY,    number,        number,          0, rows, 0,
                     above.total, child.present, tree.least_units};
    *root = node;
    return child;
}

__global__ void decide_roots(gpu_rules rules, const gpu_tree *trees, uint32_t count,
                             const uint32_t *begin, const uint32_t *totals, gpu_adds *adds) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    gpu_node root;
    gpu_child child = root_of(rules, trees[i], i, begin[i + 1] - begin[i],
                              totals + (size_t)i * rules.classes, &root);
    gpu_adds add = {};
    add.of[ADD_OPEN] = child.is_open;
    add.of[ADD_ROWS] = child.is_open ? child.rows : 0;
    add.of[ADD_ENTRIES] = child.is_open ? 0 : child.present;
    adds[i] = add;
}

__global__ void make_roots(gpu_rules rules, const gpu_tree *trees, uint32_t count,
                           const uint32_t *begin, const uint32_t *totals, const gpu_adds *adds,
                           const gpu_adds *sums, gpu_target to) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const uint32_t *own = totals + (size_t)i * rules.classes;
    gpu_node root;
    gpu_child child = root_of(rules, trees[i], i, begin[i + 1] - begin[i], own, &root);
    const gpu_adds &before = sums[i / SUM_THREADS];
    root.begin = adds[i].of[ADD_ROWS] + before.of[ADD_ROWS];
    if (child.is_open)
        open_node(rules, to, adds[i].of[ADD_OPEN] + before.of[ADD_OPEN], root, own, NULL);
    else
        make_leaf(rules, to, i, i, own, NULL, adds[i].of[ADD_ENTRIES] + before.of[ADD_ENTRIES]);
}

/* A block for an open root. */
__global__ void fill_roots(const uint32_t *begin, const uint32_t *row, const uint32_t *tag,
                           gpu_target to) {
    gpu_node root = to.node[blockIdx.x];
    for (uint32_t r = threadIdx.x; r < root.rows; r += blockDim.x) {
        to.row[root.begin + r] = row[begin[root.tree] + r];
        to.tag[root.begin + r] = tag[begin[root.tree] + r];
        to.owner[root.begin + r] = blockIdx.x;
    }
}

int gpu_plant(const gpu_rules &rules, const gpu_tree *trees, uint32_t count,
              const uint32_t *bag_begin, const gpu_array<uint32_t> &bag_row,
              const gpu_array<uint32_t> &bag_tag, gpu_parting *p, gpu_trees *made, gpu_rows *next) {
    gpu_adds all;
    if (!gpu_reserve(&p->left_totals, (size_t)count * rules.classes) ||
        !gpu_reserve(&p->adds, count))
        return 0;
    made->nodes = made->terms = made->entries = 0;
    SPF_LAUNCH(weigh_roots, count, 512, 0, rules, bag_begin, bag_tag.at, p->left_totals.at);
    SPF_LAUNCH(decide_roots, gpu_blocks(count, 128), 128, 0, rules, trees, count, bag_begin,
               p->left_totals.at, p->adds.at);
    if (!add_up(p, count, &all)) return 0;
    made->nodes = count;
    if (!gpu_extend(&made->made, 0, count) || !make_room(rules, all.of, made, next)) return 0;
    gpu_target to = target_of(made, next);
    SPF_LAUNCH(make_roots, gpu_blocks(count, 128), 128, 0, rules, trees, count, bag_begin,
               p->left_totals.at, p->adds.at, p->sums.at, to);
    if (next->nodes > 0)
        SPF_LAUNCH(fill_roots, next->nodes, 512, 0, bag_begin, bag_row.at, bag_tag.at, to);
    made->entries = all.of[ADD_ENTRIES];
    return gpu_launched();
}
