/* sporf tune: searches for the settings with the lowest error and saves their forest. */
#include "cli.h"
#include "folding.h"
#include "interrupt.h"
#include "json.h"
#include "model_path.h"
#include "out.h"
#include "printed.h"
#include "progress.h"
#include "saving.h"
#include "searching.h"
#include "summary.h"
#include "table_input.h"
#include "train_notes.h"
#include "training.h"

#include <stdlib.h>

static const char verb[] = "tune";
static const training_takes takes = {.forest = 1, .boosting = 1, .lists = 1};

typedef struct {
    const char *model;
    sporf_read_options read;
    sporf_params params;
    searching how;
    sporf_dataset *data;
    int leaves_rows_out; /* settings are compared on out-of-bag rows, otherwise in folds */
    sporf_folds *folds;
    sporf_search *search;
    sporf_forest_summary summary;
    double seconds;
    saving saved;
} work;

static void declare(opt_list *options) {
    const opt_spec results[] = {
        {.help = "Result"},
        {.name = "model", .value = "M", .required = 1, .help = "the model file to write"},
        {.name = "json", .help = "print one JSON object instead of a table"},
        {.help = "Search"},
    };
    const opt_spec folds = {
        .name = "folds",
        .value = "F|N",
        .fallback = "5",
        .help =
            "folds to compare settings by if there are no out-of-bag rows (ccf, --bag none or a "
            "subsample of all rows): a file as for sporf crossval, or the number of folds to draw"};
    const opt_spec trees = {.help = "Trees"};
    training_declare_data(options);
    opt_add(options, results, sizeof results / sizeof *results);
    searching_declare(options);
    opt_add(options, &folds, 1);
    opt_add(options, &trees, 1);
    training_declare(options, takes);
}

/* Without --folds. */
enum { FOLDS = 5 };

static int check_folds(const opt_list *options, const work *w) {
    if (!opt_value(options, "folds") || !w->leaves_rows_out) return EXIT_DONE;
    out_error(verb, "--folds is for trees without out-of-bag rows (ccf, --bag none); others are "
                    "compared by out-of-bag error: leave it out");
    return EXIT_USAGE;
}

static int read_options(const opt_list *options, work *w) {
    int code = input_options(options, &w->read);
    if (code == EXIT_DONE) code = training_params(options, takes, NULL, &w->params);
    if (code == EXIT_DONE) code = folding_check(options);
    if (code == EXIT_DONE) code = searching_read(options, &w->how);
    if (code == EXIT_DONE) code = model_path_check(options);
    return code;
}

/* Besides the table, each fold has its training and test rows, which together are all rows. */
static unsigned tables(const work *w) {
    if (w->leaves_rows_out) return 1;
    return 1 + (unsigned)(w->folds ? w->folds->count : w->how.options.folds_count);
}

static int read_table(const opt_list *options, work *w) {
    sporf_preview preview = {.struct_size = sizeof preview};
    int code = training_read(options, &w->read, &w->data);
    if (code != EXIT_DONE) return code;
    sporf_status status = sporf_train_preview(w->data, &w->params, &preview);
    if (status != SPORF_OK) return out_failure(verb, status, training_hint(&w->params, status));
    w->leaves_rows_out = preview.leaves_rows_out;
    code = check_folds(options, w);
    if (code == EXIT_DONE) code = folding_get(options, w->data, w->params.seed, &w->folds);
    if (code != EXIT_DONE) return code;
    w->how.options.folds = w->folds;
    w->how.options.folds_count = FOLDS;
    return training_check_memory(options, w->read.max_memory, w->data, tables(w), &w->how.options,
                                 &w->params);
}

static void show_progress(void *payload, size_t done, size_t trees) {
    progress_show(payload, done, trees);
}

static void show_note(void *payload, const char *text) {
    training_note(verb, payload, text);
}

static int search(work *w) {
    progress bar;
    w->how.options.payload = &bar;
    w->how.options.progress = show_progress;
    w->how.options.interrupt = training_stopped;
    w->how.options.note = show_note;
    interrupt_catch();
    progress_start(&bar, "trees");
    double start = progress_clock();
    sporf_status status = sporf_search_run(w->data, &w->params, &w->how.options, &w->search);
    w->seconds = progress_since(start);
    progress_end(&bar);
    if (status == SPORF_OK) return EXIT_DONE;
    return out_failure(verb, status,
                       status == SPORF_ERROR_CANCELLED ? "no model was written"
                                                       : training_hint(&w->params, status));
}

static int is_boosting(const work *w) {
    return w->params.learner == SPORF_LEARNER_BOOSTING;
}

/* "the best so far has 3 of 10 trees" */
static void tell_stopped(const work *w, char *what, size_t size) {
    const sporf_forest *forest = w->search->forest;
    sporf_boosting boosting;
    int boosted = sporf_forest_boosting(forest, &boosting);
    snprintf(what, size,
             "stopped before all settings were compared; the best so far has %zu of %lu %s",
             boosted ? boosting.rounds : sporf_forest_trees(forest),
             (unsigned long)(boosted ? w->params.rounds : w->params.trees),
             boosted ? "rounds" : "trees");
}

