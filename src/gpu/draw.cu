/* A thread draws the candidates of a node. With many terms a block does, below. */
#include "draw.cuh"

extern "C" {
#include "base/philox.h"
}

#include <math.h>

enum {
    USE_DRAW = 4, /* SPF_USE_DRAW */
    FEW_CELLS = 32,
    CELLS_MAX = 128,      /* that a thread draws */
    BITS_WORDS = 128,     /* grids of up to 32 times as many cells are sets of bits */
    SLOTS = 4 * CELLS_MAX /* others a hash table */
};

/* ---- random numbers: see base/rng.h ----------------------------------------------------------*/

struct gpu_random {
    spf_philox_key key;
    spf_philox_block counter, block;
    unsigned left;
};

static __device__ gpu_random random_start(uint64_t key, uint64_t node) {
    gpu_random r;
    r.key.v[0] = (uint32_t)key;
    r.key.v[1] = (uint32_t)(key >> 32);
    r.counter.v[0] = 0;
    r.counter.v[1] = USE_DRAW;
    r.counter.v[2] = (uint32_t)node;
    r.counter.v[3] = (uint32_t)(node >> 32);
    r.left = 0;
    return r;
}

static __device__ uint32_t random_word(gpu_random *r) {
    if (r->left == 0) {
        r->block = spf_philox(r->counter, r->key);
        r->counter.v[0]++;
        r->left = 4;
    }
    unsigned at = 4 - r->left--;
    return at == 0 ? r->block.v[0] : at == 1 ? r->block.v[1] : at == 2 ? r->block.v[2] : r->block.v[3];
}

static __device__ uint32_t random_below(gpu_random *r, uint32_t bound) {
    uint64_t product = (uint64_t)random_word(r) * bound;
    if ((uint32_t)product < bound) {
        uint32_t uneven = (uint32_t)(-bound) % bound;
        while ((uint32_t)product < uneven) product = (uint64_t)random_word(r) * bound;
    }
    return (uint32_t)(product >> 32);
}

static __device__ uint64_t two_words(gpu_random *r) {
    uint64_t high = random_word(r);
    return high << 32 | random_word(r);
}

static __device__ uint64_t random_below64(gpu_random *r, uint64_t bound) {
    if (bound <= UINT32_MAX) return random_below(r, (uint32_t)bound);
    uint64_t largest = UINT64_MAX - UINT64_MAX % bound, word;
    do word = two_words(r);
    while (word >= largest);
    return word % bound;
}

static __device__ double random_uniform(gpu_random *r) {
    return (double)(two_words(r) >> 11) * 0x1p-53;
}

/* ---- the list of candidates: see model/projection.c ------------------------------------------*/

struct gpu_list {
    uint32_t count, terms;
    uint32_t *start, *feature;
    float *weight;
    const float *scale;
};

static __device__ gpu_list list_of(const gpu_level &level, const gpu_sampler &sampler,
                                   uint32_t node) {
    const gpu_candidates &c = level.candidates;
    gpu_list list = {0,
                     0,
                     c.start + (size_t)node * (sampler.projections + 1),
                     c.feature + (size_t)node * sampler.terms,
                     c.weight + (size_t)node * sampler.terms,
                     sampler.scale};
    list.start[0] = 0;
    return list;
}

static __device__ void list_close(gpu_list *list, uint32_t terms) {
    if (terms == 0) return;
    list->terms += terms;
    list->start[++list->count] = list->terms;
}

static __device__ float scale_of(const gpu_list *list, uint32_t feature) {
    return list->scale ? list->scale[feature] : 1.0f;
}

/* The terms behind the list become its last projection, in normal form. */
static __device__ void list_put(gpu_list *list, uint32_t count) {
    uint32_t *feature = list->feature + list->terms;
    float *weight = list->weight + list->terms;
    if (count == 1) {
        int kept = weight[0] != 0 && scale_of(list, feature[0]) != 0;
        weight[0] = 1;
        list_close(list, kept);
        return;
    }
    int signs = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t f = feature[i], j = i;
        float w = weight[i];
        for (; j > 0 && feature[j - 1] > f; j--) {
            feature[j] = feature[j - 1];
            weight[j] = weight[j - 1];
        }
        feature[j] = f;
        weight[j] = w;
        signs &= (w == 1) | (w == -1);
    }
    uint32_t kept = count;
    if (list->scale || !signs) {
        double largest = 0;
        for (uint32_t i = 0; i < count; i++) {
            double raw = fabs((double)weight[i]) * scale_of(list, feature[i]);
            largest = raw > largest ? raw : largest;
        }
        if (largest == 0) return;
        kept = 0;
        for (uint32_t i = 0; i < count; i++) {
            float raw = (float)((double)weight[i] * scale_of(list, feature[i]) / largest);
            if (raw == 0) continue;
            feature[kept] = feature[i];
            weight[kept++] = raw;
        }
    }
    if (kept > 0 && weight[0] < 0)
        for (uint32_t i = 0; i < kept; i++) weight[i] = -weight[i];
    list_close(list, kept);
}

