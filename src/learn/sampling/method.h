/* The table of methods. A method is one row, at the end of its sampler's file: its sampler, its
 * traits, the defaults of its options, and its memory. */
#ifndef SPF_LEARN_SAMPLING_METHOD_H
#define SPF_LEARN_SAMPLING_METHOD_H

#include "learn/sampling/sampler.h"

typedef struct spf_method {
    sporf_method_info info; /* the public part */
    sporf_status (*prepare)(void *payload, const sporf_view *view, sporf_random *random,
                            sporf_projections *basis, void **state);
    sporf_status (*draw)(void *payload, void *state, const sporf_view *view, sporf_random *random,
                         sporf_projections *candidates);
    void (*finish)(void *payload, void *state);
    /* defaults of options */
    sporf_weights weights;
    sporf_amount projections, density;
    sporf_amount density_of_few; /* for tables with few features, and for some outcomes */
    int chosen_by_pilots;        /* pilot forests choose the projections if they are auto, and if
                                    the outcome allows it */
    /* Adds and checks settings that only this method needs; may be NULL. */
    sporf_status (*resolve)(const sporf_params *params, spf_sampler_settings *settings);
    /* The number of features of a winning candidate, in a tree with that many rows in a leaf, and
     * of candidates in a node with that many classes: upper bounds on the average over a tree's
     * nodes. NULL: nonzeros, and projections. */
    double (*terms)(const spf_sampler_settings *settings, double leaf_rows);
    double (*candidates)(const spf_sampler_settings *settings, double classes);
    /* Memory of the state that prepare makes, for nodes with at most that many rows, counting
     * repeats, and classes. */
    double (*bytes)(const spf_sampler_settings *settings, double rows, double classes);
} spf_method;

extern const spf_method spf_method_sporf, spf_method_rf, spf_method_frc, spf_method_rr_rf,
    spf_method_ccf, spf_method_patch;

/* The names of all methods, separated by '|', in the order of the enumeration. */
extern const char spf_method_names[];

const spf_method *spf_method_of(sporf_method method);

/* The sampler of a method, with settings as its payload. */
sporf_sampler spf_method_sampler(const spf_method *method, spf_sampler_settings *settings);

/* The bag and the weights in params, or the method's defaults if they are auto. */
sporf_bag spf_bag_of(const sporf_params *params);
sporf_weights spf_weights_of(const sporf_params *params);

/* Evaluates amounts for p, the number of features, of which candidates are drawn as slots; params
 * have no auto amounts. Checks that the method supports them. */
sporf_status spf_method_resolve(const sporf_params *params, size_t features, size_t slots,
                                spf_sampler_settings *settings);

#endif
