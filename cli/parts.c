/* A part is grown whole or not at all. */
#include "parts.h"

#include "choosing.h"
#include "cli.h"
#include "console.h"
#include "interrupt.h"
#include "json.h"
#include "model_path.h"
#include "out.h"
#include "printed.h"
#include "settled.h"
#include "summary.h"
#include "table_input.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const opt_list *options;
    sporf_read_options read;
    sporf_params params;
    sporf_dataset *data;
    char *text; /* of the file of settings; NULL without */
    uint32_t first, count;
    sporf_forest_part *part;
    progress bar;
    double read_seconds, search_seconds, seconds;
} work;

void parts_declare(opt_list *options) {
    const opt_spec specs[] = {
        {.name = "part",
         .value = "I/N",
         .help = "grow part I of N of the forest, to be joined by 'sporf join', for example by the "
                 "tasks of a batch queue; all parts need the same table, options and version"},
        {.name = "settle",
         .value = "FILE",
         .help = "without --part: only choose the settings, and write them to FILE; with --part: "
                 "take them from there, so that not every part chooses again"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
}

int parts_wanted(const opt_list *options) {
    return opt_value(options, "part") || opt_value(options, "settle");
}

/* ---- options --------------------------------------------------------------------------------- */

/* All runs have to agree on the trees, so nothing that a run does may end them. */
static int check_end(const work *w) {
    if (w->params.trees == 0)
        out_error(w->options->verb,
                  "--trees auto cannot be used for parts of a forest, which must agree on the "
                  "number of trees; give a number");
    else if (w->params.time > 0)
        out_error(w->options->verb, "--time cannot be used for parts of a forest, which have all "
                                    "their trees or none; leave it out");
    else
        return EXIT_DONE;
    return EXIT_USAGE;
}

static int check_others(const work *w) {
    static const char *const others[] = {"extend", "profile"};
    const char *given = opt_value(w->options, "part") ? "part" : "settle";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (opt_value(w->options, others[i])) {
            out_error(w->options->verb, "--%s and --%s cannot be used together", others[i], given);
            return EXIT_USAGE;
        }
    return EXIT_DONE;
}

static int refuse_part(const work *w, const char *value) {
    out_error(
        w->options->verb,
        "--part must be I/N, part I of N, as in 3/16, with N up to the number of trees (%lu), "
        "got '%s'",
        (unsigned long)w->params.trees, value);
    return EXIT_USAGE;
}

/* Parts have as many trees each, but for one. */
static int find_range(work *w) {
    const char *value = opt_value(w->options, "part");
    uint64_t trees = w->params.trees;
    unsigned long part, parts;
    char rest;
    if (strspn(value, "0123456789/") != strlen(value) ||
        sscanf(value, "%10lu/%10lu%c", &part, &parts, &rest) != 2 || part == 0 || part > parts ||
        parts > trees)
        return refuse_part(w, value);
    w->first = (uint32_t)((part - 1) * trees / parts);
    w->count = (uint32_t)(part * trees / parts) - w->first;
    return EXIT_DONE;
}

/* A part needs the memory of its own trees. */
static int read_table(work *w) {
    sporf_params own = w->params;
    double start = progress_clock();
    int code = training_read(w->options, &w->read, &w->data);
    w->read_seconds = progress_since(start);
    if (code != EXIT_DONE) return code;
    if (w->count > 0) own.trees = w->count;
    code = training_check_memory(w->options, w->read.max_memory, w->data, 1, NULL, &own);
    w->params.max_memory = own.max_memory;
    return code;
}

/* ---- the work -------------------------------------------------------------------------------- */

static void show_choosing(void *payload, size_t pilot_trees, double share) {
    choosing_show(payload, pilot_trees, share);
}

static void show_progress(void *payload, size_t done, size_t trees) {
    choosing_trees(payload, done, trees);
}

static void show_note(void *payload, const char *text) {
    training_note("train", payload, text);
}

static sporf_hooks hooks_of(work *w) {
    const char *chosen[CHOOSING_MAX];
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.payload = &w->bar;
    hooks.progress = show_progress;
    hooks.choosing = show_choosing;
    hooks.note = show_note;
    hooks.interrupt = training_stopped;
    hooks.search_seconds = &w->search_seconds;
    choosing_start(&w->bar, choosing_names(w->data, &w->params, chosen) > 0);
    return hooks;
}

static int report_failure(const work *w, sporf_status status, const char *what) {
    char text[64];
    snprintf(text, sizeof text, "no %s written", what);
    return out_failure(w->options->verb, status,
                       status == SPORF_ERROR_CANCELLED ? text : training_hint(&w->params, status));
}

static int open_result(const work *w, out_file *file) {
    return out_open(file, w->options->verb, NULL);
}

/* ---- settings -------------------------------------------------------------------------------- */

static void settings_json(FILE *stream, const work *w) {
    json writer;
    json_start(&writer, stream);
    json_object(&writer, NULL);
    json_text(&writer, "settle", opt_value(w->options, "settle"));
    json_count(&writer, "rows", sporf_dataset_rows(w->data));
    json_count(&writer, "features", sporf_dataset_features(w->data));
    json_double(&writer, "read_seconds", w->read_seconds);
    json_double(&writer, "search_seconds", progress_round(w->search_seconds));
    json_end(&writer);
}

static void settings_text(FILE *stream, const work *w) {
    char rows[TEXT_NUMBER], seconds[TEXT_NUMBER];
    summary_line(stream, "rows", "%s", text_count(rows, sporf_dataset_rows(w->data)));
    summary_params_line(stream, &w->params, NULL, 0);
    if (w->search_seconds > 0)
        summary_line(stream, "search", "%s", text_seconds(seconds, w->search_seconds));
    summary_line(stream, "file", "%s", opt_value(w->options, "settle"));
}

static int report_settings(const work *w) {
    out_file file;
    open_result(w, &file);
    (opt_value(w->options, "json") ? settings_json : settings_text)(file.stream, w);
    return out_close(&file, 1);
}

static int settle(work *w) {
    uint64_t table = 0;
    const char *path = opt_value(w->options, "settle");
    if (opt_value(w->options, "model")) {
        out_error(w->options->verb, "--settle without --part writes settings and no model; leave "
                                    "--model out, or name a part, as in --part 1/16");
        return EXIT_USAGE;
    }
    int code = path_check(w->options, &path_of_settings);
    if (code == EXIT_DONE) code = read_table(w);
    if (code != EXIT_DONE) return code;
    interrupt_catch();
    sporf_hooks hooks = hooks_of(w);
    sporf_status status = sporf_train_settle(w->data, &w->params, &hooks, &w->params);
    if (status == SPORF_OK) status = sporf_dataset_checksum(w->data, w->params.threads, &table);
    progress_end(&w->bar);
    if (status != SPORF_OK) return report_failure(w, status, "settings were");
    code = settled_write(w->options->verb, path, &w->params, table);
    return code == EXIT_DONE ? report_settings(w) : code;
}

/* ---- a part ---------------------------------------------------------------------------------- */

static void part_json(FILE *stream, const work *w) {
    const char *path = opt_value(w->options, "model");
    json writer;
    json_start(&writer, stream);
    json_object(&writer, NULL);
    json_text(&writer, "model", path);
    json_count(&writer, "model_bytes", summary_file_bytes(path));
    json_count(&writer, "rows", sporf_dataset_rows(w->data));
    json_count(&writer, "features", sporf_dataset_features(w->data));
    json_count(&writer, "first_tree", w->first + (uint64_t)1);
    json_count(&writer, "trees_grown", w->count);
    json_count(&writer, "trees", w->params.trees);
    json_double(&writer, "read_seconds", w->read_seconds);
    json_double(&writer, "search_seconds", progress_round(w->search_seconds));
    json_double(&writer, "seconds", w->seconds);
    json_count(&writer, "peak_memory_bytes", console_peak_memory());
    json_end(&writer);
}

static void part_text(FILE *stream, const work *w) {
    const char *path = opt_value(w->options, "model");
    char number[TEXT_NUMBER], reading[TEXT_NUMBER];
    summary_line(stream, "rows", "%s", text_count(number, sporf_dataset_rows(w->data)));
    summary_line(stream, "trees", "%lu to %lu of %lu", (unsigned long)w->first + 1,
                 (unsigned long)w->first + w->count, (unsigned long)w->params.trees);
    summary_line(stream, "time", "%s, and %s to read the data", text_seconds(number, w->seconds),
                 text_seconds(reading, w->read_seconds));
    summary_line(stream, "peak memory", "%s", text_bytes(number, console_peak_memory()));
    summary_line(stream, "part", "%s (%s); 'sporf join' joins it with the others", path,
                 text_bytes(number, summary_file_bytes(path)));
}

static int report_part(const work *w) {
    out_file file;
    open_result(w, &file);
    (opt_value(w->options, "json") ? part_json : part_text)(file.stream, w);
    return out_close(&file, 1);
}

/* Settled settings are those of their table. */
static int check_table(const work *w, uint64_t settled) {
    uint64_t table = 0;
    sporf_status status = sporf_dataset_checksum(w->data, w->params.threads, &table);
    if (status != SPORF_OK) return out_failure(w->options->verb, status, NULL);
    if (table == settled) return EXIT_DONE;
    out_error(w->options->verb,
              "--settle %s was written for another table; all runs need the same rows in the same "
              "order, with the same columns, labels and weights",
              opt_value(w->options, "settle"));
    return EXIT_FAILED;
}

static int prepare_part(work *w) {
    const char *settled = opt_value(w->options, "settle");
    uint64_t table = 0;
    if (!opt_value(w->options, "model")) {
        out_error(w->options->verb, "--model is missing: --model M, the file of the part");
        return EXIT_USAGE;
    }
    int code = path_check(w->options, &path_of_part);
    if (code == EXIT_DONE && settled)
        code = settled_read(w->options, settled, &w->params, &table, &w->text);
    if (code == EXIT_DONE) code = find_range(w);
    if (code == EXIT_DONE) code = read_table(w);
    return code == EXIT_DONE && settled ? check_table(w, table) : code;
}

static int grow(work *w) {
    double start = progress_clock();
    interrupt_catch();
    sporf_hooks hooks = hooks_of(w);
    sporf_status status =
        sporf_forest_part_train(w->data, &w->params, &hooks, w->first, w->count, &w->part);
    w->seconds = progress_since(start);
    progress_end(&w->bar);
    if (status != SPORF_OK) return report_failure(w, status, "part was");
    status = sporf_forest_part_save(w->part, opt_value(w->options, "model"));
    return status == SPORF_OK
               ? report_part(w)
               : out_failure(w->options->verb, status, "the part is grown but could not be saved");
}

int parts_run(const opt_list *options, training_takes takes) {
    work w = {.options = options};
    int code = check_others(&w);
    if (code == EXIT_DONE) code = input_options(options, &w.read);
    if (code == EXIT_DONE) code = training_params(options, takes, NULL, &w.params);
    if (code == EXIT_DONE) code = check_end(&w);
    if (code == EXIT_DONE && !opt_value(options, "part"))
        code = settle(&w);
    else if (code == EXIT_DONE && (code = prepare_part(&w)) == EXIT_DONE)
        code = grow(&w);
    sporf_forest_part_free(w.part);
    sporf_dataset_free(w.data);
    input_free(&w.read);
    free(w.text);
    return code;
}
