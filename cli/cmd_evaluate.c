/* sporf evaluate: how well a model predicts a table whose classes, or numbers, are known. */
#include "calibration_report.h"
#include "cli.h"
#include "confusion.h"
#include "json.h"
#include "out.h"
#include "predicting.h"
#include "printed.h"
#include "progress.h"
#include "summary.h"
#include "table_input.h"
#include "value_scores.h"

#include <math.h>
#include <stdlib.h>

static const char verb[] = "evaluate";

/* A table of more classes takes more memory than anybody can read of it. */
enum { CONFUSION_CLASSES_MAX = 2000 };

typedef struct {
    sporf_read_options read;
    sporf_predict_options how;
    sporf_forest *forest;
    sporf_dataset *data;
    sporf_evaluation scores;
    sporf_calibration calibration;
    size_t *confusion;   /* (classes + 1) x classes; NULL for too many classes */
    value_scores values; /* where numbers are predicted */
    double seconds;
} work;

static void declare(opt_list *options) {
    predicting_declare(options);
    const opt_spec json = {.name = "json", .help = "print one JSON object instead of a table"};
    opt_add(options, &json, 1);
    quantiles_declare(options);
    input_declare(options,
                  "the column with the true classes: a name, a number from 1 or 'last'; not needed "
                  "for svmlight, or if it has the same name as in training",
                  1);
    input_declare_target(options);
    input_declare_weight(options);
    input_declare_ignore(options);
    input_declare_limits(options);
}

/* Truths of another kind than the model predicts are of no use. */
static int check_outcome(const opt_list *options, const work *w) {
    int numbers = sporf_forest_targets(w->forest) > 0;
    const char *wrong = !numbers && w->read.targets_count > 0 ? "target"
                        : numbers && w->read.label            ? "label"
                        : numbers && w->read.label_file       ? "label-file"
                                                              : NULL;
    if (wrong) {
        out_error(verb,
                  "the model predicts %s: name the column that holds them with --%s if it was "
                  "renamed, and drop --%s",
                  numbers ? "numbers" : "classes", numbers ? "target" : "label", wrong);
        return EXIT_USAGE;
    }
    return predicting_check(options, w->forest);
}

static int read_table(const opt_list *options, work *w) {
    int code = predicting_truth(options, w->forest, &w->read);
    if (code != EXIT_DONE) return code;
    if (sporf_forest_targets(w->forest) == 0)
        return input_read_labelled(options, &w->read, &w->data);
    sporf_status status = input_read(options, &w->read, &w->data);
    return status == SPORF_OK ? EXIT_DONE : out_failure(verb, status, NULL);
}

/* Says how many cells have levels that the model does not know. */
static int tell_unknown(const work *w) {
    predicting_cells *unknown = calloc(sporf_forest_features(w->forest), sizeof *unknown);
    if (!unknown) {
        out_error(verb, "out of memory");
        return EXIT_FAILED;
    }
    predicting_count_unknown(w->forest, w->data, unknown);
    predicting_tell_unknown(verb, w->forest, unknown);
    free(unknown);
    return EXIT_DONE;
}

static int evaluate_values(work *w) {
    if (!value_scores_allocate(&w->values, sporf_forest_targets(w->forest))) {
        out_error(verb, "out of memory");
        return EXIT_FAILED;
    }
    double start = progress_clock();
    sporf_status status = value_scores_find(&w->values, w->forest, w->data, &w->how);
    w->seconds = progress_since(start);
    return status == SPORF_OK ? tell_unknown(w) : out_failure(verb, status, NULL);
}

static int evaluate(const opt_list *options, work *w) {
    if (sporf_forest_targets(w->forest) > 0) return evaluate_values(w);
    size_t classes = sporf_forest_classes(w->forest);
    if (classes <= CONFUSION_CLASSES_MAX) {
        w->confusion = calloc(classes + 1, classes * sizeof *w->confusion);
        if (!w->confusion) {
            out_error(verb, "out of memory for the confusion of %zu classes", classes);
            return EXIT_FAILED;
        }
    }
    progress note;
    progress_note(&note, "predicting", opt_value(options, "data"));
    double start = progress_clock();
    w->scores = (sporf_evaluation){
        .struct_size = sizeof w->scores, .confusion = w->confusion, .calibration = &w->calibration};
    sporf_status status = sporf_forest_evaluate(w->forest, w->data, &w->how, &w->scores);
    w->seconds = progress_since(start);
    progress_end(&note);
    return status == SPORF_OK ? tell_unknown(w) : out_failure(verb, status, NULL);
}

static void write_values_json(FILE *stream, const work *w) {
    json writer;
    json_start(&writer, stream);
    json_object(&writer, NULL);
    json_count(&writer, "rows", sporf_dataset_rows(w->data));
    summary_weights_json(&writer, w->data, w->read.weight);
    value_scores_json(&writer, &w->values, w->forest);
    json_count(&writer, "trees", sporf_forest_trees(w->forest));
    json_double(&writer, "seconds", w->seconds);
    json_end(&writer);
}

