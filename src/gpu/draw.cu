/* A thread draws the candidates of a node, in shared memory; with many terms a block does. */
#include "draw.cuh"

extern "C" {
#include "base/philox.h"
}

#include <math.h>

enum {
    USE_DRAW = 4,    /* SPF_USE_DRAW */
    FEW_CELLS = 32,  /* FEW_CELLS of sampler_sparse.c */
    CELLS_MAX = 128, /* that a thread draws */
    CELL_SLOTS = 256,
    BLOCK_THREADS = 128,
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
    return at == 0   ? r->block.v[0]
           : at == 1 ? r->block.v[1]
           : at == 2 ? r->block.v[2]
                     : r->block.v[3];
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

static __device__ double random_uniform(gpu_random *r) {
    return (double)(two_words(r) >> 11) * 0x1p-53;
}

/* ---- the list of candidates: see model/projection.c ------------------------------------------*/

struct gpu_list {
    uint32_t count, terms;
    uint32_t *start;
    gpu_term *term;
    const float *scale, *fill;
};

static __device__ gpu_list list_of(const gpu_level &level, const gpu_sampler &sampler,
                                   uint32_t node) {
    const gpu_candidates &c = level.candidates;
    gpu_list list = {0,
                     0,
                     c.start + (size_t)node * (sampler.projections + 1),
                     c.term + (size_t)node * sampler.terms,
                     sampler.scale,
                     sampler.fill};
    list.start[0] = 0;
    return list;
}

static __device__ void list_close(gpu_list *list, uint32_t terms) {
    if (terms == 0) return;
    list->terms += terms;
    list->start[++list->count] = list->terms;
}

static __device__ __forceinline__ float scale_of(const float *scale, uint32_t feature) {
    return scale ? scale[feature] : 1.0f;
}

/* Features whose missing values are filled in come last: they will name sets. */
static __device__ __forceinline__ uint64_t rank_of(const float *fill, uint32_t feature) {
    int is_filled = fill && fill[feature] == fill[feature];
    return (uint64_t)is_filled << 32 | feature;
}

static __device__ __forceinline__ void sort_terms(const float *fill, gpu_term *term,
                                                  uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        gpu_term own = term[i];
        uint64_t rank = rank_of(fill, own.feature);
        uint32_t j = i;
        for (; j > 0 && rank_of(fill, term[j - 1].feature) > rank; j--) term[j] = term[j - 1];
        term[j] = own;
    }
}

/* Raw units with a largest weight of 1; returns how many terms are not 0. */
static __device__ uint32_t rescale(const float *scale, gpu_term *term, uint32_t count) {
    double largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        double raw = fabs((double)term[i].weight) * scale_of(scale, term[i].feature);
        largest = raw > largest ? raw : largest;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; largest > 0 && i < count; i++) {
        gpu_term own = term[i];
        own.weight = (float)((double)own.weight * scale_of(scale, own.feature) / largest);
        if (own.weight != 0) term[kept++] = own;
    }
    return kept;
}

/* The normal form of a projection; returns how many terms it has. */
static __device__ uint32_t normalise(const float *scale, const float *fill, gpu_term *term,
                                     uint32_t count) {
    if (count == 1) {
        int kept = term[0].weight != 0 && scale_of(scale, term[0].feature) != 0;
        term[0].weight = 1;
        return (uint32_t)kept;
    }
    int signs = !scale;
    for (uint32_t i = 0; i < count; i++) signs &= (term[i].weight == 1) | (term[i].weight == -1);
    sort_terms(fill, term, count);
    uint32_t kept = signs ? count : rescale(scale, term, count);
    if (kept > 0 && term[0].weight < 0)
        for (uint32_t i = 0; i < kept; i++) term[i].weight = -term[i].weight;
    return kept;
}

