/* sporf crossval: trains without each fold in turn and reports how well it is predicted. */
#include "choosing.h"
#include "class_report.h"
#include "cli.h"
#include "crossval_table.h"
#include "fold_notes.h"
#include "folding.h"
#include "interrupt.h"
#include "json.h"
#include "out.h"
#include "outputs.h"
#include "printed.h"
#include "progress.h"
#include "searching.h"
#include "summary.h"
#include "table_input.h"
#include "training.h"

#include <string.h>

static const char verb[] = "crossval";

typedef struct {
    sporf_read_options read;
    sporf_params params;
    sporf_crossval_options how;
    searching search;
    sporf_dataset *data;
    sporf_folds *folds;
    sporf_crossval *result;
    const char *found[CHOOSING_MAX]; /* settings that each fold chooses or searches */
    size_t found_count;
    double seconds;
    class_report classes; /* of all rows of finished folds together; in classification */
} work;

static void declare(opt_list *options) {
    const opt_spec folds[] = {
        {.help = "Folds"},
        {.name = "folds",
         .value = "F|N",
         .required = 1,
         .help =
             "a file whose line k lists the test rows of fold k, from 1, separated by commas; "
             "or the number of folds to draw with --seed, stratified by class; for example --folds "
             "5"},
        {.name = "keep-folds", .value = "F", .help = "write the folds to such a file"},
        {.name = "tune",
         .help = "search --projections and --density, which may be lists, on the training rows of "
                 "each fold; see sporf tune"},
    };
    const opt_spec results[] = {
        {.help = "Result"},
        {.name = "output",
         .value = "F",
         .help =
             "CSV file for the prediction of each row by the forest that was trained without it"},
        {.name = "proba", .help = "also write the probability of each class to --output"},
        {.name = "combine",
         .value = "NAME",
         .range = "votes|posteriors",
         .fallback = "votes",
         .help = "each tree votes for one class, or the class shares of the leaves are averaged"},
        {.name = "json", .help = "print one JSON object instead of a table"},
    };
    const opt_spec trees = {.help = "Trees"};
    training_declare_data(options);
    opt_add(options, folds, sizeof folds / sizeof *folds);
    searching_declare(options);
    opt_add(options, results, sizeof results / sizeof *results);
    class_report_declare(options);
    opt_add(options, &trees, 1);
    training_declare(options, (training_takes){.forest = 1, .boosting = 1});
}

/* ---- before the work ------------------------------------------------------------------------- */

/* Refuses a classification option in regression, with a message. */
static int misplaced(const opt_list *options, const char *name) {
    if (!opt_value(options, name) || !opt_value(options, "target")) return 0;
    out_error(verb, "--%s is for classification, but --target asks for regression; leave it out",
              name);
    return 1;
}

static int check_companions(const opt_list *options, const sporf_params *params) {
    const char *output = opt_value(options, "output"), *kept = opt_value(options, "keep-folds");
    const char *curves = opt_value(options, "curves");
    if (opt_value(options, "search") && !opt_value(options, "tune")) {
        out_error(verb, "--search says how to search settings, which only --tune does");
        return EXIT_USAGE;
    }
    if (misplaced(options, "proba") || misplaced(options, "combine") ||
        misplaced(options, "intervals") || misplaced(options, "curves"))
        return EXIT_USAGE;
    if (opt_value(options, "combine") && params->learner == SPORF_LEARNER_BOOSTING) {
        out_error(verb, "--combine is for forests, but --learner is boosting; leave it out");
        return EXIT_USAGE;
    }
    if (opt_value(options, "proba") && !output) {
        out_error(verb, "--proba adds to the file of --output: name one");
        return EXIT_USAGE;
    }
    int code = outputs_not_standard(verb, "--output", output);
    if (code == EXIT_DONE) code = outputs_differ(verb, "--output", output, "--curves", curves);
    if (code == EXIT_DONE) code = outputs_differ(verb, "--keep-folds", kept, "--curves", curves);
    if (code == EXIT_DONE) code = outputs_not_standard(verb, "--keep-folds", kept);
    if (code == EXIT_DONE) code = outputs_differ(verb, "--output", output, "--keep-folds", kept);
    return code == EXIT_DONE ? folding_check(options) : code;
}

