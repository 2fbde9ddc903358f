/* Weights of projections. */
#include "learn/sampling/sampler.h"

/* Each bit of a random word is a sign: without branches, which could not be predicted. */
static void draw_signs(sporf_random *random, size_t count, float *weights) {
    for (size_t begin = 0; begin < count; begin += 32) {
        size_t end = begin + 32 < count ? begin + 32 : count;
        uint32_t word = spf_random_word(random);
        for (size_t i = begin; i < end; i++, word >>= 1)
            weights[i] = (float)(2 * (int)(word & 1) - 1);
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

sporf_status spf_resolve_distinct(const sporf_params *params, spf_sampler_settings *settings) {
    const sporf_amount d = params->projections;
    settings->nonzeros = 1;
    if (d.factor == 1 && d.exponent == 1) settings->projections = settings->slots;
    if (settings->projections <= settings->slots) return SPORF_OK;
    return spf_raise(
        SPORF_ERROR_ARGUMENT,
        SPF_OPTION(
            "projections") " is %u, but this method has no more than %u candidates%s" SPF_HINT
                           "give at most that many, or use " SPF_OPTION_AS("method", "sporf"),
        settings->projections, settings->slots,
        settings->slots > settings->features ? ", up to three for a category" : "");
}
