/* Samplers: how a node's candidate projections come about. Each is one file that fills the public
 * sporf_sampler interface, and one row in sampler.c. */
#ifndef SPF_LEARN_SAMPLING_SAMPLER_H
#define SPF_LEARN_SAMPLING_SAMPLER_H

#include "base/memory.h"
#include "base/rng.h"

/* The payload of every built-in sampler: the parameters with p put in. */
typedef struct spf_sampler_settings {
    uint32_t features;     /* p */
    uint32_t projections;  /* d */
    double nonzeros;       /* lambda p, at most p; for patch the largest area */
    sporf_weights weights; /* not AUTO */
    sporf_nonzeros placing;
    uint32_t image_width, image_height;
    uint32_t patch_min, patch_max;
    int shares; /* weights of rows are no whole numbers: their units are shares, not counts */
} spf_sampler_settings;

/* Whether a method chooses among the features themselves, and so cannot choose more than there are.
 */
int spf_chooses_features(sporf_method method);

/* Puts p into the parameters; checks that the method can work with them. */
sporf_status spf_sampler_settle(const sporf_params *params, size_t features,
                                spf_sampler_settings *settings);

/* The sampler of a method, with settings as its payload. */
sporf_sampler spf_sampler_of(sporf_method method, spf_sampler_settings *settings);

/* How many numbers of a row the candidates of one node read, on average. */
double spf_sampler_terms(sporf_method method, const spf_sampler_settings *settings);

/* Weights of the kind that settings name. */
void spf_draw_weights(const spf_sampler_settings *settings, sporf_random *random, size_t count,
                      float *weights);

/* axis: d distinct features, rf and, on a rotated basis, rr-rf */
sporf_status spf_axis_prepare(void *payload, const sporf_view *view, sporf_random *random,
                              sporf_projections *basis, void **state);
sporf_status spf_axis_draw(void *payload, void *state, const sporf_view *view, sporf_random *random,
                           sporf_projections *candidates);
void spf_axis_finish(void *payload, void *state);

/* rotation: a Haar rotation, of at most so many features, as the basis of each tree, then axis */
enum { SPF_ROTATED_MAX = 1000 };
sporf_status spf_rotation_prepare(void *payload, const sporf_view *view, sporf_random *random,
                                  sporf_projections *basis, void **state);

/* sparse: random cells of the p x d grid, or Poisson counts */
sporf_status spf_sparse_prepare(void *payload, const sporf_view *view, sporf_random *random,
                                sporf_projections *basis, void **state);
sporf_status spf_sparse_draw(void *payload, void *state, const sporf_view *view,
                             sporf_random *random, sporf_projections *candidates);
void spf_sparse_finish(void *payload, void *state);

/* frc: L distinct features in each projection */
sporf_status spf_frc_prepare(void *payload, const sporf_view *view, sporf_random *random,
                             sporf_projections *basis, void **state);
sporf_status spf_frc_draw(void *payload, void *state, const sporf_view *view, sporf_random *random,
                          sporf_projections *candidates);
void spf_frc_finish(void *payload, void *state);

/* cca: canonical correlation directions of the node's rows */
sporf_status spf_cca_prepare(void *payload, const sporf_view *view, sporf_random *random,
                             sporf_projections *basis, void **state);
sporf_status spf_cca_draw(void *payload, void *state, const sporf_view *view, sporf_random *random,
                          sporf_projections *candidates);
void spf_cca_finish(void *payload, void *state);

/* patch: windows of a series, rectangles of an image */
sporf_status spf_patch_prepare(void *payload, const sporf_view *view, sporf_random *random,
                               sporf_projections *basis, void **state);
sporf_status spf_patch_draw(void *payload, void *state, const sporf_view *view,
                            sporf_random *random, sporf_projections *candidates);
void spf_patch_finish(void *payload, void *state);

#endif
