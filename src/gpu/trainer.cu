/* A batch of trees grows level by level. */
#include "trainer.h"

#include "assemble.cuh"
#include "bags.cuh"
#include "draw.cuh"
#include "project.cuh"
#include "search.cuh"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of tags in bags that are drawn here; there are at most SPF_GPU_CLASSES_MAX classes. */
enum { DRAWN_WEIGHT_BITS = 27 };

/* Large copies go through memory that the device can reach directly, which is several times as
 * fast. */
enum { CARRIER_BYTES = SPF_GPU_PIECE * sizeof(float) };

struct gpu_carrier {
    void *memory; /* CARRIER_BYTES, or NULL */
    cudaStream_t stream;
    gpu_array<float> piece; /* of the table */
};

/* The trees of a batch, until the next but one. */
struct gpu_finished {
    gpu_forest forest;
    gpu_array<uint32_t> other_row, other_leaf;
    gpu_extents *size, *begin; /* [batch] */
    uint32_t *other_begin;     /* [batch + 1] */
    uint32_t capacity;
};

struct spf_gpu_trainer {
    gpu_sampler sampler;
    gpu_rules rules;
    gpu_table table;
    /* what they point to */
    gpu_array<float> values, fill, scale;
    gpu_array<uint8_t> bytes;
    gpu_array<double> xlogx;
    /* a batch */
    gpu_array<gpu_tree> trees;
    gpu_urn urn; /* without draws, bags are given */
    gpu_array<uint32_t> label;
    gpu_bagging bagging;
    gpu_array<uint32_t> bag_begin, bag_row, bag_tag, other_begin_copy;
    gpu_rows rows[2]; /* this level, and the next one */
    gpu_array<uint32_t> candidate_count, candidate_start;
    gpu_array<gpu_term> candidate_term;
    gpu_array<float> projected;
    gpu_array<gpu_cut> cut;
    gpu_drawing drawing;
    gpu_searching searching;
    gpu_parting parting;
    gpu_trees made;
    uint32_t *level_end;
    size_t levels, levels_capacity;
    gpu_assembling assembling;
    uint32_t batch;
    gpu_finished finished[2];
    gpu_finished *last; /* one of these */
    gpu_carrier carriers[SPF_GPU_CARRIERS];
    int device;
};

thread_local cudaError_t gpu_last_error = cudaSuccess;

/* Every thread has a device of its own choice: that of the trainer becomes this thread's. */
static int enter(const spf_gpu_trainer *t) {
    return gpu_succeeded(cudaSetDevice(t->device));
}

const char *spf_gpu_failure(void) {
    return cudaGetErrorString(gpu_last_error);
}

/* The memory may also be the host's. */
spf_gpu_result spf_gpu_why_failed(void) {
    gpu_succeeded(cudaDeviceSynchronize()); /* kernels fail later than they are launched */
    cudaGetLastError();                     /* the next call starts without it */
    return gpu_last_error == cudaSuccess || gpu_last_error == cudaErrorMemoryAllocation
               ? SPF_GPU_MEMORY
               : SPF_GPU_FAILED;
}

/* CUDA has the same error for no driver and for one that is too old. */
static const char *why_no_driver(void) {
    int version = 0;
    return cudaDriverGetVersion(&version) == cudaSuccess && version > 0
               ? "the NVIDIA driver is older than the CUDA of this build"
               : "there is no NVIDIA driver";
}

/* Kernels take up to 200 KB of shared memory, which GPUs have from compute capability 9.0 on. */
int spf_gpu_is_there(const char **why) {
    int count = 0, bytes = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count > 0)
        error = cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    cudaGetLastError();
    if (error == cudaErrorInsufficientDriver)
        *why = why_no_driver();
    else if (error != cudaSuccess)
        *why = cudaGetErrorString(error);
    else if (count == 0)
        *why = "no GPU was found";
    else if (bytes < 200 * 1024)
        *why = "the GPU has too little shared memory: compute capability 9.0 is needed";
    else
        return 1;
    return 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

static int make_table(const spf_gpu_setup *s, spf_gpu_trainer *t) {
    size_t stride = s->whole ? (s->features + 3) / 4 * 4 : s->features, cells = s->rows * stride;
    if (s->whole ? !gpu_reserve(&t->bytes, cells) : !gpu_reserve(&t->values, cells)) return 0;
    gpu_table table = {t->values.at,          t->bytes.at,      NULL,          (uint32_t)s->rows,
                       (uint32_t)s->features, (uint32_t)stride, s->has_missing};
    t->table = table;
    return 1;
}

