/* sporf importance: what a forest looks at. */
#include "cli.h"
#include "input.h"
#include "json.h"
#include "out.h"
#include "terms.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const char verb[] = "importance";

enum { SHOWN = 20 }; /* where --top does not say */

typedef struct {
    size_t feature;
    double importance;
} weighed;

typedef struct {
    const char *path;
    sporf_forest *forest;
    size_t top;             /* features, and projections, to show */
    weighed *features;      /* the most important first */
    sporf_ranking *ranking; /* NULL where --projections was not given */
} work;

static void declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Options"},
        {.name = "model", .value = "M", .required = 1, .help = "the model file"},
        {.name = "top",
         .value = "K",
         .fallback = "20",
         .help = "how many to print, the most important first, or 'all'"},
        {.name = "projections", .help = "print the projections that splits use, too"},
        {.name = "output",
         .value = "F",
         .fallback = "-",
         .help = "file to write; - is standard output"},
        {.name = "json", .help = "print one JSON object"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
}

/* ---- work ------------------------------------------------------------------------------------ */

static int by_importance(const void *a, const void *b) {
    const weighed *left = a, *right = b;
    if (left->importance != right->importance) return left->importance > right->importance ? -1 : 1;
    return left->feature < right->feature ? -1 : left->feature > right->feature;
}

static sporf_status weigh_features(work *w, double *importances) {
    size_t count = sporf_forest_features(w->forest);
    sporf_status status = sporf_forest_importances(w->forest, importances);
    if (status != SPORF_OK) return status;
    for (size_t j = 0; j < count; j++) w->features[j] = (weighed){j, importances[j]};
    qsort(w->features, count, sizeof *w->features, by_importance);
    return SPORF_OK;
}

static int find_importances(const opt_list *options, work *w) {
    size_t count = sporf_forest_features(w->forest);
    double *importances = malloc(count * sizeof *importances);
    w->features = malloc(count * sizeof *w->features);
    if (!importances || !w->features) {
        free(importances);
        out_error(verb, "out of memory for %zu features", count);
        return EXIT_FAILED;
    }
    sporf_status status = weigh_features(w, importances);
    free(importances);
    if (status == SPORF_OK && opt_value(options, "projections"))
        status = sporf_ranking_create(w->forest, w->top, &w->ranking);
    return status == SPORF_OK ? EXIT_DONE : out_failure(verb, status, NULL);
}

static int read_top(const opt_list *options, size_t *top) {
    const char *value = opt_value(options, "top");
    uint64_t number = SHOWN;
    *top = SIZE_MAX;
    if (value && strcmp(value, "all") == 0) return EXIT_DONE;
    int code = opt_count(options, "top", 1, &number);
    *top = number < SIZE_MAX ? (size_t)number : SIZE_MAX;
    return code;
}

static size_t shown_features(const work *w) {
    size_t count = sporf_forest_features(w->forest);
    return count < w->top ? count : w->top;
}

/* ---- output ---------------------------------------------------------------------------------- */

static void write_more(FILE *stream, size_t more, const char *what) {
    char number[TEXT_NUMBER];
    if (more > 0) fprintf(stream, "and %s more %s\n", text_count(number, more), what);
}

static void write_features(out_file *file, const work *w) {
    char number[TEXT_NUMBER];
    fputs("importance  feature\n", file->stream);
    for (size_t i = 0; i < shown_features(w) && out_ok(file); i++) {
        fprintf(file->stream, "%10s  ", text_rate(number, w->features[i].importance));
        terms_print_feature(file->stream, w->forest, (uint32_t)w->features[i].feature);
        fputc('\n', file->stream);
    }
    write_more(file->stream, sporf_forest_features(w->forest) - shown_features(w), "features");
}

static void write_projections(out_file *file, const work *w) {
    char number[TEXT_NUMBER];
    size_t count = sporf_ranking_count(w->ranking);
    fputs("\nimportance    splits  projection\n", file->stream);
    for (size_t i = 0; i < count && out_ok(file); i++) {
        const sporf_ranked *line = sporf_ranking_at(w->ranking, i);
        fprintf(file->stream, "%10s  ", text_rate(number, line->importance));
        fprintf(file->stream, "%8s  ", text_count(number, line->splits));
        terms_print(file->stream, w->forest, line->features, line->weights, line->terms);
        fputc('\n', file->stream);
    }
    write_more(file->stream, sporf_ranking_distinct(w->ranking) - count, "projections");
}

static void features_json(out_file *file, json *writer, const work *w) {
    json_list(writer, "importances");
    for (size_t i = 0; i < shown_features(w) && out_ok(file); i++) {
        size_t feature = w->features[i].feature;
        json_object(writer, NULL);
        json_line(writer);
        json_count(writer, "feature", feature);
        json_text(writer, "name", sporf_forest_feature_name(w->forest, feature));
        json_double(writer, "importance", w->features[i].importance);
        json_end(writer);
    }
    json_end(writer);
}

static void projections_json(out_file *file, json *writer, const work *w) {
    json_count(writer, "distinct_projections", sporf_ranking_distinct(w->ranking));
    terms_sets_json(file, writer, w->forest);
    json_list(writer, "projections");
    for (size_t i = 0; i < sporf_ranking_count(w->ranking) && out_ok(file); i++) {
        const sporf_ranked *line = sporf_ranking_at(w->ranking, i);
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

static int print(const opt_list *options, const work *w) {
    out_file file;
    int code = out_open(&file, verb, opt_value(options, "output"));
    if (code != EXIT_DONE) return code;
    if (opt_value(options, "json")) {
        write_json(&file, w);
    } else {
        write_features(&file, w);
        if (w->ranking) write_projections(&file, w);
    }
    return out_close(&file, 1);
}

static int run(const opt_list *options) {
    work w = {.path = opt_value(options, "model")};
    int code = input_protect(options, "output");
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
             "                        [--json]",
    .text = "Prints how much of the impurity that all splits of a forest take away is taken by "
            "each feature: the mean decrease in impurity, Gini for classes and variance for "
            "numbers, as a share of 1. A split of several features shares it out among them in "
            "proportion to their weights. With --projections those that splits use are listed, "
            "too, such as '+1 height -1 [colour in red]'.",
    .example = "  sporf importance --model iris.sporf --projections\n",
    .declare = declare,
    .run = run,
};
