/* sporf report: a page of HTML on a model, or on several that are compared. */
#include "cli.h"
#include "command_line.h"
#include "interrupt.h"
#include "outputs.h"
#include "predicting.h"
#include "progress.h"
#include "table_input.h"

#include <stdlib.h>
#include <string.h>

static const char verb[] = "report";

enum { MODELS_MOST = 8 };

typedef struct {
    sporf_read_options read;
    size_t count;
    const char *paths[MODELS_MOST];
    sporf_forest *forests[MODELS_MOST];
    char *commands[MODELS_MOST]; /* that train them */
    char *command;               /* that makes the report */
    sporf_predict_options predicting;
    sporf_dataset *data;
    progress bar;
} work;

static void repeat_model(opt_list *options) {
    opt_spec *spec = options->spec;
    while (!spec->name || strcmp(spec->name, "model") != 0) spec++;
    spec->repeats = 1;
    spec->help = "the model file; may be repeated: models of the same classes or targets are "
                 "compared";
}

static void declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Report"},
        {.name = "output",
         .value = "F",
         .required = 1,
         .help = "the HTML file to write; - is standard output"},
        {.name = "title", .value = "TEXT", .help = "title of the page"},
        {.name = "seed", .value = "S", .fallback = "0", .help = "seed of samples and intervals"},
        {.name = "timing",
         .help = "show how long predictions took; the file then differs from run to run"},
    };
    predicting_declare(options);
    repeat_model(options);
    opt_add(options, specs, sizeof specs / sizeof *specs);
    input_declare(options,
                  "the column with the true classes: a name, a number from 1 or 'last'; not needed "
                  "for svmlight, or if it has the same name as in training",
                  1);
    input_data_optional(options);
    input_data_once(options);
    input_declare_target(options);
    input_declare_labels(options);
    input_declare_weight(options);
    input_declare_ignore(options);
    input_declare_limits(options);
}

/* ---- models ---------------------------------------------------------------------------------- */

static int name_models(const opt_list *options, work *w) {
    w->count = 1 + options->more_count;
    if (w->count > MODELS_MOST) {
        out_error(verb, "--model is given %zu times, but at most %d models are compared", w->count,
                  (int)MODELS_MOST);
        return EXIT_USAGE;
    }
    w->paths[0] = opt_value(options, "model");
    for (size_t i = 1; i < w->count; i++) w->paths[i] = options->more[i - 1];
    return EXIT_DONE;
}

static int load_models(const opt_list *options, work *w) {
    for (size_t i = 0; i < w->count; i++) {
        sporf_status status = sporf_forest_load(w->paths[i], &w->forests[i]);
        if (status != SPORF_OK) return out_failure(verb, status, NULL);
    }
    return w->count > 1 ? EXIT_DONE : predicting_check(options, w->forests[0]);
}

/* ---- the table ------------------------------------------------------------------------------- */

/* What to read: all columns of the training, then without its weights, then without what is to be
 * predicted. */
typedef enum { WITH_WEIGHTS, WITH_TRUTH, FEATURES_ALONE, TRIES } reading;

static int choose_columns(const opt_list *options, work *w, reading what) {
    const sporf_forest *forest = w->forests[0];
    if (what == WITH_WEIGHTS) return predicting_training(options, forest, &w->read);
    if (what == WITH_TRUTH) return predicting_truth(options, forest, &w->read);
    predicting_columns(forest, &w->read);
    return EXIT_DONE;
}

/* Tries again with fewer columns if the table does not have those that options do not name. */
static int read_table(const opt_list *options, work *w) {
    const char *path = opt_value(options, "data");
    int code = EXIT_DONE, named = w->read.label || w->read.label_file ||
                                  w->read.targets_count > 0 || w->read.labels_count > 0;
    int again = path && strcmp(path, "-") != 0;
    sporf_read_options given = w->read;
    sporf_status status = SPORF_OK;
    for (reading what = WITH_WEIGHTS; path && what < (named ? FEATURES_ALONE : TRIES); what++) {
        code = choose_columns(options, w, what);
        if (code != EXIT_DONE) return code;
        status = input_read(options, &w->read, &w->data);
        if (status != SPORF_ERROR_DATA || !again) break;
        if (!named) {
            free((void *)w->read.targets);
            free((void *)w->read.labels);
        }
        w->read = given;
    }
    if (status != SPORF_OK)
        return out_failure(verb, status, predicting_table_hint(w->forests[0], &w->read, status));
    return w->data ? predicting_note_unknown(verb, w->forests[0], w->data) : code;
}

