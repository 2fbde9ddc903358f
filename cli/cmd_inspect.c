/* sporf inspect: what is in a model file. */
#include "boosting_report.h"
#include "cli.h"
#include "json.h"
#include "out.h"
#include "printed.h"
#include "summary.h"
#include "terms.h"
#include "tree_print.h"

#include <string.h>

static const char verb[] = "inspect";

typedef struct {
    const char *path;
    sporf_forest *forest;
    sporf_forest_summary summary;
    size_t first, end; /* the trees to print, from 0: first .. end - 1 */
} work;

static void declare(opt_list *options) {
    const opt_spec specs[] = {
        {.help = "Options"},
        {.name = "model", .value = "M", .required = 1, .help = "the model file"},
        {.name = "tree",
         .value = "I",
         .help = "print a tree, numbered from 1, or 'all' trees, instead of the summary"},
        {.name = "json", .help = "print one JSON object, with the nodes of the trees of --tree"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
}

static int select_trees(const opt_list *options, work *w) {
    const char *value = opt_value(options, "tree");
    size_t count = sporf_forest_trees(w->forest);
    uint64_t number = 1;
    w->end = value ? count : 0;
    if (!value || strcmp(value, "all") == 0) return EXIT_DONE;
    int code = opt_count(options, "tree", 1, &number);
    if (code != EXIT_DONE) return code;
    if (number > count) {
        out_error(verb, "--tree must be from 1 to %zu, the trees of this model, got %s", count,
                  value);
        return EXIT_USAGE;
    }
    w->first = (size_t)number - 1;
    w->end = (size_t)number;
    return EXIT_DONE;
}

static void feature_names_json(json *writer, const sporf_forest *forest) {
    json_list(writer, "feature_names");
    json_line(writer);
    const char *name;
    for (size_t j = 0; (name = sporf_schema_feature_name(sporf_forest_schema(forest), j)) != NULL;
         j++)
        json_text(writer, NULL, name);
    json_end(writer);
}

/* Features that are not numbers: name, kind and levels. */
static void levels_json(json *writer, const sporf_forest *forest) {
    json_list(writer, "levels");
    for (size_t j = 0; j < sporf_forest_features(forest); j++) {
        sporf_kind kind = sporf_schema_kind(sporf_forest_schema(forest), j);
        if (kind == SPORF_KIND_NUMBER) continue;
        json_object(writer, NULL);
        json_line(writer);
        json_count(writer, "feature", j);
        json_text(writer, "name", sporf_schema_feature_name(sporf_forest_schema(forest), j));
        json_text(writer, "kind", kind == SPORF_KIND_CATEGORY ? "category" : "ordinal");
        json_list(writer, "levels");
        for (size_t i = 0; i < sporf_schema_levels(sporf_forest_schema(forest), j); i++)
            json_text(writer, NULL, sporf_schema_level_name(sporf_forest_schema(forest), j, i));
        json_end(writer);
        json_end(writer);
    }
    json_end(writer);
}

static int is_boosted(const work *w) {
    sporf_boosting boosting;
    return sporf_forest_boosting(w->forest, &boosting);
}

static int write_json(out_file *file, const work *w) {
    json writer;
    int code = EXIT_DONE;
    json_start(&writer, file->stream);
    json_object(&writer, NULL);
    json_text(&writer, "model", w->path);
    json_count(&writer, "model_bytes", summary_file_bytes(w->path));
    json_text(&writer, "learner", is_boosted(w) ? "boosting" : "forest");
    summary_json(&writer, w->forest, &w->summary);
    json_text(&writer, "label", sporf_schema_label_name(sporf_forest_schema(w->forest)));
    feature_names_json(&writer, w->forest);
    levels_json(&writer, w->forest);
    if (w->first < w->end) {
        terms_sets_json(file, &writer, w->forest);
        json_list(&writer, "structure");
        for (size_t t = w->first; t < w->end && code == EXIT_DONE && out_ok(file); t++)
            code = tree_print_json(file, &writer, w->forest, t);
        json_end(&writer);
    }
    json_end(&writer);
    return code;
}

static void method_line(FILE *stream, const work *w) {
    const char *method = sporf_forest_setting(w->forest, "method");
    const char *sampler = sporf_forest_setting(w->forest, "sampler");
    if (method)
        summary_line(stream, "method", "%s", method);
    else
        summary_line(stream, "method", "a sampler of its own, '%s'", sampler ? sampler : "unknown");
}

static void write_summary(FILE *stream, const work *w) {
    char number[TEXT_NUMBER];
    summary_kinds kinds;
    sporf_boosting boosting;
    int boosted = sporf_forest_boosting(w->forest, &boosting);
    summary_line(stream, "model", "%s (%s)", w->path,
                 text_bytes(number, summary_file_bytes(w->path)));
    if (boosted) summary_line(stream, "learner", "boosting");
    method_line(stream, w);
    summary_forest_kinds(w->forest, &kinds);
    summary_schema(stream, w->forest, &kinds, NULL);
    summary_lines(stream, w->forest, &w->summary);
    if (boosted) boosting_more_lines(stream, &boosting);
}

static int write_text(out_file *file, const work *w) {
    int code = EXIT_DONE;
    if (w->first == w->end) write_summary(file->stream, w);
    for (size_t t = w->first; t < w->end && code == EXIT_DONE && out_ok(file); t++)
        code = tree_print_text(file, w->forest, t);
    return code;
}

static int print(const opt_list *options, const work *w) {
    out_file file;
    out_open(&file, verb, NULL);
    int code = opt_value(options, "json") ? write_json(&file, w) : write_text(&file, w);
    int closed = out_close(&file, code == EXIT_DONE);
    return code == EXIT_DONE ? closed : code;
}

static int run(const opt_list *options) {
    work w = {.path = opt_value(options, "model")};
    sporf_status status = sporf_forest_load(w.path, &w.forest);
    if (status == SPORF_OK) status = sporf_forest_summarise(w.forest, &w.summary);
    int code = status == SPORF_OK ? select_trees(options, &w) : out_failure(verb, status, NULL);
    if (code == EXIT_DONE) code = print(options, &w);
    sporf_forest_free(w.forest);
    return code;
}

const cli_verb cmd_inspect = {
    .name = verb,
    .summary = "shows what is in a model file",
    .usage = "sporf inspect --model M [--tree I|all] [--json]",
    .text = "Prints a summary of a model, or its trees. A split reads '+1 height -1 width <= 2.5': "
            "rows for which it holds go to the 'yes' branch. '[colour in red, green]' is 1 for "
            "rows with these levels and 0 for others. In sums, '[height or 170.5]' is 170.5 where "
            "height is missing, and a missing level is another one. Otherwise rows with a missing "
            "value go to 'yes' if the split says 'or missing', and to 'no' if not. A leaf shows "
            "its largest class and the training weight of each class in it; in a boosted model, "
            "what it adds to a score.",
    .example = "  sporf inspect --model iris.sporf --tree 1\n",
    .declare = declare,
    .run = run,
};
