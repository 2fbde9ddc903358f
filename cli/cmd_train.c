/* sporf train: reads a table, grows a forest, saves it, tells about it. */
#include "cli.h"
#include "extend.h"
#include "input.h"
#include "interrupt.h"
#include "json.h"
#include "out.h"
#include "predicting.h"
#include "profile.h"
#include "progress.h"
#include "quantiles.h"
#include "summary.h"
#include "text.h"
#include "train_notes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char verb[] = "train";

typedef struct {
    const char *model;
    sporf_read_options read;
    sporf_params params;
    sporf_dataset *data;
    sporf_forest *old; /* to be grown further; NULL for none */
    sporf_forest *forest;
    sporf_forest_summary summary;
    int profiled;
    sporf_profile profile;
    double read_seconds, seconds;
} work;

/* ---- options --------------------------------------------------------------------------------- */

static const char *placeholder(const sporf_option *option) {
    static const char *const known[][2] = {
        {"integer", "N"}, {"real", "X"}, {"amount", "A"}, {"choice", "NAME"}, {"bytes", "SIZE"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(option->type, known[i][0]) == 0) return known[i][1];
    return "VALUE";
}

static void declare(opt_list *options) {
    const opt_spec results[] = {
        {.help = "Result"},
        {.name = "model", .value = "M", .required = 1, .help = "the model file to write"},
        {.name = "json", .help = "print one JSON object instead of a summary"},
        {.name = "profile", .help = "tell where the time went, by phase and size of node"},
    };
    const opt_spec forest = {.help = "Forest"};
    input_declare(options,
                  "the column with the classes: a name, a number from 1 or 'last'; not "
                  "needed for svmlight",
                  1);
    input_declare_target(options);
    input_declare_columns(options);
    input_declare_weight(options);
    opt_add(options, results, sizeof results / sizeof *results);
    opt_add(options, &forest, 1);
    extend_declare(options);
    quantiles_declare_elsewhere(options);
    for (size_t i = 0; i < sporf_option_count(); i++) {
        const sporf_option *row = sporf_option_at(i);
        const opt_spec spec = {.name = row->name,
                               .value = placeholder(row),
                               .alone = strcmp(row->name, "honest") == 0 ? "0.5" : NULL,
                               .help = row->help,
                               .range = row->choices,
                               .fallback = row->default_value};
        opt_add(options, &spec, 1);
    }
}

static int set_options(const opt_list *options, sporf_params *params) {
    for (size_t i = 0; i < sporf_option_count(); i++) {
        const char *name = sporf_option_at(i)->name, *value = opt_value(options, name);
        sporf_status status = value ? sporf_params_set(params, name, value) : SPORF_OK;
        if (status != SPORF_OK) return out_failure(verb, status, NULL);
    }
    return EXIT_DONE;
}

/* The defaults for numbers depend on the method, and what was given goes above them. A model that
 * is grown further brings its settings along. */
static int forest_options(const opt_list *options, const sporf_forest *old, sporf_params *params) {
    sporf_params_init(params);
    sporf_status status = old ? sporf_forest_params(old, params) : SPORF_OK;
    if (status != SPORF_OK) return out_failure(verb, status, NULL);
    int code = set_options(options, params);
    if (old) return code;
    if (code != EXIT_DONE || !opt_value(options, "target")) return code;
    sporf_params_for_targets(params);
    return set_options(options, params);
}

/* ---- before the work ------------------------------------------------------------------------- */

static int check_directory(const char *model) {
    const char *slash = strrchr(model, '/');
    char *directory = slash ? strndup(model, (size_t)(slash - model) + 1) : strdup(".");
    if (!directory) {
        out_error(verb, "out of memory");
        return EXIT_FAILED;
    }
    int code = EXIT_DONE;
    if (access(directory, W_OK | X_OK) != 0) {
        out_error(verb, "--model %s: cannot write to the directory %s: %s", model, directory,
                  strerror(errno));
        code = EXIT_FAILED;
    }
    free(directory);
    return code;
}

/* Whether a file begins as model files do, whatever their version. */
static int is_model(const char *path) {
    static const char magic[] = "\x89SPORF";
    char start[sizeof magic - 1];
    FILE *file = fopen(path, "rb");
    size_t count = file ? fread(start, 1, sizeof start, file) : 0;
    if (file) fclose(file);
    return count == sizeof start && memcmp(start, magic, sizeof start) == 0;
}

/* Finds out before hours of work whether the model can be saved after them. */
static int check_model_path(const opt_list *options, const char *model) {
    struct stat old = {0};
    if (*model == '\0' || strcmp(model, "-") == 0) {
        out_error(verb, "--model must name a file, got '%s'", model);
        return EXIT_USAGE;
    }
    if (stat(model, &old) == 0 && !S_ISREG(old.st_mode)) {
        out_error(verb, "--model %s is %s; name a file", model,
                  S_ISDIR(old.st_mode) ? "a directory" : "not a regular file");
        return EXIT_FAILED;
    }
    int code = input_protect(options, "model");
    if (code != EXIT_DONE) return code;
    if (S_ISREG(old.st_mode) && old.st_size > 0 && !is_model(model)) {
        out_error(verb,
                  "--model %s exists and is not a sporf model; remove it or name another file",
                  model);
        return EXIT_FAILED;
    }
    return check_directory(model);
}

/* --max-memory holds for the table and the training together: what is left of it beside the table
 * is the training's. */
static int check_memory(work *w) {
    uint64_t limit = w->read.max_memory, table = input_bytes(w->data), training = 0;
    if (limit == 0) return EXIT_DONE;
    sporf_status status = sporf_train_memory(w->data, &w->params, &training);
    if (status != SPORF_OK) return out_failure(verb, status, NULL);
    if (table < limit && training <= limit - table) {
        w->params.max_memory = limit - table;
        return EXIT_DONE;
    }
    char limits[TEXT_NUMBER], tables[TEXT_NUMBER], trainings[TEXT_NUMBER];
    out_error(verb,
              "--max-memory %s is too little: the table takes %s and training may take %s more; "
              "raise the limit, or grow fewer or shallower trees with fewer threads",
              text_bytes(limits, limit), text_bytes(tables, table),
              text_bytes(trainings, training));
    return EXIT_FAILED;
}

/* A column without values is of no use, whatever it is read as, and new rows have other dates. */
static int can_be_taken_in(const char *reason) {
    return strncmp(reason, "no value", strlen("no value")) != 0 && strcmp(reason, "dates") != 0;
}

/* Says which columns are not used, and what else there is to know about them. */
static void tell_columns(const sporf_dataset *data) {
    int useful = 0;
    for (size_t i = 0; i < sporf_dataset_left_out(data); i++) {
        const char *reason = sporf_dataset_left_out_reason(data, i);
        out_error(verb, "column '%s' is left out: %s", sporf_dataset_left_out_name(data, i),
                  reason);
        useful |= can_be_taken_in(reason);
    }
    if (useful) out_error(verb, "identifiers that are left out can be taken in with --categorical");
    for (size_t i = 0; i < sporf_dataset_notes(data); i++)
        out_error(verb, "%s", sporf_dataset_note(data, i));
}

static int read_targets(const opt_list *options, work *w) {
    if (w->read.label || w->read.label_file) {
        out_error(verb, "a forest predicts classes or numbers: give --label or --target, not both");
        return EXIT_USAGE;
    }
    sporf_status status = input_read(options, &w->read, &w->data);
    return status == SPORF_OK ? EXIT_DONE : out_failure(verb, status, NULL);
}

static int read_table(const opt_list *options, work *w) {
    double start = progress_clock();
    int code = w->old ? predicting_truth(options, w->old, &w->read) : EXIT_DONE;
    if (code == EXIT_DONE)
        code = w->read.targets_count > 0 ? read_targets(options, w)
                                         : input_read_labelled(options, &w->read, &w->data);
    w->read_seconds = progress_since(start);
    if (code == EXIT_DONE) {
        tell_columns(w->data);
        train_notes_label(verb, w->data);
    }
    return code == EXIT_DONE ? check_memory(w) : code;
}

/* ---- the work -------------------------------------------------------------------------------- */

static void show_progress(void *payload, size_t done, size_t trees) {
    progress_show(payload, done, trees);
}

static int asked_to_stop(void *payload) {
    (void)payload;
    return interrupt_seen();
}

/* What to add to the library's words. */
static const char *failure_hint(const work *w, sporf_status status) {
    static const char balanced[] = "balanced,";
    const char *classes = w->params.class_weights;
    if (status == SPORF_ERROR_CANCELLED) return "no model was written";
    if (status == SPORF_ERROR_ARGUMENT && classes &&
        strncmp(classes, balanced, strlen(balanced)) == 0)
        return "'balanced' stands alone: instead of adding to it, give all classes their weights, "
               "as in no=1,yes=3";
    return NULL;
}

static int grow(work *w) {
    progress bar;
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.payload = &bar;
    hooks.progress = show_progress;
    hooks.interrupt = asked_to_stop;
    if (w->profiled) hooks.profile = &w->profile;
    interrupt_catch();
    progress_start(&bar, "trees");
    progress_show(&bar, 0, extend_trees(w->old, &w->params));
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

static int save(work *w) {
    progress note;
    progress_note(&note, "saving", w->model);
    sporf_status status = sporf_forest_save(w->forest, w->model);
    progress_end(&note);
    if (status != SPORF_OK)
        return out_failure(verb, status, "the forest is grown but could not be saved");
    if (was_stopped(w))
        out_error(verb, "stopped after %zu of %lu trees; the model is valid",
                  sporf_forest_trees(w->forest), (unsigned long)w->params.trees);
    return EXIT_DONE;
}

/* ---- after the work -------------------------------------------------------------------------- */

static uint64_t peak_memory(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#ifdef __APPLE__
    return (uint64_t)usage.ru_maxrss;
#else
    return (uint64_t)usage.ru_maxrss * 1024;
#endif
}

static void left_out_json(json *writer, const sporf_dataset *data) {
    json_list(writer, "left_out");
    for (size_t i = 0; i < sporf_dataset_left_out(data); i++) {
        json_object(writer, NULL);
        json_line(writer);
        json_text(writer, "name", sporf_dataset_left_out_name(data, i));
        json_text(writer, "reason", sporf_dataset_left_out_reason(data, i));
        json_end(writer);
    }
    json_end(writer);
    json_list(writer, "notes");
    for (size_t i = 0; i < sporf_dataset_notes(data); i++)
        json_text(writer, NULL, sporf_dataset_note(data, i));
    json_end(writer);
}

static void write_json(FILE *stream, const work *w) {
    json writer;
    summary_kinds kinds;
    summary_data_kinds(w->data, &kinds);
    json_start(&writer, stream);
    json_object(&writer, NULL);
    json_text(&writer, "model", w->model);
    json_count(&writer, "model_bytes", summary_file_bytes(w->model));
    json_count(&writer, "rows", sporf_dataset_rows(w->data));
    summary_json(&writer, w->forest, &w->summary);
    json_count(&writer, "features_with_missing", kinds.missing);
    summary_weights_json(&writer, w->data, w->read.weight);
    left_out_json(&writer, w->data);
    json_count(&writer, "trees_requested", w->params.trees);
    json_count(&writer, "trees_grown",
               sporf_forest_trees(w->forest) - (w->old ? sporf_forest_trees(w->old) : 0));
    json_bool(&writer, "interrupted", was_stopped(w));
    json_double(&writer, "read_seconds", w->read_seconds);
    json_double(&writer, "seconds", w->seconds);
    json_count(&writer, "peak_memory_bytes", peak_memory());
    if (w->profiled) profile_json(&writer, &w->profile);
    json_end(&writer);
}

static void write_text(FILE *stream, const work *w) {
    char rows[TEXT_NUMBER], seconds[TEXT_NUMBER], bytes[TEXT_NUMBER];
    summary_kinds kinds;
    summary_data_kinds(w->data, &kinds);
    summary_line(stream, "rows", "%s", text_count(rows, sporf_dataset_rows(w->data)));
    summary_weights_line(stream, w->data, w->read.weight);
    summary_schema(stream, w->forest, &kinds);
    summary_lines(stream, w->forest, &w->summary);
    summary_line(stream, "time", "%s, and %s to read the data", text_seconds(seconds, w->seconds),
                 text_seconds(rows, w->read_seconds));
    summary_line(stream, "memory", "%s at most", text_bytes(bytes, peak_memory()));
    summary_line(stream, "model", "%s (%s)", w->model,
                 text_bytes(bytes, summary_file_bytes(w->model)));
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
    if (code == EXIT_DONE) code = forest_options(options, w.old, &w.params);
    if (code == EXIT_DONE) code = check_model_path(options, w.model);
    if (code == EXIT_DONE) code = read_table(options, &w);
    if (code == EXIT_DONE) code = grow(&w);
    if (code == EXIT_DONE) code = save(&w);
    if (code == EXIT_DONE) code = report(options, &w);
    sporf_forest_free(w.forest);
    sporf_forest_free(w.old);
    sporf_dataset_free(w.data);
    input_free(&w.read);
    return code;
}

const cli_verb cmd_train = {
    .name = verb,
    .summary = "grows a forest on a table of known classes or numbers",
    .usage = "sporf train --data F (--label C | --target C) --model M [options]",
    .text = "Grows a forest on a table whose classes, or numbers to predict, are known, saves it "
            "as a model file and "
            "prints what it grew, with the error it made on the rows that each tree left out. "
            "Ctrl-C ends the training early and keeps the trees grown so far. The same seed gives "
            "the same model file, with any number of threads.",
    .example = "  sporf train --data iris.csv --label species --model iris.sporf --trees 200\n"
               "  sporf train --data house.csv --target price --model house.sporf\n"
               "  sporf train --data iris.csv --extend iris.sporf --trees 500 --model more.sporf\n",
    .declare = declare,
    .run = run,
};
