/* sporf train: reads a table, grows a forest, saves it, reports on it. */
#include "choosing.h"
#include "cli.h"
#include "column_notes.h"
#include "interrupt.h"
#include "json.h"
#include "model_path.h"
#include "more_trees.h"
#include "out.h"
#include "peak_memory.h"
#include "predicting.h"
#include "printed.h"
#include "profile_report.h"
#include "progress.h"
#include "quantile_levels.h"
#include "saving.h"
#include "summary.h"
#include "table_input.h"
#include "train_notes.h"
#include "training.h"

#include <stdlib.h>
#include <string.h>

static const char verb[] = "train";

typedef struct {
    const char *model;
    sporf_read_options read;
    sporf_params params;
    sporf_dataset *data;
    sporf_forest *old; /* the model to add trees to; NULL for none */
    sporf_forest *forest;
    sporf_forest_summary summary;
    const char *chosen[CHOOSING_MAX]; /* names of the settings that training chooses */
    size_t chosen_count;
    int profiled;
    sporf_profile profile;
    double read_seconds, search_seconds, seconds;
    saving saved;
} work;

/* ---- options --------------------------------------------------------------------------------- */

static void declare(opt_list *options) {
    const opt_spec results[] = {
        {.help = "Result"},
        {.name = "model", .value = "M", .required = 1, .help = "the model file to write"},
        {.name = "json", .help = "print one JSON object instead of a summary"},
        {.name = "profile", .help = "print where the time went, by phase and node size"},
    };
    const opt_spec forest = {.help = "Forest"};
    training_declare_data(options);
    opt_add(options, results, sizeof results / sizeof *results);
    opt_add(options, &forest, 1);
    extend_declare(options);
    quantiles_declare_elsewhere(options);
    training_declare(options, 0);
}

static int read_table(const opt_list *options, work *w) {
    double start = progress_clock();
    int code = w->old ? predicting_training(options, w->old, &w->read) : EXIT_DONE;
    if (code == EXIT_DONE) code = training_read(options, &w->read, &w->data);
    w->read_seconds = progress_since(start);
    return code == EXIT_DONE
               ? training_check_memory(options, w->read.max_memory, w->data, 1, NULL, &w->params)
               : code;
}

/* ---- the work -------------------------------------------------------------------------------- */

static void show_choosing(void *payload, size_t pilot_trees, double share) {
    choosing_show(payload, pilot_trees, share);
}

static void show_progress(void *payload, size_t done, size_t trees) {
    choosing_trees(payload, done, trees);
}

static const char *failure_hint(const work *w, sporf_status status) {
    if (status == SPORF_ERROR_CANCELLED) return "no model was written";
    return training_hint(&w->params, status);
}

static int grow(const opt_list *options, work *w) {
    progress bar;
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.payload = &bar;
    hooks.progress = show_progress;
    hooks.choosing = show_choosing;
    hooks.interrupt = training_stopped;
    hooks.search_seconds = &w->search_seconds;
    if (w->profiled) hooks.profile = &w->profile;
    if (!w->old) w->chosen_count = choosing_names(w->data, &w->params, w->chosen);
    choosing_check_effort(options, &w->params, w->chosen_count);
    interrupt_catch();
    choosing_start(&bar, w->chosen_count > 0);
    if (w->chosen_count == 0) progress_show(&bar, 0, extend_trees(w->old, &w->params));
    double start = progress_clock();
    sporf_status status = w->old
                              ? sporf_forest_extend(w->old, w->data, &w->params, &hooks, &w->forest)
                              : sporf_forest_train(w->data, &w->params, &hooks, &w->forest);
    w->seconds = progress_since(start);
    progress_end(&bar);
    return status == SPORF_OK ? EXIT_DONE : out_failure(verb, status, failure_hint(w, status));
}

static int was_stopped(const work *w) {
    return sporf_forest_trees(w->forest) < w->params.trees;
}

/* A model that is replaced after adding trees has no fewer trees than before. */
static int save(const opt_list *options, work *w) {
    char stopped[80];
    int in_place = input_same_file(opt_value(options, "extend"), w->model);
    int code = saving_forest(verb, w->forest, w->model, was_stopped(w) && !in_place, &w->saved);
    if (code != EXIT_DONE || !was_stopped(w)) return code;
    snprintf(stopped, sizeof stopped, "stopped after %zu of %lu trees",
             sporf_forest_trees(w->forest), (unsigned long)w->params.trees);
    saving_report(verb, w->model, &w->saved, stopped);
    return EXIT_DONE;
}

/* ---- after the work -------------------------------------------------------------------------- */

