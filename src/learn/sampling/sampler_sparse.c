/* Sparse random projections, the sampler of SPORF: ceil(lambda p d) cells of the p x d grid are
 * drawn without replacement, so that projections have different numbers of features; or, as a
 * variant, a Poisson number of features in each. The work is proportional to the non-zeros (and d),
 * never to p. */
#include "base/portable_math.h"
#include "learn/sampling/choose.h"
#include "learn/sampling/method.h"
#include "model/projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_CELLS = 32 };

typedef struct {
    spf_cells cells;
    uint64_t *drawn;
    uint32_t *start; /* [d + 1]: where each projection's features begin */
    uint32_t *features;
    float *weights;
    size_t total;  /* cells of the grid to draw */
    spf_deck deck; /* Poisson only */
} sparse_state;

static void finish(void *payload, void *state) {
    (void)payload;
    sparse_state *sparse = state;
    spf_cells_free(&sparse->cells);
    spf_deck_free(&sparse->deck);
    free(sparse->drawn);
    free(sparse->start);
    free(sparse->features);
    free(sparse->weights);
    free(sparse);
}

static sporf_status allocate(const spf_sampler_settings *settings, sparse_state *sparse) {
    int poisson = settings->placing == SPORF_NONZEROS_POISSON;
    double cells = spf_round_up(settings->nonzeros * settings->projections);
    sparse->total = cells < 1 ? 1 : (size_t)cells;
    size_t longest = poisson ? settings->slots : sparse->total;
    sparse->features = spf_alloc(longest, sizeof *sparse->features);
    sparse->weights = spf_alloc(longest, sizeof *sparse->weights);
    if (!sparse->features || !sparse->weights) return spf_raise_memory();
    if (poisson) return spf_deck_create(settings->slots, &sparse->deck);
    sparse->drawn = spf_alloc(sparse->total, sizeof *sparse->drawn);
    sparse->start = spf_alloc((size_t)settings->projections + 2, sizeof *sparse->start);
    return sparse->drawn && sparse->start ? SPORF_OK : spf_raise_memory();
}

static sporf_status prepare(void *payload, const sporf_view *view, sporf_random *random,
                            sporf_projections *basis, void **state) {
    (void)view, (void)random, (void)basis;
    sparse_state *sparse = spf_alloc_zero(1, sizeof *sparse);
    if (!sparse) return spf_raise_memory();
    sporf_status status = allocate(payload, sparse);
    if (status != SPORF_OK) {
        finish(payload, sparse);
        return status;
    }
    *state = sparse;
    return SPORF_OK;
}

/* A division of 64 bits takes several times as long as one of 32. */
static inline uint64_t projection_of(uint64_t cell, uint32_t slots) {
    return cell <= UINT32_MAX ? (uint32_t)cell / slots : cell / slots;
}

/* Sorts the drawn cells by projection: cell = projection * slots + slot. */
static void group_by_projection(const spf_sampler_settings *settings, sparse_state *sparse) {
    uint32_t d = settings->projections, slots = settings->slots, *start = sparse->start;
    memset(start, 0, ((size_t)d + 2) * sizeof *start);
    for (size_t i = 0; i < sparse->total; i++) {
        uint64_t projection = projection_of(sparse->drawn[i], slots);
        sparse->drawn[i] = projection << 32 | (sparse->drawn[i] - projection * slots);
        start[projection + 2]++;
    }
    for (uint32_t j = 2; j < d + 2; j++) start[j] += start[j - 1];
    for (size_t i = 0; i < sparse->total; i++)
        sparse->features[start[(sparse->drawn[i] >> 32) + 1]++] = (uint32_t)sparse->drawn[i];
}

