/* Axis-aligned candidates, Breiman's random forest: d distinct features or, for random rotation
 * forests, d distinct directions of the tree's rotated basis. */
#include "learn/sampling/choose.h"
#include "learn/sampling/method.h"
#include "model/projection.h"

#include <stdlib.h>

typedef struct {
    spf_deck deck;
    uint32_t *chosen;
} axis_state;

void spf_axis_finish(void *payload, void *state) {
    (void)payload;
    axis_state *axis = state;
    spf_deck_free(&axis->deck);
    free(axis->chosen);
    free(axis);
}

sporf_status spf_axis_prepare(void *payload, const sporf_view *view, sporf_random *random,
                              sporf_projections *basis, void **state) {
    (void)view, (void)random, (void)basis;
    const spf_sampler_settings *settings = payload;
    axis_state *axis = spf_alloc_zero(1, sizeof *axis);
    if (!axis) return spf_raise_memory();
    axis->chosen = spf_alloc(settings->projections, sizeof *axis->chosen);
    sporf_status status =
        axis->chosen ? spf_deck_create(settings->slots, &axis->deck) : spf_raise_memory();
    if (status != SPORF_OK) {
        spf_axis_finish(payload, axis);
        return status;
    }
    *state = axis;
    return SPORF_OK;
}

sporf_status spf_axis_draw(void *payload, void *state, const sporf_view *view, sporf_random *random,
                           sporf_projections *candidates) {
    static const float one = 1;
    const spf_sampler_settings *settings = payload;
    axis_state *axis = state;
    spf_deck_draw(&axis->deck, random, settings->projections, axis->chosen);
    for (uint32_t i = 0; i < settings->projections; i++)
        if (axis->chosen[i] < view->features) /* constant columns have no direction in the basis */
            SPF_TRY(spf_projections_put(candidates, 1, &axis->chosen[i], &one));
    return SPORF_OK;
}

double spf_axis_bytes(const spf_sampler_settings *settings, double rows, double classes) {
    (void)rows, (void)classes;
    return settings->projections * (double)sizeof(uint32_t) + spf_deck_bytes(settings->slots);
}

const spf_method spf_method_rf = {
    .info = {.name = "rf",
             .title = "random forest",
             .options = "",
             .bag = SPORF_BAG_BOOTSTRAP,
             .traits = {.struct_size = sizeof(sporf_traits), .ignores_rows = 1, .draws_slots = 1}},
    .prepare = spf_axis_prepare,
    .draw = spf_axis_draw,
    .finish = spf_axis_finish,
    .weights = SPORF_WEIGHTS_SIGN,
    .projections = {1, 0.5},
    .density = {3, -1},
    .density_of_few = {3, -1},
    .resolve = spf_resolve_distinct,
    .bytes = spf_axis_bytes,
};