static void write_json(FILE *stream, const work *w) {
    json writer;
    summary_kinds kinds;
    summary_data_kinds(w->data, &kinds);
    json_start(&writer, stream);
    json_object(&writer, NULL);
    json_text(&writer, "model", w->saved.path);
    json_count(&writer, "model_bytes", summary_file_bytes(w->saved.path));
    json_count(&writer, "rows", sporf_dataset_rows(w->data));
    summary_json(&writer, w->forest, &w->summary);
    summary_chosen_json(&writer, w->chosen, w->chosen_count);
    json_count(&writer, "features_with_missing", kinds.missing);
    summary_weights_json(&writer, w->data, w->read.weight);
    column_notes_json(&writer, w->data);
    json_count(&writer, "trees_requested", w->params.trees);
    json_count(&writer, "trees_grown",
               sporf_forest_trees(w->forest) - (w->old ? sporf_forest_trees(w->old) : 0));
    json_bool(&writer, "interrupted", was_stopped(w));
    json_double(&writer, "read_seconds", w->read_seconds);
    json_double(&writer, "search_seconds", progress_round(w->search_seconds));
    json_double(&writer, "seconds", w->seconds);
    json_count(&writer, "peak_memory_bytes", memory_peak());
    if (w->profiled) profile_json(&writer, &w->profile);
    json_end(&writer);
}

static void write_text(FILE *stream, const work *w) {
    char rows[TEXT_NUMBER], seconds[TEXT_NUMBER], bytes[TEXT_NUMBER];
    summary_kinds kinds;
    summary_data_kinds(w->data, &kinds);
    summary_line(stream, "rows", "%s", text_count(rows, sporf_dataset_rows(w->data)));
    summary_weights_line(stream, w->data, w->read.weight);
    summary_schema(stream, w->forest, &kinds, w->data);
    summary_p_line(stream, w->data, &w->params);
    summary_lines(stream, w->forest, &w->summary);
    summary_chosen_line(stream, w->forest, w->chosen, w->chosen_count);
    summary_line(stream, "time", "%s, and %s to read the data", text_seconds(seconds, w->seconds),
                 text_seconds(rows, w->read_seconds));
    if (w->search_seconds > 0)
        summary_line(stream, "search", "%s of the time, to choose settings",
                     text_seconds(seconds, w->search_seconds));
    summary_line(stream, "peak memory", "%s", text_bytes(bytes, memory_peak()));
    summary_line(stream, "model", "%s (%s)", w->saved.path,
                 text_bytes(bytes, summary_file_bytes(w->saved.path)));
    if (w->profiled) profile_table(stream, &w->profile);
}

static int report(const opt_list *options, work *w) {
    sporf_status status = sporf_forest_summarise(w->forest, &w->summary);
    if (status != SPORF_OK) return out_failure(verb, status, "the model is saved all the same");
    out_file file;
    out_open(&file, verb, NULL);
    if (opt_value(options, "json"))
        write_json(file.stream, w);
    else
        write_text(file.stream, w);
    int code = out_close(&file, 1);
    if (code == EXIT_DONE) train_notes_bag(verb, w->data, &w->params, w->forest);
    return code;
}

static int run(const opt_list *options) {
    work w = {.model = opt_value(options, "model"),
              .profiled = opt_value(options, "profile") != NULL};
    int code = input_options(options, &w.read);
    if (code == EXIT_DONE) code = extend_load(options, &w.old);
    if (code == EXIT_DONE) code = training_params(options, 0, w.old, &w.params);
    if (code == EXIT_DONE) code = model_path_check(options);
    if (code == EXIT_DONE) code = read_table(options, &w);
    if (code == EXIT_DONE) code = grow(options, &w);
    if (code == EXIT_DONE) code = save(options, &w);
    if (code == EXIT_DONE) code = report(options, &w);
    if (code == EXIT_DONE) code = w.saved.code;
    free(w.saved.path);
    sporf_forest_free(w.forest);
    sporf_forest_free(w.old);
    sporf_dataset_free(w.data);
    input_free(&w.read);
    return code;
}

const cli_verb cmd_train = {
    .name = verb,
    .summary = "trains a forest on a table with known classes or targets",
    .usage = "sporf train --data F (--label C | --target C) --model M [options]",
    .text = "Trains a forest on a table with known classes (--label: classification) or targets "
            "(--target: regression), saves it as a model file and prints a summary with the "
            "out-of-bag error. Ctrl-C ends the training early and keeps the trees grown so far. "
            "The same seed gives the same model file, with any number of threads.",
    .example = "  sporf train --data iris.csv --label species --model iris.sporf --trees 200\n"
               "  sporf train --data house.csv --target price --model house.sporf\n"
               "  sporf train --data iris.csv --extend iris.sporf --trees 500 --model more.sporf\n",
    .declare = declare,
    .run = run,
};
