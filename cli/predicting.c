/* The options that predict and evaluate share. */
#include "predicting.h"

#include "cli.h"
#include "out.h"

#include <stdlib.h>

void predicting_declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Prediction"},
        {.name = "model", .value = "M", .required = 1, .help = "the model file"},
        {.name = "combine",
         .value = "NAME",
         .range = "votes|posteriors",
         .fallback = "votes",
         .help = "each tree votes for one class, or the class shares of the leaves are averaged"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
}

int predicting_options(const opt_list *options, sporf_predict_options *how) {
    unsigned combine;
    sporf_params params;
    sporf_params_init(&params);
    sporf_predict_options_init(how);
    if (opt_choice(options, "combine", &combine)) return EXIT_USAGE;
    const char *threads = opt_value(options, "threads");
    sporf_status status = threads ? sporf_params_set(&params, "threads", threads) : SPORF_OK;
    if (status != SPORF_OK) return out_failure(options->verb, status, NULL);
    how->combine = (sporf_combine)combine;
    how->threads = params.threads;
    return EXIT_DONE;
}

int predicting_load(const opt_list *options, sporf_forest **forest) {
    sporf_status status = sporf_forest_load(opt_value(options, "model"), forest);
    return status == SPORF_OK ? EXIT_DONE : out_failure(options->verb, status, NULL);
}

int predicting_columns(const opt_list *options, const sporf_forest *forest,
                       sporf_read_options *read, const char ***names) {
    size_t features = sporf_forest_features(forest);
    read->svmlight_features = features;
    if (!sporf_forest_feature_name(forest, 0)) return EXIT_DONE;
    *names = malloc(features * sizeof **names);
    if (!*names) {
        out_error(options->verb, "out of memory");
        return EXIT_FAILED;
    }
    for (size_t i = 0; i < features; i++) (*names)[i] = sporf_forest_feature_name(forest, i);
    read->columns = *names;
    read->columns_count = features;
    return EXIT_DONE;
}
