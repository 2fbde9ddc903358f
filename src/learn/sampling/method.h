/* The table of methods. A method is one row: its sampler, what it is like, what its options are
 * where they are auto, and the memory that it takes. The row stands at the end of the sampler's
 * file. */
#ifndef SPF_LEARN_SAMPLING_METHOD_H
#define SPF_LEARN_SAMPLING_METHOD_H

#include "learn/sampling/sampler.h"

typedef struct spf_method {
    sporf_method_info info; /* what the world sees */
    sporf_status (*prepare)(void *payload, const sporf_view *view, sporf_random *random,
                            sporf_projections *basis, void **state);
    sporf_status (*draw)(void *payload, void *state, const sporf_view *view, sporf_random *random,
                         sporf_projections *candidates);
    void (*finish)(void *payload, void *state);
    /* values of options that are auto */
    sporf_weights weights;
    sporf_power projections, density;
    sporf_power density_of_few; /* for regression, and for tables of few features */
    int chosen_by_pilots;       /* for classification, where projections are auto */
    /* Completes the settings by what only this method needs, and checks it; may be NULL. */
    sporf_status (*resolve)(const sporf_params *params, spf_sampler_settings *settings);
    /* Features of a candidate that wins, and how many candidates a node of so many classes has: at
     * most, on average over the nodes of a tree. NULL: nonzeros, and projections. */
    double (*terms)(const spf_sampler_settings *settings);
    double (*candidates)(const spf_sampler_settings *settings, double classes);
    /* Bytes of the state that prepare makes, in nodes of up to so many rows, with repeats, and so
     * many classes. */
    double (*bytes)(const spf_sampler_settings *settings, double rows, double classes);
} spf_method;

extern const spf_method spf_method_sporf, spf_method_rf, spf_method_frc, spf_method_rr_rf,
    spf_method_ccf, spf_method_patch;

/* The names of all methods, separated by '|', in the order of the enumeration. */
extern const char spf_method_names[];

const spf_method *spf_method_of(sporf_method method);

/* The sampler of a method, with settings as its payload. */
sporf_sampler spf_method_sampler(const spf_method *method, spf_sampler_settings *settings);

/* The bag of the params, or that of their method if it is auto. */
sporf_bag spf_bag_of(const sporf_params *params);

/* Puts p into parameters without auto amounts; checks that the method can work with them. */
sporf_status spf_method_resolve(const sporf_params *params, size_t features,
                                spf_sampler_settings *settings);

#endif
