/* Random rotation forests (Blaser and Fryzlewicz 2016): a random (Haar) rotation is the basis of
 * each tree, and splits are along its axes. With more than 1,000 features, a random 1,000 of them
 * are rotated. */
#include "base/linalg.h"
#include "base/sort.h"
#include "learn/sampling/choose.h"
#include "learn/sampling/method.h"

#include <math.h>
#include <stdlib.h>

enum { ROTATED_MAX = 1000 };

static sporf_status choose_rotated(uint32_t features, uint32_t count, sporf_random *random,
                                   uint32_t *rotated) {
    spf_deck deck;
    SPF_TRY(spf_deck_create(features, &deck));
    spf_deck_draw(&deck, random, count, rotated);
    spf_deck_free(&deck);
    spf_sort_numbers(rotated, count);
    return SPORF_OK;
}

static sporf_status add_basis(uint32_t features, const uint32_t *rotated, uint32_t count,
                              const double *rotation, float *weights, sporf_projections *basis) {
    static const float one = 1;
    for (uint32_t j = 0; j < count; j++) {
        for (uint32_t i = 0; i < count; i++) weights[i] = (float)rotation[(size_t)j * count + i];
        SPF_TRY(sporf_projections_add(basis, count, rotated, weights));
    }
    for (uint32_t f = 0, next = 0; f < features; f++) {
        if (next < count && rotated[next] == f)
            next++;
        else
            SPF_TRY(sporf_projections_add(basis, 1, &f, &one));
    }
    return SPORF_OK;
}

static sporf_status prepare(void *payload, const sporf_view *view, sporf_random *random,
                            sporf_projections *basis, void **state) {
    const spf_sampler_settings *settings = payload;
    if (!basis) return spf_axis_prepare(payload, view, random, basis, state);
    uint32_t count = settings->features < ROTATED_MAX ? settings->features : ROTATED_MAX;
    uint32_t *rotated = spf_alloc(count, sizeof *rotated);
    double *rotation = spf_alloc((size_t)count * count, sizeof *rotation);
    float *weights = spf_alloc(count, sizeof *weights);
    sporf_status status = SPORF_OK;
    if (!rotated || !rotation || !weights) {
        status = spf_raise_memory();
        goto out;
    }
    if ((status = choose_rotated(settings->features, count, random, rotated)) != SPORF_OK) goto out;
    for (size_t i = 0; i < (size_t)count * count; i++) rotation[i] = spf_random_normal(random);
    if ((status = spf_haar_rotation(rotation, count)) != SPORF_OK) goto out;
    status = add_basis(settings->features, rotated, count, rotation, weights, basis);
    if (status == SPORF_OK) status = spf_axis_prepare(payload, view, random, basis, state);
out:
    free(rotated);
    free(rotation);
    free(weights);
    return status;
}

/* The basis is dense, except for features that are not rotated. */
static double rotated_of(const spf_sampler_settings *settings) {
    return fmin(settings->features, ROTATED_MAX);
}

static double terms(const spf_sampler_settings *settings, double leaf_rows) {
    (void)leaf_rows;
    return rotated_of(settings);
}

static double bytes(const spf_sampler_settings *settings, double rows, double classes) {
    double rotated = rotated_of(settings);
    return rotated * (rotated + 1) * sizeof(double) + spf_deck_bytes(settings->features) +
           spf_axis_bytes(settings, rows, classes);
}

const spf_method spf_method_rr_rf = {
    .info = {.name = "rr-rf",
             .title = "random rotation random forest",
             .options = "",
             .bag = SPORF_BAG_BOOTSTRAP,
             .traits = {.struct_size = sizeof(sporf_traits),
                        .ignores_rows = 1,
                        .makes_basis = 1,
                        .mixes_features = 1,
                        .needs_numbers = 1}},
    .prepare = prepare,
    .draw = spf_axis_draw,
    .finish = spf_axis_finish,
    .weights = SPORF_WEIGHTS_SIGN,
    .projections = {1, 1},
    .density = {3, -1},
    .density_of_few = {3, -1},
    .resolve = spf_resolve_distinct,
    .terms = terms,
    .bytes = bytes,
};
