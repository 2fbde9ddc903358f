/* Values for parameters that are auto. */
#include "learn/resolve.h"

#include "learn/checks.h"
#include "learn/sampling/scale.h"
#include "learn/sampling/slots.h"

#include <stdlib.h>

/* Features whose standard deviations lie further apart are in different units: sums of them are
 * those of the widest alone, unless they are scaled. Closer ones are better left as they are, where
 * equal units, or the same few values in all of them, mean something. */
#define COMMENSURATE 100.0

/* Of many features a few may hardly vary, as pixels at the border of an image. */
#define OUTLYING 0.05

/* Methods that add features, or rotate them. */
static int mixes_features(sporf_method method) {
    return method == SPORF_METHOD_SPORF || method == SPORF_METHOD_FRC ||
           method == SPORF_METHOD_RR_RF;
}

static int compare_floats(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Whether the factors of numbers that vary lie far apart, but for the outlying ones. Sorts them. */
static int is_mixed(const sporf_dataset *data, float *factors) {
    size_t count = 0;
    for (size_t i = 0; i < data->features; i++)
        if (factors[i] != 0 && spf_schema_kind(&data->schema, i) != SPORF_KIND_CATEGORY)
            factors[count++] = factors[i];
    if (count == 0) return 0;
    qsort(factors, count, sizeof *factors, compare_floats);
    size_t aside = (size_t)(OUTLYING * (double)(count - 1));
    return factors[count - 1 - aside] > COMMENSURATE * factors[aside];
}

static sporf_status choose_scale(const sporf_dataset *data, sporf_params *params) {
    spf_row_weights weights;
    SPF_TRY(spf_row_weights_create(data, params->class_weights, params->weight_is, &weights));
    float *factors = spf_alloc(data->features, sizeof *factors);
    sporf_status status =
        factors ? spf_scale_factors(data, &weights, SPORF_SCALE_SD, params->threads, factors)
                : spf_raise_memory();
    if (status == SPORF_OK)
        params->scale = is_mixed(data, factors) ? SPORF_SCALE_SD : SPORF_SCALE_NONE;
    free(factors);
    spf_row_weights_free(&weights);
    return status;
}

sporf_status spf_resolve_scale(const sporf_dataset *data, int own_sampler, sporf_params *params) {
    SPF_TRY(spf_check_training(data, params, own_sampler));
    if (params->scale != SPORF_SCALE_AUTO) return SPORF_OK;
    if (data->targets > 0) {
        params->scale = SPORF_SCALE_SD;
        return SPORF_OK;
    }
    if (!own_sampler && mixes_features(params->method)) return choose_scale(data, params);
    params->scale = SPORF_SCALE_NONE;
    return SPORF_OK;
}

/* Sums of three among so few features as these leave hardly one out, and blur what a single one
 * tells; the authors' program takes single ones there, too. */
enum { FEW_FEATURES = 9 };

void spf_resolve_amounts(const sporf_dataset *data, sporf_params *params) {
    if (spf_is_auto(params->projections))
        params->projections = (sporf_power){1, params->method == SPORF_METHOD_RF ? 0.5 : 1};
    int single = params->method == SPORF_METHOD_SPORF &&
                 (data->targets > 0 || spf_slots_count(data) <= FEW_FEATURES);
    if (spf_is_auto(params->density)) params->density = (sporf_power){single ? 1 : 3, -1};
    if (params->min_leaf == 0) params->min_leaf = 1;
}

sporf_status spf_resolve_params(const sporf_dataset *data, int own_sampler, sporf_params *params) {
    spf_resolve_amounts(data, params);
    return spf_resolve_scale(data, own_sampler, params);
}
