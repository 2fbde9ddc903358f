/* The table of samplers, and the parameters they share. */
#include "learn/sampling/sampler.h"

#include "base/portable_math.h"

#include <math.h>

static const sporf_sampler samplers[] = {
    [SPORF_METHOD_SPORF] = {"sporf", NULL, spf_sparse_prepare, spf_sparse_draw, spf_sparse_finish},
    [SPORF_METHOD_RF] = {"rf", NULL, spf_axis_prepare, spf_axis_draw, spf_axis_finish},
    [SPORF_METHOD_FRC] = {"frc", NULL, spf_frc_prepare, spf_frc_draw, spf_frc_finish},
    [SPORF_METHOD_RR_RF] = {"rr-rf", NULL, spf_rotation_prepare, spf_axis_draw, spf_axis_finish},
    [SPORF_METHOD_CCF] = {"ccf", NULL, spf_cca_prepare, spf_cca_draw, spf_cca_finish},
    [SPORF_METHOD_PATCH] = {"patch", NULL, spf_patch_prepare, spf_patch_draw, spf_patch_finish},
};

sporf_sampler spf_sampler_of(sporf_method method, spf_sampler_settings *settings) {
    sporf_sampler sampler = samplers[method];
    sampler.payload = settings;
    return sampler;
}

double spf_sampler_terms(sporf_method method, const spf_sampler_settings *settings) {
    double d = settings->projections;
    int single = method == SPORF_METHOD_RF || method == SPORF_METHOD_RR_RF;
    return single ? d : fmax(1, d * settings->nonzeros);
}

/* Each bit of a random word is a sign. */
static void draw_signs(sporf_random *random, size_t count, float *weights) {
    for (size_t begin = 0; begin < count; begin += 32) {
        size_t end = begin + 32 < count ? begin + 32 : count;
        uint32_t word = spf_random_word(random);
        for (size_t i = begin; i < end; i++, word >>= 1) weights[i] = word & 1 ? 1 : -1;
    }
}

void spf_draw_weights(const spf_sampler_settings *settings, sporf_random *random, size_t count,
                      float *weights) {
    switch (settings->weights) {
    case SPORF_WEIGHTS_ONE:
        for (size_t i = 0; i < count; i++) weights[i] = 1;
        break;
    case SPORF_WEIGHTS_UNIFORM:
        for (size_t i = 0; i < count; i++) weights[i] = (float)(2 * spf_random_uniform(random) - 1);
        break;
    case SPORF_WEIGHTS_NORMAL:
        for (size_t i = 0; i < count; i++) weights[i] = (float)spf_random_normal(random);
        break;
    default:
        draw_signs(random, count, weights);
    }
}

static double amount(sporf_power power, size_t features) {
    return power.factor * pow((double)features, power.exponent);
}

static sporf_weights settle_weights(const sporf_params *params) {
    if (params->weights != SPORF_WEIGHTS_AUTO) return params->weights;
    if (params->method == SPORF_METHOD_FRC) return SPORF_WEIGHTS_UNIFORM;
    if (params->method == SPORF_METHOD_PATCH) return SPORF_WEIGHTS_ONE;
    return SPORF_WEIGHTS_SIGN;
}

int spf_chooses_features(sporf_method method) {
    return method == SPORF_METHOD_RF || method == SPORF_METHOD_RR_RF || method == SPORF_METHOD_CCF;
}

static sporf_status settle_projections(const sporf_params *params, size_t features,
                                       spf_sampler_settings *settings) {
    double d = spf_round_up(amount(params->projections, features));
    if (params->projections.exponent == 0 && params->projections.factor != d)
        return spf_raise(SPORF_ERROR_ARGUMENT, "projections must be a whole number, got %g",
                         params->projections.factor);
    if (!(d >= 1)) d = 1;
    if (d > features && spf_chooses_features(params->method))
        return spf_raise(
            SPORF_ERROR_ARGUMENT,
            "projections is %.0f, but this method draws from the %zu features: give at "
            "most p, or take the method sporf",
            d, features);
    if (d > 1e8)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "projections comes to %.3g for %zu features, more than 1e8 in each node",
                         d, features);
    settings->projections = (uint32_t)d;
    return SPORF_OK;
}

/* K/p may ask for more non-zeros than there are features, and then means all of them; a share
 * above 1 in any other form is a mistake. */
static sporf_status settle_density(const sporf_params *params, size_t features,
                                   spf_sampler_settings *settings) {
    if (params->density.exponent >= 0 && amount(params->density, features) > 1)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "density must be at most 1, got %g: it is the share of features with a "
                         "weight (write 3/p for three features in each projection)",
                         amount(params->density, features));
    settings->nonzeros = params->density.exponent == -1
                             ? params->density.factor
                             : amount(params->density, features) * (double)features;
    if (settings->nonzeros > (double)features) settings->nonzeros = (double)features;
    if (params->method == SPORF_METHOD_FRC) {
        settings->nonzeros = spf_round_up(settings->nonzeros);
        if (settings->nonzeros < 1) settings->nonzeros = 1;
    }
    return SPORF_OK;
}

static sporf_status settle_patch(const sporf_params *params, size_t features,
                                 spf_sampler_settings *settings) {
    uint32_t width = params->image_width ? params->image_width : (uint32_t)features;
    if (width > features || features % width != 0)
        return spf_raise(
            SPORF_ERROR_ARGUMENT,
            "image-width is %u, but %zu features do not make whole lines of that width", width,
            features);
    uint32_t height = (uint32_t)(features / width), longest = width > height ? width : height;
    if (params->patch_min > params->patch_max)
        return spf_raise(SPORF_ERROR_ARGUMENT, "patch-min is %u, above patch-max, which is %u",
                         params->patch_min, params->patch_max);
    if (params->patch_min > longest)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "patch-min is %u, but the longest side of the image is %u",
                         params->patch_min, longest);
    settings->image_width = width;
    settings->image_height = height;
    settings->patch_min = params->patch_min;
    settings->patch_max = params->patch_max;
    settings->nonzeros = fmin(params->patch_max, width) * fmin(params->patch_max, height);
    return SPORF_OK;
}

sporf_status spf_sampler_settle(const sporf_params *params, size_t features,
                                spf_sampler_settings *settings) {
    *settings = (spf_sampler_settings){
        .features = (uint32_t)features,
        .weights = settle_weights(params),
        .placing = params->nonzeros,
    };
    SPF_TRY(settle_projections(params, features, settings));
    SPF_TRY(settle_density(params, features, settings));
    if (params->method == SPORF_METHOD_PATCH) SPF_TRY(settle_patch(params, features, settings));
    if (!spf_chooses_features(params->method) &&
        (double)settings->projections * settings->nonzeros > 1e9)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "%u projections of %g features each are too many for one node: lower "
                         "projections, density or patch-max",
                         settings->projections, settings->nonzeros);
    return SPORF_OK;
}
