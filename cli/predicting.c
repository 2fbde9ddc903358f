/* The options that predict and evaluate share. */
#include "predicting.h"

#include "cli.h"
#include "out.h"

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

void predicting_columns(const sporf_forest *forest, sporf_read_options *read) {
    read->svmlight_features = sporf_forest_features(forest);
    read->schema = sporf_forest_schema(forest);
}

void predicting_count_unknown(const sporf_forest *forest, const sporf_dataset *data,
                              size_t *unknown) {
    for (size_t j = 0; j < sporf_forest_features(forest); j++)
        unknown[j] += sporf_dataset_unknown_levels(data, j);
}

void predicting_tell_unknown(const char *verb, const sporf_forest *forest, const size_t *unknown) {
    for (size_t j = 0; j < sporf_forest_features(forest); j++) {
        const char *name = sporf_forest_feature_name(forest, j);
        if (unknown[j] == 0) continue;
        out_error(verb,
                  "column %zu%s%s%s: %zu %s a level that the model does not know; taken as missing",
                  j + 1, name ? " ('" : "", name ? name : "", name ? "')" : "", unknown[j],
                  unknown[j] == 1 ? "cell has" : "cells have");
    }
}
