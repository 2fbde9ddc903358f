/* Projections are stored in a normal form: features ascending, first weight positive, largest
 * weight 1. Projections that split alike are then equal, and no sum of features can overflow. */
#include "model/projection.h"

#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void spf_projections_clear(sporf_projections *list) {
    list->count = list->terms = 0;
}

void spf_projections_free(sporf_projections *list) {
    free(list->start);
    free(list->feature);
    free(list->weight);
    free(list->sorting);
    *list = (sporf_projections){0};
}

/* Terms are sorted within a projection. */
double spf_projections_bytes(double projections, double terms) {
    return spf_reserve_bytes(projections + 1, sizeof(uint32_t)) +
           spf_reserve_bytes(terms, sizeof(uint32_t)) + spf_reserve_bytes(terms, sizeof(float)) +
           spf_reserve_bytes(2 * terms / fmax(projections, 1), sizeof(uint64_t));
}

static sporf_status check_terms(const sporf_projections *list, size_t count,
                                const uint32_t *features, const float *weights) {
    for (size_t i = 0; i < count; i++) {
        if (features[i] >= list->features)
            return spf_raise(
                SPORF_ERROR_ARGUMENT,
                "the sampler drew feature %u, but there are only %zu (numbered from 0)",
                features[i], list->features);
        if (!isfinite(weights[i]))
            return spf_raise(SPORF_ERROR_ARGUMENT,
                             "the sampler gave feature %u a weight that is not finite",
                             features[i]);
    }
    return SPORF_OK;
}

static int is_ascending(const uint32_t *features, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (features[i - 1] >= features[i]) return 0;
    return 1;
}

static sporf_status raise_repeated(uint32_t feature) {
    return spf_raise(SPORF_ERROR_ARGUMENT, "the sampler drew feature %u twice in one projection",
                     feature);
}

/* Copies the terms, sorted by feature. */
static sporf_status insert_few_terms(const uint32_t *features, const float *weights, size_t count,
                                     uint32_t *own_features, float *own_weights) {
    for (size_t i = 0; i < count; i++) {
        uint32_t feature = features[i];
        size_t j = i;
        for (; j > 0 && own_features[j - 1] > feature; j--) {
            own_features[j] = own_features[j - 1];
            own_weights[j] = own_weights[j - 1];
        }
        if (j > 0 && own_features[j - 1] == feature) return raise_repeated(feature);
        own_features[j] = feature;
        own_weights[j] = weights[i];
    }
    return SPORF_OK;
}

static sporf_status sort_many_terms(sporf_projections *list, uint32_t *features, float *weights,
                                    size_t count) {
    if (is_ascending(features, count)) return SPORF_OK;
    SPF_TRY(SPF_RESERVE(list->sorting, list->sorting_capacity, 2 * count));
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &weights[i], sizeof bits);
        list->sorting[i] = (uint64_t)features[i] << 32 | bits;
    }
    spf_sort_keys(list->sorting, list->sorting + count, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = (uint32_t)list->sorting[i];
        features[i] = (uint32_t)(list->sorting[i] >> 32);
        memcpy(&weights[i], &bits, sizeof bits);
        if (i > 0 && features[i] == features[i - 1]) return raise_repeated(features[i]);
    }
    return SPORF_OK;
}

/* The same for two, without a branch that cannot be predicted. */
static sporf_status place_two_terms(const uint32_t *features, const float *weights,
                                    uint32_t *own_features, float *own_weights) {
    const size_t first = features[1] < features[0];
    if (features[0] == features[1]) return raise_repeated(features[0]);
    own_features[0] = features[first];
    own_features[1] = features[!first];
    own_weights[0] = weights[first];
    own_weights[1] = weights[!first];
    return SPORF_OK;
}

/* Copies the terms, sorted by feature; a repeated feature is an error. */
static sporf_status insert_terms(sporf_projections *list, const uint32_t *features,
                                 const float *weights, size_t count, uint32_t *own_features,
                                 float *own_weights) {
    enum { FEW = 16 };
    if (count == 2) return place_two_terms(features, weights, own_features, own_weights);
    if (count <= FEW) return insert_few_terms(features, weights, count, own_features, own_weights);
    memcpy(own_features, features, count * sizeof *features);
    memcpy(own_weights, weights, count * sizeof *weights);
    return sort_many_terms(list, own_features, own_weights, count);
}

/* Converts the terms to raw units with a largest weight of 1, and returns how many are not 0. */
static size_t rescale(const float *scale, uint32_t *features, float *weights, size_t count) {
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        double raw = fabs((double)weights[i]) * (scale ? scale[features[i]] : 1.0f);
        if (raw > largest) largest = raw;
    }
    if (largest == 0) return 0;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        float weight = (float)((double)weights[i] * (scale ? scale[features[i]] : 1.0f) / largest);
        if (weight == 0) continue;
        features[kept] = features[i];
        weights[kept++] = weight;
    }
    return kept;
}

/* The normal form: raw units, the largest weight 1, the first positive. */
static size_t normalise(const float *scale, uint32_t *features, float *weights, size_t count) {
    size_t kept =
        !scale && spf_are_signs(weights, count) ? count : rescale(scale, features, weights, count);
    float sign = kept > 0 && weights[0] < 0 ? -1 : 1;
    for (size_t i = 0; i < kept; i++) weights[i] *= sign;
    return kept;
}

/* A single term has weight 1, unless its feature is constant. */
static void put_single(sporf_projections *list, uint32_t feature, float weight) {
    if (weight == 0 || (list->scale && list->scale[feature] == 0)) return;
    list->feature[list->terms] = feature;
    list->weight[list->terms] = 1;
    list->start[list->count++] = (uint32_t)list->terms++;
    list->start[list->count] = (uint32_t)list->terms;
}

sporf_status spf_projections_put(sporf_projections *list, size_t count, const uint32_t *features,
                                 const float *weights) {
    if (count == 0) return SPORF_OK;
    if (list->terms + count > UINT32_MAX)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "the projections of a node have more than 2^32 terms" SPF_HINT
                         "lower " SPF_OPTION("projections") " or " SPF_OPTION("density"));
    SPF_TRY(SPF_RESERVE(list->start, list->start_capacity, list->count + 2));
    SPF_TRY(SPF_RESERVE(list->feature, list->feature_capacity, list->terms + count));
    SPF_TRY(SPF_RESERVE(list->weight, list->weight_capacity, list->terms + count));
    if (count == 1) {
        put_single(list, features[0], weights[0]);
        return SPORF_OK;
    }
    uint32_t *own_features = list->feature + list->terms;
    float *own_weights = list->weight + list->terms;
    SPF_TRY(insert_terms(list, features, weights, count, own_features, own_weights));
    size_t kept = normalise(list->scale, own_features, own_weights, count);
    if (kept == 0) return SPORF_OK;
    list->start[list->count++] = (uint32_t)list->terms;
    list->terms += kept;
    list->start[list->count] = (uint32_t)list->terms;
    return SPORF_OK;
}

sporf_status sporf_projections_add(sporf_projections *list, size_t count, const uint32_t *features,
                                   const float *weights) {
    if (count == 0) return SPORF_OK;
    if (!list || !features || !weights)
        return spf_raise(SPORF_ERROR_ARGUMENT, "a projection needs a list, features and weights");
    SPF_TRY(check_terms(list, count, features, weights));
    return spf_projections_put(list, count, features, weights);
}
