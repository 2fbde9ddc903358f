/* sporf dependence: how predictions change with features, and which features act together. */
#include "cli.h"
#include "dependence_table.h"
#include "named.h"
#include "outputs.h"
#include "predicting.h"
#include "progress.h"
#include "table_input.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char verb[] = "dependence";

enum { TOP = 5 }; /* features by default */

typedef struct {
    sporf_read_options read;
    const char *const *given; /* the given list of columns to ignore, if another one replaced it */
    sporf_dependence_options how;
    sporf_forest *forest;
    sporf_dataset *data;
    size_t *features; /* [count]: asked for */
    size_t count;
    int pairs;         /* --pairs was given */
    size_t strongest;  /* of --interactions; 0 if it was not given */
    size_t done, most; /* curves made, and to make */
    dependence_table table;
    progress bar;
} work;

static void declare(opt_list *options) {
    predicting_declare(options);
    const opt_spec specs[] = {
        {.name = "features",
         .value = "C,...",
         .help = "features to look at, by name or by number from 1; by default those that matter "
                 "most"},
        {.name = "top",
         .value = "K",
         .fallback = "5",
         .help = "without --features: how many, by importance"},
        {.name = "kind",
         .value = "NAME",
         .range = "pdp|ice|ale",
         .fallback = "pdp",
         .help = "pdp: partial dependence; ice: also the curves of the single rows; ale: "
                 "accumulated local effects, for correlated features"},
        {.name = "pairs", .help = "a grid for each pair of the features instead of single curves"},
        {.name = "interactions",
         .value = "K",
         .alone = "all",
         .help = "instead of curves, Friedman's H of the K strongest pairs of the features, or of "
                 "all, and of each feature with all others"},
        {.name = "grid",
         .value = "N",
         .help = "the most values of a feature: by default 100, with --pairs 20; with --kind ale "
                 "the most bins, by default 40"},
        {.name = "sample",
         .value = "N",
         .help = "the most rows to use, drawn by chance; by default all, with --interactions 200"},
        {.name = "seed", .value = "S", .fallback = "0", .help = "seed of this draw"},
        {.name = "class", .value = "C", .help = "only the predictions for this class"},
        {.name = "scores", .help = "boosting: scores instead of probabilities or values"},
        {.name = "output",
         .value = "F",
         .fallback = "-",
         .help = "CSV file to write; - is standard output"},
        {.name = "json", .help = "write one JSON object instead of CSV"},
    };
    opt_add(options, specs, sizeof specs / sizeof *specs);
    input_declare(options,
                  "a class or target column to ignore: a name, a number from 1 or 'last'; not "
                  "needed if it has the same name as in training",
                  0);
    input_declare_weight(options);
    input_declare_ignore(options);
    input_declare_limits(options);
}

/* ---- options --------------------------------------------------------------------------------- */

static int read_size(const opt_list *options, const char *name, uint64_t least, size_t *size) {
    uint64_t number = *size;
    int code = opt_count(options, name, least, &number);
    *size = number < SIZE_MAX ? (size_t)number : SIZE_MAX;
    return code;
}

/* Refuses the second of two options that do not go together. */
static int refuse_both(const opt_list *options, const char *one, const char *other) {
    if (!opt_value(options, one) || !opt_value(options, other)) return EXIT_DONE;
    out_error(verb, "--%s does not go with --%s; leave one of them out", other, one);
    return EXIT_USAGE;
}

static int check_together(const opt_list *options) {
    static const char *const pairs[][2] = {
        {"features", "top"},      {"interactions", "pairs"}, {"interactions", "kind"},
        {"interactions", "grid"}, {"interactions", "class"},
    };
    int code = EXIT_DONE;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs && code == EXIT_DONE; i++)
        code = refuse_both(options, pairs[i][0], pairs[i][1]);
    return code;
}

static int read_pairs(const opt_list *options, work *w) {
    const char *strongest = opt_value(options, "interactions");
    w->pairs = opt_value(options, "pairs") != NULL;
    if (w->pairs && w->how.kind == SPORF_DEPENDENCE_ALE) {
        out_error(verb, "--kind ale is for single features; leave --pairs out, or use --kind pdp");
        return EXIT_USAGE;
    }
    w->strongest = strongest ? SIZE_MAX : 0;
    if (!strongest || strcmp(strongest, "all") == 0) return EXIT_DONE;
    return read_size(options, "interactions", 1, &w->strongest);
}

static int read_how(const opt_list *options, work *w) {
    sporf_predict_options predicting;
    sporf_dependence_options *how = &w->how;
    unsigned kind = 0;
    sporf_dependence_options_init(how);
    int code = predicting_options(options, &predicting);
    if (code == EXIT_DONE) code = check_together(options);
    if (code == EXIT_DONE) code = opt_choice(options, "kind", &kind);
    if (code == EXIT_DONE) code = read_size(options, "grid", 2, &how->grid);
    if (code == EXIT_DONE) code = read_size(options, "sample", 1, &how->sample);
    if (code == EXIT_DONE) code = opt_count(options, "seed", 0, &how->seed);
    if (code != EXIT_DONE) return code;
    how->kind = (sporf_dependence_kind)kind;
    how->combine = predicting.combine;
    how->calibration = predicting.calibration;
    how->scores = opt_value(options, "scores") != NULL;
    how->threads = predicting.threads;
    return read_pairs(options, w);
}