/* The terms behind the list become its last projection. */
static __device__ void list_put(gpu_list *list, uint32_t count) {
    list_close(list, normalise(list->scale, list->fill, list->term + list->terms, count));
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

/* ---- few cells: a thread for a node --------------------------------------------------------- */

/* Arrays of a thread in shared memory, in words that are side by side with those of the others: two
 * cells in a word. Cells are below 2^16 - 1. */
struct few_cells {
    uint32_t *drawn; /* in the order of drawing */
    uint32_t *set;   /* of cells: bits, or a hash table of 1 + cell; later cells by projection */
    uint32_t *begin; /* of projections among these, four in a word */
    uint32_t stride;
    uint32_t set_words;
    int bits;
};

static __device__ __forceinline__ uint32_t get_cell(const uint32_t *cells, uint32_t stride,
                                                    uint32_t at) {
    return cells[at / 2 * stride] >> at % 2 * 16 & 0xffff;
}

static __device__ __forceinline__ void put_cell(uint32_t *cells, uint32_t stride, uint32_t at,
                                                uint32_t cell) {
    ((uint16_t *)&cells[at / 2 * stride])[at % 2] = (uint16_t)cell;
}

static __device__ __forceinline__ uint8_t *begin_of(const few_cells &few, uint32_t projection) {
    return (uint8_t *)&few.begin[projection / 4 * few.stride] + projection % 4;
}

static __device__ __forceinline__ int is_new_cell(const few_cells &few, uint32_t cell) {
    if (few.bits) {
        uint32_t *word = &few.set[cell / 32 * few.stride], before = *word, bit = 1u << cell % 32;
        *word = before | bit;
        return !(before & bit);
    }
    uint32_t at = (cell * 0x9E3779B1u) >> 24, held;
    for (; (held = get_cell(few.set, few.stride, at)) != 0; at = (at + 1) % CELL_SLOTS)
        if (held == cell + 1) return 0;
    put_cell(few.set, few.stride, at, cell + 1);
    return 1;
}

/* Floyd's method: see spf_cells_draw. */
static __device__ void draw_cells(gpu_random *r, uint32_t size, uint32_t count,
                                  const few_cells &few) {
    for (uint32_t i = 0; i < few.set_words; i++) few.set[i * few.stride] = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t last = size - count + i, cell = random_below(r, last + 1);
        if (!is_new_cell(few, cell)) {
            cell = last;
            is_new_cell(few, cell);
        }
        put_cell(few.drawn, few.stride, i, cell);
    }
}

/* Cells sorted by projection, in the order of drawing, to the memory of the set. `inverse` finds
 * the projection of a cell without a division. */
static __device__ void group_cells(uint32_t d, uint32_t count, uint64_t inverse,
                                   const few_cells &few) {
    uint32_t sum = 0;
    for (uint32_t j = 0; j <= d; j++) *begin_of(few, j) = 0;
    for (uint32_t i = 0; i < count; i++)
        ++*begin_of(few, (uint32_t)(get_cell(few.drawn, few.stride, i) * inverse >> 32));
    for (uint32_t j = 0; j <= d; j++) {
        uint32_t own = *begin_of(few, j);
        *begin_of(few, j) = (uint8_t)sum;
        sum += own;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t cell = get_cell(few.drawn, few.stride, i);
        uint8_t *place = begin_of(few, (uint32_t)(cell * inverse >> 32));
        put_cell(few.set, few.stride, (*place)++, cell);
    }
}

static __device__ void sort_cells(uint32_t *cells, uint32_t stride, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint32_t cell = get_cell(cells, stride, i), j = i;
        for (; j > 0 && get_cell(cells, stride, j - 1) > cell; j--)
            put_cell(cells, stride, j, get_cell(cells, stride, j - 1));
        put_cell(cells, stride, j, cell);
    }
}

/* How the shared memory of a thread is divided. */
struct few_sizes {
    uint32_t drawn, set, begin; /* words */
    int bits;
};

static few_sizes few_of(const gpu_sampler &sampler) {
    uint32_t cells = sampler.features * sampler.projections, pairs = (sampler.terms + 1) / 2;
    few_sizes sizes = {pairs, CELL_SLOTS / 2, sampler.projections / 4 + 1, 0};
    if (cells / 32 + 1 <= CELL_SLOTS / 2) {
        sizes.bits = 1;
        sizes.set = cells / 32 + 1 > pairs ? cells / 32 + 1 : pairs;
    }
    return sizes;
}