/* Values from `first` on of all columns, one after the other, go to their rows. */
__global__ void put_values(const float *piece, uint32_t count, size_t first, uint32_t rows,
                           uint32_t stride, float *values, uint8_t *bytes) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    size_t place = (first + i) % rows * stride + (first + i) / rows;
    if (bytes)
        bytes[place] = (uint8_t)piece[i];
    else
        values[place] = piece[i];
}

static int copy_rules(const spf_gpu_setup *s, spf_gpu_trainer *t) {
    gpu_rules rules = {s->classes,
                       0,
                       s->entropy,
                       NULL,
                       (uint32_t)s->xlogx_size,
                       s->xlogx_unit,
                       s->max_depth,
                       s->min_split,
                       s->min_leaf,
                       s->relative};
    gpu_sampler sampler = {(gpu_method)s->method,
                           (gpu_weights)s->weights,
                           (uint32_t)s->features,
                           s->projections,
                           s->terms,
                           s->of_each,
                           NULL,
                           NULL};
    if (s->xlogx && !gpu_upload(&t->xlogx, s->xlogx, s->xlogx_size)) return 0;
    if (s->fill && !gpu_upload(&t->fill, s->fill, s->features)) return 0;
    if (s->scale && !gpu_upload(&t->scale, s->scale, s->features)) return 0;
    rules.xlogx = t->xlogx.at;
    t->table.fill = t->fill.at;
    sampler.scale = t->scale.at;
    sampler.fill = t->fill.at;
    t->rules = rules;
    t->sampler = sampler;
    if (s->draws > 0 && !gpu_upload(&t->label, s->labels, s->rows)) return 0;
    gpu_urn urn = {(uint32_t)s->rows, s->draws, t->label.at, DRAWN_WEIGHT_BITS};
    t->urn = urn;
    return gpu_reserve(&t->searching.failed, 1);
}

spf_gpu_result spf_gpu_create(const spf_gpu_setup *setup, spf_gpu_trainer **out) {
    spf_gpu_trainer *t = (spf_gpu_trainer *)calloc(1, sizeof *t);
    gpu_last_error = cudaSuccess;
    if (!t) return SPF_GPU_MEMORY;
    t->last = t->finished;
    if (gpu_succeeded(cudaGetDevice(&t->device)) && make_table(setup, t) && copy_rules(setup, t)) {
        *out = t;
        return SPF_GPU_OK;
    }
    spf_gpu_result result = spf_gpu_why_failed();
    spf_gpu_free(t);
    return result;
}

static void free_rows(gpu_rows *rows) {
    gpu_free(&rows->node);
    gpu_free(&rows->totals);
    gpu_free(&rows->row);
    gpu_free(&rows->tag);
    gpu_free(&rows->owner);
    gpu_free(&rows->lists);
    gpu_free(&rows->list_counts);
}

static void free_made(gpu_trees *made) {
    gpu_free(&made->made);
    gpu_free(&made->term);
    gpu_free(&made->entry_class);
    gpu_free(&made->entry_weight);
}

static void free_forest(gpu_forest *forest) {
    gpu_free(&forest->nodes);
    gpu_free(&forest->projection_start);
    gpu_free(&forest->term_feature);
    gpu_free(&forest->leaf_start);
    gpu_free(&forest->leaf_class);
    gpu_free(&forest->term_weight);
    gpu_free(&forest->leaf_weight);
    gpu_free(&forest->begin);
}

static void free_assembling(gpu_assembling *a) {
    gpu_free(&a->leaves);
    gpu_free(&a->terms);
    gpu_free(&a->entries);
    gpu_free(&a->weight);
    gpu_free(&a->place);
}

static void free_level(spf_gpu_trainer *t) {
    gpu_free(&t->candidate_count);
    gpu_free(&t->candidate_start);
    gpu_free(&t->candidate_term);
    gpu_free(&t->projected);
    gpu_free(&t->cut);
    t->drawing.decks = 0;
    gpu_free(&t->drawing.cards);
    gpu_free(&t->drawing.swapped);
    gpu_free(&t->drawing.cells);
    gpu_free(&t->searching.cuts);
    gpu_free(&t->searching.keys);
    gpu_free(&t->searching.failed);
    gpu_free(&t->parting.left_totals);
    gpu_free(&t->parting.split);
    gpu_free(&t->parting.adds);
    gpu_free(&t->parting.sums);
}