/* ---- model and table ------------------------------------------------------------------------- */

static size_t count_outputs(const work *w) {
    size_t targets = sporf_forest_targets(w->forest);
    sporf_boosting boosting;
    if (w->how.scores && sporf_forest_boosting(w->forest, &boosting)) return boosting.outputs;
    return targets > 0 ? targets : sporf_forest_classes(w->forest);
}

static int check_class(const opt_list *options, work *w) {
    dependence_table *table = &w->table;
    *table = (dependence_table){.forest = w->forest,
                                .kind = w->how.kind,
                                .pairs = w->pairs,
                                .scores = w->how.scores,
                                .outputs = count_outputs(w)};
    int code = named_class(options, w->forest, &table->output);
    if (code != EXIT_DONE || table->output == SIZE_MAX || table->outputs > 1) return code;
    out_error(verb, "a model of two classes has one score, the log odds of the second class; leave "
                    "--class out");
    return EXIT_USAGE;
}

static const char *feature_text(const work *w, size_t feature, char *text, size_t size) {
    const char *name = sporf_schema_feature_name(sporf_forest_schema(w->forest), feature);
    if (name)
        snprintf(text, size, "'%.100s'", name);
    else
        snprintf(text, size, "x%zu", feature + 1);
    return text;
}

static int check_features(const work *w) {
    const char *all = w->how.kind == SPORF_DEPENDENCE_ALE ? "ordered features" : "features";
    size_t least = w->pairs || w->strongest > 0 ? 2 : 1;
    char text[128];
    if (w->count < least) {
        out_error(verb, "%s: at least %zu %s are needed, but there %s %zu",
                  least > 1 ? "pairs of features" : "curves", least, all,
                  w->count == 1 ? "is" : "are", w->count);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < w->count && w->how.kind == SPORF_DEPENDENCE_ALE; i++) {
        if (sporf_schema_kind(sporf_forest_schema(w->forest), w->features[i]) !=
            SPORF_KIND_CATEGORY)
            continue;
        out_error(verb,
                  "--kind ale needs an order, but feature %s is a category; use --kind pdp, or "
                  "leave it out of --features",
                  feature_text(w, w->features[i], text, sizeof text));
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

static int open_model(const opt_list *options, work *w) {
    size_t top = TOP;
    int code = read_size(options, "top", 1, &top);
    if (code == EXIT_DONE) code = predicting_load(options, &w->forest);
    if (code == EXIT_DONE) code = predicting_check(options, w->forest);
    if (code == EXIT_DONE) code = check_class(options, w);
    if (code == EXIT_DONE)
        code = named_features(options, w->forest, top, w->how.kind == SPORF_DEPENDENCE_ALE,
                              &w->features, &w->count);
    return code == EXIT_DONE ? check_features(w) : code;
}

static int check_missing(const work *w) {
    size_t rows = sporf_dataset_rows(w->data);
    char text[128];
    for (size_t i = 0; i < w->count && rows > 0; i++) {
        size_t feature = w->features[i];
        if (feature >= sporf_dataset_features(w->data)) break;
        if (sporf_dataset_missing(w->data, feature) < rows) continue;
        out_error(verb,
                  "feature %s has no values in the table: all are missing; name other features "
                  "with --features",
                  feature_text(w, feature, text, sizeof text));
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

static int read_table(const opt_list *options, work *w) {
    if (!predicting_features(w->forest, &w->read, &w->given)) {
        out_error(verb, "out of memory");
        return EXIT_FAILED;
    }
    sporf_status status = input_read(options, &w->read, &w->data);
    if (status != SPORF_OK)
        return out_failure(verb, status, predicting_table_hint(w->forest, &w->read, status));
    int code = predicting_note_unknown(verb, w->forest, w->data);
    return code == EXIT_DONE ? check_missing(w) : code;
}

/* ---- curves ---------------------------------------------------------------------------------- */

static void show_curves(void *payload, size_t done, size_t rows) {
    work *w = payload;
    double share = rows > 0 ? (double)done / (double)rows : 0;
    progress_show_share(&w->bar, w->done, ((double)w->done + share) / (double)w->most);
}

static void show_pairs(void *payload, size_t done, size_t total) {
    progress_show(&((work *)payload)->bar, done, total);
}

static int refuse_rows(const work *w, sporf_status status) {
    return out_failure(verb, status, predicting_surplus_hint(w->forest, &w->read, w->data));
}

/* Finds the dependence on one or two features and writes it; json is NULL for CSV. The bar is wiped
 * before: both may be on the same terminal. */
static int make_curve(out_file *file, json *writer, work *w, const size_t *features, size_t count) {
    sporf_dependence *found = NULL;
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.payload = w;
    hooks.progress = show_curves;
    sporf_status status =
        sporf_dependence_create(w->forest, w->data, &w->how, &hooks, features, count, &found);
    progress_wipe(&w->bar);
    if (status != SPORF_OK) return refuse_rows(w, status);
    if (writer)
        dependence_json(file, writer, &w->table, found);
    else
        dependence_csv(file, &w->table, found);
    sporf_dependence_free(found);
    w->done++;
    return EXIT_DONE;
}

static int make_curves(out_file *file, json *writer, work *w) {
    int code = EXIT_DONE;
    w->most = w->pairs ? w->count * (w->count - 1) / 2 : w->count;
    for (size_t i = 0; i < w->count && code == EXIT_DONE && out_ok(file); i++) {
        if (!w->pairs) code = make_curve(file, writer, w, &w->features[i], 1);
        for (size_t j = i + 1; w->pairs && j < w->count && code == EXIT_DONE && out_ok(file); j++)
            code = make_curve(file, writer, w, (size_t[]){w->features[i], w->features[j]}, 2);
    }
    return code;
}

static int write_csv(out_file *file, work *w) {
    if (dependence_csv_header(file->stream, &w->table)) return make_curves(file, NULL, w);
    out_error(verb, "out of memory");
    return EXIT_FAILED;
}

static int write_json(out_file *file, const opt_list *options, work *w) {
    static const char *const kinds[] = {"pdp", "ice", "ale"};
    json writer;
    json_start(&writer, file->stream);
    json_object(&writer, NULL);
    json_text(&writer, "model", opt_value(options, "model"));
    json_text(&writer, "kind", kinds[w->how.kind]);
    json_bool(&writer, "scores", w->how.scores);
    dependence_json_outputs(&writer, &w->table);
    json_list(&writer, "dependence");
    int code = make_curves(file, &writer, w);
    json_end(&writer);
    json_end(&writer);
    return code;
}

static int write_interactions(out_file *file, const opt_list *options, work *w) {
    sporf_interactions *found = NULL;
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.payload = w;
    hooks.progress = show_pairs;
    sporf_status status = sporf_interactions_create(w->forest, w->data, &w->how, &hooks,
                                                    w->features, w->count, &found);
    progress_wipe(&w->bar);
    if (status != SPORF_OK) return refuse_rows(w, status);
    if (opt_value(options, "json")) {
        json writer;
        json_start(&writer, file->stream);
        json_object(&writer, NULL);
        json_text(&writer, "model", opt_value(options, "model"));
        interactions_json(file, &writer, w->forest, found, w->strongest);
        json_end(&writer);
    } else {
        interactions_csv(file, w->forest, found, w->strongest);
    }
    sporf_interactions_free(found);
    return EXIT_DONE;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int write_result(const opt_list *options, work *w) {
    out_file file;
    int code = out_open(&file, verb, opt_value(options, "output"));
    if (code != EXIT_DONE) return code;
    progress_start(&w->bar, w->strongest > 0 ? "features and pairs" : "curves");
    if (w->strongest > 0)
        code = write_interactions(&file, options, w);
    else
        code = opt_value(options, "json") ? write_json(&file, options, w) : write_csv(&file, w);
    progress_end(&w->bar);
    int closed = out_close(&file, code == EXIT_DONE);
    return code == EXIT_DONE ? closed : code;
}

static int run(const opt_list *options) {
    work w = {0};
    int code = input_protect(options, "output");
    if (code == EXIT_DONE) code = outputs_check(verb, opt_value(options, "output"));
    if (code == EXIT_DONE) code = input_options(options, &w.read);
    if (code == EXIT_DONE) code = read_how(options, &w);
    if (code == EXIT_DONE) code = open_model(options, &w);
    if (code == EXIT_DONE) code = read_table(options, &w);
    if (code == EXIT_DONE) code = write_result(options, &w);
    free(w.features);
    sporf_dataset_free(w.data);
    sporf_forest_free(w.forest);
    input_free(&w.read);
    free((void *)w.given);
    return code;
}

const cli_verb cmd_dependence = {
    .name = verb,
    .summary = "shows how predictions change with features",
    .usage = "sporf dependence --model M --data F [--features C,...] [--kind NAME]\n"
             "                        [--pairs | --interactions [K]] [--output F] [--json]",
    .text = "Writes how predictions change with a feature, as CSV: a line for each value of the "
            "feature with the mean prediction of all rows if they had this value (partial "
            "dependence, Friedman 2001), for each class or target. Values of numbers are at equal "
            "distances between the quantiles 0.05 and 0.95 of the table; categories have their "
            "levels. --kind ice adds the curves of the single rows. --kind ale gives accumulated "
            "local effects (Apley and Zhu 2020). --interactions gives Friedman's H: 0 if the "
            "effects of two features add up, 1 if they act only together. The table is any with "
            "the features of the model; it needs no classes or targets.",
    .example = "  sporf dependence --model iris.sporf --data iris.csv --features petal_length\n"
               "  sporf dependence --model iris.sporf --data iris.csv --interactions\n",
    .declare = declare,
    .run = run,
};