static int save(work *w) {
    int stopped = w->search->interrupted;
    char what[160];
    int code = saving_forest(verb, w->search->forest, w->model, stopped, &w->saved);
    if (code != EXIT_DONE || !stopped) return code;
    tell_stopped(w, what, sizeof what);
    saving_report(verb, w->model, &w->saved, what);
    return EXIT_DONE;
}

/* ---- telling --------------------------------------------------------------------------------- */

static void write_json(FILE *stream, const work *w) {
    json writer;
    json_start(&writer, stream);
    json_object(&writer, NULL);
    json_text(&writer, "model", w->saved.path);
    json_count(&writer, "model_bytes", summary_file_bytes(w->saved.path));
    json_count(&writer, "rows", sporf_dataset_rows(w->data));
    json_text(&writer, "search", w->how.options.way == SPORF_SEARCH_ALL ? "all" : "race");
    json_text(&writer, "compared_by", w->leaves_rows_out ? "out of bag" : "folds");
    json_count(&writer, "best", w->search->best);
    json_list(&writer, "tried");
    for (size_t i = 0; i < w->search->count; i++) {
        json_object(&writer, NULL);
        json_line(&writer);
        searching_json(&writer, &w->search->trials[i], outcome_of_data(w->data));
        json_end(&writer);
    }
    json_end(&writer);
    summary_json(&writer, w->search->forest, &w->summary);
    if (is_boosting(w))
        json_count(&writer, "rounds_requested", w->params.rounds);
    else
        json_count(&writer, "trees_requested", w->params.trees);
    json_bool(&writer, "interrupted", w->search->interrupted);
    json_double(&writer, "seconds", w->seconds);
    json_end(&writer);
}

static void write_setting(FILE *stream, const work *w, size_t index) {
    const sporf_trial *s = &w->search->trials[index];
    char d[TEXT_NUMBER], lambda[TEXT_NUMBER], error[TEXT_NUMBER], auc[TEXT_NUMBER];
    const outcome *outcome = outcome_of_data(w->data);
    fprintf(stream, "%-11s  %-8s %8lu  %6zu", searching_projections(d, s),
            searching_has_density(&w->params) ? searching_density(lambda, s) : "-",
            (unsigned long)s->d, s->trees);
    fprintf(stream, "  %9s", outcome->text(error, s->error));
    if (outcome->has_auc) fprintf(stream, "  %6s", text_rate(auc, s->auc));
    fprintf(stream, "  %8.2f%s\n", s->seconds, index == w->search->best ? "  best" : "");
}

static void write_text(FILE *stream, const work *w) {
    const outcome *outcome = outcome_of_data(w->data);
    char bytes[TEXT_NUMBER], seconds[TEXT_NUMBER];
    fprintf(stream, "%-11s  %-8s %8s  %6s  %9s%s  %8s\n", "projections", "density", "d", "trees",
            outcome->error, outcome->has_auc ? "     auc" : "", "seconds");
    for (size_t i = 0; i < w->search->count; i++) write_setting(stream, w, i);
    fputc('\n', stream);
    summary_weights_line(stream, w->data, w->read.weight);
    summary_line(stream, "compared by", "%s", w->leaves_rows_out ? "out-of-bag error" : "folds");
    summary_lines(stream, w->search->forest, &w->summary);
    summary_line(stream, "time", "%s", text_seconds(seconds, w->seconds));
    summary_line(stream, "model", "%s (%s)", w->saved.path,
                 text_bytes(bytes, summary_file_bytes(w->saved.path)));
}

static int report(const opt_list *options, work *w) {
    sporf_status status = sporf_forest_summarise(w->search->forest, &w->summary);
    if (status != SPORF_OK) return out_failure(verb, status, "the model is saved all the same");
    out_file file;
    out_open(&file, verb, NULL);
    if (opt_value(options, "json"))
        write_json(file.stream, w);
    else
        write_text(file.stream, w);
    int code = out_close(&file, 1);
    if (code == EXIT_DONE) train_notes_bag(verb, w->data, &w->params, w->search->forest);
    return code;
}

static int run(const opt_list *options) {
    work w = {.model = opt_value(options, "model")};
    int code = read_options(options, &w);
    if (code == EXIT_DONE) code = read_table(options, &w);
    if (code == EXIT_DONE) code = search(&w);
    if (code == EXIT_DONE) code = save(&w);
    if (code == EXIT_DONE) code = report(options, &w);
    if (code == EXIT_DONE) code = w.saved.code;
    free(w.saved.path);
    sporf_search_free(w.search);
    sporf_folds_free(w.folds);
    sporf_dataset_free(w.data);
    searching_free(&w.how);
    input_free(&w.read);
    return code;
}

const cli_verb cmd_tune = {
    .name = verb,
    .summary = "searches settings for the lowest error and trains with them",
    .usage = "sporf tune --data F (--label C | --target C) --model M [options]",
    .text = "Trains forests with different numbers of candidates in each node (d) and densities "
            "(lambda), compares their out-of-bag errors, and saves the best: the model that sporf "
            "train writes with these settings. By default it tries the values of the paper. Ctrl-C "
            "ends the search early and keeps the best so far.",
    .example = "  sporf tune --data iris.csv --label species --model iris.sporf\n"
               "  sporf tune --data iris.csv --label species --model iris.sporf --search all \\\n"
               "      --projections p,p^2 --density 1/p,2/p\n",
    .declare = declare,
    .run = run,
};
