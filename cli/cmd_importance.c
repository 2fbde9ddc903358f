/* sporf importance: which features and projections a forest uses. */
#include "cli.h"
#include "console.h"
#include "json.h"
#include "measuring.h"
#include "out.h"
#include "outputs.h"
#include "printed.h"
#include "table_input.h"
#include "terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char verb[] = "importance";

enum { SHOWN = 20 }; /* by default */

typedef struct {
    size_t feature;
    double importance;
    double permutation, error; /* with --permutation: error increase, its standard error */
} weighed;

typedef struct {
    const char *path;
    sporf_forest *forest;
    size_t top;             /* how many features and projections to print */
    weighed *features;      /* the most important first */
    int permutes;           /* --permutation was given */
    sporf_ranking *ranking; /* NULL if --projections was not given */
} work;

static void declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Options"},
        {.name = "model", .value = "M", .required = 1, .help = "the model file"},
        {.name = "top",
         .value = "K",
         .fallback = "20",
         .help = "how many to print, the most important first, or 'all'; a CSV file has all by "
                 "default"},
        {.name = "projections", .help = "also print the projections that splits use"},
        {.name = "permutation",
         .help = "also print permutation importances, from out-of-bag rows; needs the table that "
                 "the model was trained on"},
        {.name = "seed",
         .value = "S",
         .fallback = "1",
         .help =
             "seed of the permutations; the same seed gives the same numbers, on every machine"},
        {.name = "output",
         .value = "F",
         .fallback = "-",
         .help = "CSV file to write; - prints a table to standard output"},
        {.name = "json", .help = "print one JSON object, or write it to the file of --output"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
    measuring_declare(options, 1);
    input_data_optional(options);
}

/* ---- work ------------------------------------------------------------------------------------ */

static int by_importance(const void *a, const void *b) {
    const weighed *left = a, *right = b;
    if (left->permutation != right->permutation)
        return left->permutation > right->permutation ? -1 : 1;
    if (left->importance != right->importance) return left->importance > right->importance ? -1 : 1;
    return left->feature < right->feature ? -1 : left->feature > right->feature;
}

/* An item for each feature, for find_features. */
typedef struct {
    double *importances, *permutations, *errors;
} found;

static sporf_status permute(work *w, measuring *m, found *f) {
    measuring_start(m);
    sporf_status status = sporf_forest_permutation_importances(
        w->forest, m->data, &m->options, &m->hooks, f->permutations, f->errors);
    measuring_end(m);
    return status;
}

static int weigh_features(work *w, measuring *m, found *f) {
    size_t count = sporf_forest_features(w->forest);
    sporf_status status = sporf_forest_importances(w->forest, f->importances);
    if (status == SPORF_OK && w->permutes) status = permute(w, m, f);
    if (status != SPORF_OK) return out_failure(verb, status, NULL);
    for (size_t j = 0; j < count; j++)
        w->features[j] = (weighed){j, f->importances[j], f->permutations[j], f->errors[j]};
    qsort(w->features, count, sizeof *w->features, by_importance);
    return EXIT_DONE;
}

static int find_features(work *w, measuring *m) {
    size_t count = sporf_forest_features(w->forest);
    double *all = calloc(3 * count, sizeof *all);
    w->features = malloc(count * sizeof *w->features);
    int code = EXIT_FAILED;
    if (all && w->features)
        code = weigh_features(w, m, &(found){all, all + count, all + 2 * count});
    else
        out_error(verb, "out of memory for %zu features", count);
    free(all);
    return code;
}

/* The table is only read for --permutation. */
static int read_table(const opt_list *options, work *w, measuring *m) {
    if (!w->permutes && opt_value(options, "data")) {
        out_error(verb, "--data is for --permutation: add this, or leave --data out");
        return EXIT_USAGE;
    }
    if (!w->permutes) return EXIT_DONE;
    if (!opt_value(options, "data")) {
        out_error(verb, "--permutation needs --data F, the table that the model was trained on");
        return EXIT_USAGE;
    }
    int code = measuring_read(options, w->forest, m);
    return code == EXIT_DONE ? opt_count(options, "seed", 0, &m->options.seed) : code;
}

