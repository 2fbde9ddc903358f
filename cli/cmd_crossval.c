/* sporf crossval: trains without each fold in turn and tells how well it is predicted. */
#include "cli.h"
#include "folding.h"
#include "input.h"
#include "interrupt.h"
#include "json.h"
#include "out.h"
#include "progress.h"
#include "searching.h"
#include "summary.h"
#include "text.h"
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
    double seconds;
} work;

static void declare(opt_list *options) {
    const opt_spec folds[] = {
        {.help = "Folds"},
        {.name = "folds",
         .value = "F|N",
         .required = 1,
         .help =
             "a file whose line k lists the test rows of fold k, from 1, parted by commas; or a "
             "number: so many folds are drawn with --seed, each class dealt out evenly"},
        {.name = "keep-folds", .value = "F", .help = "write the folds to such a file"},
        {.name = "tune",
         .help = "search --projections and --density, which may be lists, on the training rows of "
                 "each fold; see sporf tune"},
    };
    const opt_spec results[] = {
        {.help = "Result"},
        {.name = "output",
         .value = "F",
         .help = "write what is predicted for each row by the forest without it, as CSV"},
        {.name = "proba", .help = "with --output, the probability of each class, too"},
        {.name = "combine",
         .value = "NAME",
         .range = "votes|posteriors",
         .fallback = "votes",
         .help = "trees vote, or the class shares of their leaves are averaged"},
        {.name = "json", .help = "print one JSON object instead of a table"},
        {.help = "Forest"},
    };
    training_declare_data(options);
    opt_add(options, folds, sizeof folds / sizeof *folds);
    searching_declare(options);
    opt_add(options, results, sizeof results / sizeof *results);
    training_declare(options, 0);
}

static int predicts_numbers(const work *w) {
    return sporf_dataset_targets(w->data) > 0;
}

/* ---- before the work ------------------------------------------------------------------------- */

static int read_options(const opt_list *options, work *w) {
    unsigned combine;
    int tuned = opt_value(options, "tune") != NULL;
    sporf_crossval_options_init(&w->how);
    int code = input_options(options, &w->read);
    if (code == EXIT_DONE) code = training_params(options, tuned, NULL, &w->params);
    if (code == EXIT_DONE && tuned) code = searching_read(options, &w->search);
    if (code == EXIT_DONE && opt_choice(options, "combine", &combine)) code = EXIT_USAGE;
    if (code == EXIT_DONE) code = input_protect(options, "keep-folds");
    if (code == EXIT_DONE) code = input_protect(options, "output");
    if (code != EXIT_DONE) return code;
    w->how.combine = (sporf_combine)combine;
    if (tuned) w->how.search = &w->search.options;
    if (tuned || !opt_value(options, "search")) return EXIT_DONE;
    out_error(verb, "--search says how to search settings, which only --tune does");
    return EXIT_USAGE;
}

/* While a fold is at work its training and test rows are copies of the table's. */
static int read_table(const opt_list *options, work *w) {
    int code = training_read(options, &w->read, &w->data);
    if (code != EXIT_DONE) return code;
    return training_check_memory(options, w->read.max_memory, w->data, 2, &w->params);
}

static int part(const opt_list *options, work *w) {
    const char *kept = opt_value(options, "keep-folds");
    int code = folding_get(options, w->data, w->params.seed, &w->folds);
    if (code != EXIT_DONE || !kept) return code;
    sporf_status status = sporf_folds_write(w->folds, kept);
    return status == SPORF_OK ? EXIT_DONE : out_failure(verb, status, NULL);
}

/* ---- the work -------------------------------------------------------------------------------- */

static void show_progress(void *payload, size_t done, size_t trees) {
    progress_show(payload, done, trees);
}

static int validate(work *w) {
    progress bar;
    w->how.payload = &bar;
    w->how.progress = show_progress;
    w->how.interrupt = training_stopped;
    interrupt_catch();
    progress_start(&bar, "trees");
    double start = progress_clock();
    sporf_status status = sporf_crossval_run(w->data, w->folds, &w->params, &w->how, &w->result);
    w->seconds = progress_since(start);
    progress_end(&bar);
    return status == SPORF_OK ? EXIT_DONE
                              : out_failure(verb, status, training_hint(&w->params, status));
}

/* ---- predictions ----------------------------------------------------------------------------- */

static const char *target_name(const work *w, size_t target) {
    const char *name = sporf_dataset_target_name(w->data, target);
    return name ? name : "y";
}

/* A single target is called prediction, as sporf predict does. */
static void write_values_header(FILE *stream, const work *w) {
    size_t targets = sporf_dataset_targets(w->data);
    fputs("fold", stream);
    for (size_t t = 0; t < targets && targets > 1; t++) {
        fputs(",true_", stream);
        text_csv_field(stream, target_name(w, t));
        fputc(',', stream);
        text_csv_field(stream, target_name(w, t));
    }
    fputs(targets > 1 ? "\n" : ",truth,prediction\n", stream);
}