void spf_gpu_trim(spf_gpu_trainer *t) {
    gpu_free(&t->bagging.draws);
    gpu_free(&t->bagging.rejected);
    gpu_free(&t->bagging.parts);
    gpu_free(&t->bag_row);
    gpu_free(&t->bag_tag);
    free_rows(&t->rows[0]);
    free_rows(&t->rows[1]);
    free_level(t);
    free_made(&t->made);
    free_assembling(&t->assembling);
    for (gpu_finished &f : t->finished) {
        free_forest(&f.forest);
        gpu_free(&f.other_row);
        gpu_free(&f.other_leaf);
    }
}

void spf_gpu_free(spf_gpu_trainer *t) {
    if (!t) return;
    spf_gpu_trim(t);
    gpu_free(&t->values);
    gpu_free(&t->fill);
    gpu_free(&t->scale);
    gpu_free(&t->bytes);
    gpu_free(&t->xlogx);
    gpu_free(&t->trees);
    gpu_free(&t->label);
    gpu_free(&t->other_begin_copy);
    gpu_free(&t->bag_begin);
    for (gpu_carrier &c : t->carriers) {
        gpu_free(&c.piece);
        if (!c.memory) continue;
        cudaFreeHost(c.memory);
        cudaStreamDestroy(c.stream);
    }
    for (gpu_finished &f : t->finished) {
        free(f.size);
        free(f.begin);
        free(f.other_begin);
    }
    free(t->level_end);
    free(t);
}

/* ---- a batch --------------------------------------------------------------------------------- */

/* Of a row in the bag: the levels' arrays, its projections, and its part of the nodes, of which
 * there are half as many as rows, at most, with their candidates; and what becomes of them, twice:
 * a batch is fetched while the next one grows. */
size_t spf_gpu_trees_at_once(const spf_gpu_trainer *t, size_t bag_rows) {
    size_t left = 0, all = 0;
    double d = t->sampler.projections, terms = t->sampler.terms, classes = t->rules.classes;
    if (cudaMemGetInfo(&left, &all) != cudaSuccess) return 0;
    double node = 2 * (sizeof(gpu_node) + (GPU_SIZES + classes) * 4.0) + 4 * classes +
                  sizeof(gpu_cut) + sizeof(gpu_split) + sizeof(gpu_adds) + 8 * terms + 4 * (d + 2);
    double finished = 2 * sizeof(gpu_plain) + 20 + 8 * terms / d;
    double made = 2 * (sizeof(gpu_made) + 20 + sizeof(gpu_extents) + 32) + 8 * terms / d;
    double row = 40 + 4 * d + 16 + sizeof(gpu_cut) * d / SMALL_ROWS + node / 2 + made;
    double rows = t->table.rows;
    double drawn = t->urn.draws > 0 ? 4 * rows : 0;
    double handed = finished * (double)bag_rows + 8 * fmax(rows - (double)bag_rows, 0);
    double room = 0.9 * (double)left - gpu_drawing_bytes(t->sampler);
    double tree = row * (double)bag_rows + drawn + handed + 4096;
    double trees = room / (tree + handed);
    if (trees < 1 && room >= tree) trees = 1; /* then one waits for the other */
    /* rows and terms of all trees have numbers of 32 bits; the splits' terms may be above average
     */
    double terms_of_split = fmin(t->sampler.features, 2 * terms / d + 8);
    double most = fmin(0x1p32 / rows - 1, 0x1p32 / ((double)bag_rows * terms_of_split + 1));
    trees = fmin(trees, most);
    return trees < 1 ? 0 : (size_t)trees;
}

/* Where the rows of each tree begin, and those that are not in its bag. */
static int place_bags(spf_gpu_trainer *t, const uint32_t *rows, const uint32_t *others) {
    gpu_finished *f = t->last;
    size_t in = 0, out = 0;
    uint32_t *begin = (uint32_t *)malloc(((size_t)t->batch + 1) * sizeof *begin);
    if (!begin) return 0;
    for (uint32_t i = 0; i < t->batch; i++) {
        begin[i] = (uint32_t)in;
        f->other_begin[i] = (uint32_t)out;
        in += rows[i];
        out += others[i];
    }
    begin[t->batch] = (uint32_t)in;
    f->other_begin[t->batch] = (uint32_t)out;
    int done = in <= UINT32_MAX && out <= UINT32_MAX &&
               gpu_upload(&t->bag_begin, begin, (size_t)t->batch + 1) &&
               gpu_reserve(&t->bag_row, in) && gpu_reserve(&t->bag_tag, in) &&
               gpu_reserve(&f->other_row, out > 0 ? out : 1) &&
               gpu_reserve(&f->other_leaf, out > 0 ? out : 1);
    free(begin);
    return done;
}

