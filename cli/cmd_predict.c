/* sporf predict: for each row of a table a class and, if asked for, probabilities; or the values of
 * targets. The table is read, predicted and written block by block. */
#include "cli.h"
#include "out.h"
#include "predicting.h"
#include "prediction_table.h"
#include "printed.h"
#include "progress.h"
#include "table_input.h"
#include "training.h"

#include <stdlib.h>

static const char verb[] = "predict";

typedef struct {
    sporf_read_options read;
    const char *const *given; /* the given list of columns to ignore, if another one replaced it */
    sporf_predict_options how;
    sporf_forest *forest;
    int unread;                /* the model is mapped and not checked */
    predicting_cells *unknown; /* [features] */
    sporf_reader *reader;
    sporf_dataset *block;
    prediction_table table;
    size_t rows_done;
    progress bar;
} work;

enum { RESULT_BYTES = 32 << 20 };

/* For fewer rows a mapped model is not read as a whole. */
enum { FEW_ROWS = 64 };

/* Models are read by default: a mapped one must not be written to meanwhile. */
static int open_model(const opt_list *options, work *w) {
    w->unread = opt_value(options, "map") != NULL;
    if (!w->unread) return predicting_load(options, &w->forest);
    sporf_status status = sporf_forest_map(opt_value(options, "model"), &w->forest);
    return status == SPORF_OK ? EXIT_DONE : out_failure(verb, status, NULL);
}

/* For many rows, the model is better read and checked first. */
static sporf_status check_model(work *w) {
    if (!w->unread || w->rows_done + sporf_dataset_rows(w->block) <= FEW_ROWS) return SPORF_OK;
    w->unread = 0;
    return sporf_forest_check(w->forest);
}