/* ---- sums of features --------------------------------------------------------------------------
 */

/* The set of cells drawn so far. */
struct cell_set {
    uint32_t *words;
    int bits;
};

static __device__ int is_new_cell(cell_set *set, uint64_t cell) {
    if (set->bits) {
        uint32_t *word = &set->words[cell / 32], bit = 1u << cell % 32;
        int is_new = !(*word & bit);
        *word |= bit;
        return is_new;
    }
    uint32_t tag = (uint32_t)cell + 1, at = (uint32_t)((cell * 0x9E3779B97F4A7C15u) >> 40) % SLOTS;
    for (; set->words[at] != 0; at = (at + 1) % SLOTS)
        if (set->words[at] == tag) return 0;
    set->words[at] = tag;
    return 1;
}

/* Floyd's method: see spf_cells_draw. Grids have fewer than 2^32 - 1 cells. */
static __device__ void draw_cells(gpu_random *r, uint32_t size, uint32_t count, uint32_t *drawn) {
    uint32_t words[SLOTS];
    cell_set set = {words, size <= 32 * BITS_WORDS};
    uint32_t used = set.bits ? size / 32 + 1 : SLOTS;
    for (uint32_t i = 0; i < used; i++) words[i] = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t last = size - count + i, cell = random_below(r, last + 1);
        if (!is_new_cell(&set, cell)) {
            cell = last;
            is_new_cell(&set, cell);
        }
        drawn[i] = cell;
    }
}

static __device__ void sort_cells(uint32_t *cells, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint32_t cell = cells[i], j = i;
        for (; j > 0 && cells[j - 1] > cell; j--) cells[j] = cells[j - 1];
        cells[j] = cell;
    }
}

/* Weights of the kind that the sampler has, for terms in order. */
struct weight_source {
    gpu_weights kind;
    uint32_t word, bits;
};

static __device__ float next_weight(gpu_random *r, weight_source *source) {
    if (source->kind == GPU_ONES) return 1;
    if (source->kind == GPU_UNIFORM) return (float)(2 * random_uniform(r) - 1);
    if (source->bits == 0) {
        source->word = random_word(r);
        source->bits = 32;
    }
    float weight = source->word & 1 ? 1 : -1;
    source->word >>= 1;
    source->bits--;
    return weight;
}

/* With few cells they are sorted; otherwise those of a projection stay in the order of drawing. */
static __device__ void draw_sparse(const gpu_sampler &sampler, gpu_random *r, gpu_list *list) {
    uint32_t drawn[CELLS_MAX], place[CELLS_MAX];
    uint32_t p = sampler.features, d = sampler.projections, count = sampler.terms;
    draw_cells(r, p * d, count, drawn);
    if (count <= FEW_CELLS) {
        sort_cells(drawn, count);
    } else { /* sorted by projection, stably */
        for (uint32_t i = 0; i < count; i++) place[i] = drawn[i];
        uint32_t *begin = list->start; /* free so far; has d + 1 */
        for (uint32_t j = 0; j <= d; j++) begin[j] = 0;
        for (uint32_t i = 0; i < count; i++) begin[place[i] / p + 1]++;
        for (uint32_t j = 1; j <= d; j++) begin[j] += begin[j - 1];
        for (uint32_t i = 0; i < count; i++) drawn[begin[place[i] / p]++] = place[i];
        list->start[0] = 0;
    }
    weight_source source = {sampler.weights, 0, 0};
    for (uint32_t i = 0; i < count;) {
        uint32_t projection = drawn[i] / p, terms = 0;
        for (; i < count && drawn[i] / p == projection; i++, terms++) {
            list->feature[list->terms + terms] = drawn[i] - projection * p;
            list->weight[list->terms + terms] = next_weight(r, &source);
        }
        list_put(list, terms);
    }
}