template <typename T> static int copy_to(T *to, const T *from, size_t count) {
    return count == 0 ||
           gpu_succeeded(cudaMemcpy(to, from, count * sizeof *to, cudaMemcpyHostToDevice));
}

static int copy_given(spf_gpu_trainer *t, const spf_gpu_bag *bags) {
    size_t rows = 0;
    for (uint32_t i = 0; i < t->batch; i++) {
        const spf_gpu_bag *b = &bags[i];
        if (!copy_to(t->bag_row.at + rows, b->row, b->count) ||
            !copy_to(t->bag_tag.at + rows, b->tag, b->count) ||
            !copy_to(t->last->other_row.at + t->last->other_begin[i], b->other, b->others))
            return 0;
        rows += b->count;
    }
    return 1;
}

static int draw_bags(spf_gpu_trainer *t, uint32_t *rows, uint32_t *others) {
    if (!gpu_draw_bags(t->urn, t->trees.at, t->batch, &t->bagging, rows)) return 0;
    for (uint32_t i = 0; i < t->batch; i++) others[i] = t->urn.rows - rows[i];
    return place_bags(t, rows, others) &&
           gpu_upload(&t->other_begin_copy, t->last->other_begin, (size_t)t->batch + 1) &&
           gpu_list_bags(t->urn, t->batch, t->bagging, t->bag_begin.at, t->other_begin_copy.at,
                         t->bag_row.at, t->bag_tag.at, t->last->other_row.at);
}

static int make_bags(spf_gpu_trainer *t, const spf_gpu_bag *bags) {
    gpu_tree *trees = (gpu_tree *)malloc(t->batch * sizeof *trees);
    uint32_t *rows = (uint32_t *)malloc(2 * sizeof *rows * t->batch), *others = rows + t->batch;
    int done = trees && rows;
    for (uint32_t i = 0; done && i < t->batch; i++) {
        gpu_tree tree = {bags[i].key, bags[i].least_units};
        trees[i] = tree;
        rows[i] = bags[i].count;
        others[i] = bags[i].others;
    }
    done = done && gpu_upload(&t->trees, trees, t->batch) &&
           (t->urn.draws > 0 ? draw_bags(t, rows, others)
                             : place_bags(t, rows, others) && copy_given(t, bags));
    free(trees);
    free(rows);
    return done;
}

/* In the place of the last batch but one. */
static int make_batch(spf_gpu_trainer *t, uint32_t count) {
    gpu_finished *f = t->last = &t->finished[t->last == t->finished];
    t->batch = count;
    if (count <= f->capacity) return 1;
    free(f->size);
    free(f->begin);
    free(f->other_begin);
    f->size = (gpu_extents *)malloc(count * sizeof *f->size);
    f->begin = (gpu_extents *)malloc(count * sizeof *f->begin);
    f->other_begin = (uint32_t *)malloc(((size_t)count + 1) * sizeof *f->other_begin);
    f->capacity = f->size && f->begin && f->other_begin ? count : 0;
    return f->capacity > 0;
}

static int end_level(spf_gpu_trainer *t) {
    if (t->levels == t->levels_capacity) {
        size_t capacity = 2 * t->levels_capacity + 64;
        uint32_t *longer = (uint32_t *)realloc(t->level_end, capacity * sizeof *longer);
        if (!longer) return 0;
        t->level_end = longer;
        t->levels_capacity = capacity;
    }
    t->level_end[t->levels++] = t->made.nodes;
    return 1;
}