static void write_values_row(FILE *stream, const work *w, size_t row) {
    size_t targets = sporf_dataset_targets(w->data);
    char number[TEXT_NUMBER];
    for (size_t t = 0; t < targets; t++) {
        fprintf(stream, ",%s", text_float(number, sporf_dataset_target(w->data, t)[row]));
        fprintf(stream, ",%s",
                text_double(number, sporf_crossval_values(w->result)[row * targets + t]));
    }
}

static void write_classes_header(FILE *stream, const work *w, int proba) {
    fputs("fold,truth,prediction", stream);
    for (size_t k = 0; proba && k < sporf_dataset_classes(w->data); k++) {
        fputc(',', stream);
        text_csv_field(stream, sporf_dataset_class_name(w->data, k));
    }
    fputc('\n', stream);
}

static void write_classes_row(FILE *stream, const work *w, int proba, size_t row) {
    size_t classes = sporf_dataset_classes(w->data);
    const double *shares = sporf_crossval_probabilities(w->result) + row * classes;
    char number[TEXT_NUMBER];
    fputc(',', stream);
    text_csv_field(stream, sporf_dataset_class_name(w->data, sporf_dataset_labels(w->data)[row]));
    fputc(',', stream);
    text_csv_field(stream,
                   sporf_dataset_class_name(w->data, sporf_crossval_classes(w->result)[row]));
    for (size_t k = 0; proba && k < classes; k++)
        fprintf(stream, ",%s", text_double(number, shares[k]));
}

static void write_predictions(FILE *stream, const work *w, int proba) {
    const uint32_t *fold = sporf_folds_of_rows(w->folds);
    if (predicts_numbers(w))
        write_values_header(stream, w);
    else
        write_classes_header(stream, w, proba);
    for (size_t i = 0; i < sporf_dataset_rows(w->data); i++) {
        fprintf(stream, "%lu", (unsigned long)fold[i] + 1);
        if (predicts_numbers(w))
            write_values_row(stream, w, i);
        else
            write_classes_row(stream, w, proba, i);
        fputc('\n', stream);
    }
}

/* ---- scores ---------------------------------------------------------------------------------- */

/* The scores that are told, by name and place. */
typedef struct {
    const char *name;
    size_t place;
} told;