/* The same for few cells, which are sorted: then they are sorted by projection and feature. */
static void order_cells(const spf_sampler_settings *settings, sparse_state *sparse) {
    uint32_t d = settings->projections, slots = settings->slots, *start = sparse->start;
    uint64_t *cells = sparse->drawn;
    for (size_t i = 1; i < sparse->total; i++) {
        uint64_t cell = cells[i];
        size_t j = i;
        for (; j > 0 && cells[j - 1] > cell; j--) cells[j] = cells[j - 1];
        cells[j] = cell;
    }
    memset(start, 0, ((size_t)d + 1) * sizeof *start);
    for (size_t i = 0; i < sparse->total; i++) {
        uint64_t projection = projection_of(cells[i], slots);
        sparse->features[i] = (uint32_t)(cells[i] - projection * slots);
        start[projection + 1]++;
    }
    for (uint32_t j = 0; j < d; j++) start[j + 1] += start[j];
}

static sporf_status draw_grid(const spf_sampler_settings *settings, sparse_state *sparse,
                              sporf_random *random, sporf_projections *candidates) {
    uint64_t size = (uint64_t)settings->slots * settings->projections;
    SPF_TRY(spf_cells_draw(&sparse->cells, random, size, sparse->total, sparse->drawn));
    (sparse->total <= FEW_CELLS ? order_cells : group_by_projection)(settings, sparse);
    spf_draw_weights(settings, random, sparse->total, sparse->weights);
    for (uint32_t j = 0; j < settings->projections; j++) {
        uint32_t from = sparse->start[j], to = sparse->start[j + 1];
        if (from < to)
            SPF_TRY(spf_projections_put(candidates, to - from, sparse->features + from,
                                        sparse->weights + from));
    }
    return SPORF_OK;
}

/* Counts arrivals before time `mean` with exponential gaps: this needs no exp(), whose last bits
 * differ between machines. */
static uint32_t draw_poisson(double mean, uint32_t most, sporf_random *random) {
    uint32_t count = 0;
    for (double time = spf_random_exponential(random); time < mean && count < most;
         time += spf_random_exponential(random))
        count++;
    return count;
}

static sporf_status draw_counts(const spf_sampler_settings *settings, sparse_state *sparse,
                                sporf_random *random, sporf_projections *candidates) {
    for (uint32_t j = 0; j < settings->projections; j++) {
        uint32_t count = draw_poisson(settings->nonzeros, settings->slots, random);
        spf_deck_draw(&sparse->deck, random, count, sparse->features);
        spf_draw_weights(settings, random, count, sparse->weights);
        SPF_TRY(spf_projections_put(candidates, count, sparse->features, sparse->weights));
    }
    return SPORF_OK;
}

static sporf_status draw(void *payload, void *state, const sporf_view *view, sporf_random *random,
                         sporf_projections *candidates) {
    (void)view;
    const spf_sampler_settings *settings = payload;
    return settings->placing == SPORF_NONZEROS_POISSON
               ? draw_counts(settings, state, random, candidates)
               : draw_grid(settings, state, random, candidates);
}

/* Projections with more terms may win more often. */
static double terms(const spf_sampler_settings *settings, double leaf_rows) {
    (void)leaf_rows;
    double mean = settings->nonzeros;
    return fmin(settings->slots, mean + 2 * sqrt(mean) + 1);
}

static double bytes(const spf_sampler_settings *settings, double rows, double classes) {
    (void)rows, (void)classes;
    double slots = settings->slots, d = settings->projections, word = sizeof(uint32_t);
    if (settings->placing == SPORF_NONZEROS_POISSON)
        return 2 * slots * word + spf_deck_bytes(settings->slots);
    double total = settings->nonzeros * d + 1;
    return total * (2 * word + sizeof(uint64_t)) + (d + 2) * word +
           spf_cells_bytes(slots * d, total);
}

const spf_method spf_method_sporf = {
    .info = {.name = "sporf",
             .title = "sparse projection oblique randomer forest",
             .options = "density|weights|nonzeros",
             .bag = SPORF_BAG_BOOTSTRAP,
             .traits = {.struct_size = sizeof(sporf_traits),
                        .ignores_rows = 1,
                        .draws_slots = 1,
                        .mixes_features = 1}},
    .prepare = prepare,
    .draw = draw,
    .finish = finish,
    .weights = SPORF_WEIGHTS_SIGN,
    .projections = {1, 1},
    .density = {3, -1},
    .density_of_few = {1, -1},
    .chosen_by_pilots = 1,
    .terms = terms,
    .bytes = bytes,
};
