/* sporf plot: pictures of a model. */
#include "cli.h"
#include "named.h"
#include "out.h"
#include "outputs.h"
#include "predicting.h"
#include "table_input.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char verb[] = "plot";

enum { DEPTH = 4 }; /* of a picture, by default */

typedef struct {
    sporf_read_options read;
    const char *const *given; /* the given list of columns to ignore, if another one replaced it */
    sporf_forest *forest;
    sporf_dataset *data;
    char *picture;
} work;

static void declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Options"},
        {.name = "model", .value = "M", .required = 1, .help = "the model file"},
        {.name = "tree", .value = "I", .help = "draw a tree, numbered from 1"},
        {.name = "oob",
         .help =
             "draw the out-of-bag error by the number of trees; for a boosted model, the losses "
             "by the round"},
        {.name = "boundary",
         .value = "C,C",
         .help = "draw what the model predicts where these two features vary, given by name or by "
                 "number from 1; needs --data"},
        {.name = "depth",
         .value = "N",
         .help = "how many levels of splits of a tree to show, or 'all'; by default 4, with --text "
                 "all"},
        {.name = "text", .help = "write the tree as text instead of a picture"},
        {.name = "output",
         .value = "F",
         .fallback = "-",
         .help = "SVG or text file to write; - is standard output"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
    input_declare(options,
                  "the class column that colours the points of --boundary; by default the one that "
                  "the model was trained with; of several labels, the one to draw",
                  0);
    input_data_optional(options);
    input_declare_ignore(options);
    input_declare_limits(options);
}

/* ---- options --------------------------------------------------------------------------------- */

/* Exactly one of the pictures, and only options that it has. */
static int check_together(const opt_list *options) {
    static const char *const kinds[] = {"tree", "oob", "boundary"};
    static const char *const needs[][2] = {
        {"depth", "tree"}, {"text", "tree"}, {"data", "boundary"}, {"label", "boundary"}};
    size_t count = 0;
    for (size_t i = 0; i < 3; i++) count += opt_value(options, kinds[i]) != NULL;
    if (count != 1) {
        out_error(verb, "give one of --tree, --oob and --boundary%s",
                  count > 1 ? ", not several" : ": what to draw");
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        if (!opt_value(options, needs[i][0]) || opt_value(options, needs[i][1])) continue;
        out_error(verb, "--%s is for --%s; leave it out", needs[i][0], needs[i][1]);
        return EXIT_USAGE;
    }
    if (!opt_value(options, "boundary") || opt_value(options, "data")) return EXIT_DONE;
    out_error(verb, "--boundary needs --data, a table that says which values are usual");
    return EXIT_USAGE;
}

static int read_depth(const opt_list *options, size_t *depth) {
    const char *value = opt_value(options, "depth");
    uint64_t number = DEPTH;
    *depth = SIZE_MAX;
    if (value ? strcmp(value, "all") == 0 : opt_value(options, "text") != NULL) return EXIT_DONE;
    int code = opt_count(options, "depth", 0, &number);
    if (number < SIZE_MAX) *depth = (size_t)number;
    return code;
}

/* ---- pictures -------------------------------------------------------------------------------- */

static int finish(sporf_status status) {
    return status == SPORF_OK ? EXIT_DONE : out_failure(verb, status, NULL);
}

static int draw_tree(const opt_list *options, work *w) {
    size_t trees = sporf_forest_trees(w->forest), depth;
    uint64_t number = 1;
    int code = opt_count(options, "tree", 1, &number);
    if (code == EXIT_DONE) code = read_depth(options, &depth);
    if (code != EXIT_DONE) return code;
    if (number > trees) {
        out_error(verb, "--tree must be from 1 to %zu, the trees of this model, got %s", trees,
                  opt_value(options, "tree"));
        return EXIT_USAGE;
    }
    size_t tree = (size_t)number - 1;
    return finish(opt_value(options, "text")
                      ? sporf_forest_write_tree(w->forest, tree, depth, &w->picture)
                      : sporf_forest_draw_tree(w->forest, tree, depth, &w->picture));
}

/* The class column by its name in training; of several labels the first. */
static const char *usual_label(const work *w) {
    const sporf_schema *schema = sporf_forest_schema(w->forest);
    if (w->read.format == SPORF_FORMAT_SVMLIGHT) return NULL;
    return sporf_schema_label_columns(schema) > 0 ? sporf_schema_label_column_name(schema, 0)
                                                  : sporf_schema_label_name(schema);
}