#define SCORE(field)                                                                               \
    { #field, offsetof(sporf_crossval_scores, field) }
static const told of_classes[] = {SCORE(error), SCORE(kappa), SCORE(kappa_paper), SCORE(log_loss)};
static const told of_numbers[] = {SCORE(rmse), SCORE(mae), SCORE(r2)};

static size_t tell_what(const work *w, const told **list) {
    *list = predicts_numbers(w) ? of_numbers : of_classes;
    return predicts_numbers(w) ? sizeof of_numbers / sizeof *of_numbers
                               : sizeof of_classes / sizeof *of_classes;
}

static double value_of(const sporf_crossval_scores *scores, const told *score) {
    double value;
    memcpy(&value, (const char *)scores + score->place, sizeof value);
    return value;
}

static size_t test_rows(const work *w, size_t fold) {
    size_t count = 0;
    sporf_folds_test(w->folds, fold, &count);
    return count;
}

static void fold_json(json *writer, const work *w, size_t fold) {
    const told *list;
    size_t count = tell_what(w, &list);
    const sporf_setting *setting = sporf_crossval_setting(w->result, fold);
    json_object(writer, NULL);
    json_line(writer);
    json_count(writer, "rows", test_rows(w, fold));
    for (size_t i = 0; i < count; i++)
        json_double(writer, list[i].name, value_of(sporf_crossval_fold(w->result, fold), &list[i]));
    json_double(writer, "seconds", sporf_crossval_fold(w->result, fold)->seconds);
    if (setting) {
        json_object(writer, "setting");
        searching_json(writer, setting, predicts_numbers(w));
        json_end(writer);
    }
    json_end(writer);
}

static void params_json(json *writer, const work *w, int tuned) {
    char text[4096];
    json_object(writer, "settings");
    for (size_t i = 0; i < sporf_option_count(); i++) {
        const char *name = sporf_option_at(i)->name;
        int searched = strcmp(name, "projections") == 0 || strcmp(name, "density") == 0;
        int limit = strcmp(name, "threads") == 0 || strcmp(name, "max-memory") == 0;
        if (limit || (tuned && searched)) continue;
        if (sporf_params_get(&w->params, name, text, sizeof text) == SPORF_OK)
            json_text(writer, name, text);
    }
    json_end(writer);
}

static void write_json(FILE *stream, const work *w) {
    json writer;
    const told *list;
    size_t count = tell_what(w, &list);
    char key[32];
    json_start(&writer, stream);
    json_object(&writer, NULL);
    json_count(&writer, "rows", sporf_dataset_rows(w->data));
    json_count(&writer, "features", sporf_dataset_features(w->data));
    summary_weights_json(&writer, w->data, w->read.weight);
    for (size_t i = 0; i < count; i++) {
        snprintf(key, sizeof key, "%s_se", list[i].name);
        json_double(&writer, list[i].name, value_of(sporf_crossval_mean(w->result), &list[i]));
        json_double(&writer, key, value_of(sporf_crossval_se(w->result), &list[i]));
    }
    json_list(&writer, "folds");
    for (size_t k = 0; k < sporf_crossval_folds(w->result); k++) fold_json(&writer, w, k);
    json_end(&writer);
    json_bool(&writer, "tuned", w->how.search != NULL);
    params_json(&writer, w, w->how.search != NULL);
    json_double(&writer, "seconds", w->seconds);
    json_end(&writer);
}

static void write_scores(FILE *stream, const work *w, const char *name, const char *rows,
                         const sporf_crossval_scores *scores) {
    const told *list;
    size_t count = tell_what(w, &list);
    char number[TEXT_NUMBER];
    fprintf(stream, "%-5s %8s", name, rows);
    for (size_t i = 0; i < count; i++) {
        double value = value_of(scores, &list[i]);
        fprintf(stream, "  %11s",
                predicts_numbers(w) ? text_score(number, value) : text_rate(number, value));
    }
}

static void write_setting(FILE *stream, const sporf_setting *setting) {
    char d[TEXT_NUMBER], lambda[TEXT_NUMBER];
    if (setting)
        fprintf(stream, "  %s %s", searching_projections(d, setting),
                searching_density(lambda, setting));
}

static void write_text(FILE *stream, const work *w) {
    const told *list;
    size_t count = tell_what(w, &list);
    char rows[TEXT_NUMBER], name[TEXT_NUMBER];
    fprintf(stream, "fold      rows");
    for (size_t i = 0; i < count; i++) fprintf(stream, "  %11s", list[i].name);
    fputs(w->how.search ? "  d lambda\n" : "\n", stream);
    for (size_t k = 0; k < sporf_crossval_folds(w->result); k++) {
        snprintf(name, sizeof name, "%zu", k + 1);
        write_scores(stream, w, name, text_count(rows, test_rows(w, k)),
                     sporf_crossval_fold(w->result, k));
        write_setting(stream, sporf_crossval_setting(w->result, k));
        fputc('\n', stream);
    }
    write_scores(stream, w, "mean", text_count(rows, sporf_dataset_rows(w->data)),
                 sporf_crossval_mean(w->result));
    fputc('\n', stream);
    write_scores(stream, w, "+-", "", sporf_crossval_se(w->result));
    fputc('\n', stream);
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

/* The output is opened first: if it cannot be written, nobody should wait to be told. */
static int work_through(const opt_list *options, work *w) {
    const char *output = opt_value(options, "output");
    out_file file;
    int code = output ? out_open(&file, verb, output) : EXIT_DONE;
    if (code != EXIT_DONE) return code;
    code = validate(w);
    if (code == EXIT_DONE && output)
        write_predictions(file.stream, w, opt_value(options, "proba") != NULL);
    int closed = output ? out_close(&file, code == EXIT_DONE) : EXIT_DONE;
    if (code == EXIT_DONE) code = closed;
    return code == EXIT_DONE ? report(options, w) : code;
}

static int run(const opt_list *options) {
    work w = {0};
    int code = read_options(options, &w);
    if (code == EXIT_DONE) code = read_table(options, &w);
    if (code == EXIT_DONE) code = part(options, &w);
    if (code == EXIT_DONE) code = work_through(options, &w);
    sporf_crossval_free(w.result);
    sporf_folds_free(w.folds);
    sporf_dataset_free(w.data);
    searching_free(&w.search);
    input_free(&w.read);
    return code;
}

const cli_verb cmd_crossval = {
    .name = verb,
    .summary = "measures settings by cross-validation",
    .usage = "sporf crossval --data F (--label C | --target C) --folds F|N [options]",
    .text = "Grows a forest without each fold of the rows in turn and measures it on the fold. "
            "Prints, fold by fold, the share of wrong rows, Cohen's kappa, the kappa of the "
            "paper's tables and the logarithmic loss, or of numbers the root of the mean squared "
            "error, the mean absolute error and the share of the variance that is explained; "
            "then their means, and the standard errors of these.",
    .example = "  sporf crossval --data iris.csv --label species --folds 5\n"
               "  sporf crossval --data iris.csv --label species --folds iris.folds --tune\n",
    .declare = declare,
    .run = run,
};
