/* Axis-aligned candidates, Breiman's random forest: d distinct features, or, for random rotation
 * forests, d distinct directions of the tree's rotated basis. */
#include "learn/sampling/choose.h"
#include "learn/sampling/sampler.h"
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
        axis->chosen ? spf_deck_create(settings->features, &axis->deck) : spf_raise_memory();
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
        if (axis->chosen[i] < view->features) /* a basis may lack directions of constant columns */
            SPF_TRY(spf_projections_put(candidates, 1, &axis->chosen[i], &one));
    return SPORF_OK;
}