static int read_options(const opt_list *options, work *w) {
    unsigned combine;
    int tuned = opt_value(options, "tune") != NULL;
    training_takes takes = {.forest = 1, .boosting = 1, .lists = tuned};
    sporf_crossval_options_init(&w->how);
    int code = input_options(options, &w->read);
    if (code == EXIT_DONE) code = training_params(options, takes, NULL, &w->params);
    if (code == EXIT_DONE && tuned) code = searching_read(options, &w->search);
    if (code == EXIT_DONE && opt_choice(options, "combine", &combine)) code = EXIT_USAGE;
    if (code == EXIT_DONE) code = input_protect(options, "keep-folds");
    if (code == EXIT_DONE) code = input_protect(options, "output");
    if (code == EXIT_DONE) code = class_report_options(options, &w->classes.how);
    if (code == EXIT_DONE) code = check_companions(options, &w->params);
    if (code != EXIT_DONE) return code;
    w->how.combine = (sporf_combine)combine;
    if (tuned) w->how.search = &w->search.options;
    return EXIT_DONE;
}

/* While a fold is trained, its training and test rows are copies of the table's. */
static int read_table(const opt_list *options, work *w) {
    int code = training_read(options, &w->read, &w->data);
    if (code != EXIT_DONE) return code;
    return training_check_memory(options, w->read.max_memory, w->data, 2, w->how.search,
                                 &w->params);
}

static int part(const opt_list *options, work *w) {
    const char *kept = opt_value(options, "keep-folds");
    out_file file;
    int code = folding_get(options, w->data, w->params.seed, &w->folds);
    if (code != EXIT_DONE || !kept) return code;
    code = out_lend(&file, verb, kept);
    return code == EXIT_DONE ? out_lent(&file, sporf_folds_write(w->folds, "-")) : code;
}

/* ---- the work -------------------------------------------------------------------------------- */

static void show_progress(void *payload, size_t done, size_t trees) {
    choosing_trees(payload, done, trees);
}

static void show_note(void *payload, const char *text) {
    training_note(verb, payload, text);
}

static void note_what_is_found(work *w) {
    if (!w->how.search) {
        w->found_count = choosing_names(w->data, &w->params, w->found);
        return;
    }
    w->found[w->found_count++] = "projections";
    if (searching_has_density(&w->params)) w->found[w->found_count++] = "density";
}

/* Scores the rows of all folds together, each predicted by the forest that has not seen it. */
static int score_rows(work *w) {
    class_report *report = &w->classes;
    if (!w->result->classes) return EXIT_DONE;
    report->schema = sporf_dataset_schema(w->data);
    report->classes = sporf_dataset_classes(w->data);
    return class_report_make(verb, report, w->data, w->result->probabilities,
                             sporf_dataset_labels(w->data), w->result->classes);
}

static int validate(const opt_list *options, work *w) {
    progress bar;
    w->how.payload = &bar;
    w->how.progress = show_progress;
    w->how.interrupt = training_stopped;
    w->how.note = show_note;
    note_what_is_found(w);
    choosing_check_effort(options, &w->params, w->how.search ? 0 : w->found_count);
    interrupt_catch();
    choosing_start(&bar, w->found_count > 0 && !w->how.search);
    double start = progress_clock();
    sporf_status status = sporf_crossval_run(w->data, w->folds, &w->params, &w->how, &w->result);
    w->seconds = progress_since(start);
    progress_end(&bar);
    if (status != SPORF_OK) return out_failure(verb, status, training_hint(&w->params, status));
    if (w->result->interrupted)
        out_error(verb,
                  "stopped after %zu of %zu folds; the results are those of the finished folds",
                  w->result->folds, w->folds->count);
    fold_notes_means(verb, w->data, w->folds, w->result->folds);
    return score_rows(w);
}

/* ---- scores ---------------------------------------------------------------------------------- */

/* The scores in the report, with their offsets. */
typedef struct {
    const char *name;
    size_t place;
} score_column;

