/* sporf train: reads a table, grows a forest, saves it, reports on it. */
#include "choosing.h"
#include "cli.h"
#include "console.h"
#include "fitting.h"
#include "more_trees.h"
#include "oob_report.h"
#include "out.h"
#include "parts.h"
#include "printed.h"
#include "profile_report.h"
#include "progress.h"
#include "quantile_levels.h"
#include "summary.h"
#include "train_notes.h"

#include <string.h>

static const char verb[] = "train";
static const training_takes takes = {.forest = 1};

/* What only train knows. */
typedef struct {
    const char *chosen[CHOOSING_MAX]; /* names of the settings that training chooses */
    size_t chosen_count;
    int profiled;
    sporf_profile profile;
    double search_seconds;
    class_report oob; /* in classification */
} work;

static void declare(opt_list *options) {
    const opt_spec profile = {.name = "profile",
                              .help = "print where the time went, by phase and node size"};
    const opt_spec forest = {.help = "Forest"};
    training_declare_data(options);
    fitting_declare(options, "settle");
    opt_add(options, &profile, 1);
    opt_add(options, &forest, 1);
    extend_declare(options, SPORF_LEARNER_FOREST);
    parts_declare(options);
    quantiles_declare_elsewhere(options);
    training_declare(options, takes);
}

/* ---- the work -------------------------------------------------------------------------------- */

static void show_choosing(void *payload, size_t pilot_trees, double share) {
    choosing_show(payload, pilot_trees, share);
}

static void show_progress(void *payload, size_t done, size_t trees) {
    choosing_trees(payload, done, trees);
}

static void show_note(void *payload, const char *text) {
    training_note(verb, payload, text);
}

static void start_bar(const fitting *f, progress *bar) {
    const work *w = f->own;
    choosing_start(bar, w->chosen_count > 0);
    bar->open_end = f->params.trees == 0;
    if (f->params.time > 0) bar->ends = bar->started + f->params.time;
    if (w->chosen_count == 0) progress_show(bar, 0, extend_trees(f->old, &f->params));
}

static int grow(const opt_list *options, fitting *f) {
    work *w = f->own;
    progress bar;
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.payload = &bar;
    hooks.progress = show_progress;
    hooks.choosing = show_choosing;
    hooks.note = show_note;
    hooks.search_seconds = &w->search_seconds;
    if (w->profiled) hooks.profile = &w->profile;
    if (!f->old) w->chosen_count = choosing_names(f->data, &f->params, w->chosen);
    choosing_check_effort(options, &f->params, w->chosen_count);
    start_bar(f, &bar);
    sporf_status status = fitting_train(f, &hooks);
    progress_end(&bar);
    return status == SPORF_OK ? oob_report_make(verb, f->forest, f->data, &w->oob)
                              : fitting_failure(f, status);
}

static int is_interrupted(const fitting *f) {
    const char *why = sporf_forest_stopped(f->forest);
    return why && strcmp(why, "interrupt") == 0;
}

static int was_stopped(const fitting *f, char *what, size_t size) {
    char of[32] = "";
    if (f->params.trees > 0) snprintf(of, sizeof of, " of %lu", (unsigned long)f->params.trees);
    snprintf(what, size, "stopped after %zu%s trees", sporf_forest_trees(f->forest), of);
    return is_interrupted(f);
}

/* ---- after the work -------------------------------------------------------------------------- */

static void write_json(json *writer, const fitting *f) {
    const work *w = f->own;
    fitting_model_json(writer, f);
    summary_chosen_json(writer, w->chosen, w->chosen_count);
    if (sporf_forest_targets(f->forest) == 0) class_report_json(writer, &w->oob, "oob_");
    fitting_data_json(writer, f);
    if (f->params.trees > 0)
        json_count(writer, "trees_requested", f->params.trees);
    else
        json_text(writer, "trees_requested", "auto");
    json_count(writer, "trees_grown",
               sporf_forest_trees(f->forest) - (f->old ? sporf_forest_trees(f->old) : 0));
    json_bool(writer, "interrupted", is_interrupted(f));
    json_double(writer, "read_seconds", f->read_seconds);
    json_double(writer, "search_seconds", progress_round(w->search_seconds));
    json_double(writer, "seconds", f->seconds);
    json_count(writer, "peak_memory_bytes", console_peak_memory());
    if (w->profiled) profile_json(writer, &w->profile);
}

static void write_text(FILE *stream, const fitting *f) {
    const work *w = f->own;
    char seconds[TEXT_NUMBER];
    fitting_model_lines(stream, f);
    oob_report_decision(stream, f->forest, &w->oob);
    oob_report_line(stream, &w->oob);
    summary_chosen_line(stream, f->forest, w->chosen, w->chosen_count);
    fitting_time_line(stream, f);
    if (w->search_seconds > 0)
        summary_line(stream, "search", "%s of the time, to choose settings",
                     text_seconds(seconds, w->search_seconds));
    fitting_file_lines(stream, f);
    oob_report_table(stream, &w->oob);
    if (w->profiled) profile_table(stream, &w->profile);
}

static void write_notes(const fitting *f) {
    const work *w = f->own;
    train_notes_bag(verb, f->data, &f->params, f->forest);
    train_notes_votes(verb, f->forest);
    train_notes_missed(verb, f->forest, &w->oob);
}

static const fitting_steps steps = {.takes = &takes,
                                    .grow = grow,
                                    .was_stopped = was_stopped,
                                    .json = write_json,
                                    .text = write_text,
                                    .notes = write_notes};

static int run(const opt_list *options) {
    work w = {.profiled = opt_value(options, "profile") != NULL};
    if (parts_wanted(options)) return parts_run(options, takes);
    int code = fitting_run(options, &steps, &w);
    class_report_free(&w.oob);
    return code;
}

const cli_verb cmd_train = {
    .name = verb,
    .summary = "trains a forest on a table with known classes or targets",
    .usage = "sporf train --data F (--label C | --target C) --model M [options]\n"
             "       sporf train --data F (--label C | --target C) --settle FILE\n"
             "       sporf train --data F (--label C | --target C) --part I/N --model M",
    .text = "Trains a forest on a table with known classes (--label: classification) or targets "
            "(--target: regression), saves it as a model file and prints a summary with the "
            "out-of-bag error. Ctrl-C ends the training early and keeps the trees grown so far, "
            "but no part. "
            "The same seed gives the same model file, with any number of threads.",
    .example = "  sporf train --data iris.csv --label species --model iris.sporf --trees 200\n"
               "  sporf train --data house.csv --target price --model house.sporf\n"
               "  sporf train --data iris.csv --extend iris.sporf --trees 500 --model more.sporf\n",
    .declare = declare,
    .run = run,
};
