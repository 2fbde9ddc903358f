/* sporf bench-predict: how fast a model predicts, by number of threads. */
#include "cli.h"
#include "json.h"
#include "out.h"
#include "predicting.h"
#include "printed.h"
#include "progress.h"
#include "summary.h"
#include "table_input.h"
#include "timing.h"

#include <stdlib.h>

static const char verb[] = "bench-predict";

typedef struct {
    double batch; /* seconds for the whole table */
    timing_rows row;
} result;

typedef struct {
    sporf_read_options read;
    double seconds;
    sporf_forest *forest;
    sporf_forest_summary summary;
    sporf_dataset *data;
    timing_table whole;
    row_table table;
    unsigned threads; /* the largest number of threads */
    result *results;  /* [threads] */
    double clock;     /* nanoseconds */
} work;

static void declare(opt_list *options) {
    predicting_declare(options);
    predicting_declare_decision(options);
    const opt_spec specs[] = {
        {.name = "seconds",
         .value = "S",
         .range = "above 0, at most 3600",
         .fallback = "1",
         .help = "duration of each repetition"},
        {.name = "json", .help = "print one JSON object instead of a table"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
    input_declare(options,
                  "a class or target column to ignore: a name, a number from 1 or 'last'; not "
                  "needed if it has the same name as in training",
                  0);
    input_declare_ignore(options);
    input_declare_limits(options);
}

static int read_seconds(const opt_list *options, double *seconds) {
    const char *value = opt_value(options, "seconds");
    *seconds = 1;
    if (!value) return EXIT_DONE;
    char *end;
    *seconds = strtod(value, &end);
    if (end != value && *end == '\0' && *seconds > 0 && *seconds <= 3600) return EXIT_DONE;
    out_error(verb, "--seconds must be a number above 0 and at most 3600, got '%s'", value);
    return EXIT_USAGE;
}

static int fail(const work *w, sporf_status status) {
    int unlabelled = !w->read.label &&
                     !sporf_schema_feature_name(sporf_forest_schema(w->forest), 0) &&
                     (status == SPORF_ERROR_DATA || status == SPORF_ERROR_MODEL);
    return out_failure(verb, status,
                       unlabelled
                           ? "a column that holds the classes or numbers is left out with --label C"
                           : NULL);
}

static int read_table(const opt_list *options, work *w) {
    predicting_columns(w->forest, &w->read);
    sporf_status status = input_read(options, &w->read, &w->data);
    if (status != SPORF_OK) return fail(w, status);
    if (sporf_dataset_rows(w->data) > 0) return EXIT_DONE;
    out_error(verb, "%s has no rows; give it at least one", opt_value(options, "data"));
    return EXIT_FAILED;
}

static int allocate(work *w) {
    size_t rows = sporf_dataset_rows(w->data), targets = sporf_forest_targets(w->forest);
    timing_table *whole = &w->whole;
    w->threads = whole->how.threads > 0 ? whole->how.threads : sporf_cores();
    w->results = calloc(w->threads, sizeof *w->results);
    whole->forest = w->forest;
    whole->data = w->data;
    if (targets > 0)
        whole->values = calloc(rows, targets * sizeof *whole->values);
    else
        whole->classes = calloc(rows, sizeof *whole->classes);
    if ((whole->values || whole->classes) && w->results) return EXIT_DONE;
    out_error(verb, "out of memory");
    return EXIT_FAILED;
}

/* The first batch also shows whether the table fits the model. */
static int time_batches(work *w, progress *bar) {
    for (unsigned i = 0; i < w->threads; i++) {
        w->whole.how.threads = i + 1;
        sporf_status status = timing_batch(&w->whole, w->seconds, &w->results[i].batch);
        if (status != SPORF_OK) return fail(w, status);
        progress_show(bar, i + 1, 2 * (size_t)w->threads);
    }
    return EXIT_DONE;
}

static int time_rows(work *w, progress *bar) {
    const char *failure = NULL;
    if (!row_table_draw(&w->table, w->forest, w->data)) failure = "out of memory for single rows";
    for (unsigned i = 0; i < w->threads && !failure; i++) {
        failure = timing_row(w->forest, &w->table, w->whole.how.combine, i + 1, w->seconds,
                             &w->results[i].row);
        progress_show(bar, w->threads + i + 1, 2 * (size_t)w->threads);
    }
    if (!failure) return EXIT_DONE;
    out_error(verb, "%s", failure);
    return EXIT_FAILED;
}

static int measure(work *w) {
    sporf_status status = sporf_forest_summarise(w->forest, &w->summary);
    if (status != SPORF_OK) return out_failure(verb, status, NULL);
    progress bar;
    progress_start(&bar, "measurements");
    w->clock = timing_clock();
    int code = time_batches(w, &bar);
    if (code == EXIT_DONE) code = time_rows(w, &bar);
    progress_end(&bar);
    return code;
}

static double rows_per_second(const work *w, const result *result) {
    return (double)sporf_dataset_rows(w->data) / result->batch;
}

static double ns_per_row_and_tree(const work *w, const result *result) {
    return 1e9 / rows_per_second(w, result) / (double)sporf_forest_trees(w->forest);
}

static void write_batches(json *writer, const work *w) {
    json_list(writer, "batch");
    for (unsigned i = 0; i < w->threads; i++) {
        json_object(writer, NULL);
        json_count(writer, "threads", i + 1);
        json_double(writer, "rows_per_second", rows_per_second(w, &w->results[i]));
        json_double(writer, "ns_per_row_and_tree", ns_per_row_and_tree(w, &w->results[i]));
        json_end(writer);
    }
    json_end(writer);
}

static void write_rows(json *writer, const work *w) {
    json_list(writer, "one_row");
    for (unsigned i = 0; i < w->threads; i++) {
        const timing_rows *row = &w->results[i].row;
        json_object(writer, NULL);
        json_count(writer, "threads", i + 1);
        json_double(writer, "p50_us", 1e6 * row->p50);
        json_double(writer, "p99_us", 1e6 * row->p99);
        json_double(writer, "rows_per_second", row->rows_per_second);
        json_end(writer);
    }
    json_end(writer);
}

static void write_json(FILE *stream, const opt_list *options, const work *w) {
    json writer;
    json_start(&writer, stream);
    json_object(&writer, NULL);
    json_text(&writer, "model", opt_value(options, "model"));
    json_text(&writer, "data", opt_value(options, "data"));
    json_count(&writer, "rows", sporf_dataset_rows(w->data));
    json_count(&writer, "features", sporf_forest_features(w->forest));
    json_count(&writer, "classes", sporf_forest_classes(w->forest));
    if (sporf_forest_targets(w->forest) > 0) summary_targets_json(&writer, w->forest);
    json_count(&writer, "trees", sporf_forest_trees(w->forest));
    json_double(&writer, "mean_depth", w->summary.mean_depth);
    json_text(&writer, "combine", predicting_combine(w->forest, &w->whole.how));
    json_double(&writer, "clock_ns", w->clock);
    write_batches(&writer, w);
    write_rows(&writer, w);
    json_end(&writer);
}

static void write_line(FILE *stream, const work *w, unsigned threads) {
    const result *result = &w->results[threads - 1];
    char batch[TEXT_NUMBER], single[TEXT_NUMBER];
    fprintf(stream, "%7u %14s %12.2f %16s %9.2f %9.2f\n", threads,
            text_count(batch, (uint64_t)rows_per_second(w, result)), ns_per_row_and_tree(w, result),
            text_count(single, (uint64_t)result->row.rows_per_second), 1e6 * result->row.p50,
            1e6 * result->row.p99);
}

static void write_text(FILE *stream, const work *w) {
    char rows[TEXT_NUMBER], trees[TEXT_NUMBER];
    summary_line(stream, "rows", "%s, %zu features", text_count(rows, sporf_dataset_rows(w->data)),
                 sporf_forest_features(w->forest));
    summary_line(stream, "trees", "%s, leaves at a mean depth of %.1f",
                 text_count(trees, sporf_forest_trees(w->forest)), w->summary.mean_depth);
    summary_line(stream, "clock", "%.0f ns for a reading, which every time of a row includes",
                 w->clock);
    fprintf(stream, "\n%7s %14s %12s %16s %9s %9s\n", "", "all at once", "ns per row",
            "one row at a", "p50", "p99");
    fprintf(stream, "%7s %14s %12s %16s %9s %9s\n", "threads", "rows/s", "and tree", "time, rows/s",
            "us", "us");
    for (unsigned threads = 1; threads <= w->threads; threads++) write_line(stream, w, threads);
}

static int report(const opt_list *options, const work *w) {
    out_file file;
    out_open(&file, verb, NULL);
    if (opt_value(options, "json"))
        write_json(file.stream, options, w);
    else
        write_text(file.stream, w);
    return out_close(&file, 1);
}

static int run(const opt_list *options) {
    work w = {0};
    int code = read_seconds(options, &w.seconds);
    if (code == EXIT_DONE) code = input_options(options, &w.read);
    if (code == EXIT_DONE) code = predicting_options(options, &w.whole.how);
    if (code == EXIT_DONE) code = predicting_load(options, &w.forest);
    if (code == EXIT_DONE) code = predicting_check(options, w.forest);
    if (code == EXIT_DONE) code = read_table(options, &w);
    if (code == EXIT_DONE) code = allocate(&w);
    if (code == EXIT_DONE) code = measure(&w);
    if (code == EXIT_DONE) code = report(options, &w);
    free(w.results);
    free(w.whole.classes);
    free(w.whole.values);
    row_table_free(&w.table);
    sporf_dataset_free(w.data);
    sporf_forest_free(w.forest);
    return code;
}

const cli_verb cmd_bench_predict = {
    .name = verb,
    .summary = "measures how fast a model predicts",
    .usage = "sporf bench-predict --model M --data F [--threads N] [--json] [options]",
    .text = "Predicts a table repeatedly, on 1 to N threads: all rows in one call, and one row at "
            "a time from that many threads. Prints rows per second, the time per row and tree, and "
            "the median and the 99th percentile of the time for one row.",
    .example = "  sporf bench-predict --model iris.sporf --data new.csv --threads 2\n",
    .declare = declare,
    .run = run,
};