__global__ void draw_sparse_nodes(gpu_level level, gpu_sampler sampler, const gpu_tree *trees) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= level.nodes) return;
    gpu_node node = level.node[i];
    gpu_random r = random_start(trees[node.tree].key, node.key);
    gpu_list list = list_of(level, sampler, i);
    draw_sparse(sampler, &r, &list);
    level.candidates.count[i] = list.count;
}

/* ---- decks: see spf_deck -------------------------------------------------------------------------
 */

/* Every thread has a deck; those of a warp are side by side. */
struct gpu_deck {
    uint32_t *cards, *swapped;
    uint32_t size, stride;
};

static __device__ uint32_t deck_next(gpu_deck *deck, gpu_random *r, uint32_t place) {
    uint32_t other = place + random_below(r, deck->size - place);
    uint32_t *a = &deck->cards[(size_t)place * deck->stride];
    uint32_t *b = &deck->cards[(size_t)other * deck->stride], card = *b;
    *b = *a;
    *a = card;
    deck->swapped[(size_t)place * deck->stride] = other;
    return card;
}

static __device__ void deck_put_back(gpu_deck *deck, uint32_t count) {
    for (uint32_t i = count; i-- > 0;) {
        uint32_t other = deck->swapped[(size_t)i * deck->stride];
        uint32_t *a = &deck->cards[(size_t)i * deck->stride];
        uint32_t *b = &deck->cards[(size_t)other * deck->stride], card = *b;
        *b = *a;
        *a = card;
    }
}

__global__ void order_decks(uint32_t *cards, uint32_t size, uint32_t decks) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (size_t)size * decks) cards[i] = (uint32_t)(i / decks);
}

/* rf: distinct features. */
static __device__ void draw_features(const gpu_sampler &sampler, gpu_deck *deck, gpu_random *r,
                                     gpu_list *list) {
    for (uint32_t j = 0; j < sampler.projections; j++) {
        list->feature[list->terms] = deck_next(deck, r, j);
        list->weight[list->terms] = 1;
        list_put(list, 1);
    }
    deck_put_back(deck, sampler.projections);
}

/* frc: sums of as many features each. */
static __device__ void draw_sums(const gpu_sampler &sampler, gpu_deck *deck, gpu_random *r,
                                 gpu_list *list) {
    for (uint32_t j = 0; j < sampler.projections; j++) {
        weight_source source = {sampler.weights, 0, 0};
        for (uint32_t t = 0; t < sampler.of_each; t++)
            list->feature[list->terms + t] = deck_next(deck, r, t);
        deck_put_back(deck, sampler.of_each);
        for (uint32_t t = 0; t < sampler.of_each; t++)
            list->weight[list->terms + t] = next_weight(r, &source);
        list_put(list, sampler.of_each);
    }
}

__global__ void draw_from_decks(gpu_level level, gpu_sampler sampler, const gpu_tree *trees,
                                uint32_t *cards, uint32_t *swapped, uint32_t decks) {
    uint32_t first = blockIdx.x * blockDim.x + threadIdx.x;
    gpu_deck deck = {cards + first, swapped + first, sampler.features, decks};
    for (uint32_t i = first; i < level.nodes; i += decks) {
        gpu_node node = level.node[i];
        gpu_random r = random_start(trees[node.tree].key, node.key);
        gpu_list list = list_of(level, sampler, i);
        if (sampler.method == GPU_RF)
            draw_features(sampler, &deck, &r, &list);
        else
            draw_sums(sampler, &deck, &r, &list);
        level.candidates.count[i] = list.count;
    }
}

static int make_decks(const gpu_sampler &sampler, gpu_drawing *d) {
    const size_t most = (size_t)1 << 28; /* cards of all decks */
    if (d->decks > 0) return 1;
    size_t decks = most / sampler.features / 128 * 128;
    decks = decks < 128 ? 128 : decks > 65536 ? 65536 : decks;
    size_t drawn = sampler.method == GPU_RF ? sampler.projections : sampler.of_each;
    if (!gpu_reserve(&d->cards, decks * sampler.features) || !gpu_reserve(&d->swapped, decks * drawn))
        return 0;
    d->decks = (uint32_t)decks;
    SPF_LAUNCH(order_decks, gpu_blocks(decks * sampler.features, 256), 256, 0, d->cards.at,
               sampler.features, d->decks);
    return gpu_launched();
}

