/* What samplers share. A sampler draws a node's candidate projections; each is one file that fills
 * a row of the table in method.h. */
#ifndef SPF_LEARN_SAMPLING_SAMPLER_H
#define SPF_LEARN_SAMPLING_SAMPLER_H

#include "base/memory.h"
#include "base/rng.h"

/* The payload of every built-in sampler: the parameters evaluated for p, the number of features. */
typedef struct spf_sampler_settings {
    uint32_t features;     /* p */
    uint32_t slots;        /* from which candidates are drawn: p or more (learn/sampling/slots.h) */
    uint32_t projections;  /* d */
    double nonzeros;       /* mean number of slots of a candidate, at most all */
    sporf_weights weights; /* not AUTO */
    sporf_nonzeros placing;
    uint32_t image_width, image_height;
    uint32_t patch_min, patch_max;
    int shares; /* weights in a bag are shares, not counts: see spf_bagger */
} spf_sampler_settings;

/* The name of a sampler in messages. */
static inline const char *spf_sampler_name(const sporf_sampler *sampler) {
    return sampler->name ? sampler->name : "the sampler";
}

/* Draws weights of the kind in settings. */
void spf_draw_weights(const spf_sampler_settings *settings, sporf_random *random, size_t count,
                      float *weights);

/* For methods that draw without replacement: d is at most the number of slots, and p means all. */
sporf_status spf_resolve_distinct(const sporf_params *params, spf_sampler_settings *settings);

/* rf draws d distinct features; rr-rf draws d distinct directions of a rotated basis. */
sporf_status spf_axis_prepare(void *payload, const sporf_view *view, sporf_random *random,
                              sporf_projections *basis, void **state);
sporf_status spf_axis_draw(void *payload, void *state, const sporf_view *view, sporf_random *random,
                           sporf_projections *candidates);
void spf_axis_finish(void *payload, void *state);
double spf_axis_bytes(const spf_sampler_settings *settings, double rows, double classes);

#endif