static int read_features(const opt_list *options, work *w, sporf_status *status) {
    if (!predicting_features(w->forest, &w->read, &w->given)) {
        out_error(verb, "out of memory");
        return EXIT_FAILED;
    }
    *status = input_read(options, &w->read, &w->data);
    return EXIT_DONE;
}

/* With the class column, if the table has it: points have its colours. A pipe is read once, so it
 * is asked only for what must be there. */
static int read_table(const opt_list *options, work *w) {
    int is_named = w->read.label || w->read.label_file;
    int again = !is_named && strcmp(opt_value(options, "data"), "-") != 0;
    sporf_read_options given = w->read;
    sporf_status status = SPORF_ERROR_DATA;
    int code = EXIT_DONE;
    if (again) w->read.label = usual_label(w);
    if (w->read.label || w->read.label_file) {
        code = predicting_truth(options, w->forest, &w->read);
        if (code == EXIT_DONE) status = input_read(options, &w->read, &w->data);
    }
    if (code == EXIT_DONE && !is_named && status == SPORF_ERROR_DATA) {
        w->read = given;
        code = read_features(options, w, &status);
    }
    if (code != EXIT_DONE) return code;
    if (status == SPORF_OK) return predicting_note_unknown(verb, w->forest, w->data);
    return out_failure(verb, status, predicting_table_hint(w->forest, &w->read, status));
}

static int draw_boundary(const opt_list *options, work *w) {
    size_t pair[2];
    int code = named_pair(options, "boundary", w->forest, pair);
    if (code == EXIT_DONE) code = read_table(options, w);
    if (code != EXIT_DONE) return code;
    return finish(sporf_forest_draw_boundary(w->forest, w->data, pair[0], pair[1], &w->picture));
}

static int draw(const opt_list *options, work *w) {
    if (opt_value(options, "tree")) return draw_tree(options, w);
    if (opt_value(options, "boundary")) return draw_boundary(options, w);
    return finish(sporf_forest_draw_oob(w->forest, &w->picture));
}

static int write_picture(const opt_list *options, const work *w) {
    out_file file;
    int code = out_open(&file, verb, opt_value(options, "output"));
    if (code != EXIT_DONE) return code;
    fputs(w->picture, file.stream);
    return out_close(&file, 1);
}

static int run(const opt_list *options) {
    work w = {0};
    int code = check_together(options);
    if (code == EXIT_DONE) code = input_protect(options, "output");
    if (code == EXIT_DONE) code = outputs_check(verb, opt_value(options, "output"));
    if (code == EXIT_DONE) code = input_options(options, &w.read);
    if (code == EXIT_DONE) code = predicting_load(options, &w.forest);
    if (code == EXIT_DONE) code = draw(options, &w);
    if (code == EXIT_DONE) code = write_picture(options, &w);
    sporf_free(w.picture);
    sporf_dataset_free(w.data);
    sporf_forest_free(w.forest);
    input_free(&w.read);
    free((void *)w.given);
    return code;
}

const cli_verb cmd_plot = {
    .name = verb,
    .summary = "draws a tree, a decision boundary or the out-of-bag error",
    .usage = "sporf plot --model M --tree I [--depth N] [--text] [--output F]\n"
             "       sporf plot --model M --oob [--output F]\n"
             "       sporf plot --model M --data F --boundary C,C [--label C] [--output F]",
    .text =
        "Writes a picture as SVG, light or dark as its viewer is. In a tree, rows for which the "
        "condition of a split holds go left ('yes'); n is the weight of the training rows, "
        "which count as often as they were drawn for the tree, and bars are the shares of "
        "classes. A boundary shows what is predicted over two numeric features, with all "
        "others at their median or most frequent level in the table, whose rows are points.",
    .example = "  sporf plot --model iris.sporf --tree 1 --output tree.svg\n"
               "  sporf plot --model iris.sporf --tree 1 --text\n"
               "  sporf plot --model iris.sporf --oob --output curve.svg\n"
               "  sporf plot --model iris.sporf --data iris.csv \\\n"
               "             --boundary petal_length,petal_width --output b.svg\n",
    .declare = declare,
    .run = run,
};
