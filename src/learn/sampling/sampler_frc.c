/* Breiman's Forest-RC: each projection joins L distinct features with weights U(-1, 1). */
#include "base/portable_math.h"
#include "learn/sampling/choose.h"
#include "learn/sampling/method.h"
#include "model/projection.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    spf_deck deck;
    uint32_t *features;
    float *weights;
} frc_state;

static void finish(void *payload, void *state) {
    (void)payload;
    frc_state *frc = state;
    spf_deck_free(&frc->deck);
    free(frc->features);
    free(frc->weights);
    free(frc);
}

static sporf_status prepare(void *payload, const sporf_view *view, sporf_random *random,
                            sporf_projections *basis, void **state) {
    (void)view, (void)random, (void)basis;
    const spf_sampler_settings *settings = payload;
    frc_state *frc = spf_alloc_zero(1, sizeof *frc);
    if (!frc) return spf_raise_memory();
    size_t terms = (size_t)settings->nonzeros;
    frc->features = spf_alloc(terms, sizeof *frc->features);
    frc->weights = spf_alloc(terms, sizeof *frc->weights);
    sporf_status status = frc->features && frc->weights
                              ? spf_deck_create(settings->slots, &frc->deck)
                              : spf_raise_memory();
    if (status != SPORF_OK) {
        finish(payload, frc);
        return status;
    }
    *state = frc;
    return SPORF_OK;
}

static sporf_status draw(void *payload, void *state, const sporf_view *view, sporf_random *random,
                         sporf_projections *candidates) {
    (void)view;
    const spf_sampler_settings *settings = payload;
    frc_state *frc = state;
    uint32_t terms = (uint32_t)settings->nonzeros;
    for (uint32_t j = 0; j < settings->projections; j++) {
        spf_deck_draw(&frc->deck, random, terms, frc->features);
        spf_draw_weights(settings, random, terms, frc->weights);
        SPF_TRY(spf_projections_put(candidates, terms, frc->features, frc->weights));
    }
    return SPORF_OK;
}

static sporf_status resolve(const sporf_params *params, spf_sampler_settings *settings) {
    (void)params;
    settings->nonzeros = fmax(1, spf_round_up(settings->nonzeros));
    return SPORF_OK;
}

static double bytes(const spf_sampler_settings *settings, double rows, double classes) {
    (void)rows, (void)classes;
    return settings->nonzeros * 2 * sizeof(uint32_t) + spf_deck_bytes(settings->slots);
}

const spf_method spf_method_frc = {
    .info = {.name = "frc",
             .title = "random forest of linear combinations (Forest-RC)",
             .options = "density|weights",
             .bag = SPORF_BAG_BOOTSTRAP,
             .equal_terms = 1,
             .traits = {.struct_size = sizeof(sporf_traits),
                        .ignores_rows = 1,
                        .draws_slots = 1,
                        .mixes_features = 1}},
    .prepare = prepare,
    .draw = draw,
    .finish = finish,
    .weights = SPORF_WEIGHTS_UNIFORM,
    .projections = {1, 1},
    .density = {3, -1},
    .density_of_few = {3, -1},
    .resolve = resolve,
    .bytes = bytes,
};