static int open_level(spf_gpu_trainer *t, const gpu_rows *rows, gpu_level *level,
                      gpu_sizes *sizes) {
    const gpu_sampler &s = t->sampler;
    size_t nodes = rows->nodes;
    if (!gpu_reserve(&t->candidate_count, nodes) ||
        !gpu_reserve(&t->candidate_start, nodes * ((size_t)s.projections + 1)) ||
        !gpu_reserve(&t->candidate_term, nodes * s.terms) ||
        !gpu_reserve(&t->projected, (size_t)rows->rows * s.projections) ||
        !gpu_reserve(&t->cut, nodes))
        return 0;
    gpu_candidates candidates = {t->candidate_count.at, t->candidate_start.at,
                                 t->candidate_term.at};
    gpu_level opened = {rows->nodes,  rows->rows,     rows->node.at, rows->totals.at, rows->row.at,
                        rows->tag.at, rows->owner.at, candidates,    t->projected.at, t->cut.at};
    *level = opened;
    for (int size = 0; size < GPU_SIZES; size++)
        sizes->list[size] = rows->lists.at + (size_t)size * nodes;
    return gpu_download(sizes->count, rows->list_counts.at, GPU_COUNTS);
}

static spf_gpu_result grow_level(spf_gpu_trainer *t, const gpu_rows *rows, gpu_rows *next) {
    gpu_level level;
    gpu_sizes sizes;
    uint32_t failed = 0;
    if (!gpu_upload(&t->searching.failed, &failed, 1) || !open_level(t, rows, &level, &sizes) ||
        !gpu_draw(level, t->sampler, t->trees.at, &t->drawing) ||
        !gpu_project(level, t->table, t->sampler) ||
        !gpu_search(level, t->table, t->rules, t->sampler, sizes, &t->searching) ||
        !gpu_part(level, t->table, t->rules, t->sampler, t->trees.at, sizes, &t->parting, &t->made,
                  next) ||
        !gpu_download(&failed, t->searching.failed.at, 1) || !end_level(t))
        return spf_gpu_why_failed();
    return failed ? SPF_GPU_TOO_CLOSE : SPF_GPU_OK;
}

static int finish_batch(spf_gpu_trainer *t) {
    gpu_finished *f = t->last;
    if (!gpu_assemble(t->made, t->level_end, t->levels, t->batch, t->table.has_missing,
                      &t->assembling, &f->forest, f->size, f->begin))
        return 0;
    for (uint32_t i = 0; i < t->batch; i++)
        if (!gpu_find_leaves(f->forest, f->begin[i], t->table, f->other_row.at + f->other_begin[i],
                             f->other_begin[i + 1] - f->other_begin[i],
                             f->other_leaf.at + f->other_begin[i]))
            return 0;
    return gpu_succeeded(cudaDeviceSynchronize());
}

spf_gpu_result spf_gpu_grow(spf_gpu_trainer *t, const spf_gpu_bag *bags, uint32_t count,
                            unsigned weight_bits, int (*interrupt)(void *), void *payload,
                            spf_gpu_size *sizes, unsigned *half) {
    t->rules.weight_bits = t->urn.draws > 0 ? DRAWN_WEIGHT_BITS : weight_bits;
    t->levels = 0;
    gpu_last_error = cudaSuccess;
    if (!enter(t) || !make_batch(t, count) || !make_bags(t, bags) ||
        !gpu_plant(t->rules, t->trees.at, count, t->bag_begin.at, t->bag_row, t->bag_tag,
                   &t->parting, &t->made, &t->rows[0]) ||
        !end_level(t))
        return spf_gpu_why_failed();
    for (unsigned now = 0; t->rows[now].nodes > 0; now = !now) {
        if (interrupt && interrupt(payload)) return SPF_GPU_INTERRUPTED;
        spf_gpu_result result = grow_level(t, &t->rows[now], &t->rows[!now]);
        if (result != SPF_GPU_OK) return result;
    }
    if (!finish_batch(t)) return spf_gpu_why_failed();
    for (uint32_t i = 0; i < count; i++) {
        const gpu_finished *f = t->last;
        const uint32_t *of = f->size[i].of;
        const spf_gpu_size size = {of[OF_NODES], of[OF_TERMS], of[OF_STARTS], of[OF_ENTRIES],
                                   f->other_begin[i + 1] - f->other_begin[i]};
        sizes[i] = size;
    }
    *half = t->last != t->finished;
    return SPF_GPU_OK;
}

/* ---- large copies --------------------------------------------------------------------------- */

/* Made by the thread that uses it; without memory for it there is another way. Its stream does not
 * wait for what is launched in the others. */
static gpu_carrier *carrier_of(spf_gpu_trainer *t, unsigned thread) {
    gpu_carrier *c = &t->carriers[thread];
    if (c->memory) return c;
    if (cudaMallocHost(&c->memory, CARRIER_BYTES) != cudaSuccess) c->memory = NULL;
    if (c->memory && cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking) != cudaSuccess) {
        cudaFreeHost(c->memory);
        c->memory = NULL;
    }
    cudaGetLastError();
    return c->memory ? c : NULL;
}