static void declare(opt_list *options) {
    predicting_declare(options);
    predicting_declare_decision(options);
    predicting_declare_device(options);
    const opt_spec specs[] = {
        {.name = "proba", .help = "also write the probability of each class"},
        {.name = "scores",
         .help = "boosting: also write the scores, which become probabilities or targets; with two "
                 "classes the log odds of the second"},
        {.name = "keep",
         .value = "C,...",
         .help = "columns of the table to copy in front of the prediction: names, numbers from 1 "
                 "or 'last'"},
        {.name = "output",
         .value = "F",
         .fallback = "-",
         .help = "CSV file to write; - is standard output"},
        {.name = "map",
         .help = "map the model file instead of reading it: faster for a few rows and a very large "
                 "model; the file must not be written to meanwhile"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
    quantiles_declare(options);
    input_declare(options,
                  "a class or target column to ignore: a name, a number from 1 or 'last'; not "
                  "needed if it has the same name as in training",
                  0);
    input_declare_ignore(options);
    input_declare_limits(options);
}

static int refuse_table(work *w, sporf_status status) {
    progress_end(&w->bar);
    return out_failure(verb, status, predicting_table_hint(w->forest, &w->read, status));
}

static int open_table(const opt_list *options, work *w) {
    int passed = predicting_features(w->forest, &w->read, &w->given);
    w->unknown = calloc(sporf_forest_features(w->forest), sizeof *w->unknown);
    if (!passed || !w->unknown) {
        out_error(verb, "out of memory");
        return EXIT_FAILED;
    }
    progress_note(&w->bar, "predicting", opt_value(options, "data"));
    progress_start(&w->bar, "rows");
    sporf_status status = sporf_reader_open(opt_value(options, "data"), &w->read, &w->reader);
    return status == SPORF_OK ? EXIT_DONE : refuse_table(w, status);
}

static int read_block(work *w) {
    size_t bytes = prediction_table_row_bytes(&w->table);
    size_t rows = bytes > 0 ? 1 + RESULT_BYTES / bytes : SIZE_MAX;
    sporf_status status = sporf_reader_next(w->reader, rows, &w->block);
    return status == SPORF_OK ? EXIT_DONE : refuse_table(w, status);
}

static int allocate(work *w) {
    size_t rows = sporf_dataset_rows(w->block);
    if (prediction_table_reserve(&w->table, rows)) return EXIT_DONE;
    progress_end(&w->bar);
    out_error(verb, "out of memory for the predictions of %zu rows", rows);
    return EXIT_FAILED;
}

static sporf_status predict(work *w) {
    sporf_status status = check_model(w);
    return status == SPORF_OK ? prediction_table_fill(&w->table, w->block, &w->how) : status;
}

static int predict_block(work *w) {
    int code = allocate(w);
    if (code != EXIT_DONE) return code;
    sporf_status status = predict(w);
    if (status == SPORF_OK) return EXIT_DONE;
    progress_end(&w->bar);
    return out_failure(verb, status, predicting_surplus_hint(w->forest, &w->read, w->block));
}

/* For a table without rows the name comes from the header. */
static const char *kept_name(const work *w, size_t index) {
    return w->block ? sporf_dataset_kept_name(w->block, index)
                    : sporf_reader_kept_name(w->reader, index);
}

/* Kept columns keep their names: predictions must not have the same. */
static int check_kept(const header *line, const work *w) {
    size_t kept = w->read.kept_count;
    for (size_t i = 0; i < kept; i++) {
        const char *name = kept_name(w, i);
        if (!header_has(line, kept, name)) continue;
        out_error(verb,
                  "--keep '%s': a column of the predictions has this name; rename it in the "
                  "table, or leave it out",
                  name);
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

static int write_header(FILE *stream, const work *w) {
    header line = {0};
    for (size_t i = 0; i < w->read.kept_count; i++) header_add(&line, 1, kept_name(w, i), "", "");
    prediction_table_header(&line, &w->table);
    int code = check_kept(&line, w);
    if (code == EXIT_DONE && !header_write(stream, &line)) {
        out_error(verb, "out of memory");
        code = EXIT_FAILED;
    }
    header_free(&line);
    return code;
}

static void write_row(FILE *stream, const work *w, size_t row) {
    for (size_t i = 0; sporf_dataset_kept_name(w->block, i); i++) {
        text_csv_written(stream, sporf_dataset_kept_field(w->block, row, i));
        fputc(',', stream);
    }
    prediction_table_row(stream, &w->table, row);
}

/* The progress bar is wiped before rows are written: both may be on the same terminal. */
static int write_block(out_file *file, work *w) {
    size_t rows = sporf_dataset_rows(w->block);
    progress_wipe(&w->bar);
    int code = w->rows_done == 0 ? write_header(file->stream, w) : EXIT_DONE;
    if (code != EXIT_DONE) return code;
    for (size_t i = 0; i < rows && out_ok(file); i++) write_row(file->stream, w, i);
    fflush(file->stream);
    w->rows_done += rows;
    return EXIT_DONE;
}

static void show_progress(work *w) {
    uint64_t done, total;
    sporf_reader_progress(w->reader, &done, &total);
    progress_show_share(&w->bar, w->rows_done, total > 0 ? (double)done / (double)total : -1);
}

/* Stops early if the output cannot be written; closing it reports why. */
static int predict_blocks(out_file *file, work *w) {
    for (;;) {
        int code = read_block(w);
        if (code != EXIT_DONE) return code;
        if (!w->block) return w->rows_done == 0 ? write_header(file->stream, w) : EXIT_DONE;
        code = predict_block(w);
        if (code != EXIT_DONE) return code;
        code = write_block(file, w);
        if (code != EXIT_DONE) return code;
        predicting_count_unknown(w->forest, w->block, w->unknown);
        if (!out_ok(file)) return EXIT_DONE;
        show_progress(w);
        sporf_dataset_free(w->block);
        w->block = NULL;
    }
}

/* The output is opened first: if it cannot be written, that is reported at once. */
static int predict_to_file(const opt_list *options, work *w) {
    out_file file;
    int code = out_open(&file, verb, opt_value(options, "output"));
    if (code != EXIT_DONE) return code;
    code = open_table(options, w);
    if (code == EXIT_DONE) code = predict_blocks(&file, w);
    progress_end(&w->bar);
    if (code == EXIT_DONE) predicting_report_unknown(verb, w->forest, w->unknown);
    int closed = out_close(&file, code == EXIT_DONE);
    return code == EXIT_DONE ? closed : code;
}

static void show_note(void *payload, const char *text) {
    training_note(verb, payload, text);
}

static int run(const opt_list *options) {
    work w = {0};
    int code = input_protect(options, "output");
    if (code == EXIT_DONE) code = input_options(options, &w.read);
    w.table.proba = opt_value(options, "proba") != NULL;
    w.table.scores = opt_value(options, "scores") != NULL;
    if (code == EXIT_DONE) code = predicting_options(options, &w.how);
    w.how.note = show_note;
    w.how.note_payload = &w.bar;
    if (code == EXIT_DONE) code = quantiles_read(options, &w.table.asked);
    if (code == EXIT_DONE) code = open_model(options, &w);
    w.table.forest = w.forest;
    if (code == EXIT_DONE) code = predicting_check(options, w.forest);
    if (code == EXIT_DONE && quantiles_asked(&w.table.asked))
        code = quantiles_check(verb, w.forest);
    if (code == EXIT_DONE) code = predict_to_file(options, &w);
    free(w.unknown);
    prediction_table_free(&w.table);
    sporf_dataset_free(w.block);
    sporf_reader_free(w.reader);
    sporf_forest_free(w.forest);
    input_free(&w.read);
    free((void *)w.given);
    return code;
}

const cli_verb cmd_predict = {
    .name = verb,
    .summary = "predicts the class or the targets of each row of a table",
    .usage = "sporf predict --model M --data F [--output F] [--keep C,...] [options]",
    .text = "Predicts each row of a table and writes CSV: a header, then a line for each row with "
            "the class or number in the column 'prediction' and, with --proba, a column for each "
            "class. Several targets have a column each, with their names. --quantiles and "
            "--interval add columns such as 'price_q0.05', 'price_lower' and 'price_upper'. If "
            "model and table both have feature names, columns are matched by name. The table is "
            "read in blocks: it may be larger than memory, or come from a pipe.",
    .example = "  sporf predict --model iris.sporf --data new.csv --output classes.csv --proba\n",
    .declare = declare,
    .run = run,
};