static void write_values_text(FILE *stream, const work *w) {
    char rows[TEXT_NUMBER];
    summary_line(stream, "rows", "%s", text_count(rows, sporf_dataset_rows(w->data)));
    summary_weights_line(stream, w->data, w->read.weight);
    value_scores_text(stream, &w->values, w->forest);
}

static void write_json(FILE *stream, const work *w) {
    json writer;
    json_start(&writer, stream);
    json_object(&writer, NULL);
    json_count(&writer, "rows", w->scores.rows);
    summary_weights_json(&writer, w->data, w->read.weight);
    json_double(&writer, "error", w->scores.error);
    json_double(&writer, "accuracy", 1 - w->scores.error);
    json_double(&writer, "kappa", w->scores.kappa);
    json_double(&writer, "kappa_paper", w->scores.kappa_paper);
    json_double(&writer, "log_loss", w->scores.log_loss);
    json_double(&writer, "brier", w->calibration.brier);
    json_count(&writer, "unknown_labels", w->scores.unknown_labels);
    json_count(&writer, "trees", sporf_forest_trees(w->forest));
    json_text(&writer, "combine", w->how.combine == SPORF_COMBINE_VOTES ? "votes" : "posteriors");
    json_double(&writer, "seconds", w->seconds);
    if (w->confusion)
        confusion_json(&writer, w->forest, w->confusion);
    else
        json_double(&writer, "confusion", NAN); /* null */
    calibration_json(&writer, &w->calibration);
    json_end(&writer);
}

static void write_text(FILE *stream, const work *w) {
    const sporf_evaluation *scores = &w->scores;
    char rows[TEXT_NUMBER], number[TEXT_NUMBER];
    summary_line(stream, "rows", "%s", text_count(rows, scores->rows));
    summary_weights_line(stream, w->data, w->read.weight);
    summary_line(stream, "error", "%s", text_rate(number, scores->error));
    summary_line(stream, "accuracy", "%s", text_rate(number, 1 - scores->error));
    summary_line(stream, "kappa", "%s", text_rate(number, scores->kappa));
    summary_line(stream, "kappa_paper", "%s", text_rate(number, scores->kappa_paper));
    summary_line(stream, "log loss", "%s", text_rate(number, scores->log_loss));
    summary_line(stream, "brier", "%s", text_rate(number, w->calibration.brier));
    summary_line(stream, "calibration", "%s", text_rate(number, w->calibration.error));
    if (scores->unknown_labels > 0)
        summary_line(stream, "unknown",
                     "%s rows have a class the model has never seen; they count "
                     "as errors",
                     text_count(number, scores->unknown_labels));
    fputc('\n', stream);
    if (w->confusion) confusion_text(stream, w->forest, w->confusion);
    fputc('\n', stream);
    calibration_text(stream, &w->calibration);
}

static int report(const opt_list *options, const work *w) {
    out_file file;
    out_open(&file, verb, NULL);
    int as_json = opt_value(options, "json") != NULL;
    if (sporf_forest_targets(w->forest) > 0)
        (as_json ? write_values_json : write_values_text)(file.stream, w);
    else
        (as_json ? write_json : write_text)(file.stream, w);
    return out_close(&file, 1);
}

static int run(const opt_list *options) {
    work w = {0};
    int code = input_options(options, &w.read);
    if (code == EXIT_DONE) code = predicting_options(options, &w.how);
    if (code == EXIT_DONE) code = quantiles_read(options, &w.values.asked);
    if (code == EXIT_DONE) code = predicting_load(options, &w.forest);
    if (code == EXIT_DONE) code = check_outcome(options, &w);
    if (code == EXIT_DONE && quantiles_asked(&w.values.asked))
        code = quantiles_check(verb, w.forest);
    if (code == EXIT_DONE) code = read_table(options, &w);
    if (code == EXIT_DONE) code = evaluate(options, &w);
    if (code == EXIT_DONE) code = report(options, &w);
    free(w.confusion);
    value_scores_free(&w.values);
    input_free(&w.read);
    sporf_dataset_free(w.data);
    sporf_forest_free(w.forest);
    return code;
}

const cli_verb cmd_evaluate = {
    .name = verb,
    .summary = "measures how well a model predicts known classes or targets",
    .usage = "sporf evaluate --model M --data F [--label C | --target C] [options]",
    .text = "Predicts a table with known classes or targets. For classification it prints the "
            "error rate, the accuracy, Cohen's kappa, the kappa of the paper's tables, the "
            "logarithmic loss, the Brier score, the expected calibration error, the confusion "
            "matrix and the accuracy by confidence. For regression it prints the RMSE, the mean "
            "absolute error and R2 of each target; with --quantiles the share of rows below each "
            "and the pinball loss, with --interval the coverage and the mean width.",
    .example = "  sporf evaluate --model iris.sporf --data test.csv --label species\n"
               "  sporf evaluate --model house.sporf --data test.csv --target price\n",
    .declare = declare,
    .run = run,
};