static int find_importances(const opt_list *options, work *w) {
    measuring m = {0};
    int code = read_table(options, w, &m);
    if (code == EXIT_DONE) code = find_features(w, &m);
    measuring_free(&m);
    if (code != EXIT_DONE || !opt_value(options, "projections")) return code;
    sporf_status status = sporf_ranking_create(w->forest, w->top, &w->ranking);
    return status == SPORF_OK ? EXIT_DONE : out_failure(verb, status, NULL);
}

static int writes_csv(const opt_list *options) {
    const char *output = opt_value(options, "output");
    return output && strcmp(output, "-") != 0 && !opt_value(options, "json");
}

static int read_top(const opt_list *options, size_t *top) {
    const char *value = opt_value(options, "top");
    uint64_t number = SHOWN;
    *top = SIZE_MAX;
    if (value ? strcmp(value, "all") == 0 : writes_csv(options)) return EXIT_DONE;
    int code = opt_count(options, "top", 1, &number);
    *top = number < SIZE_MAX ? (size_t)number : SIZE_MAX;
    return code;
}

static size_t shown_features(const work *w) {
    size_t count = sporf_forest_features(w->forest);
    return count < w->top ? count : w->top;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void write_more(FILE *stream, size_t more, const char *what) {
    char number[TEXT_NUMBER];
    if (more > 0) fprintf(stream, "and %s more %s\n", text_count(number, more), what);
}

static void write_features(out_file *file, const work *w) {
    char number[TEXT_NUMBER];
    fputs(w->permutes ? "importance   permutation     std error  feature\n"
                      : "importance  feature\n",
          file->stream);
    for (size_t i = 0; i < shown_features(w) && out_ok(file); i++) {
        fprintf(file->stream, "%10s  ", text_rate(number, w->features[i].importance));
        if (w->permutes) {
            fprintf(file->stream, "%12s  ", text_score(number, w->features[i].permutation));
            fprintf(file->stream, "%12s  ", text_score(number, w->features[i].error));
        }
        terms_print_feature(file->stream, w->forest, (uint32_t)w->features[i].feature);
        fputc('\n', file->stream);
    }
    write_more(file->stream, sporf_forest_features(w->forest) - shown_features(w), "features");
}

static void write_projections(out_file *file, const work *w) {
    char number[TEXT_NUMBER];
    size_t count = w->ranking->count;
    fputs("\nimportance    splits  projection\n", file->stream);
    for (size_t i = 0; i < count && out_ok(file); i++) {
        const sporf_ranked *line = &w->ranking->projections[i];
        fprintf(file->stream, "%10s  ", text_rate(number, line->importance));
        fprintf(file->stream, "%8s  ", text_count(number, line->splits));
        terms_print(file->stream, w->forest, line->features, line->weights, line->terms);
        fputc('\n', file->stream);
    }
    write_more(file->stream, w->ranking->distinct - count, "projections");
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void csv_number(FILE *stream, double value) {
    char number[TEXT_NUMBER];
    fprintf(stream, ",%s", isnan(value) ? "" : text_double(number, value));
}

static void csv_feature(FILE *stream, const work *w, const weighed *line) {
    fputs("feature,", stream);
    terms_csv_feature(stream, w->forest, line->feature);
    csv_number(stream, line->importance);
    if (w->permutes) csv_number(stream, line->permutation);
    if (w->permutes) csv_number(stream, line->error);
    fputs(w->ranking ? ",\n" : "\n", stream);
}

typedef struct {
    const sporf_forest *forest;
    const sporf_ranked *line;
} projection;

static void print_projection(FILE *stream, const void *context) {
    const projection *p = context;
    terms_print(stream, p->forest, p->line->features, p->line->weights, p->line->terms);
}

static int csv_projection(FILE *stream, const work *w, const sporf_ranked *line) {
    char *text = console_printed(print_projection, &(projection){w->forest, line});
    int whole = text != NULL;
    if (whole) {
        fputs("projection,", stream);
        text_csv_field(stream, text);
        csv_number(stream, line->importance);
        fprintf(stream, "%s,%llu\n", w->permutes ? ",," : "", (unsigned long long)line->splits);
    } else {
        out_error(verb, "out of memory for a projection of %zu terms", line->terms);
    }
    free(text);
    return whole ? EXIT_DONE : EXIT_FAILED;
}

static int write_csv(out_file *file, const work *w) {
    size_t projections = w->ranking ? w->ranking->count : 0;
    int code = EXIT_DONE;
    fprintf(file->stream, "kind,name,importance%s%s\n",
            w->permutes ? ",permutation,permutation_error" : "", w->ranking ? ",splits" : "");
    for (size_t i = 0; i < shown_features(w) && out_ok(file); i++)
        csv_feature(file->stream, w, &w->features[i]);
    for (size_t i = 0; i < projections && out_ok(file) && code == EXIT_DONE; i++)
        code = csv_projection(file->stream, w, &w->ranking->projections[i]);
    return code;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void features_json(out_file *file, json *writer, const work *w) {
    json_list(writer, "importances");
    for (size_t i = 0; i < shown_features(w) && out_ok(file); i++) {
        size_t feature = w->features[i].feature;
        json_object(writer, NULL);
        json_line(writer);
        json_count(writer, "feature", feature);
        json_text(writer, "name",
                  sporf_schema_feature_name(sporf_forest_schema(w->forest), feature));
        json_double(writer, "importance", w->features[i].importance);
        if (w->permutes) {
            json_double(writer, "permutation", w->features[i].permutation);
            json_double(writer, "permutation_error", w->features[i].error);
        }
        json_end(writer);
    }
    json_end(writer);
}

static void projections_json(out_file *file, json *writer, const work *w) {
    json_count(writer, "distinct_projections", w->ranking->distinct);
    terms_sets_json(file, writer, w->forest);
    json_list(writer, "projections");
    for (size_t i = 0; i < w->ranking->count && out_ok(file); i++) {
        const sporf_ranked *line = &w->ranking->projections[i];
        json_object(writer, NULL);
        json_line(writer);
        terms_json(writer, line->features, line->weights, line->terms);
        json_double(writer, "importance", line->importance);
        json_count(writer, "splits", line->splits);
        json_end(writer);
    }
    json_end(writer);
}

static void write_json(out_file *file, const work *w) {
    json writer;
    json_start(&writer, file->stream);
    json_object(&writer, NULL);
    json_text(&writer, "model", w->path);
    json_count(&writer, "features", sporf_forest_features(w->forest));
    json_count(&writer, "trees", sporf_forest_trees(w->forest));
    features_json(file, &writer, w);
    if (w->ranking) projections_json(file, &writer, w);
    json_end(&writer);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int print(const opt_list *options, const work *w) {
    out_file file;
    int code = out_open(&file, verb, opt_value(options, "output"));
    if (code != EXIT_DONE) return code;
    if (opt_value(options, "json")) {
        write_json(&file, w);
    } else if (writes_csv(options)) {
        code = write_csv(&file, w);
    } else {
        write_features(&file, w);
        if (w->ranking) write_projections(&file, w);
    }
    return out_close(&file, code == EXIT_DONE);
}

static int run(const opt_list *options) {
    work w = {.path = opt_value(options, "model"),
              .permutes = opt_value(options, "permutation") != NULL};
    int code = input_protect(options, "output");
    if (code == EXIT_DONE) code = outputs_check(verb, opt_value(options, "output"));
    if (code == EXIT_DONE) code = read_top(options, &w.top);
    if (code != EXIT_DONE) return code;
    sporf_status status = sporf_forest_load(w.path, &w.forest);
    code = status == SPORF_OK ? find_importances(options, &w) : out_failure(verb, status, NULL);
    if (code == EXIT_DONE) code = print(options, &w);
    sporf_ranking_free(w.ranking);
    free(w.features);
    sporf_forest_free(w.forest);
    return code;
}

const cli_verb cmd_importance = {
    .name = verb,
    .summary = "shows which features and projections matter",
    .usage = "sporf importance --model M [--top K|all] [--projections] [--output F]\n"
             "                        [--json] [--permutation --data F [--label C]]",
    .text = "Prints the importance of each feature: its share of the total decrease in impurity "
            "over all splits (Gini for classification, variance for regression). A split divides "
            "its decrease among its features in proportion to their weights. --projections adds "
            "the projections that splits use, such as '+1 height -1 [colour in red]'. "
            "--permutation adds the increase of the out-of-bag error when the values of a feature "
            "are shuffled, averaged over the trees, with its standard error, and sorts features by "
            "it. The error is the error rate or, for regression, the mean squared error in squared "
            "units of the target (several targets are divided by their variances).",
    .example = "  sporf importance --model iris.sporf --projections\n"
               "  sporf importance --model iris.sporf --permutation --data iris.csv\n",
    .declare = declare,
    .run = run,
};