__global__ void draw_few_cells(gpu_level level, gpu_sampler sampler, const gpu_tree *trees,
                               few_sizes sizes) {
    SPF_SHARED(uint32_t, room);
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, stride = blockDim.x;
    if (i >= level.nodes) return;
    few_cells few = {room + threadIdx.x,
                     room + sizes.drawn * stride + threadIdx.x,
                     room + (sizes.drawn + sizes.set) * stride + threadIdx.x,
                     stride,
                     sizes.set,
                     sizes.bits};
    uint32_t p = sampler.features, count = sampler.terms;
    const uint64_t inverse = UINT32_MAX / p + UINT64_C(1); /* 2^32 if p is 1 */
    gpu_node node = level.node[i];
    gpu_random r = random_start(trees[node.tree].key, node.key);
    gpu_list list = list_of(level, sampler, i);
    draw_cells(&r, p * sampler.projections, count, few);
    const uint32_t *cells = few.drawn;
    if (count <= FEW_CELLS) {
        sort_cells(few.drawn, stride, count);
    } else {
        group_cells(sampler.projections, count, inverse, few);
        cells = few.set;
    }
    weight_source source = {sampler.weights, 0, 0};
    uint32_t end = 0, terms = 0; /* of the cells of the projection */
    for (uint32_t k = 0; k < count; k++) {
        uint32_t cell = get_cell(cells, stride, k);
        if (cell >= end) {
            if (terms > 0) list_put(&list, terms);
            end = ((uint32_t)(cell * inverse >> 32) + 1) * p;
            terms = 0;
        }
        gpu_term term = {cell + p - end, next_weight(&r, &source)};
        list.term[list.terms + terms++] = term;
    }
    list_put(&list, terms);
    level.candidates.count[i] = list.count;
}

/* ---- decks: see spf_deck --------------------------------------------------------------------- */

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
        gpu_term term = {deck_next(deck, r, j), 1};
        list->term[list->terms] = term;
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
            list->term[list->terms + t].feature = deck_next(deck, r, t);
        deck_put_back(deck, sampler.of_each);
        for (uint32_t t = 0; t < sampler.of_each; t++)
            list->term[list->terms + t].weight = next_weight(r, &source);
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

static size_t decks_for(const gpu_sampler &sampler) {
    const size_t most = (size_t)1 << 28; /* cards of all decks */
    size_t decks = most / sampler.features / 128 * 128;
    return decks < 128 ? 128 : decks > 65536 ? 65536 : decks;
}

static size_t drawn_from_deck(const gpu_sampler &sampler) {
    return sampler.method == GPU_RF ? sampler.projections : sampler.of_each;
}

static int make_decks(const gpu_sampler &sampler, gpu_drawing *d) {
    if (d->decks > 0) return 1;
    size_t decks = decks_for(sampler);
    if (!gpu_reserve(&d->cards, decks * sampler.features) ||
        !gpu_reserve(&d->swapped, decks * drawn_from_deck(sampler)))
        return 0;
    d->decks = (uint32_t)decks;
    SPF_LAUNCH(order_decks, gpu_blocks(decks * sampler.features, 256), 256, 0, d->cards.at,
               sampler.features, d->decks);
    return gpu_launched();
}

/* ---- many cells: a block for a node --------------------------------------------------------- */

/* Word number `at` of a node's stream. */
static __device__ uint32_t word_at(const gpu_random &start, uint64_t at) {
    spf_philox_block counter = start.counter;
    counter.v[0] = (uint32_t)(at / 4);
    spf_philox_block block = spf_philox(counter, start.key);
    unsigned word = (unsigned)(at % 4);
    return word == 0 ? block.v[0] : word == 1 ? block.v[1] : word == 2 ? block.v[2] : block.v[3];
}

/* Arrays of a block, in shared memory if there is room. */
struct many_cells {
    uint64_t *cell;    /* [count] */
    uint32_t *slot;    /* [slots]: a hash table of 1 + the first draw of a number */
    uint32_t *grouped; /* [count]: draws by projection */
    uint32_t *begin;   /* [d + 1] */
    uint32_t *kept;    /* [d]: terms of projections */
    uint32_t slots;
};

static size_t many_bytes(size_t count, size_t d, size_t slots) {
    size_t words = slots + count + 2 * d + 1;
    return count * sizeof(uint64_t) + (words + words % 2) * sizeof(uint32_t);
}

static __device__ many_cells many_of(void *memory, uint32_t count, uint32_t d, uint32_t slots) {
    many_cells m;
    m.cell = (uint64_t *)memory;
    m.slot = (uint32_t *)(m.cell + count);
    m.grouped = m.slot + slots;
    m.begin = m.grouped + count;
    m.kept = m.begin + d + 1;
    m.slots = slots;
    return m;
}

/* The number that a draw takes at word `at`, or UINT64_MAX if it is rejected: see
 * spf_random_below64. */
static __device__ uint64_t number_at(const gpu_random &start, uint64_t at, uint64_t bound) {
    if (bound <= UINT32_MAX) {
        uint64_t product = (uint64_t)word_at(start, at) * bound;
        uint32_t low = (uint32_t)product, small = (uint32_t)bound;
        return low < small && low < (uint32_t)(-small) % small ? UINT64_MAX : product >> 32;
    }
    uint64_t word = (uint64_t)word_at(start, at) << 32 | word_at(start, at + 1);
    return word >= UINT64_MAX - UINT64_MAX % bound ? UINT64_MAX : word % bound;
}

