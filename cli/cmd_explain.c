/* sporf explain: how much each feature, or projection, adds to the prediction of each row. */
#include "cli.h"
#include "console.h"
#include "explanation_print.h"
#include "explanations.h"
#include "header.h"
#include "json.h"
#include "out.h"
#include "outputs.h"
#include "printed.h"
#include "table_input.h"
#include "terms.h"

#include <stdlib.h>
#include <string.h>

static const char verb[] = "explain";

static void declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Explanation"},
        {.name = "model", .value = "M", .required = 1, .help = "the model file"},
        {.name = "combine",
         .value = "NAME",
         .range = "votes|posteriors",
         .fallback = "votes",
         .help = "explain the shares of votes, or the mean class shares of the leaves"},
        {.name = "background",
         .value = "F",
         .help = "table of the rows to compare with; by default rows of --data"},
        {.name = "sample",
         .value = "N",
         .fallback = "100",
         .help = "how many background rows, at most, drawn by chance; time grows with them"},
        {.name = "class",
         .value = "C",
         .help = "the class to explain, or 'all'; by default that which each row is predicted as"},
        {.name = "row",
         .value = "N",
         .help = "explain only row N of --data, from 1, as a list to read"},
        {.name = "top",
         .value = "K",
         .fallback = "10",
         .help = "with --row: how many features are listed by themselves"},
        {.name = "projections",
         .value = "K",
         .help = "explain by the K most important projections, and all others together, in place "
                 "of features"},
        {.name = "steps",
         .value = "N",
         .fallback = "1000000",
         .help = "steps in a tree with a row and 64 background rows; where more are needed, values "
                 "are estimated from random orders of the features"},
        {.name = "seed", .value = "S", .fallback = "1", .help = "seed of what is drawn by chance"},
        {.name = "output",
         .value = "F",
         .fallback = "-",
         .help = "CSV file to write; - is standard output"},
        {.name = "json",
         .help = "print one JSON object: the mean absolute value of each feature, the base and how "
                 "much is estimated; the CSV file is then only written if --output names one"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
    input_declare(options,
                  "a class or target column to ignore: a name, a number from 1 or 'last'; not "
                  "needed if it has the same name as in training",
                  0);
    input_declare_ignore(options);
    input_declare_limits(options);
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* Which outputs of a row are written. */
typedef struct {
    enum { PREDICTED, ALL, ONE } choice;
    size_t output; /* ONE */
} chosen;

/* The name of an output: a class or a target; NULL for a target without a name. */
static const char *output_name(const explanations *e, size_t output) {
    const sporf_schema *schema = sporf_forest_schema(e->forest);
    if (sporf_forest_targets(e->forest) > 0) return sporf_schema_target_name(schema, output);
    return sporf_schema_class_name(schema, e->outputs == 1 ? 1 : output);
}

static int choose_class(const char *name, const explanations *e, chosen *c) {
    *c = (chosen){ALL, 0};
    int is_regression = sporf_forest_targets(e->forest) > 0;
    if (!name && e->outputs > 1 && !is_regression) c->choice = PREDICTED;
    if (!name || strcmp(name, "all") == 0) return EXIT_DONE;
    for (c->choice = ONE; c->output < e->outputs; c->output++)
        if (strcmp(output_name(e, c->output), name) == 0) return EXIT_DONE;
    if (e->outputs == 1)
        out_error(
            verb,
            "--class '%s': a boosted model of two classes has one score, the log odds of '%s'",
            name, output_name(e, 0));
    else
        out_error(verb, "--class '%s': the model has no such class", name);
    return EXIT_USAGE;
}

static int is_wanted(const chosen *c, const explanations *e, size_t row, size_t output) {
    if (c->choice == ALL) return 1;
    return output == (c->choice == ONE ? c->output : e->classes[row]);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static int write_header(FILE *stream, const explanations *e) {
    header line = {0};
    int is_whole = 1;
    header_add(&line, 1, "row", "", "");
    header_add(&line, 1, sporf_forest_targets(e->forest) > 0 ? "target" : "class", "", "");
    header_add(&line, 1, "base", "", "");
    header_add(&line, 1, "prediction", "", "");
    for (size_t j = 0; is_whole && j < e->places; j++) {
        char *name = explanations_place_name(e, j);
        is_whole = name != NULL;
        if (name) header_add(&line, 0, name, "", "");
        free(name);
    }
    is_whole = is_whole && header_write(stream, &line);
    header_free(&line);
    if (!is_whole) out_error(verb, "out of memory");
    return is_whole ? EXIT_DONE : EXIT_FAILED;
}

static void write_number(FILE *stream, double value) {
    char number[TEXT_NUMBER];
    fprintf(stream, ",%s", text_double(number, value));
}

static void write_row(FILE *stream, const explanations *e, size_t row, size_t output) {
    const char *name = output_name(e, output);
    const double *values = e->values + row * e->places * e->outputs + output;
    fprintf(stream, "%zu,", e->skipped + e->first + row + 1);
    if (name)
        text_csv_field(stream, name);
    else
        fprintf(stream, "y%zu", output + 1);
    write_number(stream, e->base[output]);
    write_number(stream, e->predictions[row * e->outputs + output]);
    for (size_t j = 0; j < e->places; j++) write_number(stream, values[j * e->outputs]);
    fputc('\n', stream);
}

static int write_block(out_file *file, explanations *e, const chosen *c) {
    int code = e->first == 0 ? write_header(file->stream, e) : EXIT_DONE;
    for (size_t i = 0; code == EXIT_DONE && i < e->count && out_ok(file); i++)
        for (size_t k = 0; k < e->outputs; k++)
            if (is_wanted(c, e, i, k)) write_row(file->stream, e, i, k);
    return code;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static int write_json(FILE *stream, const opt_list *options, const explanations *e) {
    json writer;
    int code = EXIT_DONE;
    json_start(&writer, stream);
    json_object(&writer, NULL);
    json_text(&writer, "model", opt_value(options, "model"));
    json_count(&writer, "rows", e->rows);
    json_count(&writer, "background_rows", e->background_rows);
    json_count(&writer, "trees", sporf_forest_trees(e->forest));
    json_double(&writer, "estimated", explanations_estimated(e));
    json_double(&writer, "seconds", e->seconds);
    json_list(&writer, "outputs");
    for (size_t k = 0; k < e->outputs && code == EXIT_DONE; k++) {
        json_object(&writer, NULL);
        json_text(&writer, "name", output_name(e, k));
        json_double(&writer, "base", e->base[k]);
        json_list(&writer, "mean_absolute");
        for (size_t j = 0; j < e->places && code == EXIT_DONE; j++) {
            char *name = explanations_place_name(e, j);
            if (!name) code = EXIT_FAILED;
            json_object(&writer, NULL);
            json_line(&writer);
            json_text(&writer, e->ranking ? "projection" : "feature", name);
            json_double(&writer, "value", explanations_mean_absolute(e, j, k));
            json_end(&writer);
            free(name);
        }
        json_end(&writer);
        json_end(&writer);
    }
    json_end(&writer);
    json_end(&writer);
    return code;
}

static int print_json(const opt_list *options, const explanations *e) {
    out_file file;
    out_open(&file, verb, NULL);
    int code = write_json(file.stream, options, e);
    int closed = out_close(&file, code == EXIT_DONE);
    return code == EXIT_DONE ? closed : code;
}

/* ---- a row to read --------------------------------------------------------------------------- */

static void print_title(FILE *stream, const explanations *e, size_t output) {
    const char *name = output_name(e, output);
    int is_regression = sporf_forest_targets(e->forest) > 0;
    sporf_boosting boosting;
    fprintf(stream, "row %zu, ", e->skipped + 1);
    if (name)
        text_cell(stream, name, -(int)strlen(name));
    else
        fprintf(stream, "y%zu", output + 1);
    if (is_regression)
        fputc('\n', stream);
    else if (sporf_forest_boosting(e->forest, &boosting))
        fputs(": score\n", stream);
    else
        fprintf(stream, ": share of %s\n",
                e->options.combine == SPORF_COMBINE_VOTES ? "votes" : "leaves");
}

static int print_row(const opt_list *options, explanations *e) {
    out_file file;
    uint64_t most = 10;
    chosen c;
    int code = opt_count(options, "top", 1, &most);
    if (code == EXIT_DONE) code = choose_class(opt_value(options, "class"), e, &c);
    if (code == EXIT_DONE) code = explanations_next(verb, e);
    if (code == EXIT_DONE) code = out_open(&file, verb, NULL);
    if (code != EXIT_DONE) return code;
    for (size_t k = 0, printed = 0; code == EXIT_DONE && k < e->outputs; k++) {
        if (!is_wanted(&c, e, 0, k)) continue;
        if (printed++ > 0) fputc('\n', file.stream);
        print_title(file.stream, e, k);
        code = explanation_print(file.stream, verb, e, k, (size_t)most);
    }
    int closed = out_close(&file, code == EXIT_DONE);
    explanations_report(verb, e);
    return code == EXIT_DONE ? closed : code;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int explain_blocks(out_file *file, explanations *e, const chosen *c) {
    int code = EXIT_DONE;
    while (code == EXIT_DONE && explanations_left(e)) {
        code = explanations_next(verb, e);
        if (code == EXIT_DONE && file) code = write_block(file, e, c);
        if (file && !out_ok(file)) break;
    }
    return code;
}

static int explain_to_file(const opt_list *options, explanations *e) {
    const char *output = opt_value(options, "output");
    int as_json = opt_value(options, "json") != NULL;
    int writes = !as_json || (output && strcmp(output, "-") != 0);
    out_file file;
    chosen c;
    int code = choose_class(opt_value(options, "class"), e, &c);
    if (code == EXIT_DONE && writes) code = out_open(&file, verb, output);
    if (code != EXIT_DONE) return code;
    code = explain_blocks(writes ? &file : NULL, e, &c);
    int closed = writes ? out_close(&file, code == EXIT_DONE) : EXIT_DONE;
    if (code == EXIT_DONE) code = closed;
    if (code == EXIT_DONE) explanations_report(verb, e);
    return code == EXIT_DONE && as_json ? print_json(options, e) : code;
}

static int run(const opt_list *options) {
    explanations e = {0};
    int code = input_protect(options, "output");
    if (code == EXIT_DONE) code = outputs_check(verb, opt_value(options, "output"));
    if (code == EXIT_DONE) code = explanations_open(options, &e);
    int is_list =
        opt_value(options, "row") && !opt_value(options, "output") && !opt_value(options, "json");
    if (code == EXIT_DONE) code = (is_list ? print_row : explain_to_file)(options, &e);
    explanations_free(&e);
    return code;
}

const cli_verb cmd_explain = {
    .name = verb,
    .summary = "explains the prediction of each row of a table",
    .usage = "sporf explain --model M --data F [--background F] [--class C|all]\n"
             "                     [--row N] [--projections K] [--output F] [--json] [options]",
    .text = "Writes how much each feature adds to the prediction of each row, compared with "
            "background rows: its Shapley value. The values of a row and the base, the mean "
            "prediction of the background, add up to the prediction. They are exact for splits of "
            "several features, categories and missing values, too. What is explained are shares of "
            "votes, or of leaves with --combine posteriors, without calibration; values of "
            "targets; or the scores of a boosted model. By default each row has a line for the "
            "class that it is predicted as.",
    .example = "  sporf explain --model iris.sporf --data new.csv --background iris.csv\n"
               "  sporf explain --model iris.sporf --data iris.csv --row 71\n",
    .declare = declare,
    .run = run,
};