static void note_scores(const work *w) {
    int has_truth = !w->data || sporf_dataset_labels(w->data) || sporf_dataset_targets(w->data) > 0;
    if (!has_truth)
        out_error(verb, "the table does not have what the model predicts, so there are no scores; "
                        "name its column with --label or --target if it has another name");
}

/* ---- the page -------------------------------------------------------------------------------- */

static void show(void *payload, size_t done, size_t chapters) {
    progress_show(&((work *)payload)->bar, done, chapters);
}

static int is_interrupted(void *payload) {
    (void)payload;
    return interrupt_seen();
}

static int describe(const opt_list *options, work *w) {
    w->command = command_line_given(options);
    int is_whole = w->command != NULL;
    for (size_t i = 0; i < w->count && is_whole; i++) {
        w->commands[i] = command_line_train(w->forests[i]);
        is_whole = w->commands[i] != NULL;
    }
    if (!is_whole) out_error(verb, "out of memory");
    return is_whole ? EXIT_DONE : EXIT_FAILED;
}

static int write_page(const opt_list *options, const char *html, size_t size) {
    out_file file;
    int code = out_open(&file, verb, opt_value(options, "output"));
    if (code != EXIT_DONE) return code;
    fwrite(html, 1, size, file.stream);
    return out_close(&file, 1);
}

static int make_page(const opt_list *options, work *w) {
    sporf_report_options how;
    sporf_hooks hooks;
    char *html = NULL;
    size_t size = 0;
    sporf_report_options_init(&how);
    sporf_hooks_init(&hooks);
    int code = opt_count(options, "seed", 0, &how.seed);
    if (code == EXIT_DONE) code = describe(options, w);
    if (code != EXIT_DONE) return code;
    how.title = opt_value(options, "title");
    how.names = w->paths;
    how.data_name = opt_value(options, "data");
    how.command = w->command;
    how.commands = (const char *const *)w->commands;
    how.threads = w->predicting.threads;
    how.combine = w->predicting.combine;
    how.calibration = w->predicting.calibration;
    how.timing = opt_value(options, "timing") != NULL;
    hooks.payload = w;
    hooks.progress = show;
    hooks.interrupt = is_interrupted;
    interrupt_catch();
    progress_start(&w->bar, "chapters");
    sporf_status status = sporf_report_html((const sporf_forest *const *)w->forests, w->count,
                                            w->data, &how, &hooks, &html, &size);
    progress_end(&w->bar);
    code = status == SPORF_OK ? write_page(options, html, size) : out_failure(verb, status, NULL);
    sporf_free(html);
    return code;
}

static int run(const opt_list *options) {
    work w = {0};
    int code = input_protect(options, "output");
    if (code == EXIT_DONE) code = outputs_check(verb, opt_value(options, "output"));
    if (code == EXIT_DONE) code = input_options(options, &w.read);
    if (code == EXIT_DONE) code = predicting_options(options, &w.predicting);
    if (code == EXIT_DONE) code = name_models(options, &w);
    if (code == EXIT_DONE) code = load_models(options, &w);
    if (code == EXIT_DONE) code = read_table(options, &w);
    if (code == EXIT_DONE) note_scores(&w);
    if (code == EXIT_DONE) code = make_page(options, &w);
    for (size_t i = 0; i < w.count; i++) {
        sporf_forest_free(w.forests[i]);
        free(w.commands[i]);
    }
    free(w.command);
    sporf_dataset_free(w.data);
    input_free(&w.read);
    return code;
}

const cli_verb cmd_report = {
    .name = verb,
    .summary = "makes a page of HTML on a model, or compares several",
    .usage = "sporf report --model M [--model M ...] [--data F] --output F [options]",
    .text = "Writes one HTML file that shows what a model is and how good it is: its settings, the "
            "out-of-bag error, importances and projections; and with --data what the data are, "
            "scores with curves and the confusion matrix, calibration, dependence on features, and "
            "single rows with similar ones. The file needs no network and has no scripts. If the "
            "table is the one that the model was trained on, each row is scored by the trees that "
            "did not see it. Several models are compared on the same rows.",
    .example = "  sporf report --model iris.sporf --data iris.csv --output iris.html\n"
               "  sporf report --model a.sporf --model b.sporf --data test.csv --output ab.html\n",
    .declare = declare,
    .run = run,
};
