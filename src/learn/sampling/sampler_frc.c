/* Breiman's Forest-RC: each projection joins L distinct features with weights U(-1, 1). */
#include "learn/sampling/choose.h"
#include "learn/sampling/sampler.h"
#include "model/projection.h"

#include <stdlib.h>

typedef struct {
    spf_deck deck;
    uint32_t *features;
    float *weights;
} frc_state;

void spf_frc_finish(void *payload, void *state) {
    (void)payload;
    frc_state *frc = state;
    spf_deck_free(&frc->deck);
    free(frc->features);
    free(frc->weights);
    free(frc);
}

sporf_status spf_frc_prepare(void *payload, const sporf_view *view, sporf_random *random,
                             sporf_projections *basis, void **state) {
    (void)view, (void)random, (void)basis;
    const spf_sampler_settings *settings = payload;
    frc_state *frc = spf_alloc_zero(1, sizeof *frc);
    if (!frc) return spf_raise_memory();
    size_t terms = (size_t)settings->nonzeros;
    frc->features = spf_alloc(terms, sizeof *frc->features);
    frc->weights = spf_alloc(terms, sizeof *frc->weights);
    sporf_status status = frc->features && frc->weights
                              ? spf_deck_create(settings->features, &frc->deck)
                              : spf_raise_memory();
    if (status != SPORF_OK) {
        spf_frc_finish(payload, frc);
        return status;
    }
    *state = frc;
    return SPORF_OK;
}

sporf_status spf_frc_draw(void *payload, void *state, const sporf_view *view, sporf_random *random,
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
