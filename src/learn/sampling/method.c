/* The list of methods, and the amounts that they share. */
#include "learn/sampling/method.h"

#include "base/portable_math.h"

#include <math.h>
#include <string.h>

static const spf_method *const methods[] = {
    [SPORF_METHOD_SPORF] = &spf_method_sporf, [SPORF_METHOD_RF] = &spf_method_rf,
    [SPORF_METHOD_FRC] = &spf_method_frc,     [SPORF_METHOD_RR_RF] = &spf_method_rr_rf,
    [SPORF_METHOD_CCF] = &spf_method_ccf,     [SPORF_METHOD_PATCH] = &spf_method_patch,
};

const char spf_method_names[] = "sporf|rf|frc|rr-rf|ccf|patch";

const spf_method *spf_method_of(sporf_method method) {
    return methods[method];
}

const sporf_method_info *sporf_method_at(size_t index) {
    return index < sizeof methods / sizeof *methods ? &methods[index]->info : NULL;
}

/* Whether a word is one of a list separated by '|'. */
static int is_among(const char *list, const char *word) {
    for (size_t length; *list; list += length + (list[length] == '|')) {
        length = strcspn(list, "|");
        if (strlen(word) == length && memcmp(word, list, length) == 0) return 1;
    }
    return 0;
}

int sporf_method_uses(sporf_method method, const char *option) {
    int others = 0;
    const sporf_method_info *info;
    for (size_t i = 0; option && (info = sporf_method_at(i)); i++) {
        int listed = is_among(info->options, option);
        if (i == (size_t)method && listed) return 1;
        others |= listed;
    }
    return !others;
}

sporf_sampler spf_method_sampler(const spf_method *method, spf_sampler_settings *settings) {
    return (sporf_sampler){.name = method->info.name,
                           .payload = settings,
                           .prepare = method->prepare,
                           .draw = method->draw,
                           .finish = method->finish,
                           .traits = method->info.traits};
}

sporf_bag spf_bag_of(const sporf_params *params) {
    return params->bag != SPORF_BAG_AUTO ? params->bag : methods[params->method]->info.bag;
}

sporf_weights spf_weights_of(const sporf_params *params) {
    return params->weights != SPORF_WEIGHTS_AUTO ? params->weights
                                                 : methods[params->method]->weights;
}

static double amount(sporf_amount power, size_t features) {
    return power.factor * pow((double)features, power.exponent);
}

static sporf_status resolve_projections(sporf_amount projections, size_t features, uint32_t *d) {
    double count = spf_round_up(amount(projections, features));
    if (projections.exponent == 0 && projections.factor != count)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("projections") " must be a whole number, got %g",
                         projections.factor);
    if (count > 1e8)
        return spf_raise(
            SPORF_ERROR_ARGUMENT,
            SPF_OPTION("projections") " comes to %.3g for %zu features, more than 1e8 in each node",
            count, features);
    *d = count >= 1 ? (uint32_t)count : 1;
    return SPORF_OK;
}

/* A number is a share of the slots, a power such as K/p a number of terms divided by p. K/p may ask
 * for more non-zeros than there are slots, and then means all of them; a share above 1 in any other
 * form is an error. */
static sporf_status resolve_density(sporf_amount density, size_t features, size_t slots,
                                    double *nonzeros) {
    double share = amount(density, features), all = (double)slots;
    sporf_amount terms = {density.factor, density.exponent + 1};
    if (density.exponent >= 0 && share > 1)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("density") " must be at most 1, got %g" SPF_HINT
                                               "it is the share of features in a projection: write "
                                               "3/p for three features",
                         share);
    *nonzeros = fmin(density.exponent == 0 ? share * all : amount(terms, features), all);
    return SPORF_OK;
}

sporf_status spf_method_resolve(const sporf_params *params, size_t features, size_t slots,
                                spf_sampler_settings *settings) {
    const spf_method *method = spf_method_of(params->method);
    *settings = (spf_sampler_settings){
        .features = (uint32_t)features,
        .slots = (uint32_t)slots,
        .weights = spf_weights_of(params),
        .placing = params->nonzeros,
    };
    SPF_TRY(resolve_projections(params->projections, features, &settings->projections));
    SPF_TRY(resolve_density(params->density, features, slots, &settings->nonzeros));
    if (method->resolve) SPF_TRY(method->resolve(params, settings));
    if ((double)settings->projections * settings->nonzeros > 1e9)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "%u projections of %g features each are too many for one node" SPF_HINT
                         "lower " SPF_OPTION("projections") ", " SPF_OPTION(
                             "density") " or " SPF_OPTION("patch-max"),
                         settings->projections, settings->nonzeros);
    return SPORF_OK;
}
