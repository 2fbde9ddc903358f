/* The options, columns and notes that verbs which predict share. */
#include "predicting.h"

#include "cli.h"
#include "out.h"
#include "outcome.h"
#include "summary.h"

#include <stdio.h>
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
        {.name = "calibration",
         .value = "NAME",
         .range = "auto|none",
         .fallback = "auto",
         .help = "probabilities: auto: calibrated, if the training learned how; none: plain shares "
                 "of votes or leaves; changes no class, unless the model decides by cost"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
}

void predicting_declare_decision(opt_list *options) {
    const opt_spec spec = {
        .name = "decision",
        .value = "NAME",
        .range = "model|plain",
        .fallback = "model",
        .help = "classes: model: by the --cost or --recall of training, if there was one; plain: "
                "the class with most votes, or the most probable one"};
    opt_add(options, &spec, 1);
}

void predicting_declare_device(opt_list *options) {
    const opt_spec spec = {
        .name = "device",
        .value = "NAME",
        .range = "auto|cpu|gpu",
        .fallback = "auto",
        .help = "what walks down the trees: cpu, gpu, or auto: the GPU if there is one and it is "
                "expected to be faster; never changes a prediction"};
    opt_add(options, &spec, 1);
}

int predicting_options(const opt_list *options, sporf_predict_options *how) {
    unsigned combine, calibration, decision = SPORF_DECIDE_MODEL, device = SPORF_DEVICE_AUTO;
    sporf_params params;
    sporf_params_init(&params);
    sporf_predict_options_init(how);
    if (opt_choice(options, "combine", &combine)) return EXIT_USAGE;
    if (opt_choice(options, "calibration", &calibration)) return EXIT_USAGE;
    if (opt_value(options, "decision") && opt_choice(options, "decision", &decision))
        return EXIT_USAGE;
    if (opt_value(options, "device") && opt_choice(options, "device", &device)) return EXIT_USAGE;
    const char *threads = opt_value(options, "threads");
    sporf_status status = threads ? sporf_params_set(&params, "threads", threads) : SPORF_OK;
    if (status != SPORF_OK) return out_failure(options->verb, status, NULL);
    how->combine = (sporf_combine)combine;
    how->calibration = (sporf_calibrate)calibration;
    how->decision = (sporf_decide)decision;
    how->device = (sporf_device)device;
    how->threads = params.threads;
    return EXIT_DONE;
}

const char *predicting_combine(const sporf_forest *forest, const sporf_predict_options *how) {
    sporf_boosting boosting;
    if (sporf_forest_boosting(forest, &boosting)) return "scores";
    if (sporf_schema_label_columns(sporf_forest_schema(forest)) > 0) return "posteriors";
    if (sporf_forest_targets(forest) > 0) return "means";
    return how->combine == SPORF_COMBINE_VOTES ? "votes" : "posteriors";
}

int predicting_load(const opt_list *options, sporf_forest **forest) {
    sporf_status status = sporf_forest_load(opt_value(options, "model"), forest);
    return status == SPORF_OK ? EXIT_DONE : out_failure(options->verb, status, NULL);
}

/* The first of the options that is given; NULL if none is. */
static const char *given_of(const opt_list *options, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (opt_value(options, names[i])) return names[i];
    return NULL;
}

static int check_learner(const opt_list *options, const sporf_forest *forest) {
    static const char *const of_forests[] = {"combine", "calibration"};
    static const char *const of_boosting[] = {"scores"};
    sporf_boosting boosting;
    int boosted = sporf_forest_boosting(forest, &boosting);
    const char *wrong =
        boosted ? given_of(options, of_forests, sizeof of_forests / sizeof *of_forests)
                : given_of(options, of_boosting, sizeof of_boosting / sizeof *of_boosting);
    if (!wrong) return EXIT_DONE;
    out_error(options->verb, "--%s is for %s, but the model is %s; leave it out", wrong,
              boosted ? "forests" : "boosted models", boosted ? "a boosted one" : "a forest");
    return EXIT_USAGE;
}

int predicting_check(const opt_list *options, const sporf_forest *forest) {
    static const char *const of_classes[] = {"proba",     "combine", "calibration", "decision",
                                             "intervals", "curves",  "class"};
    int several = sporf_schema_label_columns(sporf_forest_schema(forest)) > 0;
    int code = check_learner(options, forest);
    if (code != EXIT_DONE || sporf_forest_targets(forest) == 0) return code;
    const char *const *names = several ? of_classes + 1 : of_classes; /* shares can be written */
    size_t count = sizeof of_classes / sizeof *of_classes - (size_t)several;
    const char *wrong = given_of(options, names, count);
    if (!wrong) return EXIT_DONE;
    out_error(options->verb, "--%s is for %s, but the model is for %s; leave it out", wrong,
              several ? "a single label" : "classification", several ? "several" : "regression");
    return EXIT_USAGE;
}

void predicting_columns(const sporf_forest *forest, sporf_read_options *read) {
    read->svmlight_features = sporf_forest_features(forest);
    read->schema = sporf_forest_schema(forest);
}

/* Ignored columns count if columns are found by number; a label does not. Returns 0 if memory runs
 * out. */
static int ignore_target(sporf_read_options *read, const char *const **given) {
    size_t count = read->ignored_count;
    const char **ignored = malloc((count + 1) * sizeof *ignored);
    if (!ignored) return 0;
    for (size_t i = 0; i < count; i++) ignored[i] = read->ignored[i];
    ignored[count] = read->label;
    *given = read->ignored;
    read->label = NULL;
    read->ignored = ignored;
    read->ignored_count = count + 1;
    return 1;
}

