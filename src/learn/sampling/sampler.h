/* What the samplers share: how a node's candidate projections come about. Each is one file that
 * fills a row of the table in method.h. */
#ifndef SPF_LEARN_SAMPLING_SAMPLER_H
#define SPF_LEARN_SAMPLING_SAMPLER_H

#include "base/memory.h"
#include "base/rng.h"

/* The payload of every built-in sampler: the parameters with p put in. */
typedef struct spf_sampler_settings {
    uint32_t features;     /* p */
    uint32_t projections;  /* d */
    double nonzeros;       /* features of a candidate on average: lambda p, at most p */
    sporf_weights weights; /* not AUTO */
    sporf_nonzeros placing;
    uint32_t image_width, image_height;
    uint32_t patch_min, patch_max;
    int shares; /* units of rows are shares of a bag, not counts: see spf_bagger */
} spf_sampler_settings;

/* Weights of the kind that settings name. */
void spf_draw_weights(const spf_sampler_settings *settings, sporf_random *random, size_t count,
                      float *weights);

/* For methods that choose among the features themselves: d is at most p. */
sporf_status spf_resolve_distinct(const sporf_params *params, spf_sampler_settings *settings);

/* rf draws d distinct features; rr-rf, on a rotated basis, d distinct directions. */
sporf_status spf_axis_prepare(void *payload, const sporf_view *view, sporf_random *random,
                              sporf_projections *basis, void **state);
sporf_status spf_axis_draw(void *payload, void *state, const sporf_view *view, sporf_random *random,
                           sporf_projections *candidates);
void spf_axis_finish(void *payload, void *state);
double spf_axis_bytes(const spf_sampler_settings *settings, double rows, double classes);

#endif