/* Draws all numbers at once, as if none were rejected; from the first rejected one on they are
 * drawn again, a word later. Returns the words that were used. Draws with bounds below 2^32 take
 * one word, others two. */
static __device__ uint64_t draw_numbers(const gpu_random &start, uint64_t size, uint32_t count,
                                        const many_cells &m) {
    __shared__ uint32_t rejected;
    uint64_t offset = 0, single = size - count >= UINT32_MAX ? 0 : UINT32_MAX - (size - count);
    if (single > count) single = count;
    for (uint32_t from = 0;;) {
        if (threadIdx.x == 0) rejected = UINT32_MAX;
        __syncthreads();
        for (uint32_t i = from + threadIdx.x; i < count; i += blockDim.x) {
            uint64_t at = i < single ? i : single + 2 * (i - single);
            uint64_t number = number_at(start, at + offset, size - count + i + 1);
            m.cell[i] = number;
            if (number == UINT64_MAX) atomicMin(&rejected, i);
        }
        __syncthreads();
        uint32_t first = rejected;
        __syncthreads();
        if (first == UINT32_MAX) break;
        offset += first < single ? 1 : 2;
        from = first;
    }
    return offset + single + 2 * (count - single);
}

/* Slot of a number, which the first draw of it has. */
static __device__ uint32_t *find_slot(const many_cells &m, uint64_t number) {
    uint32_t shift = 64 - (31 - (uint32_t)__clz(m.slots));
    uint32_t at = (uint32_t)((number * 0x9E3779B97F4A7C15u) >> shift);
    while (m.cell[m.slot[at] - 1] != number) at = (at + 1) & (m.slots - 1);
    return &m.slot[at];
}

static __device__ void insert_draw(const many_cells &m, uint32_t draw) {
    uint64_t number = m.cell[draw];
    uint32_t shift = 64 - (31 - (uint32_t)__clz(m.slots));
    uint32_t at = (uint32_t)((number * 0x9E3779B97F4A7C15u) >> shift);
    for (;; at = (at + 1) & (m.slots - 1)) {
        uint32_t held = atomicCAS(&m.slot[at], 0u, draw + 1);
        if (held == 0) return;
        if (m.cell[held - 1] != number) continue;
        atomicMin(&m.slot[at], draw + 1);
        return;
    }
}

/* Whether a draw takes the last cell in place of its number, which is taken: by an earlier draw of
 * it, or as the last cell of one. */
static __device__ int takes_last(const many_cells &m, uint64_t base, uint32_t draw) {
    for (;;) {
        uint64_t number = m.cell[draw];
        if (*find_slot(m, number) != draw + 1) return 1;
        if (number < base || number - base >= draw) return 0;
        draw = (uint32_t)(number - base);
    }
}

/* Sums over all threads before this one, and all of them. */
static __device__ uint32_t sum_of_block(uint32_t value, uint32_t *all) {
    __shared__ uint32_t of_warp[BLOCK_THREADS / WARP];
    uint32_t before = sum_before(value), warp = threadIdx.x / WARP;
    __syncthreads();
    if (lane_of() == WARP - 1) of_warp[warp] = before + value;
    __syncthreads();
    *all = 0;
    for (uint32_t w = 0; w < BLOCK_THREADS / WARP; w++) {
        before += w < warp ? of_warp[w] : 0;
        *all += of_warp[w];
    }
    return before;
}

