/* sporf join: joins the parts of a forest. */
#include "cli.h"
#include "json.h"
#include "model_path.h"
#include "out.h"
#include "printed.h"
#include "progress.h"
#include "saving.h"
#include "summary.h"
#include "table_input.h"
#include "train_notes.h"

#include <stdlib.h>

static const char verb[] = "join";

typedef struct {
    const char *const *paths; /* [count] */
    size_t count;
    sporf_joining *joining;
    sporf_forest *forest;
    sporf_forest_summary summary;
    saving saved;
    double seconds;
} work;

static void declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Result"},
        {.name = "model", .value = "M", .required = 1, .help = "the model file to write"},
        {.name = "first-trees",
         .help = "if parts are missing, make a model of the trees before the first missing one"},
        {.name = "threads",
         .value = "N",
         .help = "number of threads; 0 for one per core; never changes the model",
         .fallback = "0"},
        {.name = "json", .help = "print one JSON object instead of a summary"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
}

static int check_paths(const opt_list *options, const work *w) {
    const char *model = opt_value(options, "model");
    if (w->count == 0) {
        out_error(verb, "the parts are missing: sporf join --model M PART...");
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < w->count; i++)
        if (input_same_file(w->paths[i], model)) {
            out_error(verb, "--model %s is one of the parts; name another file", model);
            return EXIT_USAGE;
        }
    return model_path_check(options);
}

/* Parts are read one after the other: what has been joined is not kept in memory. */
static sporf_status read_parts(work *w, unsigned threads) {
    sporf_status status = sporf_joining_create(threads, &w->joining);
    for (size_t i = 0; status == SPORF_OK && i < w->count; i++) {
        sporf_forest_part *part = NULL;
        status = sporf_forest_part_load(w->paths[i], &part);
        if (status == SPORF_OK) status = sporf_joining_add(w->joining, part, w->paths[i]);
    }
    return status;
}

static int join(const opt_list *options, work *w) {
    progress note;
    uint64_t threads = 0;
    int code = opt_count(options, "threads", 0, &threads);
    if (code != EXIT_DONE) return code;
    double start = progress_clock();
    progress_note(&note, "joining", opt_value(options, "model"));
    sporf_status status = read_parts(w, threads < 1024 ? (unsigned)threads : 1024);
    if (status == SPORF_OK)
        status =
            sporf_joining_end(w->joining, opt_value(options, "first-trees") != NULL, &w->forest);
    progress_end(&note);
    w->seconds = progress_since(start);
    if (status != SPORF_OK) return out_failure(verb, status, NULL);
    return saving_forest(verb, w->forest, opt_value(options, "model"), 0, &w->saved);
}

static void write_json(FILE *stream, const work *w) {
    json writer;
    json_start(&writer, stream);
    json_object(&writer, NULL);
    json_text(&writer, "model", w->saved.path);
    json_count(&writer, "model_bytes", summary_file_bytes(w->saved.path));
    json_count(&writer, "parts", w->count);
    summary_json(&writer, w->forest, &w->summary);
    json_double(&writer, "seconds", w->seconds);
    json_end(&writer);
}

static void write_text(FILE *stream, const work *w) {
    char number[TEXT_NUMBER];
    summary_kinds kinds;
    summary_line(stream, "parts", "%zu", w->count);
    summary_forest_kinds(w->forest, &kinds);
    summary_schema(stream, w->forest, &kinds, NULL);
    summary_lines(stream, w->forest, &w->summary);
    summary_line(stream, "time", "%s", text_seconds(number, w->seconds));
    summary_line(stream, "model", "%s (%s)", w->saved.path,
                 text_bytes(number, summary_file_bytes(w->saved.path)));
}

static int report(const opt_list *options, work *w) {
    sporf_status status = sporf_forest_summarise(w->forest, &w->summary);
    if (status != SPORF_OK) return out_failure(verb, status, "the model is saved all the same");
    out_file file;
    out_open(&file, verb, NULL);
    (opt_value(options, "json") ? write_json : write_text)(file.stream, w);
    int code = out_close(&file, 1);
    if (code == EXIT_DONE) train_notes_votes(verb, w->forest);
    return code;
}

static int run(const opt_list *options) {
    work w = {.paths = options->arguments, .count = options->arguments_count};
    int code = check_paths(options, &w);
    if (code == EXIT_DONE) code = join(options, &w);
    if (code == EXIT_DONE) code = report(options, &w);
    sporf_joining_free(w.joining);
    free(w.saved.path);
    sporf_forest_free(w.forest);
    return code;
}

const cli_verb cmd_join = {
    .name = verb,
    .summary = "joins the parts of a forest that several runs have grown",
    .usage = "sporf join --model M [--first-trees] [--threads N] [--json] PART...",
    .text = "Joins all parts of a forest, in any order, to the model that one training gives, byte "
            "for byte, with its out-of-bag results. 'sporf train --part I/N' grows a part, on any "
            "machine with the table; joining does not need the table. Missing, repeated and "
            "foreign parts are refused. With --first-trees, missing ones are not: the model is the "
            "one that a training keeps which is interrupted before the first missing tree.",
    .example = "  sporf train --data d.csv --label c --trees 500 --settle d.set\n"
               "  sporf train --data d.csv --label c --settle d.set --part 1/2 --model 1.part\n"
               "  sporf train --data d.csv --label c --settle d.set --part 2/2 --model 2.part\n"
               "  sporf join --model d.sporf 1.part 2.part\n",
    .argument = "PART...",
    .declare = declare,
    .run = run,
};
