/* One step after the other; the first that fails ends the work. */
#include "fitting.h"

#include "cli.h"
#include "column_notes.h"
#include "console.h"
#include "interrupt.h"
#include "model_path.h"
#include "more_trees.h"
#include "out.h"
#include "predicting.h"
#include "printed.h"
#include "progress.h"
#include "summary.h"
#include "table_input.h"

#include <stdlib.h>

void fitting_declare(opt_list *options, const char *unless) {
    const opt_spec specs[] = {
        {.help = "Result"},
        {.name = "model",
         .value = "M",
         .required = 1,
         .unless = unless,
         .help = "the model file to write"},
        {.name = "json", .help = "print one JSON object instead of a summary"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
}

/* ---- the work -------------------------------------------------------------------------------- */

static int read_options(const opt_list *options, const fitting_steps *steps, fitting *f) {
    sporf_learner learner = steps->takes->forest ? SPORF_LEARNER_FOREST : SPORF_LEARNER_BOOSTING;
    int code = input_options(options, &f->read);
    if (code == EXIT_DONE) code = extend_load(options, learner, &f->old);
    if (code == EXIT_DONE) code = training_params(options, *steps->takes, f->old, &f->params);
    return code == EXIT_DONE ? model_path_check(options) : code;
}

static int read_table(const opt_list *options, const fitting_steps *steps, fitting *f) {
    double start = progress_clock();
    int code = f->old ? predicting_training(options, f->old, &f->read) : EXIT_DONE;
    if (code == EXIT_DONE) code = training_read(options, &f->read, &f->data);
    if (code == EXIT_DONE && steps->prepare) code = steps->prepare(options, f);
    f->read_seconds = progress_since(start);
    return code == EXIT_DONE
               ? training_check_memory(options, f->read.max_memory, f->data, 1, NULL, &f->params)
               : code;
}

sporf_status fitting_train(fitting *f, sporf_hooks *hooks) {
    hooks->interrupt = training_stopped;
    double start = progress_clock();
    sporf_status status = f->old
                              ? sporf_forest_extend(f->old, f->data, &f->params, hooks, &f->forest)
                              : sporf_forest_train(f->data, &f->params, hooks, &f->forest);
    f->seconds = progress_since(start);
    return status;
}

int fitting_failure(const fitting *f, sporf_status status) {
    return out_failure(f->verb, status,
                       status == SPORF_ERROR_CANCELLED ? "no model was written"
                                                       : training_hint(&f->params, status));
}

/* A model that is replaced after adding to it has no less than before. */
static int save(const opt_list *options, const fitting_steps *steps, fitting *f) {
    char what[80];
    const char *model = opt_value(options, "model");
    int in_place = input_same_file(opt_value(options, "extend"), model);
    int stopped = steps->was_stopped(f, what, sizeof what);
    int code = saving_forest(f->verb, f->forest, model, stopped && !in_place, &f->saved);
    if (code == EXIT_DONE && stopped) saving_report(f->verb, model, &f->saved, what);
    return code;
}

/* ---- the report ------------------------------------------------------------------------------ */

void fitting_model_json(json *writer, const fitting *f) {
    json_text(writer, "model", f->saved.path);
    json_count(writer, "model_bytes", summary_file_bytes(f->saved.path));
    json_count(writer, "rows", sporf_dataset_rows(f->data));
    summary_json(writer, f->forest, &f->summary);
}

void fitting_data_json(json *writer, const fitting *f) {
    summary_kinds kinds;
    summary_data_kinds(f->data, &kinds);
    json_count(writer, "features_with_missing", kinds.missing);
    summary_weights_json(writer, f->data, f->read.weight);
    column_notes_json(writer, f->data);
}

void fitting_model_lines(FILE *stream, const fitting *f) {
    char rows[TEXT_NUMBER];
    summary_kinds kinds;
    summary_data_kinds(f->data, &kinds);
    summary_line(stream, "rows", "%s", text_count(rows, sporf_dataset_rows(f->data)));
    summary_weights_line(stream, f->data, f->read.weight);
    summary_schema(stream, f->forest, &kinds, f->data);
    summary_lines(stream, f->forest, &f->summary);
}

void fitting_time_line(FILE *stream, const fitting *f) {
    char seconds[TEXT_NUMBER], reading[TEXT_NUMBER];
    summary_line(stream, "time", "%s, and %s to read the data", text_seconds(seconds, f->seconds),
                 text_seconds(reading, f->read_seconds));
}

void fitting_file_lines(FILE *stream, const fitting *f) {
    char bytes[TEXT_NUMBER];
    summary_line(stream, "peak memory", "%s", text_bytes(bytes, console_peak_memory()));
    summary_line(stream, "model", "%s (%s)", f->saved.path,
                 text_bytes(bytes, summary_file_bytes(f->saved.path)));
}

static void write_json(FILE *stream, const fitting_steps *steps, const fitting *f) {
    json writer;
    json_start(&writer, stream);
    json_object(&writer, NULL);
    steps->json(&writer, f);
    json_end(&writer);
}

static int report(const opt_list *options, const fitting_steps *steps, fitting *f) {
    sporf_status status = sporf_forest_summarise(f->forest, &f->summary);
    if (status != SPORF_OK) return out_failure(f->verb, status, "the model is saved all the same");
    out_file file;
    out_open(&file, f->verb, NULL);
    if (opt_value(options, "json"))
        write_json(file.stream, steps, f);
    else
        steps->text(file.stream, f);
    int code = out_close(&file, 1);
    if (code == EXIT_DONE) steps->notes(f);
    return code;
}

int fitting_run(const opt_list *options, const fitting_steps *steps, void *own) {
    fitting f = {.verb = options->verb, .own = own};
    int code = read_options(options, steps, &f);
    if (code == EXIT_DONE) code = read_table(options, steps, &f);
    if (code == EXIT_DONE) interrupt_catch();
    if (code == EXIT_DONE) code = steps->grow(options, &f);
    if (code == EXIT_DONE) code = save(options, steps, &f);
    if (code == EXIT_DONE) code = report(options, steps, &f);
    if (code == EXIT_DONE) code = f.saved.code;
    free(f.saved.path);
    sporf_forest_free(f.forest);
    sporf_forest_free(f.old);
    sporf_dataset_free(f.data);
    input_free(&f.read);
    return code;
}