/* ---- many cells ----------------------------------------------------------------------------------
 */

/* As draw_sparse, with memory in the level's own arrays and without limits; one thread of a block
 * draws, since every number depends on those before. */
__global__ void draw_many_cells(gpu_level level, gpu_sampler sampler, const gpu_tree *trees,
                                uint32_t *cells, uint32_t stride) {
    uint32_t i = blockIdx.x, count = sampler.terms, p = sampler.features, d = sampler.projections;
    uint32_t slots = stride - 2 * count, shift = 64 - (31 - (uint32_t)__clz(slots));
    uint32_t *drawn = cells + (size_t)i * stride, *place = drawn + count, *slot = place + count;
    for (uint32_t s = threadIdx.x; s < slots; s += blockDim.x) slot[s] = 0;
    __syncthreads();
    if (threadIdx.x > 0) return;
    gpu_node node = level.node[i];
    gpu_random r = random_start(trees[node.tree].key, node.key);
    gpu_list list = list_of(level, sampler, i);
    uint64_t size = (uint64_t)p * d;
    uint32_t *begin = list.start;
    for (uint32_t j = 0; j <= d; j++) begin[j] = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint64_t last = size - count + k, cell = random_below64(&r, last + 1);
        for (;;) {
            uint32_t at = (uint32_t)((cell * 0x9E3779B97F4A7C15u) >> shift);
            for (; slot[at] != 0; at = (at + 1) % slots)
                if ((uint64_t)place[slot[at] - 1] * p + drawn[slot[at] - 1] == cell) break;
            if (slot[at] != 0) {
                cell = last; /* which is new */
                continue;
            }
            slot[at] = k + 1;
            break;
        }
        place[k] = (uint32_t)(cell / p);
        drawn[k] = (uint32_t)(cell - (uint64_t)place[k] * p);
        begin[place[k] + 1]++;
    }
    for (uint32_t j = 1; j <= d; j++) begin[j] += begin[j - 1];
    for (uint32_t k = 0; k < count; k++) list.feature[begin[place[k]]++] = drawn[k];
    for (uint32_t k = d; k > 0; k--) begin[k] = begin[k - 1]; /* ends become beginnings */
    begin[0] = 0;
    weight_source source = {sampler.weights, 0, 0};
    for (uint32_t k = 0; k < count; k++) list.weight[k] = next_weight(&r, &source);
    uint32_t from = 0;
    for (uint32_t j = 0; j < d; j++) {
        uint32_t to = begin[j + 1], terms = to - from;
        if (terms > 0) {
            for (uint32_t k = 0; k < terms; k++) { /* down to the end of the list */
                list.feature[list.terms + k] = list.feature[from + k];
                list.weight[list.terms + k] = list.weight[from + k];
            }
            list_put(&list, terms);
        }
        from = to;
    }
    level.candidates.count[i] = list.count;
}

static int draw_many(const gpu_level &level, const gpu_sampler &sampler, const gpu_tree *trees,
                     gpu_drawing *d) {
    size_t slots = 64;
    while (slots < 2 * (size_t)sampler.terms) slots *= 2;
    size_t stride = slots + 2 * (size_t)sampler.terms;
    if (!gpu_reserve(&d->cells, stride * level.nodes)) return 0;
    SPF_LAUNCH(draw_many_cells, level.nodes, 32, 0, level, sampler, trees, d->cells.at,
               (uint32_t)stride);
    return gpu_launched();
}

int gpu_draw(const gpu_level &level, const gpu_sampler &sampler, const gpu_tree *trees,
             gpu_drawing *d) {
    uint64_t cells = (uint64_t)sampler.features * sampler.projections;
    if (sampler.method == GPU_SPORF) {
        if (sampler.terms > CELLS_MAX || cells >= UINT32_MAX)
            return draw_many(level, sampler, trees, d);
        SPF_LAUNCH(draw_sparse_nodes, gpu_blocks(level.nodes, 128), 128, 0, level, sampler, trees);
        return gpu_launched();
    }
    if (!make_decks(sampler, d)) return 0;
    size_t blocks = gpu_blocks(level.nodes, 128), most = d->decks / 128;
    SPF_LAUNCH(draw_from_decks, blocks < most ? blocks : most, 128, 0, level, sampler, trees,
               d->cards.at, d->swapped.at, d->decks);
    return gpu_launched();
}
