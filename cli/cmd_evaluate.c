/* sporf evaluate: how well a model predicts a table with known classes or targets. */
#include "cli.h"
#include "decision_report.h"
#include "json.h"
#include "out.h"
#include "outcome.h"
#include "outputs.h"
#include "predicting.h"
#include "printed.h"
#include "progress.h"
#include "scores.h"
#include "table_input.h"

static const char verb[] = "evaluate";

typedef struct {
    sporf_read_options read;
    sporf_forest *forest;
    sporf_dataset *data;
    const scores_report *report;
    scores scores;
} work;

static void declare(opt_list *options) {
    predicting_declare(options);
    predicting_declare_decision(options);
    const opt_spec json = {.name = "json", .help = "print one JSON object instead of a table"};
    opt_add(options, &json, 1);
    class_report_declare(options);
    quantiles_declare(options);
    input_declare(options,
                  "the column with the true classes: a name, a number from 1 or 'last'; not needed "
                  "for svmlight, or if it has the same name as in training",
                  1);
    input_declare_labels(options);
    input_declare_target(options);
    input_declare_weight(options);
    input_declare_ignore(options);
    input_declare_limits(options);
}

/* Refuses true values of the other kind than the model predicts. */
static int check_outcome(const opt_list *options, const work *w) {
    const outcome *outcome = outcome_of_forest(w->forest);
    int one_class = outcome == &outcome_classification;
    const sporf_read_options *read = &w->read;
    const char *wrong = outcome != &outcome_regression && read->targets_count > 0 ? "target"
                        : outcome != &outcome_labels && read->labels_count > 0    ? "labels"
                        : !one_class && read->label                               ? "label"
                        : !one_class && read->label_file                          ? "label-file"
                                                                                  : NULL;
    if (wrong) {
        out_error(verb,
                  "the model predicts %s: name the column that holds them with --%s if it was "
                  "renamed, and drop --%s",
                  outcome->predicts, outcome->option, wrong);
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

static void note_weights(const work *w) {
    const char *column = sporf_forest_setting(w->forest, "weight");
    if (column && !w->read.weight)
        out_error(verb,
                  "the scores are unweighted, but the model was trained with the row weights of "
                  "column '%s'; to weight the scores, name a column with --weight",
                  column);
}

/* Errors out of bag count by the weights of the training. */
static int counts_as_training(const work *w) {
    int of_rows = sporf_forest_setting(w->forest, "weight") != NULL;
    return !decision_weighs_classes(w->forest) && of_rows == (w->read.weight != NULL);
}

/* As many rows as in training, and far fewer errors than out of bag. */
static void note_training_rows(const work *w) {
    const sporf_evaluation *found = &w->scores.found;
    int is_regression = sporf_forest_targets(w->forest) > 0 &&
                        sporf_schema_label_columns(sporf_forest_schema(w->forest)) == 0;
    double rows = (double)found->rows, error = is_regression ? found->rmse : found->error;
    char number[TEXT_NUMBER];
    sporf_oob oob;
    sporf_forest_oob(w->forest, &oob);
    if (!counts_as_training(w) || oob.rows == 0 || found->rows < oob.rows ||
        rows > 1.05 * (double)oob.rows + 5)
        return;
    if (!(error <= oob.error / 2)) return;
    out_error(verb,
              "if these are the rows of training, the scores are far too good: out of bag the %s "
              "was %s; 'sporf report' scores rows of training out of bag",
              is_regression ? "RMSE" : "error", text_rate(number, oob.error));
}

static int evaluate(const opt_list *options, work *w) {
    scores *s = &w->scores;
    s->forest = w->forest;
    s->data = w->data;
    s->weight = w->read.weight;
    s->found.struct_size = sizeof s->found;
    w->report = scores_report_of(w->forest);
    if (!w->report->reserve(s)) {
        out_error(verb, "out of memory");
        return EXIT_FAILED;
    }
    progress note;
    progress_note(&note, "predicting", opt_value(options, "data"));
    double start = progress_clock();
    sporf_status status = sporf_forest_evaluate(w->forest, w->data, &s->how, &s->found);
    s->seconds = progress_since(start);
    progress_end(&note);
    if (status != SPORF_OK) return out_failure(verb, status, NULL);
    note_weights(w);
    note_training_rows(w);
    int code = w->report->finish ? w->report->finish(verb, s) : EXIT_DONE;
    return code == EXIT_DONE ? predicting_note_unknown(verb, w->forest, w->data) : code;
}

static void write_json(FILE *stream, const work *w) {
    json writer;
    json_start(&writer, stream);
    json_object(&writer, NULL);
    w->report->json(&writer, &w->scores);
    json_end(&writer);
}

static int report(const opt_list *options, const work *w) {
    out_file file;
    out_open(&file, verb, NULL);
    if (opt_value(options, "json"))
        write_json(file.stream, w);
    else
        w->report->text(file.stream, &w->scores);
    return out_close(&file, 1);
}

static int run(const opt_list *options) {
    work w = {0};
    int code = input_options(options, &w.read);
    if (code == EXIT_DONE) code = class_report_options(options, &w.scores.classes.how);
    if (code == EXIT_DONE) code = predicting_options(options, &w.scores.how);
    if (code == EXIT_DONE) code = quantiles_read(options, &w.scores.asked);
    if (code == EXIT_DONE) code = predicting_load(options, &w.forest);
    if (code == EXIT_DONE) code = check_outcome(options, &w);
    if (code == EXIT_DONE && quantiles_asked(&w.scores.asked))
        code = quantiles_check(verb, w.forest);
    if (code == EXIT_DONE) code = read_table(options, &w);
    if (code == EXIT_DONE) code = evaluate(options, &w);
    if (code == EXIT_DONE) code = class_report_curves(options, &w.scores.classes);
    if (code == EXIT_DONE) code = report(options, &w);
    scores_free(&w.scores);
    input_free(&w.read);
    sporf_dataset_free(w.data);
    sporf_forest_free(w.forest);
    return code;
}

const cli_verb cmd_evaluate = {
    .name = verb,
    .summary = "measures how well a model predicts known classes or targets",
    .usage = "sporf evaluate --model M --data F [--label C | --target C] [options]",
    .text =
        "Predicts a table with known classes or targets. For classification it prints the "
        "error rate, the accuracy, Cohen's kappa, the kappa of the paper's tables, the "
        "logarithmic loss, the Brier score, the expected calibration error, the confusion "
        "matrix and the accuracy by confidence; the area under the ROC curve, the average "
        "precision, F1, Matthews' correlation and the balanced accuracy, with confidence "
        "intervals; and precision and recall by class. For regression it prints the RMSE, the mean "
        "absolute error and R2 of each target; with --quantiles the share of rows below each "
        "and the pinball loss, with --interval the coverage and the mean width.",
    .example = "  sporf evaluate --model iris.sporf --data test.csv --label species\n"
               "  sporf evaluate --model house.sporf --data test.csv --target price\n",
    .declare = declare,
    .run = run,
};
