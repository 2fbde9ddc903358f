/* sporf strength: how accurate the trees of a forest are, and how correlated. */
#include "cli.h"
#include "json.h"
#include "measuring.h"
#include "out.h"
#include "predicting.h"
#include "printed.h"
#include "summary.h"

#include <math.h>

static const char verb[] = "strength";

static void declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Options"},
        {.name = "model", .value = "M", .required = 1, .help = "the model file"},
        {.name = "json", .help = "print one JSON object"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
    measuring_declare(options, 0);
}

static int measure(const sporf_forest *forest, measuring *m, sporf_strength *strength) {
    measuring_start(m);
    sporf_status status = sporf_forest_strength(forest, m->data, &m->options, &m->hooks, strength);
    measuring_end(m);
    return status == SPORF_OK ? EXIT_DONE : out_failure(verb, status, NULL);
}

static void write_json(FILE *stream, const opt_list *options, const sporf_forest *forest,
                       const sporf_strength *strength) {
    json writer;
    json_start(&writer, stream);
    json_object(&writer, NULL);
    json_text(&writer, "model", opt_value(options, "model"));
    json_count(&writer, "trees", sporf_forest_trees(forest));
    json_count(&writer, "rows", strength->rows);
    json_double(&writer, "strength", strength->strength);
    json_double(&writer, "correlation", strength->correlation);
    json_double(&writer, "bound", strength->bound);
    json_end(&writer);
}

static void write_text(FILE *stream, const sporf_strength *strength) {
    char number[TEXT_NUMBER];
    summary_line(stream, "rows", "%s out of bag in some tree", text_count(number, strength->rows));
    summary_line(stream, "strength", "%s", text_rate(number, strength->strength));
    summary_line(stream, "correlation", "%s", text_rate(number, strength->correlation));
    summary_line(stream, "bound", "%s%s", text_rate(number, strength->bound),
                 strength->bound > 1 ? ", above 1: no useful bound" : "");
}

static int print(const opt_list *options, const sporf_forest *forest,
                 const sporf_strength *strength) {
    out_file file;
    out_open(&file, verb, NULL);
    if (opt_value(options, "json"))
        write_json(file.stream, options, forest, strength);
    else
        write_text(file.stream, strength);
    return out_close(&file, 1);
}

static int run(const opt_list *options) {
    measuring m = {0};
    sporf_strength strength;
    sporf_forest *forest = NULL;
    int code = predicting_load(options, &forest);
    if (code == EXIT_DONE) code = measuring_read(options, forest, &m);
    if (code == EXIT_DONE) code = measure(forest, &m, &strength);
    if (code == EXIT_DONE) code = print(options, forest, &strength);
    measuring_free(&m);
    sporf_forest_free(forest);
    return code;
}

const cli_verb cmd_strength = {
    .name = verb,
    .summary = "measures strength and correlation of a forest's trees",
    .usage = "sporf strength --model M --data F [--label C] [--json] [options]",
    .text = "Measures strength and correlation of a forest's trees on out-of-bag rows (Breiman "
            "2001): the mean margin of the votes for the true class, and the correlation of the "
            "trees' margins. The error of a forest of ever more such trees is at most the bound. "
            "The table must be the one that the model was trained on, with the rows in the same "
            "order; any other is refused.",
    .example = "  sporf strength --model iris.sporf --data iris.csv --label species\n",
    .declare = declare,
    .run = run,
};