static void copy_values(const float *const *columns, size_t rows, size_t first, size_t count,
                        float *to) {
    while (count > 0) {
        size_t row = first % rows, some = rows - row < count ? rows - row : count;
        memcpy(to, columns[first / rows] + row, some * sizeof *to);
        first += some;
        count -= some;
        to += some;
    }
}

spf_gpu_result spf_gpu_load(spf_gpu_trainer *t, const float *const *columns, size_t piece,
                            unsigned thread) {
    const gpu_table &table = t->table;
    const size_t first = piece * SPF_GPU_PIECE, left = (size_t)table.rows * table.features - first;
    const size_t count = left < SPF_GPU_PIECE ? left : SPF_GPU_PIECE;
    if (!enter(t)) return spf_gpu_why_failed();
    gpu_carrier *c = carrier_of(t, thread), none = {};
    if (!c) c = &none;
    float *own = c->memory ? NULL : (float *)malloc(count * sizeof *own);
    float *room = own ? own : (float *)c->memory;
    int done = room && gpu_reserve(&c->piece, count);
    if (done) {
        copy_values(columns, table.rows, first, count, room);
        done = gpu_succeeded(cudaMemcpyAsync(c->piece.at, room, count * sizeof *room,
                                             cudaMemcpyHostToDevice, c->stream));
    }
    if (done) {
        SPF_LAUNCH_IN(c->stream, put_values, gpu_blocks(count, 256), 256, c->piece.at,
                      (uint32_t)count, first, table.rows, table.stride, (float *)table.values,
                      (uint8_t *)table.bytes);
        done = gpu_launched() && gpu_succeeded(cudaStreamSynchronize(c->stream));
    }
    free(own);
    gpu_free(&none.piece);
    return done ? SPF_GPU_OK : spf_gpu_why_failed();
}

template <typename T>
static int fetch(const gpu_carrier *c, T *to, const gpu_array<T> &from, size_t begin,
                 size_t count) {
    if (!c) return gpu_download(to, from.at + begin, count);
    const size_t most = CARRIER_BYTES / sizeof(T);
    for (size_t done = 0; done < count; done += most) {
        size_t some = count - done < most ? count - done : most;
        if (!gpu_succeeded(cudaMemcpyAsync(c->memory, from.at + begin + done, some * sizeof(T),
                                           cudaMemcpyDeviceToHost, c->stream)) ||
            !gpu_succeeded(cudaStreamSynchronize(c->stream)))
            return 0;
        memcpy(to + done, c->memory, some * sizeof(T));
    }
    return 1;
}

spf_gpu_result spf_gpu_fetch(spf_gpu_trainer *t, unsigned half, uint32_t tree, unsigned thread,
                             const spf_gpu_arrays *a) {
    if (!enter(t)) return spf_gpu_why_failed();
    const gpu_carrier *c = carrier_of(t, thread);
    const gpu_finished *f = &t->finished[half];
    const gpu_forest &forest = f->forest;
    const uint32_t *begin = f->begin[tree].of, *size = f->size[tree].of;
    uint32_t others = f->other_begin[tree + 1] - f->other_begin[tree];
    int done =
        fetch(c, (gpu_plain *)a->nodes, forest.nodes, begin[OF_NODES], size[OF_NODES]) &&
        fetch(c, a->projection_start, forest.projection_start, begin[OF_STARTS], size[OF_STARTS]) &&
        fetch(c, a->term_feature, forest.term_feature, begin[OF_TERMS], size[OF_TERMS]) &&
        fetch(c, a->term_weight, forest.term_weight, begin[OF_TERMS], size[OF_TERMS]) &&
        fetch(c, a->leaf_start, forest.leaf_start, begin[OF_LEAF_STARTS], size[OF_LEAF_STARTS]) &&
        fetch(c, a->leaf_class, forest.leaf_class, begin[OF_ENTRIES], size[OF_ENTRIES]) &&
        fetch(c, a->leaf_weight, forest.leaf_weight, begin[OF_ENTRIES], size[OF_ENTRIES]) &&
        fetch(c, a->other, f->other_row, f->other_begin[tree], others) &&
        fetch(c, a->leaf_of_other, f->other_leaf, f->other_begin[tree], others);
    return done ? SPF_GPU_OK : spf_gpu_why_failed();
}