#define SCORE(field)                                                                               \
    { #field, offsetof(sporf_crossval_scores, field) }
static const score_column of_classes[] = {
    SCORE(error), SCORE(kappa), SCORE(kappa_paper), SCORE(log_loss), {NULL, 0}};
static const score_column of_targets[] = {SCORE(rmse), SCORE(mae), SCORE(r2), {NULL, 0}};

/* The list ends with a score without a name. */
static const score_column *scores_to_report(const work *w) {
    return outcome_of_data(w->data) == &outcome_regression ? of_targets : of_classes;
}

static double value_of(const sporf_crossval_scores *scores, const score_column *score) {
    double value;
    memcpy(&value, (const char *)scores + score->place, sizeof value);
    return value;
}

static size_t test_rows(const work *w, size_t fold) {
    return w->folds->test[fold].count;
}

static size_t done_rows(const work *w) {
    size_t rows = 0;
    for (size_t k = 0; k < w->result->folds; k++) rows += test_rows(w, k);
    return rows;
}

/* A setting of a fold, as its option takes it. */
static const char *setting_of(char *buffer, const work *w, size_t fold, const char *name) {
    const sporf_params *params = w->result->params[fold];
    if (sporf_params_get(params, name, buffer, TEXT_NUMBER) != SPORF_OK) strcpy(buffer, "-");
    return buffer;
}

static void fold_json(json *writer, const work *w, size_t fold) {
    const score_column *list = scores_to_report(w);
    const sporf_trial *setting = w->result->trials ? &w->result->trials[fold] : NULL;
    char text[TEXT_NUMBER];
    json_object(writer, NULL);
    json_line(writer);
    json_count(writer, "rows", test_rows(w, fold));
    for (size_t i = 0; list[i].name; i++)
        json_double(writer, list[i].name, value_of(&w->result->scores[fold], &list[i]));
    json_text(writer, "projections", setting_of(text, w, fold, "projections"));
    json_text(writer, "density", setting_of(text, w, fold, "density"));
    json_count(writer, "min_leaf", w->result->params[fold]->min_leaf);
    json_text(writer, "scale", setting_of(text, w, fold, "scale"));
    json_double(writer, "seconds", w->result->scores[fold].seconds);
    if (setting) {
        json_object(writer, "setting");
        searching_json(writer, setting, outcome_of_data(w->data));
        json_end(writer);
    }
    json_end(writer);
}

/* A forest, the default, does not name its learner. */
static int is_setting(const work *w, const char *name) {
    if (strcmp(name, "learner") == 0) return w->params.learner != SPORF_LEARNER_FOREST;
    return sporf_learner_uses(w->params.learner, name);
}

static void params_json(json *writer, const work *w, int tuned) {
    char text[4096];
    json_object(writer, "settings");
    for (size_t i = 0; sporf_option_at(i); i++) {
        const char *name = sporf_option_at(i)->name;
        int searched = strcmp(name, "projections") == 0 || strcmp(name, "density") == 0;
        if (summary_is_limit(name) || (tuned && searched) || !is_setting(w, name)) continue;
        if (sporf_params_get(&w->params, name, text, sizeof text) == SPORF_OK)
            json_text(writer, name, text);
    }
    json_end(writer);
}

static void write_json(FILE *stream, const work *w) {
    json writer;
    const score_column *list = scores_to_report(w);
    char key[32];
    json_start(&writer, stream);
    json_object(&writer, NULL);
    json_count(&writer, "rows", sporf_dataset_rows(w->data));
    json_count(&writer, "features", sporf_dataset_features(w->data));
    summary_weights_json(&writer, w->data, w->read.weight);
    for (size_t i = 0; list[i].name; i++) {
        snprintf(key, sizeof key, "%s_se", list[i].name);
        json_double(&writer, list[i].name, value_of(&w->result->mean, &list[i]));
        json_double(&writer, key, value_of(&w->result->se, &list[i]));
    }
    if (w->result->classes) class_report_json(&writer, &w->classes, "");
    json_list(&writer, "folds");
    for (size_t k = 0; k < w->result->folds; k++) fold_json(&writer, w, k);
    json_end(&writer);
    json_count(&writer, "folds_requested", w->folds->count);
    json_bool(&writer, "interrupted", w->result->interrupted);
    json_bool(&writer, "tuned", w->how.search != NULL);
    summary_chosen_json(&writer, w->found, w->how.search ? 0 : w->found_count);
    params_json(&writer, w, w->how.search != NULL);
    json_double(&writer, "seconds", w->seconds);
    json_end(&writer);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Columns of the settings that folds choose, named like their options. */
static const char *const columns[] = {"projections", "density", "min-leaf"};

static void write_found(FILE *stream, const work *w, const size_t *fold) {
    char text[TEXT_NUMBER];
    for (size_t i = 0; i < w->found_count; i++)
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            if (strcmp(w->found[i], columns[c]) == 0)
                fprintf(stream, "  %*s", (int)strlen(columns[c]),
                        fold ? setting_of(text, w, *fold, columns[c]) : columns[c]);
    fputc('\n', stream);
}

static void write_scores(FILE *stream, const work *w, const char *name, const char *rows,
                         const sporf_crossval_scores *scores) {
    const score_column *list = scores_to_report(w);
    char number[TEXT_NUMBER];
    fprintf(stream, "%-5s %8s", name, rows);
    for (size_t i = 0; list[i].name; i++) {
        double value = value_of(scores, &list[i]);
        fprintf(stream, "  %11s", outcome_of_data(w->data)->text(number, value));
    }
}

static void write_table(FILE *stream, const work *w) {
    const score_column *list = scores_to_report(w);
    char rows[TEXT_NUMBER], name[TEXT_NUMBER];
    fprintf(stream, "fold      rows");
    for (size_t i = 0; list[i].name; i++) fprintf(stream, "  %11s", list[i].name);
    write_found(stream, w, NULL);
    for (size_t k = 0; k < w->result->folds; k++) {
        snprintf(name, sizeof name, "%zu", k + 1);
        write_scores(stream, w, name, text_count(rows, test_rows(w, k)), &w->result->scores[k]);
        write_found(stream, w, &k);
    }
    write_scores(stream, w, "mean", text_count(rows, done_rows(w)), &w->result->mean);
    fputc('\n', stream);
    write_scores(stream, w, "+-", "", &w->result->se);
    fputc('\n', stream);
}

/* The settings that all folds share: the values of auto, unless they differ. */
static void write_shared(FILE *stream, const work *w) {
    sporf_params shared = *w->result->params[0];
    for (size_t k = 1; k < w->result->folds; k++)
        if (w->result->params[k]->scale != shared.scale) shared.scale = SPORF_SCALE_AUTO;
    summary_params_line(stream, &shared, w->found, w->found_count);
}

enum { CLASSES_SHOWN = 10 };

static void write_text(FILE *stream, const work *w) {
    char seconds[TEXT_NUMBER];
    write_table(stream, w);
    if (w->result->classes) {
        fprintf(stream, "\nAll folds together:\n");
        class_report_lines(stream, &w->classes);
        class_report_table(stream, &w->classes, CLASSES_SHOWN);
    }
    fputc('\n', stream);
    summary_weights_line(stream, w->data, w->read.weight);
    write_shared(stream, w);
    if (w->how.search)
        summary_line(stream, "searched", "%s, on the training rows of each fold: --search %s",
                     searching_has_density(&w->params) ? "projections and density" : "projections",
                     w->search.options.way == SPORF_SEARCH_ALL ? "all" : "race");
    else if (w->found_count > 0)
        summary_line(stream, "chosen",
                     "in each fold, by pilot forests on its training rows: see the columns on the "
                     "right");
    summary_line(stream, "time", "%s", text_seconds(seconds, w->seconds));
}

static int report(const opt_list *options, const work *w) {
    out_file file;
    out_open(&file, verb, NULL);
    if (opt_value(options, "json"))
        write_json(file.stream, w);
    else
        write_text(file.stream, w);
    return out_close(&file, 1);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* The output is opened first: if it cannot be written, that is reported at once. If writing fails
 * at the end, the scores are printed all the same. */
static int work_through(const opt_list *options, work *w) {
    const char *output = opt_value(options, "output");
    out_file file;
    int code = output ? out_open(&file, verb, output) : EXIT_DONE;
    if (code != EXIT_DONE) return code;
    code = validate(options, w);
    if (code == EXIT_DONE && output &&
        !unseen_write(file.stream, w->data, w->folds, w->result,
                      opt_value(options, "proba") != NULL)) {
        out_error(verb, "out of memory");
        code = EXIT_FAILED;
    }
    int closed = output ? out_close(&file, code == EXIT_DONE) : EXIT_DONE;
    if (code == EXIT_DONE && w->result->classes) code = class_report_curves(options, &w->classes);
    if (code == EXIT_DONE) code = report(options, w);
    return code == EXIT_DONE ? closed : code;
}

static int run(const opt_list *options) {
    work w = {0};
    int code = read_options(options, &w);
    if (code == EXIT_DONE) code = read_table(options, &w);
    if (code == EXIT_DONE) code = part(options, &w);
    if (code == EXIT_DONE) code = work_through(options, &w);
    class_report_free(&w.classes);
    sporf_crossval_free(w.result);
    sporf_folds_free(w.folds);
    sporf_dataset_free(w.data);
    searching_free(&w.search);
    input_free(&w.read);
    return code;
}

const cli_verb cmd_crossval = {
    .name = verb,
    .summary = "estimates the error on new data by cross-validation",
    .usage = "sporf crossval --data F (--label C | --target C) --folds F|N [options]",
    .text = "Trains a forest without each fold in turn and measures it on the fold. Prints the "
            "error rate, Cohen's kappa, the kappa of the paper's tables and the logarithmic loss "
            "of each fold, or for regression the RMSE, the mean absolute error and R2; then their "
            "means with standard errors. Settings that are searched, or chosen by pilot forests, "
            "are shown beside each fold. Ctrl-C ends it early and keeps the finished folds.",
    .example = "  sporf crossval --data iris.csv --label species --folds 5\n"
               "  sporf crossval --data iris.csv --label species --folds iris.folds --tune\n",
    .declare = declare,
    .run = run,
};
