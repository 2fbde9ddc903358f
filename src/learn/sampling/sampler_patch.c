/* Patches of neighbouring features: windows of a time series, rectangles of an image whose lines
 * follow each other. The side lengths are uniform between patch_min and patch_max, cut to the
 * image; every place a patch of that size fits into is equally likely. */
#include "learn/sampling/sampler.h"
#include "model/projection.h"

#include <stdlib.h>

typedef struct {
    uint32_t *features;
    float *weights;
} patch_state;

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

void spf_patch_finish(void *payload, void *state) {
    (void)payload;
    patch_state *patch = state;
    free(patch->features);
    free(patch->weights);
    free(patch);
}

sporf_status spf_patch_prepare(void *payload, const sporf_view *view, sporf_random *random,
                               sporf_projections *basis, void **state) {
    (void)view, (void)random, (void)basis;
    const spf_sampler_settings *settings = payload;
    patch_state *patch = spf_alloc_zero(1, sizeof *patch);
    if (!patch) return spf_raise_memory();
    size_t largest = (size_t)least(settings->patch_max, settings->image_width) *
                     least(settings->patch_max, settings->image_height);
    patch->features = spf_alloc(largest, sizeof *patch->features);
    patch->weights = spf_alloc(largest, sizeof *patch->weights);
    if (!patch->features || !patch->weights) {
        spf_patch_finish(payload, patch);
        return spf_raise_memory();
    }
    *state = patch;
    return SPORF_OK;
}

typedef struct {
    uint32_t begin, length;
} span;

static span draw_span(const spf_sampler_settings *settings, uint32_t side, sporf_random *random) {
    uint32_t shortest = least(settings->patch_min, side),
             longest = least(settings->patch_max, side);
    span drawn = {.length = shortest + spf_random_below(random, longest - shortest + 1)};
    drawn.begin = spf_random_below(random, side - drawn.length + 1);
    return drawn;
}

sporf_status spf_patch_draw(void *payload, void *state, const sporf_view *view,
                            sporf_random *random, sporf_projections *candidates) {
    (void)view;
    const spf_sampler_settings *settings = payload;
    patch_state *patch = state;
    for (uint32_t j = 0; j < settings->projections; j++) {
        span across = draw_span(settings, settings->image_width, random);
        span down = draw_span(settings, settings->image_height, random);
        size_t count = 0;
        for (uint32_t y = down.begin; y < down.begin + down.length; y++)
            for (uint32_t x = across.begin; x < across.begin + across.length; x++) {
                patch->features[count++] = y * settings->image_width + x;
            }
        spf_draw_weights(settings, random, count, patch->weights);
        SPF_TRY(spf_projections_put(candidates, count, patch->features, patch->weights));
    }
    return SPORF_OK;
}
