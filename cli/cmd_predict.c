/* sporf predict: a class, and on request probabilities, for each row of a table. */
#include "cli.h"
#include "input.h"
#include "out.h"
#include "predicting.h"
#include "progress.h"
#include "text.h"

#include <stdlib.h>

static const char verb[] = "predict";

typedef struct {
    sporf_read_options read;
    sporf_predict_options how;
    sporf_forest *forest;
    const char **columns; /* names of the model's features; NULL if it knows none */
    sporf_dataset *data;
    uint32_t *classes;
    double *probabilities; /* rows x classes; NULL where not asked for */
} work;

static void declare(opt_list *options) {
    predicting_declare(options);
    const opt_spec specs[] = {
        {.name = "proba", .help = "also write the probability of each class"},
        {.name = "output",
         .value = "F",
         .fallback = "-",
         .help = "CSV file to write; - is standard output"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
    input_declare(options,
                  "a column to leave out, which holds the classes: a name, a number from "
                  "1 or 'last'; needed only where no header names it as in training",
                  0);
    input_declare_limits(options);
}

static int read_table(const opt_list *options, work *w) {
    int code = predicting_columns(options, w->forest, &w->read, &w->columns);
    if (code != EXIT_DONE) return code;
    w->read.svmlight_features = sporf_forest_features(w->forest);
    sporf_status status = input_read(options, &w->read, &w->data);
    if (status == SPORF_OK) return EXIT_DONE;
    int nameless = !w->read.label && !w->columns && status == SPORF_ERROR_DATA;
    return out_failure(verb, status,
                       nameless ? "a column that holds the classes is left out with --label C"
                                : NULL);
}

static int allocate(const opt_list *options, work *w) {
    size_t rows = sporf_dataset_rows(w->data), classes = sporf_forest_classes(w->forest);
    w->classes = calloc(rows ? rows : 1, sizeof *w->classes);
    if (w->classes && !opt_value(options, "proba")) return EXIT_DONE;
    size_t cells;
    if (w->classes && !__builtin_mul_overflow(rows, classes, &cells))
        w->probabilities = calloc(cells ? cells : 1, sizeof *w->probabilities);
    if (w->probabilities) return EXIT_DONE;
    out_error(verb, "out of memory for the predictions of %zu rows; predict a part at a time",
              rows);
    return EXIT_FAILED;
}

static int predict(const opt_list *options, work *w) {
    progress note;
    progress_note(&note, "predicting", opt_value(options, "data"));
    sporf_status status =
        sporf_forest_predict(w->forest, w->data, &w->how, w->classes, w->probabilities);
    progress_end(&note);
    if (status == SPORF_OK) return EXIT_DONE;
    size_t surplus = sporf_dataset_features(w->data) - sporf_forest_features(w->forest);
    int unlabelled = surplus == 1 && !w->read.label;
    return out_failure(verb, status,
                       unlabelled ? "if one column holds the classes, leave it out with --label C"
                                  : NULL);
}

static void write_header(FILE *stream, const work *w) {
    fputs("prediction", stream);
    for (size_t k = 0; w->probabilities && k < sporf_forest_classes(w->forest); k++) {
        fputc(',', stream);
        text_csv_field(stream, sporf_forest_class_name(w->forest, k));
    }
    fputc('\n', stream);
}

static void write_row(FILE *stream, const work *w, size_t row) {
    size_t classes = sporf_forest_classes(w->forest);
    char number[TEXT_NUMBER];
    text_csv_field(stream, sporf_forest_class_name(w->forest, w->classes[row]));
    for (size_t k = 0; w->probabilities && k < classes; k++) {
        fputc(',', stream);
        fputs(text_double(number, w->probabilities[row * classes + k]), stream);
    }
    fputc('\n', stream);
}

static void write_table(out_file *file, const work *w) {
    size_t rows = sporf_dataset_rows(w->data);
    write_header(file->stream, w);
    for (size_t i = 0; i < rows && out_ok(file); i++) write_row(file->stream, w, i);
}

/* The output is opened first: if it cannot be written, nobody should wait to be told. */
static int predict_to_file(const opt_list *options, work *w) {
    out_file file;
    int code = out_open(&file, verb, opt_value(options, "output"));
    if (code != EXIT_DONE) return code;
    code = read_table(options, w);
    if (code == EXIT_DONE) code = allocate(options, w);
    if (code == EXIT_DONE) code = predict(options, w);
    if (code == EXIT_DONE) write_table(&file, w);
    int closed = out_close(&file, code == EXIT_DONE);
    return code == EXIT_DONE ? closed : code;
}

static int run(const opt_list *options) {
    work w = {0};
    int code = input_protect(options, "output");
    if (code == EXIT_DONE) code = input_options(options, &w.read);
    if (code == EXIT_DONE) code = predicting_options(options, &w.how);
    if (code == EXIT_DONE) code = predicting_load(options, &w.forest);
    if (code == EXIT_DONE) code = predict_to_file(options, &w);
    free(w.columns);
    free(w.probabilities);
    free(w.classes);
    sporf_dataset_free(w.data);
    sporf_forest_free(w.forest);
    return code;
}

const cli_verb cmd_predict = {
    .name = verb,
    .summary = "predicts the class of each row of a table",
    .usage = "sporf predict --model M --data F [--output F] [--proba] [options]",
    .text = "Predicts each row of a table and writes CSV: a header, then a line for each row with "
            "the class in the column 'prediction' and, with --proba, a column for each class. "
            "Where model and table both name their features, columns are matched by name.",
    .example = "  sporf predict --model iris.sporf --data new.csv --output classes.csv --proba\n",
    .declare = declare,
    .run = run,
};
