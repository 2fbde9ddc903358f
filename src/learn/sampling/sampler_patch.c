/* Patches of neighbouring features: windows of a time series, rectangles of an image stored row by
 * row. The side lengths are uniform between patch_min and patch_max, limited to the image; every
 * position at which the patch fits is equally likely. */
#include "learn/sampling/method.h"
#include "model/projection.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    uint32_t *features;
    float *weights;
} patch_state;

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static void finish(void *payload, void *state) {
    (void)payload;
    patch_state *patch = state;
    free(patch->features);
    free(patch->weights);
    free(patch);
}

static sporf_status prepare(void *payload, const sporf_view *view, sporf_random *random,
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
        finish(payload, patch);
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

static sporf_status draw(void *payload, void *state, const sporf_view *view, sporf_random *random,
                         sporf_projections *candidates) {
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

static sporf_status resolve(const sporf_params *params, spf_sampler_settings *settings) {
    uint32_t features = settings->features;
    uint32_t width = params->image_width ? params->image_width : features;
    if (width > features || features % width != 0)
        return spf_raise(
            SPORF_ERROR_ARGUMENT,
            SPF_OPTION(
                "image-width") " is %u, but %u features do not make whole lines of that width",
            width, features);
    uint32_t height = features / width, longest = width > height ? width : height;
    if (params->patch_min > params->patch_max)
        return spf_raise(
            SPORF_ERROR_ARGUMENT,
            SPF_OPTION("patch-min") " is %u, above " SPF_OPTION("patch-max") ", which is %u",
            params->patch_min, params->patch_max);
    if (params->patch_min > longest)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("patch-min") " is %u, but the longest side of the image is %u",
                         params->patch_min, longest);
    settings->image_width = width;
    settings->image_height = height;
    settings->patch_min = params->patch_min;
    settings->patch_max = params->patch_max;
    settings->nonzeros = fmin(params->patch_max, width) * fmin(params->patch_max, height);
    return SPORF_OK;
}

static double bytes(const spf_sampler_settings *settings, double rows, double classes) {
    (void)rows, (void)classes;
    return settings->nonzeros * 2 * sizeof(uint32_t);
}

const spf_method spf_method_patch = {
    .info = {.name = "patch",
             .title = "forest of patches of an image, or windows of a series",
             .options = "weights|image-width|patch-min|patch-max",
             .bag = SPORF_BAG_BOOTSTRAP,
             .traits = {.struct_size = sizeof(sporf_traits), .ignores_rows = 1}},
    .prepare = prepare,
    .draw = draw,
    .finish = finish,
    .weights = SPORF_WEIGHTS_ONE,
    .projections = {1, 1},
    .density = {3, -1},
    .density_of_few = {3, -1},
    .resolve = resolve,
    .bytes = bytes,
};