/* Draws by projection, and in their order within it. */
static __device__ void group_draws(const many_cells &m, uint32_t p, uint32_t d, uint32_t count) {
    uint32_t passed = 0, all;
    for (uint32_t j = threadIdx.x; j <= d; j += blockDim.x) m.begin[j] = 0;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
        atomicAdd(&m.begin[m.cell[i] / p], 1u);
    __syncthreads();
    for (uint32_t first = 0; first <= d; first += blockDim.x) {
        uint32_t j = first + threadIdx.x, own = j <= d ? m.begin[j] : 0;
        uint32_t before = sum_of_block(own, &all);
        if (j <= d) m.begin[j] = passed + before;
        passed += all;
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
        m.grouped[atomicAdd(&m.begin[m.cell[i] / p], 1u)] = i;
    __syncthreads(); /* now begin[j] is the end of j */
    for (uint32_t j = threadIdx.x; j < d; j += blockDim.x) {
        uint32_t from = j > 0 ? m.begin[j - 1] : 0, to = m.begin[j];
        for (uint32_t a = from + 1; a < to; a++) {
            uint32_t own = m.grouped[a], b = a;
            for (; b > from && m.grouped[b - 1] > own; b--) m.grouped[b] = m.grouped[b - 1];
            m.grouped[b] = own;
        }
    }
    __syncthreads();
}

static __device__ float weight_at(const gpu_random &start, gpu_weights kind, uint64_t words,
                                  uint32_t place) {
    if (kind == GPU_ONES) return 1;
    if (kind == GPU_SIGNS) return word_at(start, words + place / 32) >> place % 32 & 1 ? 1 : -1;
    uint64_t high = word_at(start, words + 2 * (uint64_t)place);
    uint64_t low = word_at(start, words + 2 * (uint64_t)place + 1);
    return (float)(2 * ((double)((high << 32 | low) >> 11) * 0x1p-53) - 1);
}

/* With FEW_CELLS or less, a projection's weights are drawn for its features in order. */
static __device__ void sort_by_feature(const many_cells &m, uint32_t from, uint32_t to) {
    for (uint32_t a = from + 1; a < to; a++) {
        uint32_t own = m.grouped[a], b = a;
        for (; b > from && m.cell[m.grouped[b - 1]] > m.cell[own]; b--)
            m.grouped[b] = m.grouped[b - 1];
        m.grouped[b] = own;
    }
}

/* The terms of each projection in normal form, where all of them would be. */
static __device__ void make_terms(const gpu_sampler &sampler, const gpu_random &start,
                                  uint64_t words, const many_cells &m, gpu_term *term) {
    for (uint32_t j = threadIdx.x; j < sampler.projections; j += blockDim.x) {
        uint32_t from = j > 0 ? m.begin[j - 1] : 0, to = m.begin[j];
        if (sampler.terms <= FEW_CELLS) sort_by_feature(m, from, to);
        for (uint32_t a = from; a < to; a++) {
            uint64_t cell = m.cell[m.grouped[a]];
            gpu_term own = {(uint32_t)(cell - (uint64_t)j * sampler.features),
                            weight_at(start, sampler.weights, words, a)};
            term[a] = own;
        }
        m.kept[j] = to > from ? normalise(sampler.scale, sampler.fill, term + from, to - from) : 0;
    }
    __syncthreads();
}

/* Moves terms together where some were lost; through the memory of cells, since places overlap. */
static __device__ void list_terms(uint32_t d, const many_cells &m, gpu_list *list) {
    for (uint32_t j = threadIdx.x; j < d; j += blockDim.x) {
        uint32_t from = j > 0 ? m.begin[j - 1] : 0;
        for (uint32_t t = from; t < from + m.kept[j]; t++)
            m.cell[t] = (uint64_t)list->term[t].feature << 32 | bits_of(list->term[t].weight);
    }
    __syncthreads();
    for (uint32_t first = 0; first < d; first += blockDim.x) {
        uint32_t j = first + threadIdx.x, kept = j < d ? m.kept[j] : 0, all;
        uint32_t from = j > 0 && j < d ? m.begin[j - 1] : 0;
        uint32_t at = list->terms + sum_of_block(kept, &all);
        list->terms += all;
        uint32_t number = list->count + sum_of_block(kept > 0, &all);
        list->count += all;
        if (kept > 0) list->start[number + 1] = at + kept;
        for (uint32_t t = 0; t < kept; t++) {
            gpu_term own = {(uint32_t)(m.cell[from + t] >> 32),
                            float_of((uint32_t)m.cell[from + t])};
            list->term[at + t] = own;
        }
    }
}

/* `memory` has that many bytes for each block, or is NULL: then they are shared memory. */
__global__ void draw_many_cells(gpu_level level, gpu_sampler sampler, const gpu_tree *trees,
                                uint32_t slots, unsigned char *memory, size_t bytes) {
    SPF_SHARED(unsigned char, shared);
    uint32_t count = sampler.terms, p = sampler.features, d = sampler.projections;
    const many_cells m = many_of(memory ? memory + blockIdx.x * bytes : shared, count, d, slots);
    for (uint32_t i = blockIdx.x; i < level.nodes; i += gridDim.x) {
        gpu_node node = level.node[i];
        const gpu_random start = random_start(trees[node.tree].key, node.key);
        const uint64_t size = (uint64_t)p * d, base = size - count;
        gpu_list list = list_of(level, sampler, i);
        for (uint32_t s = threadIdx.x; s < slots; s += blockDim.x) m.slot[s] = 0;
        uint64_t words = draw_numbers(start, size, count, m);
        for (uint32_t k = threadIdx.x; k < count; k += blockDim.x) insert_draw(m, k);
        __syncthreads();
        for (uint32_t k = threadIdx.x; k < count; k += blockDim.x)
            m.grouped[k] = (uint32_t)takes_last(m, base, k);
        __syncthreads();
        for (uint32_t k = threadIdx.x; k < count; k += blockDim.x)
            if (m.grouped[k]) m.cell[k] = base + k;
        __syncthreads();
        group_draws(m, p, d, count);
        make_terms(sampler, start, words, m, list.term);
        list_terms(d, m, &list);
        if (threadIdx.x == 0) level.candidates.count[i] = list.count;
        __syncthreads();
    }
}

/* How blocks draw: the slots of their tables, the bytes of each, and whether these are shared. */
struct many_sizes {
    size_t slots, bytes;
    int shared;
};

enum { SHARED_MOST = 200 * 1024, SHARED_BLOCKS = 2048, GLOBAL_BLOCKS = 256 };

static many_sizes many_for(const gpu_sampler &sampler) {
    many_sizes sizes = {64, 0, 0};
    while (sizes.slots < 2 * (size_t)sampler.terms) sizes.slots *= 2;
    sizes.bytes = many_bytes(sampler.terms, sampler.projections, sizes.slots);
    sizes.shared = sizes.bytes <= SHARED_MOST;
    return sizes;
}

static int draw_many(const gpu_level &level, const gpu_sampler &sampler, const gpu_tree *trees,
                     gpu_drawing *drawing) {
    const many_sizes sizes = many_for(sampler);
    size_t most = sizes.shared ? SHARED_BLOCKS : GLOBAL_BLOCKS;
    size_t blocks = level.nodes < most ? level.nodes : most;
    size_t shared = sizes.shared ? sizes.bytes : 0;
    if (!sizes.shared && !gpu_reserve(&drawing->cells, sizes.bytes * blocks)) return 0;
    if (!gpu_allow_shared(draw_many_cells, shared)) return 0;
    SPF_LAUNCH(draw_many_cells, blocks, BLOCK_THREADS, shared, level, sampler, trees,
               (uint32_t)sizes.slots, sizes.shared ? (unsigned char *)NULL : drawing->cells.at,
               sizes.bytes);
    return gpu_launched();
}

/* ---- for the host --------------------------------------------------------------------------- */

static int draw_few(const gpu_level &level, const gpu_sampler &sampler, const gpu_tree *trees) {
    const unsigned threads = 64;
    few_sizes sizes = few_of(sampler);
    size_t bytes = (sizes.drawn + sizes.set + sizes.begin) * threads * sizeof(uint32_t);
    if (!gpu_allow_shared(draw_few_cells, bytes)) return 0;
    SPF_LAUNCH(draw_few_cells, gpu_blocks(level.nodes, threads), threads, bytes, level, sampler,
               trees, sizes);
    return gpu_launched();
}

static int draws_few(const gpu_sampler &sampler) {
    uint64_t cells = (uint64_t)sampler.features * sampler.projections;
    return sampler.terms <= CELLS_MAX && cells < UINT16_MAX;
}

double gpu_drawing_bytes(const gpu_sampler &sampler) {
    if (sampler.method != GPU_SPORF)
        return 4.0 * (double)decks_for(sampler) *
               (double)(sampler.features + drawn_from_deck(sampler));
    if (draws_few(sampler)) return 0;
    const many_sizes sizes = many_for(sampler);
    return sizes.shared ? 0 : (double)sizes.bytes * GLOBAL_BLOCKS;
}

int gpu_draw(const gpu_level &level, const gpu_sampler &sampler, const gpu_tree *trees,
             gpu_drawing *drawing) {
    if (sampler.method == GPU_SPORF)
        return draws_few(sampler) ? draw_few(level, sampler, trees)
                                  : draw_many(level, sampler, trees, drawing);
    if (!make_decks(sampler, drawing)) return 0;
    size_t blocks = gpu_blocks(level.nodes, 128), most = drawing->decks / 128;
    SPF_LAUNCH(draw_from_decks, blocks < most ? blocks : most, 128, 0, level, sampler, trees,
               drawing->cards.at, drawing->swapped.at, drawing->decks);
    return gpu_launched();
}
