/* The values that boosting takes for options that are auto; docs/decisions/0050 has the comparisons
 * they come from. */
#include "learn/boosting/boost_defaults.h"
#include "learn/boosting/round_features.h"

#include <math.h>

enum { MANY_ROWS = 10000 };

/* Larger tables bear deeper trees, and have more to learn before noise counts. */
static uint32_t depth_for(size_t rows) {
    static const struct {
        size_t below;
        uint32_t depth;
    } steps[] = {{5000, 3}, {15000, 4}, {50000, 5}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (rows < steps[i].below) return steps[i].depth;
    return 6;
}

/* More bags cost more time: as many as a table affords whose trees are quickly grown. */
static uint32_t bags_for(const sporf_dataset *data, const sporf_params *params, int stops) {
    const double most = data->rows < MANY_ROWS ? 8 : 4;
    const double allowed = 8e6; /* cells of one round of all bags: rows x candidates x outputs */
    size_t classes = data->schema.classes.count;
    double outputs = data->targets > 0 ? (double)data->targets : classes > 2 ? (double)classes : 1;
    double features = fmin((double)data->features, SPF_ROUND_FEATURES);
    double cells = (double)data->rows * 2 * features * outputs;
    if (stops || params->valid == 0) return 1;
    return (uint32_t)fmax(1, fmin(most, floor(allowed / fmax(cells, 1))));
}

/* Trees that see other rows each are smoother on average, which helps numbers and costs classes. */
static double subsample_for(const sporf_dataset *data, const sporf_params *params, int stops) {
    return data->targets > 0 && (stops || params->valid > 0) ? 0.7 : 1;
}

void spf_boost_defaults(const sporf_dataset *data, int stops, sporf_params *params) {
    const spf_method *method = spf_method_of(params->method);
    if (spf_is_auto(params->projections))
        params->projections =
            method->info.traits.mixes_features && data->features > SPF_ROUND_FEATURES
                ? (sporf_amount){SPF_ROUND_FEATURES, 0}
                : (sporf_amount){1, 1};
    if (spf_is_auto(params->density) && method->info.traits.mixes_features)
        params->density = (sporf_amount){2, -1};
    if (params->scale == SPORF_SCALE_AUTO) params->scale = SPORF_SCALE_SD;
    if (params->max_depth == 0 && params->max_leaves == 0)
        params->max_depth = depth_for(data->rows);
    if (params->min_leaf == 0) params->min_leaf = 5;
    if (params->rate == 0) params->rate = data->rows < MANY_ROWS ? 0.05 : 0.1;
    if (params->subsample == 0) params->subsample = subsample_for(data, params, stops);
    if (params->bags == 0) params->bags = bags_for(data, params, stops);
    if (params->loss == SPORF_LOSS_AUTO)
        params->loss = data->targets > 0 ? SPORF_LOSS_SQUARED : SPORF_LOSS_LOG;
    params->bag = SPORF_BAG_NONE;
    params->samples = SPORF_SAMPLES_DROP;
    params->honest = 0;
}
