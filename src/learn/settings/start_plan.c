/* Settings to plan. */
#include "learn/settings/start_plan.h"

#include "learn/growing/categories.h"
#include "learn/outcome/outcomes.h"
#include "learn/splitting/criterion.h"

#include <math.h>

/* The weight of that many rows in units of the bag; a weight beyond 32 bits, which no bag reaches,
 * stays out of reach. */
static uint32_t least_units(const spf_bagger *bagger, uint32_t rows) {
    double units = rows * bagger->unit_of_row;
    return units < UINT32_MAX ? (uint32_t)ceil(units) : UINT32_MAX;
}

static sporf_status prepare_bags(const spf_settings *settings, spf_plan *plan) {
    spf_bagger *bagger = &plan->bagger;
    const sporf_params *params = &settings->params;
    const spf_row_weights *weights = settings->weights;
    SPF_TRY(
        spf_bagger_create(settings->classes, weights, params->bag, params->bag_fraction, bagger));
    int counted = weights->relative; /* then rows are counted, not weighed */
    plan->min_split = counted ? params->min_split : least_units(bagger, params->min_split);
    plan->min_leaf = counted ? params->min_leaf : least_units(bagger, params->min_leaf);
    plan->rare_below = least_units(bagger, SPF_RARE_BELOW);
    if (!plan->criterion->logarithms) return SPORF_OK;
    return spf_xlogx_create(bagger->weight, &plan->xlogx);
}

sporf_status spf_plan_start(const spf_settings *settings, const sporf_hooks *hooks,
                            spf_plan *plan) {
    const sporf_params *params = &settings->params;
    *plan = (spf_plan){
        .data = settings->data,
        .criterion = spf_criterion_of(params->criterion),
        .split = params->split,
        .seed = params->seed,
        .max_depth = params->max_depth,
        .least_share = params->min_leaf_weight,
        .honest = params->honest,
        .interrupt = hooks->interrupt,
        .interrupt_payload = hooks->payload,
        .sampler = settings->sampler,
    };
    SPF_TRY(prepare_bags(settings, plan));
    return spf_outcome_open(settings->outcome, settings->data, settings->weights,
                            spf_settings_calibrate(settings), &plan->outcome);
}

void spf_plan_end(spf_plan *plan) {
    spf_outcome_close(&plan->outcome);
    spf_slots_free(&plan->slots);
    spf_bagger_free(&plan->bagger);
    spf_xlogx_free(&plan->xlogx);
}

double spf_terms_of_node(const spf_settings *settings) {
    const spf_sampler_settings *sampling = &settings->sampling;
    double terms = sampling->projections * sampling->nonzeros;
    return fmax(1, settings->method ? terms : settings->sampler.traits.terms);
}