int predicting_features(const sporf_forest *forest, sporf_read_options *read,
                        const char *const **given) {
    predicting_columns(forest, read);
    int is_target = sporf_forest_targets(forest) > 0 && read->label;
    return !is_target || ignore_target(read, given);
}

const char *predicting_table_hint(const sporf_forest *forest, const sporf_read_options *read,
                                  sporf_status status) {
    int nameless = !read->label && !sporf_schema_feature_name(sporf_forest_schema(forest), 0) &&
                   status == SPORF_ERROR_DATA;
    return nameless ? "a column that holds the classes or numbers is left out with --label C"
                    : NULL;
}

const char *predicting_surplus_hint(const sporf_forest *forest, const sporf_read_options *read,
                                    const sporf_dataset *data) {
    size_t surplus = sporf_dataset_features(data) - sporf_forest_features(forest);
    return surplus == 1 && !read->label
               ? "if one column holds the classes or numbers, leave it out with --label C"
               : NULL;
}

/* The columns of targets, or of several labels, are those of the model. */
static int name_targets(const opt_list *options, const sporf_forest *forest,
                        sporf_read_options *read) {
    const outcome *outcome = outcome_of_forest(forest);
    size_t count = outcome->count(forest);
    const char **names = calloc(count, sizeof *names);
    if (!names) {
        out_error(options->verb, "out of memory");
        return EXIT_FAILED;
    }
    for (size_t t = 0; t < count; t++) names[t] = outcome->name(sporf_forest_schema(forest), t);
    if (outcome == &outcome_labels) {
        read->labels = names;
        read->labels_count = count;
    } else {
        read->targets = names;
        read->targets_count = count;
    }
    return EXIT_DONE;
}

int predicting_truth(const opt_list *options, const sporf_forest *forest,
                     sporf_read_options *read) {
    int svmlight = read->format == SPORF_FORMAT_SVMLIGHT;
    predicting_columns(forest, read);
    if (read->label || read->label_file || read->targets_count + read->labels_count > 0)
        return EXIT_DONE;
    if (sporf_forest_targets(forest) > 0) return name_targets(options, forest, read);
    if (!svmlight) read->label = sporf_schema_label_name(sporf_forest_schema(forest));
    return EXIT_DONE;
}

int predicting_training(const opt_list *options, const sporf_forest *forest,
                        sporf_read_options *read) {
    if (!read->weight) read->weight = sporf_forest_setting(forest, "weight");
    return predicting_truth(options, forest, read);
}

void predicting_count_unknown(const sporf_forest *forest, const sporf_dataset *data,
                              predicting_cells *counts) {
    for (size_t j = 0; j < sporf_forest_features(forest); j++) {
        const char *example;
        size_t unknown = sporf_dataset_unknown_levels(data, j, &example);
        if (example && counts[j].unknown == 0)
            snprintf(counts[j].example, sizeof counts[j].example, "%s", example);
        counts[j].unknown += unknown;
        if (sporf_schema_levels(sporf_forest_schema(forest), j) > 0)
            counts[j].cells += sporf_dataset_rows(data) - sporf_dataset_missing(data, j) + unknown;
    }
}

/* "'red', 'green', 'blue' and 3 more" */
static void list_levels(const sporf_forest *forest, size_t feature, char *text, size_t size) {
    enum { LISTED = 5 };
    size_t levels = sporf_schema_levels(sporf_forest_schema(forest), feature), used = 0, i = 0;
    for (; i < levels && i < LISTED; i++)
        used += (size_t)snprintf(text + used, size - used, "%s'%.40s'", i > 0 ? ", " : "",
                                 sporf_schema_level_name(sporf_forest_schema(forest), feature, i));
    if (i < levels) snprintf(text + used, size - used, " and %zu more", levels - i);
}

static void report_feature(const char *verb, const sporf_forest *forest, size_t feature,
                           const predicting_cells *counts) {
    char levels[320], column[128], cells[64];
    const char *name = sporf_schema_feature_name(sporf_forest_schema(forest), feature);
    int all = counts->unknown == counts->cells && counts->cells > 1;
    list_levels(forest, feature, levels, sizeof levels);
    if (name)
        snprintf(column, sizeof column, "'%.100s'", name);
    else
        snprintf(column, sizeof column, "%zu", feature + 1);
    if (all)
        snprintf(cells, sizeof cells, "all %zu", counts->cells);
    else
        snprintf(cells, sizeof cells, "%zu of %zu", counts->unknown, counts->cells);
    out_error(verb,
              "column %s: %s cells %s a level that the model does not know, %s'%s', taken as "
              "missing; it knows %s",
              column, cells, counts->unknown == 1 ? "has" : "have",
              counts->unknown == 1 ? "" : "such as ", counts->example, levels);
}

void predicting_report_unknown(const char *verb, const sporf_forest *forest,
                               const predicting_cells *counts) {
    for (size_t j = 0; j < sporf_forest_features(forest); j++)
        if (counts[j].unknown > 0) report_feature(verb, forest, j, &counts[j]);
}

int predicting_note_unknown(const char *verb, const sporf_forest *forest,
                            const sporf_dataset *data) {
    predicting_cells *unknown = calloc(sporf_forest_features(forest), sizeof *unknown);
    if (!unknown) {
        out_error(verb, "out of memory");
        return EXIT_FAILED;
    }
    predicting_count_unknown(forest, data, unknown);
    predicting_report_unknown(verb, forest, unknown);
    free(unknown);
    return EXIT_DONE;
}
